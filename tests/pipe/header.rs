//! The header line of y4m by itself.

use std::sync::Arc;

use proptest::prelude::*;
use warpreel::frame::{Family, FieldOrder, Format, Pixel, Range, Rational};
use warpreel::y4m::{Header, MAGIC};

use super::{message, open};

fn parse(words: &str) -> anyhow::Result<Header> {
    Header::parse(format!("YUV4MPEG2 {words}").as_bytes())
}

fn parsed(words: &str) -> Format {
    parse(words).unwrap_or_else(|error| panic!("{words}: {error:#}")).format
}

#[test]
fn every_word_is_understood() {
    let header =
        parse("W720 H576 F50:2 It A64:45 C420paldv XYSCSS=420PALDV XCOLORRANGE=FULL XLENGTH=7 Xfoo Z9").unwrap();
    let format = header.format;
    assert_eq!((format.width, format.height, format.rate), (720, 576, Rational::new(25, 1)));
    assert_eq!(format.time_base, Rational::new(1, 25));
    assert_eq!((format.fields, format.aspect), (FieldOrder::TopFirst, Rational::new(64, 45)));
    assert_eq!((format.pixel, format.colour.siting), (Pixel::yuv420p(8), 3));
    assert_eq!((format.colour.range, header.length), (Range::Full, Some(7)));
    assert!(!header.rate_is_a_guess);
}

#[test]
fn missing_words_are_unknown() {
    let header = parse("H2  W3").unwrap();
    assert_eq!((header.format.width, header.format.height), (3, 2));
    assert_eq!((header.format.pixel, header.format.colour.siting), (Pixel::yuv420p(8), 0));
    assert_eq!((header.format.aspect, header.format.fields), (Rational::new(0, 1), FieldOrder::Unspecified));
    assert_eq!((header.format.rate, header.rate_is_a_guess, header.length), (Rational::new(25, 1), true, None));
    assert!(parse("W1 H1 F0:0 A0:0 I?").unwrap().rate_is_a_guess);
}

#[test]
fn all_pixels_have_names() {
    let yuv = |w, h, depth| Pixel::integer(Family::Yuv, w, h, depth);
    for (ratio, w, h) in [("420", 1, 1), ("422", 1, 0), ("444", 0, 0), ("411", 2, 0), ("440", 0, 1), ("410", 2, 2)] {
        assert_eq!(parsed(&format!("W1 H1 C{ratio}")).pixel, yuv(w, h, 8));
        for depth in 9..=16 {
            assert_eq!(parsed(&format!("W1 H1 C{ratio}p{depth}")).pixel, yuv(w, h, depth));
            assert_eq!(parsed(&format!("W1 H1 XYSCSS={ratio}P{depth}")).pixel, yuv(w, h, depth));
            assert_eq!(parsed(&format!("W1 H1 Cmono{depth}")).pixel, Pixel::gray(depth));
        }
    }
    assert_eq!(parsed("W1 H1 Cmono").pixel, Pixel::gray(8));
    assert_eq!(parsed("W1 H1 C444alpha XYSCSS=444").pixel, Pixel { alpha: true, ..yuv(0, 0, 8) });
    for (name, siting) in [("420jpeg", 2), ("420mpeg2", 1), ("420paldv", 3), ("420", 2), ("420p10", 0), ("422", 0)] {
        assert_eq!(parsed(&format!("W1 H1 C{name}")).colour.siting, siting, "{name}");
    }
}

