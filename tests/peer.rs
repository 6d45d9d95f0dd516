//! FFmpeg as the other implementation: `convolution` must give the same bytes, whatever the matrix.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::program::{Bench, checksums};

/// One chain in FFmpeg's syntax and the clip it runs on.
#[derive(Debug)]
struct Case {
    chain: String,
    pixel: &'static str,
    size: (u32, u32),
}

/// Formats that FFmpeg's filter takes, of every depth and subsampling.
const PIXELS: [&str; 14] = [
    "gray", "yuv420p", "yuv422p", "yuv444p", "yuv411p", "yuv440p", "gbrp", "yuva420p", "gray10le", "yuv420p10le",
    "yuv422p12le", "yuv444p9le", "gbrp16le", "yuv420p16le",
];

/// One plane's matrix, with its mode, `rdiv` and `bias`.
fn plane() -> impl Strategy<Value = String> {
    let shape = prop_oneof![
        Just(("square", 9)),
        Just(("square", 25)),
        Just(("square", 49)),
        (0..25usize).prop_map(|radius| ("row", 2 * radius + 1)),
        (0..25usize).prop_map(|radius| ("column", 2 * radius + 1)),
    ];
    let rdiv = prop_oneof![Just(0.0f32), (1..400i32).prop_map(|thousandths| thousandths as f32 / 1000.0)];
    let bias = prop_oneof![Just(0.0f32), (0..2000i32).prop_map(|tenths| tenths as f32 / 10.0)];
    (shape, rdiv, bias).prop_flat_map(|((mode, length), rdiv, bias)| {
        prop::collection::vec(-20..=20i32, length).prop_map(move |taps| {
            let taps: Vec<_> = taps.iter().map(i32::to_string).collect();
            format!("N m={}:N rdiv={rdiv}:N bias={bias}:N mode={mode}", taps.join(" "))
        })
    })
}

fn case() -> impl Strategy<Value = Case> {
    let planes = prop::collection::vec(plane(), 1..=4);
    let size = (prop_oneof![1..70u32, Just(128u32)], 1..50u32);
    (planes, prop::sample::select(&PIXELS[..]), size).prop_map(|(planes, pixel, size)| {
        let options: Vec<_> =
            planes.iter().enumerate().map(|(index, text)| text.replace("N ", &index.to_string())).collect();
        Case { chain: format!("convolution={}", options.join(":")), pixel, size }
    })
}

#[test]
fn convolution_gives_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&case(), |case| {
        let (width, height) = case.size;
        let spec = format!("{}:{width}x{height}@25", case.pixel);
        let noise = format!("nullsrc=size={width}x{height}:rate=25,geq=random(1)*255:128+90*sin(X*Y+N):random(2)*255");
        bench.ffmpeg(&["-f", "lavfi", "-i", &noise, "-frames:v", "2", "-pix_fmt", case.pixel, "-f", "rawvideo", "in.raw"]);
        let size = format!("{width}x{height}");
        let raw = ["-f", "rawvideo", "-pix_fmt", case.pixel, "-s", &size, "-r", "25", "-i", "in.raw"];
        let theirs = bench.ffmpeg(&[&raw[..], &["-vf", &case.chain, "-f", "framemd5", "-"]].concat());
        let ours = bench.pass(&["in.raw", "hash:", "--raw", &spec, "-f", &case.chain]);
        prop_assert_eq!(checksums(&ours), checksums(&theirs), "{:?}", case);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
