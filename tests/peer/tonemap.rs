//! HDR as SDR beside FFmpeg's `zscale` and `tonemap`, which compute in floats: curves of the same definition, in the primaries of
//! the clip, where this FFmpeg has both.

use std::fs;

use crate::agreement::Random;
use crate::program::Bench;

const SIZE: &str = "96x64";

/// The largest distance of two lists of bytes, and its mean.
fn distance(ours: &[u8], theirs: &[u8]) -> (u8, f64) {
    assert_eq!(ours.len(), theirs.len());
    let each = || ours.iter().zip(theirs).map(|(a, b)| a.abs_diff(*b));
    (each().max().unwrap_or(0), each().map(f64::from).sum::<f64>() / ours.len() as f64)
}

#[test]
fn curves_are_ffmpegs() {
    let bench = Bench::new();
    let filters = String::from_utf8(bench.run("ffmpeg", &["-hide_banner", "-filters"], &[]).stdout).unwrap();
    if !filters.contains(" zscale ") || !filters.contains(" tonemap ") {
        println!("skipped: this FFmpeg has no zscale or no tonemap");
        return;
    }
    let mut random = Random::new(84);
    // PQ of colours that BT.709 has, up to 160 cd/m²: zimg does not clip what it makes of others before it is luma and chroma.
    let mut planes = [(); 3].map(|()| Vec::new());
    for _ in 0..96 * 64 {
        let yuv = [random.range(250..=550), random.range(504..=520), random.range(504..=520)];
        planes.iter_mut().zip(yuv).for_each(|(plane, v)| plane.extend((v as u16).to_le_bytes()));
    }
    fs::write(bench.path("in.raw"), planes.concat()).unwrap();
    for (curve, peak) in [("hable", 1000), ("mobius", 2000), ("reinhard", 4000), ("clip", 10000)] {
        let ratio = f64::from(peak) / 203.0;
        let tags = "setparams=range=tv:color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc";
        let chain = format!(
            "{tags},zscale=t=linear:npl=203,format=gbrpf32le,tonemap={curve}:desat=0:peak={ratio},\
             zscale=p=bt709:t=bt709:m=bt709:r=tv,format=yuv444p"
        );
        let raw = ["-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", SIZE, "-r", "25", "-i", "in.raw"];
        let theirs = bench.ffmpeg(&[&raw[..], &["-vf", &chain, "-f", "rawvideo", "-pix_fmt", "yuv444p", "-"]].concat());
        let ours = format!("tonemap={curve}:itrc=pq:peak={peak}:format=yuv444p");
        let clip = format!("yuv444p10le:{SIZE}@25");
        let call = ["in.raw", "-", "-q", "--container", "raw", "--backend", "cpu", "--raw", &clip, "-f", &ours];
        let (most, mean) = distance(&bench.pass(&call), &theirs);
        assert!(most <= 1 && mean < 0.02, "{curve}: {most} at most, {mean} on average");
    }
}
