//! `--start`, `--duration` and `--frames` for clips that have no index.

use std::time::Duration;

use warpreel::frame::Rational;
use warpreel::source::{self, Cut, CutPoint, Salvage, Source};

use super::{frames, input, message, piped, samples};

fn cut(start_ms: u64, duration_ms: Option<u64>, frames: Option<u64>) -> Cut {
    let start = CutPoint::Time(Duration::from_millis(start_ms));
    Cut { start, duration: duration_ms.map(Duration::from_millis), frames, ..Cut::default() }
}

#[test]
fn times_become_frames_exactly() {
    let (pal, ntsc) = (Rational::new(25, 1), Rational::new(30000, 1001));
    for (cut, rate, range) in [
        (Cut::default(), pal, 0..u64::MAX),
        (cut(40, None, None), pal, 1..u64::MAX),
        (cut(41, None, None), pal, 2..u64::MAX),
        (cut(39, Some(1), None), pal, 1..1),
        (cut(0, Some(1000), None), pal, 0..25),
        (cut(1000, Some(1000), Some(3)), pal, 25..28),
        (cut(1000, Some(80), Some(3)), pal, 25..27),
        (cut(1001, Some(1001), None), ntsc, 30..60),
        (cut(1002, None, Some(0)), ntsc, 31..31),
        (cut(100, None, None), Rational::new(0, 1), 3..u64::MAX),
    ] {
        assert_eq!(cut.range(rate), range, "{cut:?} at {rate}");
    }
    let longest =
        Cut { start: CutPoint::Time(Duration::MAX), duration: Some(Duration::MAX), frames: Some(u64::MAX), end: None };
    let range = longest.range(Rational::new(i32::MAX, 1));
    assert!(range.start <= range.end);
}

/// Ten frames of one byte at 10 frames a second, one of them with parameters; the header promises them.
fn clip() -> Vec<u8> {
    let mut clip = b"YUV4MPEG2 W1 H1 F10:1 Cmono XLENGTH=10\n".to_vec();
    for value in b'0'..=b'9' {
        clip.extend_from_slice(if value == b'2' { b"FRAME Ip Xlonger\n" } else { b"FRAME\n" });
        clip.push(value);
    }
    clip
}

#[test]
fn y4m_is_cut_from_files_and_pipes() {
    for (cut, wanted, length) in [
        (Cut::default(), "0123456789", 10),
        (cut(300, None, None), "3456789", 7),
        (cut(250, Some(200), None), "34", 2),
        (cut(0, None, Some(4)), "0123", 4),
        (cut(900, Some(5000), None), "9", 1),
        (cut(0, None, Some(0)), "", 0),
    ] {
        for input in [input(&clip()), piped(clip(), 1)] {
            let mut source = source::y4m::Y4m::open(input, cut, Salvage::Off).unwrap();
            assert_eq!(source.length(), Some(length), "{cut:?}");
            let frames = frames(&mut source).unwrap();
            let all: Vec<u8> = frames.iter().flat_map(samples).collect();
            assert_eq!(all, wanted.as_bytes(), "{cut:?}");
            assert!(
                frames.iter().enumerate().all(|(index, frame)| frame.timing.pts == index as i64),
                "times start at 0"
            );
            assert!(source.defects().warnings.is_empty(), "{:?}", source.defects().warnings);
            if cut != Cut::default() && !frames.is_empty() {
                let again = super::written_y4m(source.format(), frames);
                assert!(again.starts_with(b"YUV4MPEG2 W1 H1 F10:1 Cmono\n"), "the promised length is gone");
            }
        }
    }
}

#[test]
fn raw_is_cut_from_files_and_pipes() {
    for (cut, wanted) in
        [(cut(300, None, None), "3456789"), (cut(250, Some(200), None), "34"), (cut(0, None, Some(4)), "0123")]
    {
        for input in [input(b"0123456789"), piped(b"0123456789".to_vec(), 1)] {
            let spec = "gray:1x1@10".parse().unwrap();
            let mut source = source::raw::Raw::open(input, spec, cut, Salvage::Off).unwrap();
            let all: Vec<u8> = frames(&mut source).unwrap().iter().flat_map(samples).collect();
            assert_eq!(all, wanted.as_bytes(), "{cut:?}");
        }
    }
}

#[test]
fn a_start_beyond_the_end_is_an_error() {
    // The first frame that is wanted would be number 10, at one second: there the clip ends.
    for (cut, salvage) in [
        (cut(1000, None, None), Salvage::Off),
        (cut(9999, None, Some(2)), Salvage::On),
        (Cut { start: CutPoint::Time(Duration::MAX), ..Cut::default() }, Salvage::Off),
    ] {
        for from in [input as fn(&[u8]) -> _, |bytes| piped(bytes.to_vec(), 7)] {
            let y4m = frames(&mut source::y4m::Y4m::open(from(&clip()), cut, salvage).unwrap());
            let spec = "gray:1x1@10".parse().unwrap();
            let raw = frames(&mut source::raw::Raw::open(from(b"0123456789"), spec, cut, salvage).unwrap());
            for refusal in [message(y4m), message(raw)] {
                assert!(refusal.ends_with(" ends before --start; name an earlier time"), "{refusal}");
            }
        }
    }
}

#[test]
fn no_frames_from_a_start_on_are_none() {
    for cut in [cut(300, None, Some(0)), cut(310, Some(1), None), cut(5000, None, Some(0))] {
        let y4m = frames(&mut source::y4m::Y4m::open(input(&clip()), cut, Salvage::Off).unwrap());
        let spec = "gray:1x1@10".parse().unwrap();
        let raw = frames(&mut source::raw::Raw::open(input(b"0123456789"), spec, cut, Salvage::Off).unwrap());
        assert_eq!((y4m.unwrap().len(), raw.unwrap().len()), (0, 0), "{cut:?}");
    }
}
