//! Samples of another depth or range against FFmpeg's `zscale`, which is zimg, where this FFmpeg has it. Grey is left out,
//! which some versions convert by swscale behind it, and so is opacity, to which FFmpeg gives the range of colour.

use crate::program::Bench;

/// Formats and their depths.
const YUV: [(&str, &str); 6] = [
    ("yuv420p", "8"),
    ("yuv420p9le", "9"),
    ("yuv420p10le", "10"),
    ("yuv420p12le", "12"),
    ("yuv420p14le", "14"),
    ("yuv420p16le", "16"),
];
const RGB: [(&str, &str); 6] =
    [("gbrp", "8"), ("gbrp9le", "9"), ("gbrp10le", "10"), ("gbrp12le", "12"), ("gbrp16le", "16"), ("gbrpf32le", "f32")];
const SIZE: &str = "86x46";

/// The bytes of our filter and of FFmpeg's.
fn both(bench: &Bench, [from, to]: [(&str, &str); 2], options: &str) -> [Vec<u8>; 2] {
    let raw = ["-f", "rawvideo", "-pix_fmt", from.0, "-s", SIZE, "-r", "25", "-i", "in.raw"];
    let theirs = format!("zscale={options},format={}", to.0);
    let theirs = bench.ffmpeg(&[&raw[..], &["-vf", &theirs, "-f", "rawvideo", "-pix_fmt", to.0, "-"]].concat());
    let ours = format!("scale=depth={}:{options}", to.1);
    let format = format!("{}:{SIZE}@25", from.0);
    let call = ["in.raw", "-", "-q", "--container", "raw", "--backend", "cpu", "--raw", &format, "-f", &ours];
    [bench.pass(&call), theirs]
}

#[test]
fn depths_and_ranges_are_zscales() {
    let bench = Bench::new();
    let filters = bench.run("ffmpeg", &["-hide_banner", "-filters"], &[]).stdout;
    if !String::from_utf8_lossy(&filters).contains(" zscale ") {
        println!("skipped: this FFmpeg has no zscale");
        return;
    }
    let noise = format!("nullsrc=size={SIZE}:rate=25,geq=random(1)*255:random(2)*255:random(3)*255");
    let mut number = 0;
    for formats in [YUV, RGB] {
        for from in &formats {
            bench.ffmpeg(&[
                "-f",
                "lavfi",
                "-i",
                &noise,
                "-frames:v",
                "1",
                "-pix_fmt",
                from.0,
                "-f",
                "rawvideo",
                "-y",
                "in.raw",
            ]);
            for to in formats.iter().filter(|to| *to != from) {
                let ranges: &[&str] = if formats == RGB {
                    &["full:range=full"]
                } else {
                    &["limited:range=limited", "limited:range=full", "full:range=limited", "full:range=full"]
                };
                for dither in ["none", "ordered", "error_diffusion"] {
                    // Ranges take turns.
                    let range = ranges[number % ranges.len()];
                    number += 1;
                    let options = format!("rangein={range}:dither={dither}");
                    let [ours, theirs] = both(&bench, [*from, *to], &options);
                    assert_eq!(ours.len(), theirs.len(), "{from:?} {to:?} {options}");
                    assert!(ours == theirs, "{from:?} {to:?} {options}");
                }
            }
        }
    }
}
