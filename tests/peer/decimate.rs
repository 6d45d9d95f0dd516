//! Frames dropped, against FFmpeg's `decimate`: which stay, with which bytes, and when they are shown.
//!
//! - A frame that has no more than half a block across or down is no duplicate of another here, and always one in FFmpeg.
//! - FFmpeg 5.1 keeps the time base of its input, to which it rounds; and it begins with the first frame that it keeps.

use proptest::prelude::*;

use crate::extent;
use crate::program::{Bench, timed_checksums};

fn case() -> impl Strategy<Value = (String, &'static str, (u32, u32), u32, u32)> {
    let cycle = prop_oneof![3 => Just(5u32), 1 => 2..=25u32];
    let blocks = prop::sample::select(&["", ":blockx=16:blocky=8", ":blockx=4:blocky=64", ":blockx=64:blocky=4"][..]);
    let more = prop::sample::select(
        &["", "", ":chroma=0", ":dupthresh=0", ":dupthresh=5", ":scthresh=2", ":scthresh=0:dupthresh=0.2"][..],
    );
    let pixels = [
        "yuv420p",
        "yuv420p",
        "yuv422p",
        "yuv444p",
        "yuv411p",
        "gray",
        "yuv420p9le",
        "yuv422p10le",
        "yuv444p12le",
        "yuv420p14le",
        "yuv444p16le",
        "gray10le",
        "gray16le",
    ];
    // More than half of the largest block, and odd sizes too.
    let size = (prop_oneof![3 => 34..120u32, 1 => 200..300u32], 34..90u32);
    (cycle, blocks, more, prop::sample::select(pixels.to_vec()), size, 0..25u32, 1..70u32).prop_map(
        |(cycle, blocks, more, pixel, size, noise, count)| {
            // A cell of 4:1:1 is at least a sample wide.
            let blocks = if pixel == "yuv411p" && blocks.contains("blockx=4:") { "" } else { blocks };
            (format!("cycle={cycle}{blocks}{more}"), pixel, size, noise, count)
        },
    )
}

#[test]
fn the_same_frames_stay() {
    let bench = Bench::new();
    let mut runner = extent::runner(80);
    let outcome = runner.run(&case(), |(options, pixel, (width, height), noise, count)| {
        let size = format!("{width}x{height}");
        // Some frames repeat others, some with noise, and some begin a scene.
        let source = format!(
            "testsrc2=size=72x48:rate=24000/1001,scale={width}:{height}:flags=neighbor,noise=alls={noise}:allf=t:all_seed=7:enable='mod(floor(n/9),2)',\
             negate=enable='mod(floor(n/13),2)',fps=30000/1001,noise=alls=2:allf=t:enable='gt(mod(n,20),9)',format={pixel}"
        );
        let frames = count.to_string();
        bench.ffmpeg(&["-f", "lavfi", "-i", &source, "-frames:v", &frames, "-f", "rawvideo", "-y", "in.raw"]);
        let chain = format!("decimate={options}");
        let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "30000/1001", "-i", "in.raw"];
        let output = ["-vf", &chain, "-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-f", "framemd5", "-"];
        let theirs = timed_checksums(&bench.ffmpeg(&[&raw[..], &output].concat()));
        let format = format!("{pixel}:{size}@30000/1001");
        let ours = timed_checksums(&bench.pass(&["in.raw", "hash:", "-q", "--raw", &format, "-f", &chain]));
        let sums = |rows: &[(f64, String)]| rows.iter().map(|(_, sum)| sum.clone()).collect::<Vec<_>>();
        prop_assert_eq!(sums(&ours), sums(&theirs), "{}, {} {}, noise {}, {} frames", chain, size, pixel, noise, count);
        // A clip that does not begin with its first frame begins a frame later there.
        let late = theirs.first().map_or(0.0, |(time, _)| *time);
        for ((own, _), (other, _)) in ours.iter().zip(&theirs) {
            prop_assert!((own + late - other).abs() < 0.6 * 1001.0 / 30000.0, "{}: {} for {}", chain, own, other);
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
