//! Checksums, compared with those of the `ffmpeg` program.

use std::sync::Arc;

use warpreel::frame::{Format, Frame, Pixel, Rational};
use warpreel::sink::{self, Sink};
use warpreel::source::raw::Raw;
use warpreel::source::{Cut, Salvage, Source};

use super::{ffmpeg, flat, folder, frames, input, made, open, padded, written};

fn hashed(format: &Arc<Format>, frames: impl IntoIterator<Item = Frame>) -> String {
    let bytes = written(|output| Box::new(sink::hash::Hash::create(output, format).unwrap()), frames);
    String::from_utf8(bytes).unwrap()
}

/// The lines but for the one that names the program.
fn lines(text: &str) -> Vec<&str> {
    text.split('\n').filter(|line| !line.starts_with("#software")).collect()
}

#[test]
fn y4m_clips_have_ffmpeg_s_checksums() {
    for (pix_fmt, extra) in [
        ("yuv420p", "null"),
        ("yuv422p10le", "setsar=40/33,settb=1001/30000,fps=30000/1001"),
        ("gray", "fps=7/3"),
        ("yuva444p", "setsar=0"),
    ] {
        let graph = format!("testsrc2=s=64x48,scale=36:27,{extra},format={pix_fmt}");
        let clip = ffmpeg(&["-f", "lavfi", "-i", &graph, "-frames:v", "4", "-strict", "-1", "-f", "yuv4mpegpipe", "-"]);
        let folder = folder();
        let path = folder.path().join("clip.y4m");
        std::fs::write(&path, &clip).unwrap();
        let theirs = ffmpeg(&["-i", path.to_str().unwrap(), "-f", "framemd5", "-"]);
        let mut source = open(&clip).unwrap();
        let frames = frames(&mut source).unwrap();
        let ours = hashed(source.format(), frames.clone());
        assert_eq!(lines(&ours), lines(std::str::from_utf8(&theirs).unwrap()), "{pix_fmt}");
        assert_eq!(hashed(source.format(), frames.iter().map(padded)), ours, "{pix_fmt} with padding");
        assert!(ours.lines().nth(3).unwrap().starts_with("#software: warpreel "));
    }
}

#[test]
fn raw_clips_have_ffmpeg_s_checksums() {
    for pix_fmt in ["gbrp10le", "gbrapf32le", "yuv440p", "yuv410p", "gray16le"] {
        let clip = made(21, 13, 3, pix_fmt, "rawvideo");
        let folder = folder();
        let path = folder.path().join("clip.raw");
        std::fs::write(&path, &clip).unwrap();
        let path = path.to_str().unwrap();
        let theirs = ffmpeg(&[
            "-f", "rawvideo", "-pix_fmt", pix_fmt, "-s", "21x13", "-r", "50", "-i", path, "-f", "framemd5", "-",
        ]);
        let spec = format!("{pix_fmt}:21x13@50").parse().unwrap();
        let mut source = Raw::open(input(&clip), spec, Cut::default(), Salvage::Off).unwrap();
        let frames = frames(&mut source).unwrap();
        assert_eq!(lines(&hashed(source.format(), frames)), lines(std::str::from_utf8(&theirs).unwrap()), "{pix_fmt}");
    }
}

/// The dts, pts and duration of each line.
fn times(text: &str) -> Vec<[i64; 3]> {
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| std::array::from_fn(|field| row.split(',').nth(field + 1).unwrap().trim().parse().unwrap()))
        .collect()
}

#[test]
fn times_are_in_frames_where_there_is_a_rate() {
    let mut format = Format::new(Pixel::gray(8), 2, 2, Rational::new(24000, 1001));
    format.time_base = Rational::new(1, 1000);
    let format = Arc::new(format);
    // Matroska's milliseconds, one frame left out.
    let clip = [0, 42, 83, 167, 209].map(|pts| flat(&format, 0, pts));
    let text = hashed(&format, clip);
    assert!(text.contains("#tb 0: 1001/24000\n"));
    assert_eq!(times(&text), [0, 1, 2, 4, 5].map(|time| [time, time, 1]));
    // Far from any grid: the nearest place.
    let text = hashed(&format, [-20, 60, 61].map(|pts| flat(&format, 0, pts)));
    assert_eq!(times(&text), [0, 1, 1].map(|time| [time, time, 1]));
}

#[test]
fn times_are_exact_where_there_is_no_rate() {
    let mut format = Format::new(Pixel::gray(8), 2, 2, Rational::new(0, 1));
    format.time_base = Rational::new(1, 90000);
    let format = Arc::new(format);
    let text = hashed(&format, [5, 1234, 99999].map(|pts| flat(&format, 0, pts)));
    assert!(text.contains("#tb 0: 1/90000\n"));
    assert_eq!(times(&text), [5, 1234, 99999].map(|time| [time, time, 1]));
}

#[test]
fn null_takes_everything() {
    let format = Arc::new(Format::new(Pixel::gray(8), 2, 2, Rational::new(25, 1)));
    let mut sink: Box<dyn Sink> = Box::new(sink::null::Null);
    sink.put(flat(&format, 0, 0)).unwrap();
    sink.finish(None).unwrap();
}
