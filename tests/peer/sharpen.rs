//! Contrast-adaptive sharpening against FFmpeg's `cas`.

use proptest::prelude::*;

use crate::extent;
use crate::program::{Bench, checksums};

/// What FFmpeg's filter takes, of every depth.
const PIXELS: [&str; 18] = [
    "gray",
    "yuv420p",
    "yuv422p",
    "yuv444p",
    "yuv411p",
    "yuv410p",
    "yuv440p",
    "yuvj420p",
    "gbrp",
    "yuva420p",
    "gbrap",
    "gray10le",
    "yuv420p10le",
    "yuv422p12le",
    "yuv444p9le",
    "yuv444p14le",
    "gbrp16le",
    "yuv420p16le",
];

/// A chain, a pixel format, a size, how strong the noise is, how fast brightness rises, and which code FFmpeg runs.
fn case() -> impl Strategy<Value = (String, &'static str, (u32, u32), (u32, u32), bool)> {
    let strength = prop_oneof![1 => Just(0), 1 => Just(1000), 4 => 0..=1000u32];
    let planes = prop_oneof![3 => Just(String::new()), 1 => (0..16u32).prop_map(|bits| format!(":planes={bits}"))];
    let chain =
        (strength, planes).prop_map(|(strength, planes)| format!("cas={}{planes}", f64::from(strength) / 1000.0));
    let size = (prop_oneof![1 => 1..5u32, 3 => 1..80u32, 1 => 120..200u32], prop_oneof![1 => 1..4u32, 2 => 1..40u32]);
    let content = (prop_oneof![Just(0u32), Just(2), Just(30), Just(255)], 0..5u32);
    (chain, prop::sample::select(&PIXELS[..]), size, content, any::<bool>())
}

#[test]
fn cas_gives_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut runner = extent::runner(80);
    let outcome = runner.run(&case(), |(chain, pixel, (width, height), (noise, rise), plain)| {
        let size = format!("{width}x{height}");
        let luma = format!("random(1)*{noise}+{rise}*X+200*gt(mod(X+N\\,40)\\,30)");
        let geq = format!("nullsrc=size={size}:rate=25,geq={luma}:128+random(1)*{noise}-Y:random(2)*{noise}+Y");
        let input = ["-f", "lavfi", "-i", &geq, "-frames:v", "2", "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"];
        bench.ffmpeg(&input);
        let code: &[&str] = if plain { &["-cpuflags", "0"] } else { &[] };
        let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "25", "-i", "in.raw"];
        let theirs = bench.ffmpeg(&[code, &raw[..], &["-vf", &chain, "-f", "framemd5", "-"]].concat());
        let ours = bench.pass(&["in.raw", "hash:", "--raw", &format!("{pixel}:{size}@25"), "-f", &chain]);
        prop_assert_eq!(checksums(&ours), checksums(&theirs), "{} of {} pixels of {}", chain, size, pixel);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// A large picture of any samples, by several threads of both, at the ends of the strength.
#[test]
fn cas_gives_ffmpegs_bytes_on_large_pictures() {
    let bench = Bench::new();
    let noise = "nullsrc=size=1283x723:rate=25,geq=random(1)*255:random(2)*255:random(3)*255,gblur=0.6";
    for pixel in ["yuv444p", "yuv444p10le", "yuv444p16le"] {
        let input = ["-f", "lavfi", "-i", noise, "-frames:v", "1", "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"];
        bench.ffmpeg(&input);
        for strength in ["0", "0.37", "1"] {
            let chain = format!("cas={strength}");
            let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", "1283x723", "-r", "25", "-i", "in.raw"];
            let theirs = bench.ffmpeg(&[&raw[..], &["-vf", &chain, "-f", "framemd5", "-"]].concat());
            let ours = bench.pass(&["in.raw", "hash:", "--raw", &format!("{pixel}:1283x723@25"), "-f", &chain]);
            assert_eq!(checksums(&ours), checksums(&theirs), "{chain} of {pixel}");
        }
    }
}
