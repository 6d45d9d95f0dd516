//! Raw clips, with `ffmpeg` at the other end.

use std::sync::Arc;

use proptest::prelude::*;
use warpreel::frame::{Frame, Pool, Range, Rational};
use warpreel::libav::{Converter, Stored};
use warpreel::sink;
use warpreel::source::raw::{Raw, RawSpec};
use warpreel::source::{Cut, Input, Salvage, Source};

use super::{frames, input, made, message, padded, piped, samples, written};
use crate::program::{Bench, binary, succeeded};

fn read(input: Input, spec: &str, salvage: Salvage) -> anyhow::Result<(Raw, Vec<Frame>)> {
    let mut source = Raw::open(input, spec.parse()?, Cut::default(), salvage)?;
    let frames = frames(&mut source)?;
    Ok((source, frames))
}

#[test]
fn planar_formats_come_in_and_go_out_as_they_were() {
    for pix_fmt in [
        "gray",
        "gray10le",
        "gray14le",
        "gray16le",
        "grayf32le",
        "yuv420p",
        "yuv422p",
        "yuv444p",
        "yuv411p",
        "yuv440p",
        "yuv410p",
        "yuv420p9le",
        "yuv422p10le",
        "yuv440p12le",
        "yuv444p14le",
        "yuv444p16le",
        "yuva420p",
        "yuva422p10le",
        "yuva444p16le",
        "gbrp",
        "gbrp9le",
        "gbrp16le",
        "gbrap",
        "gbrap12le",
        "gbrpf32le",
        "gbrapf32le",
    ] {
        let clip = made(31, 21, 2, pix_fmt, "rawvideo");
        for input in [input(&clip), piped(clip.clone(), 1000)] {
            let (source, frames) = read(input, &format!("{pix_fmt}:31x21@25"), Salvage::Off).unwrap();
            assert_eq!(source.format().pixel.name(), pix_fmt.trim_end_matches("le"));
            let make = |output| Box::new(sink::raw::Raw::create(output).unwrap()) as Box<dyn sink::Sink>;
            assert!(written(make, frames.clone()) == clip, "{pix_fmt}");
            assert!(written(make, frames.iter().map(padded)) == clip, "{pix_fmt} with padding");
        }
    }
}

#[test]
fn other_formats_become_planes_without_loss() {
    for (pix_fmt, planar) in [
        ("nv12", "yuv420p"),
        ("nv21", "yuv420p"),
        ("yuv420p10le,format=p010le", "yuv420p10"),
        ("yuyv422", "yuv422p"),
        ("uyvy422", "yuv422p"),
        ("rgb24", "gbrp"),
        ("bgra", "gbrap"),
        ("rgb48le", "gbrp16"),
        ("rgba64be", "gbrap16"),
        ("yuv420p10be", "yuv420p10"),
        ("gray16be", "gray16"),
        ("ya8", "ya8p"),
        ("yuvj422p", "yuv422p"),
    ] {
        let clip = made(32, 21, 2, pix_fmt, "rawvideo");
        // What FFmpeg makes from 8 bits leaves something in the unused ones of p010.
        let pix_fmt = pix_fmt.rsplit('=').next().unwrap();
        let (source, frames) = read(input(&clip), &format!("{pix_fmt}:32x21"), Salvage::Off).unwrap();
        assert_eq!(source.format().pixel.name(), planar, "{pix_fmt}");
        let stored = Stored::parse(pix_fmt).unwrap();
        let mut back = Converter::from_planar(stored, source.format()).unwrap();
        let mut bytes = vec![0; stored.packed_bytes(32, 21)];
        for (frame, original) in frames.iter().zip(clip.chunks(bytes.len())) {
            back.pack(frame, &mut bytes).unwrap();
            assert!(bytes == original, "{pix_fmt}");
        }
    }
}

#[test]
fn every_name_that_ffmpeg_has_is_read() {
    for stored in Stored::all() {
        let bytes = vec![0; 2 * stored.packed_bytes(16, 6)];
        let read = read(input(&bytes), &format!("{}:16x6", stored.name()), Salvage::Off);
        let (source, frames) = read.unwrap_or_else(|error| panic!("{}: {error:#}", stored.name()));
        assert_eq!(frames.len(), 2, "{}", stored.name());
        assert_eq!(source.format().pixel, stored.pixel());
    }
}

#[test]
fn full_range_names_say_so() {
    let range = |spec| read(input(&[7; 24]), spec, Salvage::Off).unwrap().0.format().colour.range;
    assert_eq!((range("yuvj420p:4x4"), range("yuv420p:4x4")), (Range::Full, Range::Unspecified));
}

