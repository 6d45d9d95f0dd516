//! Colours made stronger, turned and mixed, against FFmpeg's filters of those names.

use std::fs;

use proptest::prelude::*;

use crate::agreement::Random;
use crate::extent;
use crate::program::{Bench, checksums};

/// What FFmpeg's `hue` takes.
const HUE: [&str; 12] = [
    "yuv420p",
    "yuv422p",
    "yuv444p",
    "yuv411p",
    "yuv410p",
    "yuv440p",
    "yuva420p",
    "yuva444p",
    "yuv420p10le",
    "yuv422p10le",
    "yuv444p10le",
    "yuva420p10le",
];

/// A size of a clip.
fn size() -> impl Strategy<Value = (u32, u32)> {
    (prop_oneof![1 => 1..5u32, 3 => 1..150u32], prop_oneof![1 => 1..4u32, 2 => 1..70u32])
}

/// Random samples of a depth, enough for two frames of any format.
fn noise(width: u32, height: u32, depth: u32, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let bytes = if depth > 8 { 2 } else { 1 };
    let mut sample = || random.below(1 << depth).to_le_bytes();
    (0..8 * width * height).flat_map(|_| sample().into_iter().take(bytes)).collect()
}

/// Random calls give FFmpeg's bytes in some formats.
pub fn agree(bench: &Bench, cases: u32, pixels: &'static [&'static str], chains: impl Strategy<Value = String>) {
    let mut runner = extent::runner(cases);
    let outcome = runner.run(&(chains, size(), prop::sample::select(pixels)), |(chain, (width, height), pixel)| {
        let digits: String = pixel.trim_end_matches("le").chars().rev().take_while(char::is_ascii_digit).collect();
        let depth =
            if pixel.ends_with("le") { digits.chars().rev().collect::<String>().parse().expect("a depth") } else { 8 };
        fs::write(bench.path("in.raw"), noise(width, height, depth, u64::from(width * height))).expect("a file");
        let size = format!("{width}x{height}");
        let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "25", "-i", "in.raw", "-frames:v", "2"];
        let theirs = bench.ffmpeg(&[&raw[..], &["-vf", &chain, "-pix_fmt", pixel, "-f", "framemd5", "-"]].concat());
        let clip = format!("{pixel}:{size}@25");
        let ours = ["in.raw", "hash:", "-q", "--backend", "cpu", "--raw", &clip, "--frames", "2", "-f", &chain];
        let ours = bench.pass(&ours);
        prop_assert_eq!(checksums(&ours), checksums(&theirs), "{} of {} {}", chain, pixel, size);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// An angle, a saturation and a brightness, some of them left out.
fn hue() -> impl Strategy<Value = String> {
    let angle = prop_oneof![
        2 => Just(String::new()),
        1 => prop::sample::select(vec![":h=90", ":h=180", ":h=-45", ":h=360"]).prop_map(str::to_owned),
        2 => (-400.0..400.0f64).prop_map(|angle| format!(":h={angle:.2}")),
        1 => (-7.0..7.0f64).prop_map(|angle| format!(":H={angle:.4}")),
    ];
    let saturation = prop_oneof![1 => Just(1.0f64), 1 => Just(0.0), 3 => 0.0..3.0f64, 1 => -10.0..10.0f64];
    let brightness =
        prop_oneof![2 => Just(0.0f64), 1 => -10.0..10.0f64, 1 => prop::sample::select(vec![2.0, -1.0, 0.4])];
    (angle, saturation, brightness)
        .prop_map(|(angle, saturation, brightness)| format!("hue=s={saturation:.3}:b={brightness:.2}{angle}"))
}

#[test]
fn hue_is_that_of_ffmpeg() {
    agree(&Bench::new(), 60, &HUE, hue());
}

/// Degrees that are rounded to `f32` before they become radians: the sine's whole factor is another then.
#[test]
fn angles_of_hue_are_kept_as_by_ffmpeg() {
    agree(&Bench::new(), 8, &["yuva444p"], Just("hue=s=1.731:h=384.90".to_owned()));
}

/// What FFmpeg's `eq` takes.
const EQ: [&str; 6] = ["gray", "yuv410p", "yuv411p", "yuv420p", "yuv422p", "yuv444p"];

/// Any of the parameters, some of them left out.
fn eq() -> impl Strategy<Value = String> {
    let contrast = prop_oneof![1 => Just(1.0f64), 3 => 0.0..3.0f64, 1 => -8.5..8.5f64, 1 => -1000.0..1000.0f64];
    let brightness =
        prop_oneof![1 => Just(0.0f64), 2 => -1.0..1.0f64, 1 => prop::sample::select(vec![0.06, 0.1, -0.29])];
    let saturation = prop_oneof![1 => Just(1.0f64), 3 => 0.0..3.0f64];
    let exponent = || prop_oneof![3 => Just(1.0f64), 2 => 0.1..3.0f64, 1 => 0.1..10.0f64];
    let share = prop_oneof![2 => Just(1.0f64), 1 => 0.0..1.0f64];
    let gammas = (exponent(), exponent(), exponent(), exponent());
    (contrast, brightness, saturation, gammas, share).prop_map(|(c, b, s, (gamma, red, green, blue), share)| {
        let curves = format!("eq=contrast={c:.3}:brightness={b:.3}:saturation={s:.3}");
        format!(
            "{curves}:gamma={gamma:.3}:gamma_r={red:.2}:gamma_g={green:.2}:gamma_b={blue:.2}:gamma_weight={share:.2}"
        )
    })
}

#[test]
fn eq_is_that_of_ffmpeg() {
    agree(&Bench::new(), 60, &EQ, eq());
}

/// Any parts of colours; opacity is left alone.
fn mixer() -> impl Strategy<Value = String> {
    let part = || prop_oneof![1 => Just(0.0f64), 1 => Just(0.5), 1 => Just(-1.5), 1 => Just(0.1), 3 => -2.0..2.0f64];
    prop::collection::vec(part(), 9).prop_map(|parts| {
        let names = ["rr", "rg", "rb", "gr", "gg", "gb", "br", "bg", "bb"];
        let typed: Vec<String> = names.iter().zip(parts).map(|(name, part)| format!("{name}={part:.3}")).collect();
        format!("colorchannelmixer={}", typed.join(":"))
    })
}

#[test]
fn colorchannelmixer_is_that_of_ffmpeg() {
    agree(&Bench::new(), 50, &["gbrp", "gbrap"], mixer());
    let sepia = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131";
    agree(&Bench::new(), 4, &["gbrp"], Just(sepia.to_owned()));
}

/// How far samples of ours and FFmpeg's are apart at most, and how many of them are, in parts of all.
fn apart(bench: &Bench, chain: &str, pixel: &str) -> (u16, f64) {
    let digits: String = pixel.chars().filter(char::is_ascii_digit).collect();
    let depth = digits.parse().unwrap_or(8);
    fs::write(bench.path("in.raw"), noise(97, 61, depth, 5)).expect("a file");
    let raw = [
        "-cpuflags",
        "0",
        "-f",
        "rawvideo",
        "-pix_fmt",
        pixel,
        "-s",
        "97x61",
        "-r",
        "25",
        "-i",
        "in.raw",
        "-frames:v",
        "2",
    ];
    let theirs = bench.ffmpeg(&[&raw[..], &["-vf", chain, "-pix_fmt", pixel, "-f", "rawvideo", "-"]].concat());
    let clip = format!("{pixel}:97x61@25");
    let into = ["in.raw", "-", "--container", "raw", "-q", "--backend", "cpu", "--raw", &clip, "--frames", "2"];
    let ours = bench.pass(&[&into[..], &["-f", chain]].concat());
    assert_eq!(ours.len(), theirs.len(), "{chain} of {pixel}");
    let samples = |bytes: &[u8]| -> Vec<u16> {
        match pixel.ends_with("le") {
            true => bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect(),
            false => bytes.iter().map(|byte| u16::from(*byte)).collect(),
        }
    };
    let off: Vec<u16> =
        samples(&ours).iter().zip(samples(&theirs)).map(|(ours, theirs)| ours.abs_diff(theirs)).collect();
    let different = off.iter().filter(|off| **off > 0).count();
    (off.iter().copied().max().unwrap_or(0), different as f64 / off.len() as f64)
}

/// FFmpeg rounds three terms, of which a sum rounded once is at most one and a half steps away, and two after rounding.
#[test]
fn deep_colours_are_mixed_as_ffmpeg_mixes_them() {
    let bench = Bench::new();
    let chain = "colorchannelmixer=.393:.5:.189:0:.349:-.686:.9:0:.272:.534:.131";
    for pixel in ["gbrp10le", "gbrp12le", "gbrp16le"] {
        let (most, _) = apart(&bench, chain, pixel);
        assert!(most <= 2, "{pixel}: {most} steps");
    }
}

/// FFmpeg's floats and ours lie on two sides of a whole number here and there.
#[test]
fn colortemperature_is_that_of_ffmpeg_but_for_single_samples() {
    let bench = Bench::new();
    for kelvin in [1000, 1900, 2700, 4500, 6500, 6600, 6601, 9000, 40000] {
        let chain = format!("colortemperature={kelvin}");
        for pixel in ["gbrp", "gbrap", "gbrp10le", "gbrp16le"] {
            let (most, share) = apart(&bench, &chain, pixel);
            assert!(most <= 1 && share < 0.02, "{chain} of {pixel}: {most} steps, {share} of all samples");
        }
    }
}

/// Floats of RGB, bit for bit.
#[test]
fn exposure_is_that_of_ffmpeg() {
    let bench = Bench::new();
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x40:r=25,noise=alls=80:allf=t:all_seed=5", "-frames:v", "2"];
    bench.ffmpeg(&[&source[..], &["-pix_fmt", "gbrpf32le", "-f", "rawvideo", "-y", "in.raw"]].concat());
    let raw = ["-f", "rawvideo", "-pix_fmt", "gbrpf32le", "-s", "64x40", "-r", "25", "-i", "in.raw"];
    for chain in ["exposure=1", "exposure=-0.7:black=0.05", "exposure=2.3:black=-0.2", "exposure=0:black=0.1"] {
        let theirs = bench.ffmpeg(&[&raw[..], &["-vf", chain, "-f", "rawvideo", "-"]].concat());
        let into = ["in.raw", "-", "--container", "raw", "-q", "--backend", "cpu", "--raw", "gbrpf32le:64x40@25"];
        assert!(bench.pass(&[&into[..], &["-f", chain]].concat()) == theirs, "{chain}");
    }
}