#[test]
fn what_cannot_be_understood_is_named() {
    for (words, what) in [
        ("H1", "width (W) is missing"),
        ("W1", "height (H) is missing"),
        ("W0 H1", "\"W0\""),
        ("W1 H16385", "\"H16385\""),
        ("W99999999999999999999 H1", "\"W99999999999999999999\""),
        ("Wx H1", "\"Wx\""),
        ("W1 H1 C421", "\"C421\""),
        ("W1 H1 C420p8", "\"C420p8\""),
        ("W1 H1 C420p17", "\"C420p17\""),
        ("W1 H1 C422alpha", "\"C422alpha\""),
        ("W1 H1 C", "\"C\""),
        ("W1 H1 Ix", "\"Ix\""),
        ("W1 H1 F25", "\"F25\""),
        ("W1 H1 F99999999999:1", "\"F99999999999:1\""),
        ("W1 H1 A-1:1", "\"A-1:1\""),
        ("W1 H1 XLENGTH=many", "\"XLENGTH=many\""),
    ] {
        let message = message(parse(words));
        assert!(message.contains(what), "{words}: {message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn wrong_starts_are_refused() {
    let long = [MAGIC, b"W1 H1 X".as_slice(), &vec![b'a'; 70_000], b"\nFRAME\n"].concat();
    for (bytes, what) in [
        (b"".as_slice(), "it is empty"),
        (b"RIFF\x00\x01\xff", "it starts with \"RIFF\\x00\\x01\\xff\""),
        (b"YUV4MPEG W1 H1\n", "not a y4m stream"),
        (b"YUV4MPEG2 W1 H1", "does not end"),
        (b"YUV4", "does not end"),
        (&long, "does not end within 65536 bytes"),
    ] {
        let message = message(open(bytes));
        assert!(message.contains(what), "{message}");
    }
}

#[test]
fn long_headers_are_read() {
    let words = format!("W1 H1 Cmono X{} XLENGTH=1", "a".repeat(60_000));
    let clip = format!("YUV4MPEG2 {words}\nFRAME\nz");
    let mut source = open(clip.as_bytes()).unwrap();
    assert_eq!(super::samples(&super::frames(&mut source).unwrap()[0]), b"z");
}

#[test]
fn what_y4m_cannot_hold_is_refused_with_a_way_out() {
    let rgb = Pixel::integer(Family::Rgb, 0, 0, 10);
    let alpha = Pixel { alpha: true, ..Pixel::yuv420p(8) };
    for (pixel, name) in [(rgb, "gbrp10"), (alpha, "yuva420p"), (Pixel { alpha: true, ..Pixel::gray(8) }, "ya8p")] {
        let message = message(Header::print(&Format::new(pixel, 8, 8, Rational::new(25, 1)), None));
        assert!(message.contains(name) && message.contains("--container nut"), "{message}");
    }
}

prop_compose! {
    fn formats()(
        (w, h) in prop::sample::select(vec![(1, 1), (1, 0), (0, 0), (2, 0), (0, 1), (2, 2)]),
        depth in 8u8..=16,
        family in prop::sample::select(vec![Family::Gray, Family::Yuv]),
        (width, height) in (1usize..=16384, 1usize..=16384),
        (num, den) in (1u64..100_000, 1u64..2_000),
        (above, below) in (0u64..100, 1u64..100),
        fields in prop::sample::select(vec![
            FieldOrder::Progressive, FieldOrder::TopFirst, FieldOrder::BottomFirst, FieldOrder::Mixed,
        ]),
        range in prop::sample::select(vec![Range::Unspecified, Range::Limited, Range::Full]),
        siting in 1u8..=3,
    ) -> Format {
        let gray = family == Family::Gray;
        let pixel = if gray { Pixel::gray(depth) } else { Pixel::integer(family, w, h, depth) };
        let rate = Rational::reduced(num, den).unwrap().unwrap();
        let mut format = Format::new(pixel, width, height, rate);
        format.aspect = Rational::reduced(above, below).unwrap().unwrap_or(Rational::new(0, 1));
        format.fields = fields;
        format.colour.range = range;
        format.colour.siting = if pixel == Pixel::yuv420p(8) { siting } else { 0 };
        format
    }
}

proptest! {
    #[test]
    fn printing_and_reading_is_the_identity(format in formats()) {
        let line = Header::print(&format, None).unwrap();
        let header = Header::parse(line.strip_suffix(b"\n").unwrap()).unwrap();
        prop_assert_eq!(header.format, format);
    }

    #[test]
    fn an_inherited_header_that_holds_is_kept_to_the_letter(format in formats(), word in "X[A-Z]{1,9}=[!-~]{0,99}") {
        let line = Header::print(&format, None).unwrap();
        let line = [line.strip_suffix(b"\n").unwrap(), b"  ", word.as_bytes()].concat();
        let printed = Header::print(&format, Some(&line)).unwrap();
        prop_assert_eq!(&printed[..printed.len() - 1], &line[..]);
        let wider = Format { width: format.width / 2 + 1, height: 16384 - format.height / 2, ..format };
        let printed = Header::print(&wider, Some(&line)).unwrap();
        prop_assert!(printed.ends_with(&[b" ", word.as_bytes(), b"\n"].concat()));
        prop_assert_eq!(Header::parse(&printed[..printed.len() - 1]).unwrap().format, wider);
    }

    #[test]
    fn any_bytes_are_parsed_or_refused(line in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Header::parse(&line);
        let _ = Header::parse(&[MAGIC, &line].concat());
    }

    #[test]
    fn any_words_are_parsed_or_refused(words in prop::collection::vec("[WHFIACXZ][0-9a-zA-Z:=?-]{0,24}", 0..12)) {
        if let Ok(header) = parse(&words.join(" ")) {
            let format = Arc::new(header.format);
            prop_assert!((1..=Format::MAX_SIDE).contains(&format.width));
            prop_assert!((1..=Format::MAX_SIDE).contains(&format.height));
            prop_assert!(format.rate.value().is_some());
        }
    }

    #[test]
    fn a_stream_of_any_bytes_ends_or_fails(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let header = b"YUV4MPEG2 W4 H4 Cmono F25:1\n".as_slice();
        for start in [b"".as_slice(), header, &[header, b"FRAME\n"].concat()] {
            if let Ok(mut source) = open(&[start, &bytes].concat()) {
                let _ = super::frames(&mut source);
            }
        }
    }
}
