//! Fields matched, against FFmpeg's `fieldmatch`.
//!
//! - It compares the last rows of planes of an odd height with what another plane left in memory, or reads behind them: so planes have
//!   even heights.
//! - In 4:4:4 its buffer of differences is narrower than a plane.
//! - With `chroma` it marks luma as in 4:2:0, also in other formats.

use proptest::prelude::*;

use crate::extent;
use crate::program::{Bench, checksums};

/// Parameters, a pixel format, the size in units of 4 pixels, how strong noise is, and which field is first.
fn case() -> impl Strategy<Value = (String, &'static str, (u32, u32), u32, bool)> {
    let mode = prop::sample::select(&["pc", "pc_n", "pc_u", "pc_n_ub", "pcn", "pcn_ub", "0", "4"][..]);
    let combs = prop::sample::select(&["none", "sc", "full", "full"][..]);
    let fields = prop::sample::select(
        &["order=auto", "order=tff", "order=bff:field=bottom", "order=0:field=1", "field=bottom"][..],
    );
    let more = prop::sample::select(
        &[
            "",
            ":mchroma=0",
            ":scthresh=3",
            ":cthresh=4:combpel=20",
            ":cthresh=-1",
            ":blockx=4:blocky=64",
            ":blockx=128:blocky=8:combpel=300",
            ":y0=8:y1=24",
            ":chroma=1:cthresh=5",
        ][..],
    );
    let pixel = prop::sample::select(&["yuv420p", "yuv420p", "yuv422p", "yuv411p"][..]);
    let size = (prop_oneof![3 => 6..40u32, 1 => 40..80u32], 4..40u32);
    (mode, combs, fields, more, pixel, size, 0..25u32, any::<bool>()).prop_map(
        |(mode, combs, fields, more, pixel, size, noise, top)| {
            let is_half = pixel.contains("420");
            let more = if is_half || !more.contains(":chroma=1") { more } else { "" };
            (format!("mode={mode}:combmatch={combs}:{fields}{more}"), pixel, size, noise, top)
        },
    )
}

/// A clip of film as video that is not marked, or marked, with a cut and some frames of video.
fn telecine(bench: &Bench, pixel: &str, size: &str, noise: u32, top: bool) {
    let field = if top { "top" } else { "bottom" };
    let film = format!("testsrc2=size={size}:rate=24000/1001,noise=alls={noise}:allf=t:all_seed=7");
    let source = format!("{film},negate=enable='gte(n,9)',telecine=first_field={field},format={pixel}");
    let output = ["-frames:v", "18", "-f", "rawvideo", "-y", "in.raw"];
    bench.ffmpeg(&[&["-f", "lavfi", "-i", &source][..], &output].concat());
}

/// The same frames, and where one is still combed, the same behind a deinterlacer that works on those alone.
#[test]
fn frames_have_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut runner = extent::runner(60);
    let outcome = runner.run(&case(), |(options, pixel, (width, height), noise, top)| {
        let size = format!("{}x{}", 4 * width, 4 * height);
        telecine(&bench, pixel, &size, noise, top);
        for behind in ["", ",yadif=deint=interlaced"] {
            let chain = format!("fieldmatch={options}{behind}");
            let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "30000/1001", "-i", "in.raw"];
            let output = ["-vf", &chain, "-fps_mode", "passthrough", "-f", "framemd5", "-"];
            let theirs = checksums(&bench.ffmpeg(&[&raw[..], &output].concat()));
            let format = format!("{pixel}:{size}@30000/1001");
            let ours = checksums(&bench.pass(&["in.raw", "hash:", "-q", "--raw", &format, "-f", &chain]));
            let sums = |rows: &[String]| -> Vec<String> {
                rows.iter().filter_map(|row| row.rsplit(',').next().map(|sum| sum.trim().to_owned())).collect()
            };
            prop_assert_eq!(sums(&ours), sums(&theirs), "{}, {} {}, noise {}, top {}", chain, size, pixel, noise, top);
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
