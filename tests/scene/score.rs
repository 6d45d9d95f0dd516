//! The scene score against FFmpeg's, to the digits that FFmpeg prints.

use std::sync::Arc;

use warpreel::backend::{Backend, Cpu};
use warpreel::engine::Scores;
use warpreel::frame::{Pixel, Pool};
use warpreel::source::raw::{Raw, RawSpec};
use warpreel::source::{Cut, Input, Salvage, Source};

use crate::program::{Bench, sample};

/// FFmpeg's scores of a clip.
fn theirs(bench: &Bench, input: &[&str], format: &str) -> Vec<String> {
    let chain = format!("{format},select='gte(scene,0)',metadata=print:key=lavfi.scene_score:file=-");
    let text = bench.ffmpeg(&[input, &["-vf", &chain, "-f", "null", "/dev/null"]].concat());
    let lines = String::from_utf8(text).expect("text");
    lines.lines().filter_map(|line| line.strip_prefix("lavfi.scene_score=")).map(str::to_owned).collect()
}

/// Ours of a file of raw frames.
fn ours(bench: &Bench, spec: &str) -> Vec<String> {
    let interrupt = warpreel::source::CancelToken::default();
    let input = Input::file(&bench.path("in.raw"), interrupt).expect("a file");
    let spec: RawSpec = spec.parse().expect("a format");
    let mut source = Raw::open(input, spec, Cut::default(), Salvage::Off).expect("a clip");
    let pool = Pool::heap();
    let format = source.format().clone();
    let mut cpu = Cpu::new(Arc::from([]), format.clone(), pool.clone(), 2).expect("a stage");
    let (mut scores, mut before, mut all) = (Scores::new(&format), None, Vec::new());
    while let Some(frame) = source.next_frame(&pool).expect("a frame") {
        let score = before.as_ref().map_or(0.0, |before| {
            let sum = cpu.measure(&frame, Some(before)).and_then(|measure| cpu.read(measure)).expect("a sum");
            scores.next(sum)
        });
        all.push(format!("{score:.6}"));
        before = Some(frame);
    }
    all
}

/// A clip in a pixel format; FFmpeg sees the same samples in `theirs_in`.
fn agree(bench: &Bench, input: &[&str], pixel: &str, theirs_in: &str, size: &str) {
    bench.ffmpeg(&[input, &["-pix_fmt", pixel, "-f", "rawvideo", "in.raw"]].concat());
    let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", size, "-i", "in.raw"];
    let (ours, theirs) = (ours(bench, &format!("{pixel}:{size}")), theirs(bench, &raw, &format!("format={theirs_in}")));
    assert!(ours.len() > 9 && ours.iter().any(|score| score != "0.000000"), "{ours:?}");
    assert_eq!(ours, theirs, "{pixel} of {input:?}");
}

#[test]
fn scores_are_ffmpegs() {
    let bench = Bench::new();
    let clip = sample("bigbuckbunny-720p.mp4");
    let clip = clip.to_str().expect("a name");
    agree(&bench, &["-i", clip, "-frames:v", "40"], "yuv420p", "yuv420p", "1280x720");
    // Frames far apart, so that there is something like a cut between them.
    let jumps = ["-i", clip, "-vf", "select='not(mod(n,12))',setpts=N/TB,scale=321:179", "-fps_mode", "passthrough"];
    for (pixel, theirs) in [("yuv420p", "yuv420p"), ("gray", "gray"), ("yuv420p10le", "yuv420p10le"), ("gbrp", "rgb24")]
    {
        agree(&bench, &jumps, pixel, theirs, "321x179");
    }
    let cuts = ["-f", "lavfi", "-i", "testsrc2=s=96x54:d=0.4,geq=lum='255*gt(random(floor(N/3)),0.5)':cb=128:cr=128"];
    agree(&bench, &cuts, "yuv422p", "yuv422p", "96x54");
}

/// A threshold means the same for every depth.
#[test]
fn depths_have_the_same_scores() {
    let bench = Bench::new();
    let noise = ["-f", "lavfi", "-i", "testsrc2=s=64x36:d=0.6,format=gray"];
    bench.ffmpeg(&[&noise[..], &["-f", "rawvideo", "in.raw"]].concat());
    let eight = ours(&bench, "gray:64x36");
    for (pixel, shift) in [("gray10le", 2), ("gray16le", 8)] {
        let samples = std::fs::read(bench.path("in.raw")).expect("samples");
        let wide: Vec<u8> = samples.iter().flat_map(|&sample| (u16::from(sample) << shift).to_le_bytes()).collect();
        std::fs::write(bench.path("wide.raw"), wide).expect("a file");
        std::fs::rename(bench.path("in.raw"), bench.path("eight.raw")).expect("a name");
        std::fs::rename(bench.path("wide.raw"), bench.path("in.raw")).expect("a name");
        assert_eq!(ours(&bench, &format!("{pixel}:64x36")), eight, "{pixel}");
        std::fs::rename(bench.path("eight.raw"), bench.path("in.raw")).expect("a name");
    }
    assert_eq!(Pixel { sample: warpreel::frame::Sample::F32, depth: 32, ..Pixel::gray(8) }.measured_depth(), 16);
}
