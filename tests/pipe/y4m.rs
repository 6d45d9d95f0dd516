//! y4m clips, with `ffmpeg` at the other end.

use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Pool, Rational};
use warpreel::source::{self, Cut, Salvage, Source};

use super::{ffmpeg, flat, folder, frames, input, made, message, open, padded, piped, samples, written_y4m};

/// Every pixel format that FFmpeg 5.1 writes in y4m.
const PIX_FMTS: [&str; 26] = [
    "gray",
    "gray9le",
    "gray10le",
    "gray12le",
    "gray16le",
    "yuv411p",
    "yuv420p",
    "yuv422p",
    "yuv444p",
    "yuva444p",
    "yuv420p9le",
    "yuv420p10le",
    "yuv420p12le",
    "yuv420p14le",
    "yuv420p16le",
    "yuv422p9le",
    "yuv422p10le",
    "yuv422p12le",
    "yuv422p14le",
    "yuv422p16le",
    "yuv444p9le",
    "yuv444p10le",
    "yuv444p12le",
    "yuv444p14le",
    "yuv444p16le",
    "yuv420p",
];

#[test]
fn every_pixel_format_comes_in_and_goes_out_as_it_was() {
    for (index, pix_fmt) in PIX_FMTS.into_iter().enumerate() {
        // FFmpeg 5.1 itself writes too few bytes for odd widths of high depth.
        let (width, height) = (if pix_fmt.ends_with("le") { 34 } else { 33 } + 2 * index, 15 + index % 3);
        let clip = made(width, height, 3, pix_fmt, "yuv4mpegpipe");
        let mut source = open(&clip).unwrap();
        let format = source.format().clone();
        assert_eq!(format.pixel.name(), pix_fmt.trim_end_matches("le"), "{pix_fmt}");
        assert_eq!((format.width, format.height), (width, height));
        assert_eq!(source.length(), Some(3));
        let frames = frames(&mut source).unwrap();
        let all: Vec<u8> = frames.iter().flat_map(samples).collect();
        assert!(all == made(width, height, 3, pix_fmt, "rawvideo"), "samples of {pix_fmt}");
        assert!(written_y4m(&format, frames.clone()) == clip, "{pix_fmt} is not the same again");
        assert!(written_y4m(&format, frames.iter().map(padded)) == clip, "{pix_fmt} with padding");
        let through_pipe = source::y4m::Y4m::open(piped(clip.clone(), 4096), Cut::default(), Salvage::Off);
        let piped: Vec<u8> = super::frames(&mut through_pipe.unwrap()).unwrap().iter().flat_map(samples).collect();
        assert!(piped == all, "{pix_fmt} through a pipe");
    }
}

#[test]
fn ffmpeg_reads_what_is_written_without_an_inherited_header() {
    for pix_fmt in PIX_FMTS {
        let clip = made(35, 17, 2, pix_fmt, "rawvideo");
        let spec = format!("{pix_fmt}:35x17").parse().unwrap();
        let mut source = source::raw::Raw::open(input(&clip), spec, Cut::default(), Salvage::Off).unwrap();
        let frames = frames(&mut source).unwrap();
        let folder = folder();
        let path = folder.path().join("clip.y4m");
        std::fs::write(&path, written_y4m(source.format(), frames)).unwrap();
        let raw = ffmpeg(&["-i", path.to_str().unwrap(), "-f", "rawvideo", "-"]);
        assert!(raw == clip, "{pix_fmt}");
    }
}

#[test]
fn smallest_and_widest_frames() {
    for (width, height) in [(1, 1), (1, 7), (7, 1), (16384, 2), (3, 16384)] {
        let format = Arc::new(Format::new(Pixel::yuv420p(10), width, height, Rational::new(24, 1)));
        let clip = written_y4m(&format, (0..2).map(|pts| flat(&format, 3, pts)));
        let mut source = open(&clip).unwrap();
        assert_eq!(frames(&mut source).unwrap().len(), 2, "{width}x{height}");
        assert!(clip.len() > 2 * format.packed_bytes());
    }
}

/// A stream with everything that y4m allows and nobody writes.
const RICH: &[u8] = b"YUV4MPEG2 H2  W2 Im F50:2 A10:11 Cmono XCOLORRANGE=LIMITED Xmine=\xff XLENGTH=3 Zed\n\
    FRAME It1p Xframe=1\n0123FRAME\n4567FRAME Ib1i\nabcd";

