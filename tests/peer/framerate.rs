//! The change of the frame rate by blending, against FFmpeg's: which frames are blended how, and shown when.

use proptest::prelude::*;

use crate::extent;
use crate::program::{Bench, timed_checksums};

/// Gaps between frames in milliseconds.
fn gaps() -> impl Strategy<Value = Vec<u32>> {
    let uneven = prop::sample::select(&[17u32, 33, 40, 41, 42, 90, 250][..]);
    prop_oneof![prop::collection::vec(uneven, 0..12), (1..14usize).prop_map(|count| vec![40; count])]
}

fn chain() -> impl Strategy<Value = String> {
    let rate = prop::sample::select(&["50", "60000/1001", "30", "25", "ntsc", "ntsc-film", "47.3", "120"][..]);
    let zone =
        prop::sample::select(&["", "", ":interp_start=0:interp_end=255", ":interp_start=60", ":interp_end=200"][..]);
    let scene = prop::sample::select(&["", "", ":scene=3.1", ":scene=0", ":scene=22", ":scene=100"][..]);
    (rate, zone, scene).prop_map(|(rate, zone, scene)| format!("framerate='{rate}'{zone}{scene}"))
}

/// All that FFmpeg's takes, at heights that leave no half row of chroma, which it does not write, and at widths of which its
/// vectors of 32 bytes read no more than there is for the scene score.
fn picture() -> impl Strategy<Value = (&'static str, u32, u32)> {
    let pixels = [
        "yuv420p",
        "yuv422p",
        "yuv444p",
        "yuv410p",
        "yuv411p",
        "yuv440p",
        "yuvj420p",
        "yuv420p9le",
        "yuv420p10le",
        "yuv422p10le",
        "yuv444p10le",
        "yuv420p12le",
        "yuv422p12le",
        "yuv444p12le",
    ];
    (prop::sample::select(pixels.to_vec()), 32..90u32, 4..14u32)
        .prop_map(|(pixel, width, rows)| (pixel, width, 4 * rows))
}

#[test]
fn frames_are_blended_as_ffmpeg_blends_them() {
    let bench = Bench::new();
    let mut runner = extent::runner(60);
    let outcome = runner.run(&(gaps(), chain(), picture()), |(gaps, chain, (pixel, width, height))| {
        let mut time = 0;
        let times = gaps.iter().enumerate().map(|(index, gap)| {
            time += gap;
            format!("+eq(N,{})*{time}", index + 1)
        });
        // Every fifth frame is another scene, and some scenes move.
        let source = format!(
            "testsrc2=size=72x48:rate=50,scale={width}:{height}:flags=neighbor,noise=alls=40:allf=t,negate=enable='mod(floor(n/5),2)',\
             noise=alls=100:allf=t:enable='gt(mod(n,7),4)',settb=1/1000,setpts='0{}',format={pixel}",
            times.collect::<String>()
        );
        let count = (gaps.len() + 1).to_string();
        let made = ["-f", "lavfi", "-i", &source, "-frames:v", &count, "-fps_mode", "passthrough"];
        bench.ffmpeg(&[&made[..], &["-enc_time_base", "1/1000", "-c:v", "ffv1", "-level", "3", "in.mkv"]].concat());
        let theirs = chain.replace("scene=100", "flags=0");
        let theirs = ["-i", "in.mkv", "-vf", &theirs, "-fps_mode", "passthrough", "-f", "framemd5", "-"];
        let theirs = timed_checksums(&bench.ffmpeg(&theirs));
        let ours = bench.pass(&["in.mkv", "hash:", "-q", "--backend", "cpu", "-f", &chain]);
        let ours = timed_checksums(&ours);
        let is_same = |((a, x), (b, y)): (&(f64, String), &(f64, String))| (a - b).abs() < 1e-4 && x == y;
        let agrees = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(is_same);
        prop_assert!(
            agrees,
            "{chain} of {gaps:?}, {pixel} {width}x{height}: {:?}, FFmpeg {:?}; first {:?}",
            ours.len(),
            theirs.len(),
            ours.iter().zip(&theirs).enumerate().find(|(_, pair)| !is_same(*pair))
        );
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
