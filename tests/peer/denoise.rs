//! What takes noise away, against FFmpeg's filters.
//!
//! FFmpeg's `nlmeans` has faults where a picture is narrower than half of what is searched, in its code for AVX2: it is run
//! without.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::program::{Bench, checksums};

/// What FFmpeg's filter takes.
const PIXELS: [&str; 8] = ["gray", "yuv420p", "yuv422p", "yuv444p", "yuv411p", "yuv440p", "yuvj420p", "gbrp"];

/// A chain, a pixel format, a size and how strong the noise is.
fn case() -> impl Strategy<Value = (String, &'static str, (u32, u32), u32)> {
    let side = |most: u32| (0..=most).prop_map(|half| 2 * half + 1);
    let patch = prop_oneof![4 => side(5), 1 => side(49)];
    let chroma = prop_oneof![1 => Just(0), 1 => side(4)];
    let search = prop_oneof![4 => side(7), 1 => side(20)];
    let strength = prop_oneof![3 => 10..40u32, 1 => 40..=300u32];
    let chain = (strength, patch, chroma.clone(), search, chroma)
        .prop_map(|(s, p, pc, r, rc)| format!("nlmeans=s={}:p={p}:pc={pc}:r={r}:rc={rc}", f64::from(s) / 10.0));
    let size = (prop_oneof![3 => 1..50u32, 1 => 120..150u32], 1..40u32);
    (chain, prop::sample::select(&PIXELS[..]), size, prop_oneof![Just(6u32), Just(30), Just(250)])
}

#[test]
fn nlmeans_gives_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut runner = TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&case(), |(chain, pixel, (width, height), noise)| {
        let size = format!("{width}x{height}");
        let noisy =
            format!("nullsrc=size={size}:rate=25,geq=random(1)*{noise}+2*X:128+20*sin(X*Y+N):random(2)*{noise}+Y");
        bench.ffmpeg(&["-f", "lavfi", "-i", &noisy, "-frames:v", "2", "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"]);
        let raw = ["-cpuflags", "0", "-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "25", "-i", "in.raw"];
        let theirs = bench.ffmpeg(&[&raw[..], &["-vf", &chain, "-f", "framemd5", "-"]].concat());
        let ours = bench.pass(&["in.raw", "hash:", "--raw", &format!("{pixel}:{size}@25"), "-f", &chain]);
        prop_assert_eq!(checksums(&ours), checksums(&theirs), "{} of {} pixels of {}", chain, size, pixel);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