#[test]
fn frames_are_numbered_and_timed() {
    let (source, frames) = read(input(&[7; 24]), "gray:4x2@30000/1001", Salvage::Off).unwrap();
    assert_eq!((source.length(), source.format().time_base), (Some(3), Rational::new(1001, 30000)));
    for (number, frame) in frames.iter().enumerate() {
        let timing = &frame.timing;
        assert_eq!((timing.number, timing.pts, timing.duration), (number as u64, number as i64, 1));
    }
}

#[test]
fn lengths_that_are_no_multiple_are_named_or_salvaged() {
    for pix_fmt in ["gray", "rgb24"] {
        let frame = if pix_fmt == "gray" { 8 } else { 24 };
        for extra in [1, frame - 1] {
            let clip = vec![7; 2 * frame + extra];
            let spec = format!("{pix_fmt}:4x2");
            for from in [input as fn(&[u8]) -> _, |bytes| piped(bytes.to_vec(), 5)] {
                let message = message(read(from(&clip), &spec, Salvage::Off));
                assert!(message.contains("frame 2 of "), "{message}");
                assert!(message.contains(&format!("after {extra} of the frame's {frame} bytes")), "{message}");
                assert!(message.contains("--salvage"), "{message}");
                let (source, frames) = read(from(&clip), &spec, Salvage::On).unwrap();
                assert!(frames.len() == 2 && source.defects().truncated);
            }
        }
    }
}

#[test]
fn specs_are_read() {
    for (text, width, height, rate) in [
        ("gray:1x1", 1, 1, (25, 1)),
        ("yuv420p10le:1920x1080@30000/1001", 1920, 1080, (30000, 1001)),
        ("yuv420p10:16384X16384@50/2", 16384, 16384, (25, 1)),
        ("nv12:3x2@29.97", 3, 2, (30000, 1001)),
        ("nv12:3x2@59.94", 3, 2, (60000, 1001)),
        ("nv12:3x2@23.976", 3, 2, (24000, 1001)),
        ("nv12:3x2@23.98", 3, 2, (24000, 1001)),
        ("nv12:3x2@23.97", 3, 2, (24000, 1001)),
        ("nv12:3x2@29.970029", 3, 2, (30000, 1001)),
        ("nv12:3x2@119.88", 3, 2, (120000, 1001)),
        ("nv12:3x2@12.5", 3, 2, (25, 2)),
        ("nv12:3x2@24.00", 3, 2, (24, 1)),
        ("nv12:3x2@30.00", 3, 2, (30, 1)),
        ("nv12:3x2@0.1", 3, 2, (1, 10)),
    ] {
        let spec: RawSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error:#}"));
        assert_eq!((spec.width, spec.height, spec.rate), (width, height, Rational::new(rate.0, rate.1)), "{text}");
    }
}

#[test]
fn wrong_specs_are_named() {
    for (text, what) in [
        ("", "expected FORMAT:WxH@FPS"),
        ("yuv420p", "expected FORMAT:WxH@FPS"),
        ("yuv420p:1920", "expected FORMAT:WxH@FPS"),
        ("yuv420q:2x2", "yuv420p"),
        ("gray:0x1", "1 to 16384"),
        ("gray:1x16385", "1 to 16384"),
        ("gray:ax1", "1 to 16384"),
        ("gray:1x1@", "expected a number above 0"),
        ("gray:1x1@0", "expected a number above 0"),
        ("gray:1x1@1/0", "expected a number above 0"),
        ("gray:1x1@-1", "expected a number above 0"),
        ("gray:1x1@1e3", "expected a number above 0"),
        ("gray:1x1@99999999999", "expected a number above 0"),
        ("gray:1x1@.", "expected a number above 0"),
    ] {
        let message = message(text.parse::<RawSpec>());
        assert!(message.contains(what) && !message.contains('\n'), "{text}: {message}");
    }
}

#[test]
fn memory_is_not_made_for_an_empty_input() {
    let pool = Pool::heap();
    let spec = "yuv444p16le:16384x16384".parse().unwrap();
    let mut source = Raw::open(input(&[]), spec, Cut::default(), Salvage::Off).unwrap();
    assert!(message(source.next_frame(&pool)).ends_with("the input is empty"));
    assert_eq!(pool.allocated_bytes(), 0);
}

#[test]
fn a_clip_shares_its_format() {
    let (source, frames) = read(input(&[1; 8]), "gray:2x2", Salvage::Off).unwrap();
    assert!(frames.iter().all(|frame| Arc::ptr_eq(frame.format(), source.format())));
    assert_eq!(samples(&frames[1]), [1; 4]);
}

proptest! {
    #[test]
    fn any_text_is_a_spec_or_refused(text in "(gray|nv12|yuv420p):[0-9x]{0,12}@?[0-9./]{0,24}|.{0,40}") {
        if let Ok(spec) = text.parse::<RawSpec>() {
            prop_assert!(spec.rate.value().is_some());
        }
    }
}

