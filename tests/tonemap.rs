//! HDR as SDR, through the program: the distance from the exact functions, tags and metadata that follow, and what is refused.

use std::fs;

use crate::agreement::Random;
use crate::oracle::tonemap::{Toned, Toning, exact};
use crate::program::{Bench, sample};

const CURVES: [&str; 5] = ["bt2390", "hable", "mobius", "reinhard", "clip"];

/// Bytes of samples of a depth.
fn bytes(samples: &[u16], depth: u32) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes().into_iter().take(if depth == 8 { 1 } else { 2 })).collect()
}

/// Samples of bytes.
fn samples(bytes: &[u8], depth: u32) -> Vec<f64> {
    match depth {
        8 => bytes.iter().copied().map(f64::from).collect(),
        _ => bytes.as_chunks::<2>().0.iter().map(|pair| f64::from(u16::from_le_bytes(*pair))).collect(),
    }
}

/// Name of pixels.
fn pixels(depth: u32) -> String {
    if depth == 8 { "yuv444p".to_owned() } else { format!("yuv444p{depth}") }
}

/// Luma and chroma of colours: greys, colours near grey, and any.
fn colours(random: &mut Random, count: usize, depth: u32) -> [Vec<u16>; 3] {
    let unit = f64::from(1u32 << (depth - 8));
    let mut planes = [(); 3].map(|()| Vec::new());
    for number in 0..count {
        let grey = random.real(0.0, 1.0);
        let spread = [0.0, 0.05, 1.0][number % 3];
        let mut colour = || {
            let other = random.real(0.0, 1.0);
            f64::from((grey * (1.0 - spread) + other * spread).clamp(0.0, 1.0))
        };
        let [r, g, b] = [colour(), colour(), colour()];
        let y = 0.2627 * r + 0.6780 * g + 0.0593 * b;
        let yuv = [16.0 + 219.0 * y, 128.0 + 224.0 * (b - y) / 1.8814, 128.0 + 224.0 * (r - y) / 1.4746];
        planes.iter_mut().zip(yuv).for_each(|(plane, v)| plane.push((v * unit).round() as u16));
    }
    planes
}

/// The program's bytes are nowhere further from the exact functions than the help says: one step of 8 and 10 bits, three of
/// 12, where BT.709 has some of each primary. At the edge of its colours, where a power of 1/2.4 is steep, few are further.
#[test]
fn tables_are_near_the_exact_functions() {
    let bench = Bench::new();
    let mut random = Random::new(2390);
    const WIDTH: usize = 128;
    const HEIGHT: usize = 48;
    for (number, curve) in CURVES.iter().cycle().take(20).enumerate() {
        let is_hlg = number >= 10;
        let (from, to) = *random.one_of(&[(8, 8), (10, 8), (10, 10), (12, 10), (12, 12)]);
        let (peak, target) = (*random.one_of(&[150, 600, 1000, 4000]), *random.one_of(&[100, 203, 300]));
        let planes = colours(&mut random, WIDTH * HEIGHT, from);
        fs::write(bench.path("in.raw"), bytes(&planes.concat(), from)).unwrap();
        let transfer = if is_hlg { "hlg" } else { "pq" };
        let chain = format!("tonemap={curve}:itrc={transfer}:peak={peak}:target={target}:format={}", pixels(to));
        let clip = format!("{}{}:{WIDTH}x{HEIGHT}@25", pixels(from), if from == 8 { "" } else { "le" });
        let call = ["in.raw", "-", "-q", "--backend", "cpu", "--container", "raw", "--raw", &clip, "-f", &chain];
        let made = samples(&bench.pass(&call), to);
        assert_eq!(made.len(), 3 * WIDTH * HEIGHT, "{chain}");
        let toning = Toning { is_hlg, curve, peak: f64::from(peak), target: f64::from(target) };
        let (mut inside, mut far) = (0, 0);
        for n in 0..WIDTH * HEIGHT {
            let given = [0, 1, 2].map(|plane| f64::from(planes[plane][n]));
            let Toned { yuv, light } = exact(toning, given, [from, to]);
            let off = |plane: usize| (made[plane * WIDTH * HEIGHT + n] - yuv[plane].round()).abs();
            let distance = off(0).max(off(1)).max(off(2));
            if light.iter().all(|c| *c >= 1.0 / 500.0) {
                inside += 1;
                let most = if to == 12 { 3.0 } else { 1.0 };
                assert!(distance <= most, "{chain} of {clip}: {given:?} is {distance} steps from {yuv:?}");
            } else if distance > if to == 12 { 3.0 } else { 1.0 } {
                far += 1;
            }
            assert!(distance <= f64::from(1u32 << (to - 6)), "{chain} of {clip}: {given:?} is {distance} from {yuv:?}");
        }
        assert!(4 * inside > WIDTH * HEIGHT, "{chain}: {inside} colours of BT.709");
        assert!(1000 * far <= WIDTH * HEIGHT, "{chain}: {far} colours are far from the exact functions");
    }
}

/// An HDR clip of FFmpeg's, of ten bits, with metadata of light.
fn hdr(bench: &Bench, name: &str, transfer: &str, chroma: &str) {
    let light = "log-level=error:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(6000000,1):max-cll=800,200";
    let tags = format!("-color_range tv -color_primaries bt2020 -color_trc {transfer} -colorspace bt2020nc");
    let source = format!("testsrc2=s=96x64:r=25:d=0.12,format=yuv{chroma}p10le");
    let coding = ["-c:v", "libx265", "-x265-params", light, "-y", name];
    bench.ffmpeg(&[&["-f", "lavfi", "-i", &source][..], &tags.split(' ').collect::<Vec<_>>(), &coding].concat());
}

