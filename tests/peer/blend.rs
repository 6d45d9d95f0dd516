//! Blends of each frame with the one before, against FFmpeg's `tblend`, which leaves the first frame out.

use warpreel::pass::ComposeMode;

use crate::extent;
use crate::plan::composed_modes;
use crate::program::Bench;

const SIZE: &str = "61x43";

/// The samples of our frames and of FFmpeg's, both without the first frame; `pixel` has `bytes` a frame.
fn both(bench: &Bench, pixel: &str, bytes: usize, options: &str) -> [Vec<u8>; 2] {
    let noise = format!("nullsrc=size={SIZE}:rate=25,geq=random(1)*255:128+90*sin(X*Y+N):random(2)*255");
    bench.ffmpeg(&["-f", "lavfi", "-i", &noise, "-frames:v", "5", "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"]);
    let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", SIZE, "-r", "25", "-i", "in.raw"];
    let theirs = bench.ffmpeg(&[&raw[..], &["-vf", &format!("tblend={options}"), "-f", "rawvideo", "-"]].concat());
    let chain = format!("tblend={options}");
    let ours = bench.pass(&["in.raw", "out.raw", "--raw", &format!("{pixel}:{SIZE}@25"), "-f", &chain]);
    assert!(ours.is_empty());
    let ours = std::fs::read(bench.path("out.raw")).expect("an output").split_off(bytes);
    std::fs::remove_file(bench.path("out.raw")).expect("an output");
    assert_eq!((ours.len(), theirs.len()), (4 * bytes, 4 * bytes), "{options} in {pixel}");
    [ours, theirs]
}

#[test]
fn blends_give_ffmpegs_bytes() {
    let bench = Bench::new();
    // In chroma, where ours is centred, only these are FFmpeg's.
    let everywhere = ["normal", "darken", "lighten", "grainextract", "grainmerge"];
    let in_luma = ["addition", "subtract", "difference", "phoenix"];
    let (wide, high) = (61usize, 43usize);
    let formats = [
        ("gray", wide * high),
        ("gbrp", 3 * wide * high),
        ("gray10le", 2 * wide * high),
        ("gbrp16le", 6 * wide * high),
        ("yuv420p", wide * high + 2 * wide.div_ceil(2) * high.div_ceil(2)),
    ];
    for mode in everywhere.iter().chain(&in_luma) {
        for (pixel, bytes) in formats {
            if pixel != "yuv420p" || everywhere.contains(mode) {
                let [ours, theirs] = both(&bench, pixel, bytes, &format!("all_mode={mode}"));
                assert!(ours == theirs, "{mode} in {pixel}");
            }
        }
    }
}

/// Products, quotients and bits, with all of the result and with a part of it.
#[test]
fn compositions_give_ffmpegs_bytes() {
    let bench = Bench::new();
    let (wide, high) = (61usize, 43usize);
    let formats = [
        ("gray", wide * high),
        ("gray12le", 2 * wide * high),
        ("gbrp14le", 6 * wide * high),
        ("yuv420p", wide * high + 2 * wide.div_ceil(2) * high.div_ceil(2)),
    ];
    let each = composed_modes().map(ComposeMode::name).flat_map(|mode| {
        let parts = ["", ":all_opacity=0.4"];
        parts.into_iter().flat_map(move |opacity| formats.map(|(pixel, bytes)| (mode, opacity, pixel, bytes)))
    });
    // Sums are rounded to nearest here.
    for (mode, opacity, pixel, bytes) in extent::sample(each) {
        let [ours, theirs] = both(&bench, pixel, bytes, &format!("all_mode={mode}{opacity}"));
        assert!(ours == theirs, "{mode}{opacity} in {pixel}");
    }
}

/// FFmpeg rounds down: the mean of two integers, and what opacity makes of them.
#[test]
fn means_are_ffmpegs_rounded_to_nearest() {
    let bench = Bench::new();
    for options in ["all_mode=average", "all_mode=normal:all_opacity=0.3", "all_mode=difference:all_opacity=0.25"] {
        let [ours, theirs] = both(&bench, "gray", 61 * 43, options);
        let excess: Vec<i32> = ours.iter().zip(&theirs).map(|(a, b)| i32::from(*a) - i32::from(*b)).collect();
        let (least, most) = (excess.iter().min().copied(), excess.iter().max().copied());
        assert_eq!((least, most), (Some(0), Some(1)), "{options}");
    }
}