/// A raw clip through the program, as it is and as `--pix-fmt` asks for it.
#[test]
fn raw_clips_keep_the_input_s_pixel_format() {
    let bench = Bench::new();
    for pix_fmt in
        ["rgb24", "bgra", "nv12", "p010le", "yuyv422", "yuv420p10be", "ya8", "gray16be", "rgb48be", "gbrp", "yuv410p"]
    {
        // What FFmpeg makes from 8 bits leaves something in the unused ones of p010.
        let graph = if pix_fmt == "p010le" { "yuv420p10le,format=p010le" } else { pix_fmt };
        let clip = made(34, 27, 2, graph, "rawvideo");
        let raw = format!("{pix_fmt}:34x27@25");
        let through = |more: &[&str]| {
            let arguments = [&["-", "-", "--raw", &raw, "--container", "raw"], more].concat();
            succeeded(bench.run(binary(), &arguments, &clip), &arguments)
        };
        assert!(through(&[]) == clip, "{pix_fmt}");
        assert!(through(&["--pix-fmt", pix_fmt]) == clip, "{pix_fmt}");
    }
    let (packed, planar) = (made(34, 27, 2, "rgb24", "rawvideo"), made(34, 27, 2, "rgb24,format=gbrp", "rawvideo"));
    let run = |more: &[&str]| bench.run(binary(), &[&["-", "-", "--raw", "rgb24:34x27@25"], more].concat(), &packed);
    assert!(succeeded(run(&["--container", "raw", "--pix-fmt", "gbrp"]), &[]) == planar);
    let stderr = |more: &[&str]| String::from_utf8(run(more).stderr).unwrap();
    let converted = run(&["--pix-fmt", "yuv444p"]);
    assert!(converted.status.success() && converted.stdout.starts_with(b"YUV4MPEG2 W34 H27 "));
    let other = stderr(&["--pix-fmt", "rgb24"]);
    assert!(other.contains("y4m has planes of YUV or grey, not rgb24; type --pix-fmt yuv444p"), "{other}");
    assert!(stderr(&[]).contains("pipe with --container nut --codec rawvideo"));
}

/// Samples that the frames do not hold are made of them, as in any other container.
#[test]
fn raw_frames_are_converted_where_that_is_asked_for() {
    let bench = Bench::new();
    for (from, to, bytes) in [("yuv420p", "rgb24", 3), ("rgb24", "yuv444p", 3), ("gray", "gray16le", 2)] {
        let clip = made(34, 26, 2, from, "rawvideo");
        let raw = format!("{from}:34x26@25");
        let run = |more: &[&str]| {
            let arguments = [&["-", "-", "--raw", &raw, "--pix-fmt", to, "-f", "box"], more].concat();
            succeeded(bench.run(binary(), &arguments, &clip), &arguments)
        };
        let direct = run(&["--container", "raw"]);
        assert_eq!(direct.len(), 2 * 34 * 26 * bytes, "{from} to {to}");
        let stored = run(&["--container", "nut", "--codec", "rawvideo"]);
        let read = ["-v", "error", "-f", "nut", "-i", "-", "-f", "rawvideo", "-"];
        assert!(succeeded(bench.run("ffmpeg", &read, &stored), &read) == direct, "{from} to {to}");
    }
}

#[test]
fn y4m_takes_the_pixel_format_that_it_has() {
    let bench = Bench::new();
    let clip = made(34, 27, 2, "nv12", "rawvideo");
    let run = |more: &[&str]| bench.run(binary(), &[&["-", "-", "--raw", "nv12:34x27@25"], more].concat(), &clip);
    let plain = succeeded(run(&[]), &[]);
    assert!(plain.starts_with(b"YUV4MPEG2 ") && plain == succeeded(run(&["--pix-fmt", "yuv420p"]), &[]));
    let error = String::from_utf8(run(&["--pix-fmt", "nv12"]).stderr).unwrap();
    assert!(error.contains("y4m has planes of YUV or grey, not nv12"), "{error}");
}

#[test]
fn y4m_that_ffmpeg_would_not_read_is_refused() {
    let bench = Bench::new();
    for pix_fmt in ["yuv410p", "yuv440p"] {
        let clip = made(32, 16, 1, pix_fmt, "rawvideo");
        std::fs::write(bench.path("in"), &clip).unwrap();
        let error = bench.fail(&["in", "out.y4m", "--raw", &format!("{pix_fmt}:32x16")]);
        assert!(error.contains(&format!("ffmpeg does not support y4m with {pix_fmt}")), "{error}");
        assert!(error.contains("--container nut --codec rawvideo"), "{error}");
    }
}
