//! The change of the frame rate, against FFmpeg's: which frame is shown when, of clips of a variable rate.

use proptest::prelude::*;

use crate::extent;
use crate::program::{Bench, timed_checksums};

/// Gaps between frames in milliseconds.
fn gaps() -> impl Strategy<Value = Vec<u32>> {
    let uneven = prop::sample::select(&[1u32, 5, 17, 33, 40, 41, 42, 90, 250][..]);
    prop_oneof![prop::collection::vec(uneven, 1..16), (1..16usize).prop_map(|count| vec![40; count])]
}

fn chain() -> impl Strategy<Value = String> {
    let rate = prop::sample::select(&["25", "30000/1001", "10", "60", "ntsc_film", "7.3", "source_fps*2", "pal/3"][..]);
    let round = prop::sample::select(&["near", "down", "up", "zero", "inf"][..]);
    let more = prop::sample::select(
        &["", "", ":eof_action=pass", ":start_time=0.05", ":start_time=-0.333", ":start_time=0.0203:eof_action=pass"][..],
    );
    (rate, round, more).prop_map(|(rate, round, more)| format!("fps='{rate}':round={round}{more}"))
}

#[test]
fn frames_are_shown_when_ffmpeg_shows_them() {
    let bench = Bench::new();
    let mut runner = extent::runner(60);
    let outcome = runner.run(&(gaps(), chain()), |(mut gaps, chain)| {
        // The rate of a clip whose frames are shown for different times is a guess, and FFmpeg's is another one.
        if chain.contains("source_fps") {
            gaps.fill(40);
        }
        let mut time = 0;
        let times = gaps.iter().enumerate().map(|(index, gap)| {
            time += gap;
            format!("+eq(N,{})*{time}", index + 1)
        });
        let source = format!(
            "testsrc2=size=32x16:rate=50,noise=alls=30:allf=t,settb=1/1000,setpts='0{}'",
            times.collect::<String>()
        );
        let count = (gaps.len() + 1).to_string();
        let made = ["-f", "lavfi", "-i", &source, "-frames:v", &count, "-fps_mode", "passthrough"];
        let coded = ["-enc_time_base", "1/1000", "-c:v", "libx264", "-qp", "0", "-bf", "0", "-pix_fmt", "yuv420p"];
        bench.ffmpeg(&[&made[..], &coded, &["-video_track_timescale", "1000", "in.mp4"]].concat());
        let theirs = ["-i", "in.mp4", "-vf", &chain, "-fps_mode", "passthrough", "-f", "framemd5", "-"];
        let theirs = timed_checksums(&bench.ffmpeg(&theirs));
        let ours = bench.pass(&["in.mp4", "hash:", "-q", "--backend", "cpu", "-f", &chain]);
        let ours = timed_checksums(&ours);
        let is_same = |((a, x), (b, y)): (&(f64, String), &(f64, String))| (a - b).abs() < 1e-4 && x == y;
        let agrees = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(is_same);
        prop_assert!(agrees, "{chain} of {gaps:?}: {ours:?}, FFmpeg {theirs:?}");
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
