//! What takes noise away, against FFmpeg's filters.
//!
//! - FFmpeg's `nlmeans` has faults where a picture is narrower than half of what is searched, in its code for AVX2: it is run
//!   without.
//! - Its `atadenoise` never ends where a clip has fewer frames than half a window, so clips are longer. What a limit of 0
//!   does there depends on the machine, so there is none.

use proptest::prelude::*;

use crate::extent;
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
    let mut runner = extent::runner(40);
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

/// What FFmpeg's `atadenoise` takes.
const AVERAGED: [&str; 12] = [
    "gray",
    "yuv420p",
    "yuv422p",
    "yuv411p",
    "gbrp",
    "yuva420p",
    "gray10le",
    "yuv420p10le",
    "yuv422p12le",
    "yuv444p9le",
    "yuv444p14le",
    "gbrp16le",
];

/// Options of a plane: limits and sigma.
fn limits(plane: usize) -> impl Strategy<Value = String> {
    let single = prop_oneof![2 => 1..60u32, 1 => 60..=300u32];
    let total = prop_oneof![2 => 1..100u32, 1 => 100..=5000u32];
    let sigma = prop_oneof![2 => Just(String::new()), 1 => (0..4000u32).prop_map(move |s| format!(":{plane}s={}", f64::from(s) / 1000.0))];
    (single, total, sigma).prop_map(move |(a, b, sigma)| {
        format!(":{plane}a={}:{plane}b={}{sigma}", f64::from(a) / 1000.0, f64::from(b) / 1000.0)
    })
}

/// A chain, a pixel format, a size, how strong the noise is, how many frames there are, and what code FFmpeg runs.
fn average() -> impl Strategy<Value = (String, &'static str, (u32, u32), u32, u32, bool)> {
    let planes = prop_oneof![2 => Just(String::new()), 1 => (0..8u32).prop_map(|bits| format!(":p={bits}"))];
    let frames = prop_oneof![4 => 2..=5u32, 1 => 6..=20u32, 1 => Just(64u32)];
    let size = (prop_oneof![3 => 1..50u32, 1 => 120..150u32], 1..20u32);
    let chain = (frames, 0..8u32, prop::sample::select(&["p", "s"][..]), limits(0), limits(1), limits(2), planes);
    let chain = chain.prop_map(|(half, more, order, first, second, third, planes)| {
        (format!("atadenoise=s={}:a={order}{first}{second}{third}{planes}", 2 * half + 1), half + more)
    });
    let noise = prop_oneof![Just(3u32), Just(10), Just(60)];
    (chain, prop::sample::select(&AVERAGED[..]), size, noise, any::<bool>())
        .prop_map(|((chain, frames), pixel, size, noise, plain)| (chain, pixel, size, noise, frames, plain))
}

/// Writes so many frames of a source of FFmpeg's into `in.raw`.
fn picture(bench: &Bench, source: &str, frames: u32, pixel: &str) {
    let frames = frames.to_string();
    let input = ["-f", "lavfi", "-i", source, "-frames:v", &frames];
    bench.ffmpeg(&[&input[..], &["-pix_fmt", pixel, "-f", "rawvideo", "in.raw"]].concat());
}

/// Whether FFmpeg has the same weights. It asks the C library, whose `expf` misses the nearest number at times, and which
/// number it gives then depends on the processor; ours are rounded to nearest everywhere.
fn weighs_alike(chain: &str) -> bool {
    let number = |name: &str| {
        let options = chain.trim_start_matches("atadenoise=").split(':');
        options.filter_map(|option| option.split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let radius = number("s").map_or(0, |size| size.parse::<u32>().expect("a size") / 2);
    ["0s", "1s", "2s"].into_iter().filter_map(number).all(|sigma| {
        let width = radius as f32 * sigma.parse::<f32>().expect("a sigma");
        let square = f64::from(width * width);
        (1..=radius).all(|k| {
            let power = (-0.5 * f64::from((k + 1) * (k + 1)) / square) as f32;
            power.exp().to_bits() == (f64::from(power).exp() as f32).to_bits()
        })
    })
}

#[test]
fn atadenoise_gives_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut runner = extent::runner(60);
    let outcome = runner.run(&average(), |(chain, pixel, (width, height), noise, frames, plain)| {
        prop_assume!(weighs_alike(&chain));
        let size = format!("{width}x{height}");
        let geq = format!("geq=random(1)*{noise}+2*X:128+random(1)*{noise}:random(2)*{noise}+Y+N");
        picture(&bench, &format!("nullsrc=size={size}:rate=25,{geq}"), frames, pixel);
        let code: &[&str] = if plain { &["-cpuflags", "0"] } else { &[] };
        let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "25", "-i", "in.raw"];
        let theirs = bench.ffmpeg(&[code, &raw[..], &["-vf", &chain, "-f", "framemd5", "-"]].concat());
        let ours = format!("{chain}:border_t=lopsided");
        let ours = bench.pass(&["in.raw", "hash:", "--raw", &format!("{pixel}:{size}@25"), "-f", &ours]);
        prop_assert_eq!(checksums(&ours), checksums(&theirs), "{}, {} frames, {}, {}", chain, frames, size, pixel);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// Where FFmpeg never ends.
#[test]
fn atadenoise_ends_with_a_clip_that_is_shorter_than_its_window() {
    let bench = Bench::new();
    picture(&bench, "testsrc2=s=32x16", 3, "yuv420p");
    for border in ["clamp", "lopsided", "reflect101", "zero"] {
        let chain = format!("atadenoise=s=129:border_t={border}");
        let listing = bench.pass(&["in.raw", "hash:", "--raw", "yuv420p:32x16@25", "-f", &chain]);
        assert_eq!(checksums(&listing).len(), 3, "{border}");
    }
}
