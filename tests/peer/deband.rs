//! Steps that are made smooth, against FFmpeg's `deband`: with places that are not random, since those of FFmpeg depend on the
//! sine of the C library.

use proptest::prelude::*;

use crate::extent;
use crate::program::{Bench, checksums};

/// What FFmpeg's filter takes, of every depth.
const PIXELS: [&str; 17] = [
    "gray",
    "yuv420p",
    "yuv422p",
    "yuv444p",
    "yuv411p",
    "yuvj420p",
    "gbrp",
    "yuva420p",
    "yuva444p",
    "gray10le",
    "yuv420p9le",
    "yuv420p12le",
    "yuv444p12le",
    "yuva420p10le",
    "gbrp14le",
    "gbrp16le",
    "yuv420p16le",
];

/// Of these, some without subsampling, whose planes can be coupled.
const COUPLED: [&str; 6] = ["yuv444p", "gbrp", "yuva444p", "yuv444p12le", "gbrp14le", "gbrp16le"];

/// Options, a size, and how strong the noise is.
fn case() -> impl Strategy<Value = (String, (u32, u32), u32)> {
    let threshold = prop_oneof![1 => Just(20u32), 2 => 1..60u32, 1 => 60..=500u32];
    let thresholds = prop::collection::vec(threshold, 4);
    let place = (1..40u32, prop_oneof![1 => Just(0.1f64), 3 => 0.05..6.2f64]);
    let switch = || any::<bool>();
    let size = (prop_oneof![1 => 1..5u32, 3 => 1..150u32], prop_oneof![1 => 1..4u32, 2 => 1..70u32]);
    let chain = (thresholds, place, switch()).prop_map(|(thresholds, (range, direction), blur)| {
        let all = (1..).zip(thresholds).map(|(plane, thr)| format!("{plane}thr={}:", f64::from(thr) / 1000.0));
        let all: String = all.collect();
        format!("deband={all}range=-{range}:direction=-{direction:.3}:blur={}", u8::from(blur))
    });
    (chain, size, prop_oneof![Just(0u32), Just(3), Just(20), Just(200)])
}

fn agree(cases: u32, pixels: &'static [&'static str], more: &str) {
    let bench = Bench::new();
    let mut runner = extent::runner(cases);
    let outcome = runner.run(&(case(), prop::sample::select(pixels)), |((chain, (width, height), noise), pixel)| {
        let (size, chain) = (format!("{width}x{height}"), format!("{chain}{more}"));
        let geq = format!("geq=random(1)*{noise}+X+N:128+random(1)*{noise}-Y/2:random(2)*{noise}+Y");
        let source = format!("nullsrc=size={size}:rate=25,{geq}");
        let input = ["-f", "lavfi", "-i", &source, "-frames:v", "2", "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"];
        bench.ffmpeg(&input);
        let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "25", "-i", "in.raw"];
        let theirs = bench.ffmpeg(&[&raw[..], &["-vf", &chain, "-f", "framemd5", "-"]].concat());
        // FFmpeg's has no parameter for it.
        let opacity = if pixel.starts_with("yuva") { ":planes=15" } else { "" };
        let raw = format!("{pixel}:{size}@25");
        let ours = bench.pass(&["in.raw", "hash:", "--raw", &raw, "-f", &format!("{chain}{opacity}")]);
        prop_assert_eq!(checksums(&ours), checksums(&theirs), "{} of {} pixels of {}", chain, size, pixel);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn deband_gives_ffmpegs_bytes() {
    agree(60, &PIXELS, "");
}

#[test]
fn coupled_planes_have_ffmpegs_bytes() {
    agree(30, &COUPLED, ":coupling=1");
}