/// Pixels, tags and kinds of side data of a clip's video and its first frame as FFmpeg reads them.
fn probed(bench: &Bench, name: &str) -> String {
    let entries =
        "stream=pix_fmt,color_range,color_space,color_transfer,color_primaries:frame_side_data=side_data_type";
    let arguments = ["-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0", name];
    String::from_utf8(bench.run("ffprobe", &arguments, &[]).stdout).unwrap()
}

#[test]
fn tags_and_metadata_follow() {
    let bench = Bench::new();
    hdr(&bench, "pq.mkv", "smpte2084", "420");
    assert!(probed(&bench, "pq.mkv").contains("Mastering display metadata"), "{}", probed(&bench, "pq.mkv"));
    for codec in ["hevc", "h264", "ffv1"] {
        for (chain, wanted) in
            [("sdr", "yuv420p,tv,bt709,bt709,bt709"), ("tonemap", "yuv420p10le,tv,bt709,bt709,bt709")]
        {
            bench.pass(&["pq.mkv", "out.mkv", "-y", "-q", "--codec", codec, "-f", chain]);
            let probed = probed(&bench, "out.mkv");
            assert!(probed.contains(wanted), "{chain}, {codec}: {probed}");
            assert!(!probed.contains("Mastering") && !probed.contains("light level"), "{chain}, {codec}: {probed}");
        }
    }
    // Without the filter they stay.
    bench.pass(&["pq.mkv", "out.mkv", "-y", "-q", "--codec", "hevc", "-f", "unsharp"]);
    assert!(probed(&bench, "out.mkv").contains("Mastering display metadata"), "{}", probed(&bench, "out.mkv"));
    let explained = |clip: &str, chain: &str| {
        let text = String::from_utf8(bench.pass(&["explain", clip, "-f", chain])).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (chain, wanted) in [
        ("sdr", "PQ to BT.709, bt2390 from 800 (MaxCLL) to 203 cd/m²"),
        ("tonemap=hable:peak=4000:target=100", "PQ to BT.709, hable from 4000 to 100 cd/m²"),
        ("tonemap=itrc=hlg", "HLG to BT.709, bt2390 from 1000 to 203 cd/m²"),
    ] {
        let text = explained("pq.mkv", chain);
        assert!(text.contains(wanted), "{chain}: {text}");
    }
    hdr(&bench, "hlg.mkv", "arib-std-b67", "422");
    assert!(explained("hlg.mkv", "sdr").contains("HLG to BT.709, bt2390 from 1000 to 203 cd/m²"));
    bench.pass(&["hlg.mkv", "out.mkv", "-y", "-q", "--codec", "ffv1", "-f", "sdr"]);
    assert!(probed(&bench, "out.mkv").contains("yuv420p,tv,bt709,bt709,bt709"), "{}", probed(&bench, "out.mkv"));
    bench.pass(&["hlg.mkv", "out.mkv", "-y", "-q", "--codec", "ffv1", "-f", "tonemap=range=pc:format=yuv422p"]);
    assert!(probed(&bench, "out.mkv").contains("yuv422p,pc,bt709"), "{}", probed(&bench, "out.mkv"));
}

#[test]
fn what_is_no_hdr_says_what_to_type() {
    let bench = Bench::new();
    fs::write(bench.path("in.raw"), [128; 4096]).unwrap();
    for (pixel, chain, fault) in [
        (
            "yuv420p",
            "tonemap",
            "the clip has no tag for its transfer; type itrc=smpte2084 (PQ) or itrc=arib-std-b67 (HLG)",
        ),
        ("yuv420p", "sdr", "the clip has no tag for its transfer; type itrc="),
        ("yuva420p", "sdr=itrc=pq", "has opacity"),
        ("gray", "sdr=itrc=pq", "has no chroma to convert"),
        ("gbrp", "tonemap=itrc=pq", "has no matrix"),
        ("yuv440p", "tonemap=itrc=pq", "type scale=chroma=444 before it"),
        ("yuv420p16le", "sdr=itrc=hlg", "type scale=depth=12 before it"),
        ("yuv420p", "tonemap=itrc=pq:format=yuv444p", "type format=yuv420p and scale=chroma=444"),
    ] {
        let clip = format!("{pixel}:16x16@25");
        let said = bench.fail(&["in.raw", "null:", "--raw", &clip, "-f", chain]);
        assert!(said.contains(fault), "{chain} of {pixel}: {said}");
    }
    let clip = sample("bigbuckbunny-720p.mp4");
    bench.pass(&[
        clip.to_str().unwrap(),
        "sd.mkv",
        "-q",
        "--duration",
        "0.04",
        "-f",
        "colorspace=bt709:iall=bt601-6-625",
    ]);
    let said = bench.fail(&["sd.mkv", "null:", "-f", "sdr"]);
    assert!(said.contains("the clip is tagged SDR, transfer 1 of H.273; leave this filter out"), "{said}");
    let said = bench.refuse(&["in.raw", "null:", "--raw", "yuv420p:16x16@25", "-f", "tonemap=linear"]);
    assert!(said.contains("tonemap=linear of tonemap is unknown"), "{said}");
}
