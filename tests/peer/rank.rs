//! Medians, extremes and negatives against FFmpeg's filters, where the definitions agree: chroma without subsampling,
//! because our lengths are luma pixels, and FFmpeg's are samples of each plane.

use crate::program::{Bench, checksums};

const SIZE: &str = "61x43";

/// Noise of so many frames as `in.raw`; its checksums after our chain and after FFmpeg's.
fn both(bench: &Bench, pixel: &str, frames: &str, ours: &str, theirs: &str) -> [Vec<String>; 2] {
    let noise = format!("nullsrc=size={SIZE}:rate=25,geq=random(1)*255:128+90*sin(X*Y+N):random(2)*255");
    bench.ffmpeg(&["-f", "lavfi", "-i", &noise, "-frames:v", frames, "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"]);
    let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", SIZE, "-r", "25", "-i", "in.raw"];
    let theirs = bench.ffmpeg(&[&raw[..], &["-vf", theirs, "-f", "framemd5", "-"]].concat());
    let ours = bench.pass(&["in.raw", "hash:", "--raw", &format!("{pixel}:{SIZE}@25"), "-f", ours]);
    [checksums(&ours), checksums(&theirs)]
}

#[test]
fn ranks_give_ffmpegs_bytes() {
    let bench = Bench::new();
    for (ours, theirs) in [
        ("median=1:border=clamp", "median=radius=1"),
        ("median=radius=2:radius_v=4:percentile=0.3:border=clamp", "median=radius=2:radiusV=4:percentile=0.3"),
        ("median=7:border=clamp", "median=radius=7"),
        ("erode", "erosion"),
        ("dilate", "dilation"),
        ("open", "erosion,dilation"),
    ] {
        for pixel in ["gray", "yuv444p", "gbrp", "gray10le", "yuv444p16le"] {
            let [ours_sums, theirs_sums] = both(&bench, pixel, "2", ours, theirs);
            assert_eq!(ours_sums, theirs_sums, "{ours} in {pixel}");
        }
    }
}

/// FFmpeg's leaves out frames at the start, and those at the end.
#[test]
fn medians_in_time_are_ffmpegs_later() {
    let bench = Bench::new();
    let md5 = |line: &String| line.rsplit(' ').next().unwrap_or_default().to_owned();
    for (ours, theirs) in
        [("tmedian=2", "tmedian=radius=2"), ("tmedian=1:percentile=1", "tmedian=radius=1:percentile=1")]
    {
        let [all, inner] = both(&bench, "yuv420p10le", "8", ours, theirs);
        let reach = (all.len() - inner.len()) / 2;
        let middle: Vec<String> = all[reach..reach + inner.len()].iter().map(md5).collect();
        assert!(reach > 0 && inner.len() > 3);
        assert_eq!(middle, inner.iter().map(md5).collect::<Vec<_>>(), "{ours}");
    }
}

#[test]
fn negatives_of_luma_are_ffmpegs() {
    let bench = Bench::new();
    for pixel in ["yuv420p", "yuv422p10le", "gray"] {
        let [ours, theirs] = both(&bench, pixel, "2", "invert=planes=y:range=full", "negate=components=y");
        assert_eq!(ours, theirs, "{pixel}");
    }
}