#[test]
fn unknown_words_and_frame_parameters_are_handed_on() {
    let mut source = open(RICH).unwrap();
    let format = source.format().clone();
    assert_eq!(source.length(), Some(3));
    let frames = frames(&mut source).unwrap();
    assert_eq!(frames.iter().map(samples).collect::<Vec<_>>(), [b"0123", b"4567", b"abcd"]);
    assert_eq!(written_y4m(&format, frames), RICH);
}

#[test]
fn frames_are_numbered_and_timed() {
    let mut source = open(RICH).unwrap();
    for (number, frame) in frames(&mut source).unwrap().iter().enumerate() {
        let timing = &frame.timing;
        assert_eq!((timing.number, timing.pts, timing.duration), (number as u64, number as i64, 1));
    }
    assert!(source.next_frame(&Pool::heap()).unwrap().is_none(), "the end is the end");
}

#[test]
fn a_clip_without_frames_keeps_its_format() {
    let mut source = open(b"YUV4MPEG2 W2 H2 F30:1\n").unwrap();
    assert_eq!((source.length(), frames(&mut source).unwrap().len()), (Some(0), 0));
    assert_eq!(written_y4m(source.format(), []), b"YUV4MPEG2 W2 H2 F30:1 Ip A0:0 C420jpeg\n");
}

#[test]
fn a_clip_cut_anywhere_is_an_error_or_shorter() {
    let header = RICH.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let after = |text: &[u8]| RICH.windows(text.len()).position(|piece| piece == text).unwrap() + text.len();
    let ends = [header, after(b"0123"), after(b"4567"), RICH.len()];
    for length in header..RICH.len() {
        let whole = ends.iter().filter(|&&end| end <= length).count() - 1;
        for salvage in [Salvage::Off, Salvage::On] {
            for input in [input(&RICH[..length]), piped(RICH[..length].to_vec(), 3)] {
                let mut source = source::y4m::Y4m::open(input, Cut::default(), salvage).unwrap();
                let read = frames(&mut source);
                let broken = !ends.contains(&length);
                if broken && salvage == Salvage::Off {
                    let message = message(read);
                    assert!(message.contains(&format!("frame {whole} of ")), "{message}");
                    assert!(message.contains("--salvage"), "{message}");
                } else {
                    assert_eq!(read.unwrap().len(), whole, "cut at {length}");
                    assert_eq!(source.defects().truncated, broken, "cut at {length}");
                    // A clip that ends early between two frames breaks the promise of its XLENGTH.
                    assert_eq!(source.defects().warnings.len(), 1, "cut at {length}");
                }
            }
        }
    }
}

#[test]
fn garbage_between_frames_is_named() {
    for (bytes, what) in [
        (b"YUV4MPEG2 W1 H1 Cmono\nFRAME\nxFRAMF\nx".as_slice(), "found \"FRAMF\""),
        (b"YUV4MPEG2 W1 H1 Cmono\nFRAME\nxFRAMES\nx", "found \"FRAMES\""),
        (b"YUV4MPEG2 W1 H1 Cmono\nFRAME\nx\xff\xfe\n", "found \"\\xff\\xfe\""),
        (b"YUV4MPEG2 W1 H1 Cmono\nFRAME\nxYUV4MPEG2 W2 H2\nFRAME\n", "a second y4m stream begins here"),
    ] {
        let message = message(frames(&mut open(bytes).unwrap()));
        assert!(message.starts_with("frame 1 of \"") && message.contains(what), "{message}");
    }
}

#[test]
fn memory_is_not_made_on_the_header_s_word() {
    for clip in [b"YUV4MPEG2 W16384 H16384 C444p16\n".as_slice(), b"YUV4MPEG2 W16384 H16384 C444p16\nFRAME\n"] {
        let pool = Pool::heap();
        let mut source = open(clip).unwrap();
        assert!(!matches!(source.next_frame(&pool), Ok(Some(_))));
        assert_eq!(pool.allocated_bytes(), 0);
    }
}

#[test]
fn memory_is_used_again() {
    let clip = made(64, 48, 12, "yuv420p", "yuv4mpegpipe");
    let (pool, mut source) = (Pool::heap(), open(&clip).unwrap());
    assert!(source.next_frame(&pool).unwrap().is_some());
    let first = pool.allocated_bytes();
    while source.next_frame(&pool).unwrap().is_some() {}
    assert_eq!(pool.allocated_bytes(), first);
}
