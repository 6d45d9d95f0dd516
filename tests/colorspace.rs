//! Colours of one space as those of another, through the program: FFmpeg's bytes, the tags that follow, and what is refused.

use std::fs;

use crate::agreement::Random;
use crate::program::{Bench, sample};

const ALL: [&str; 8] = ["bt470m", "bt470bg", "bt601-6-525", "bt601-6-625", "bt709", "smpte170m", "smpte240m", "bt2020"];
const MATRICES: [&str; 6] = ["bt709", "fcc", "bt470bg", "smpte170m", "smpte240m", "bt2020nc"];
const PRIMARIES: [&str; 11] = [
    "bt709",
    "bt470m",
    "bt470bg",
    "smpte170m",
    "smpte240m",
    "film",
    "bt2020",
    "smpte428",
    "smpte431",
    "smpte432",
    "jedec-p22",
];
const TRANSFERS: [&str; 10] =
    ["bt709", "gamma22", "gamma28", "smpte170m", "smpte240m", "linear", "srgb", "xvycc", "bt2020-10", "bt2020-12"];

/// A name of pixels.
fn pixels(chroma: &str, depth: u32) -> String {
    if depth == 8 { format!("yuv{chroma}p") } else { format!("yuv{chroma}p{depth}") }
}

/// The same for raw samples.
fn raw(chroma: &str, depth: u32) -> String {
    let name = pixels(chroma, depth);
    if depth == 8 { name } else { name + "le" }
}

/// A call of both programs with any values.
fn call(random: &mut Random, chroma: &str, depth: u32) -> String {
    let mut call = format!("colorspace=all={}:iall={}", random.one_of(&ALL), random.one_of(&ALL));
    let named: [(&str, &[&str]); 8] = [
        ("space", &MATRICES),
        ("ispace", &MATRICES),
        ("primaries", &PRIMARIES),
        ("iprimaries", &PRIMARIES),
        ("trc", &TRANSFERS),
        ("itrc", &TRANSFERS),
        ("range", &["tv", "pc"]),
        ("irange", &["tv", "pc"]),
    ];
    for (name, words) in named {
        if random.below(5) < 2 {
            call += &format!(":{name}={}", random.one_of(words));
        }
    }
    if random.below(3) == 0 {
        call += ":fast=1";
    }
    call += &format!(":wpadapt={}", random.one_of(&["bradford", "vonkries", "identity"]));
    call + &format!(":format={}", pixels(chroma, depth))
}

/// Random calls of every depth and subsampling give FFmpeg's bytes; at odd sizes those of a picture with its edge repeated.
#[test]
fn ffmpeg_gives_the_same() {
    let bench = Bench::new();
    let mut random = Random::new(91);
    for number in 0..90 {
        let chroma = *random.one_of(&["420", "422", "444"]);
        let (from, to) = (*random.one_of(&[8, 10, 12]), *random.one_of(&[8, 10, 12]));
        let (width, height) = (random.range(1..=140), random.range(1..=50));
        let (wide, high) = (width.next_multiple_of(2), height.next_multiple_of(2));
        let call = call(&mut random, chroma, to);
        let (across, down) = match chroma {
            "420" => (2, 2),
            "422" => (2, 1),
            _ => (1, 1),
        };
        // Luma with its edge repeated and without, and chroma, which is the same for both where it is smaller.
        let (mut own, mut even) = (Vec::new(), Vec::new());
        let put =
            |to: &mut Vec<u8>, samples: &[u16], stride: usize, [w, h]: [usize; 2], [kept_w, kept_h]: [usize; 2]| {
                for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
                    let sample = samples[y.min(kept_h - 1) * stride + x.min(kept_w - 1)];
                    to.extend(sample.to_le_bytes().into_iter().take(if from == 8 { 1 } else { 2 }));
                }
            };
        for plane in 0..3 {
            let (x, y) = if plane == 0 { (1, 1) } else { (across, down) };
            let kept = [width.div_ceil(x), height.div_ceil(y)];
            let samples: Vec<u16> = (0..kept[0] * kept[1]).map(|_| random.below(1 << from) as u16).collect();
            put(&mut own, &samples, kept[0], kept, kept);
            put(&mut even, &samples, kept[0], [wide / x, high / y], kept);
        }
        fs::write(bench.path("own.raw"), own).unwrap();
        fs::write(bench.path("even.raw"), even).unwrap();
        let (name, made) = (raw(chroma, from), raw(chroma, to));
        let size = format!("{wide}x{high}");
        let input = ["-f", "rawvideo", "-pix_fmt", &name, "-s", &size, "-i", "even.raw"];
        let chain = format!("{call},crop={width}:{height}:0:0:exact=1");
        let theirs = bench.ffmpeg(&[&input[..], &["-vf", &chain, "-f", "rawvideo", "-pix_fmt", &made, "-"]].concat());
        let clip = format!("{name}:{width}x{height}@25");
        let ours = ["own.raw", "-", "-q", "--backend", "cpu", "--container", "raw", "--raw", &clip, "-f", &call];
        let ours = bench.pass(&ours);
        assert_eq!(ours.len(), theirs.len(), "{number}: {call} of {clip}");
        assert!(ours == theirs, "{number}: {call} of {clip}");
    }
}

/// Tags of a clip's video as FFmpeg reads them.
fn tags(bench: &Bench, name: &str) -> String {
    let entries = "stream=color_range,color_space,color_transfer,color_primaries";
    let arguments = ["-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0", name];
    String::from_utf8(bench.run("ffprobe", &arguments, &[]).stdout).unwrap().trim().to_owned()
}

#[test]
fn tags_say_what_samples_are() {
    let bench = Bench::new();
    let tagged = "-colorspace smpte170m -color_primaries smpte170m -color_trc smpte170m -color_range tv -c:v ffv1 -y";
    let coding: Vec<&str> = tagged.split(' ').collect();
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.12,format=yuv420p"];
    bench.ffmpeg(&[&picture[..], &coding, &["in.mkv"]].concat());
    for (chain, wanted) in [
        ("colorspace=bt709", "tv,bt709,bt709,bt709"),
        ("colorspace=bt709:range=pc", "pc,bt709,bt709,bt709"),
        ("colorspace=bt2020:format=yuv420p12", "tv,bt2020nc,bt2020-12,bt2020"),
        ("colorspace=bt709:fast=1:trc=srgb:primaries=smpte432", "tv,bt709,iec61966-2-1,smpte432"),
        // The samples stay as they are.
        ("colorspace=smpte170m:fast=1:primaries=bt470bg", "tv,smpte170m,smpte170m,bt470bg"),
    ] {
        bench.pass(&["in.mkv", "out.mkv", "-y", "-q", "--codec", "ffv1", "-f", chain]);
        assert_eq!(tags(&bench, "out.mkv"), wanted, "{chain}");
        let raw = ["-f", "rawvideo", "-"];
        let ours = bench.ffmpeg(&[&["-i", "out.mkv"][..], &raw].concat());
        let theirs = bench.ffmpeg(&[&["-i", "in.mkv", "-vf", chain][..], &raw].concat());
        assert!(ours == theirs, "{chain}: the tags of the input are read as FFmpeg reads them");
    }
    let explained = String::from_utf8(bench.pass(&["explain", "in.mkv", "-f", "colorspace=bt709"])).unwrap();
    assert!(explained.contains("colorspace through linear light, to other primaries"), "{explained}");
    assert!(explained.contains("matrix smpte170m to bt709, primaries smpte170m to bt709"), "{explained}");
    // The tags of the first filter are those that the second reads.
    let chain = "colorspace=bt709:format=yuv420p12,colorspace=smpte170m:format=yuv420p";
    bench.pass(&["in.mkv", "out.mkv", "-y", "-q", "--codec", "ffv1", "-f", chain]);
    assert_eq!(tags(&bench, "out.mkv"), "tv,smpte170m,smpte170m,smpte170m");
}

#[test]
fn what_cannot_be_converted_says_what_to_type() {
    let bench = Bench::new();
    fs::write(bench.path("in.raw"), [128; 4096]).unwrap();
    for (pixel, chain, fault) in [
        (
            "yuv420p",
            "colorspace=bt709",
            "the clip has no tag for its matrix, primaries, transfer; type iall=bt601-6-625",
        ),
        ("yuv420p", "colorspace=bt709:ispace=bt709:itrc=bt709", "no tag for its primaries; type iall="),
        ("yuv420p", "colorspace=iall=bt709", "matrix, primaries, transfer of the output are not given; type all=bt709"),
        ("yuv420p", "colorspace=bt709:iall=bt2020:dither=fsb", "dither=fsb is not offered"),
        ("yuv420p", "colorspace=bt709:iall=bt2020:format=yuv444p10", "type format=yuv420p10 and scale=chroma=444"),
        ("gray", "colorspace=bt709:iall=bt2020", "has no chroma to convert"),
        ("gbrp", "colorspace=bt709:iall=bt2020", "has no matrix"),
        ("yuva420p", "colorspace=bt709:iall=bt2020", "has opacity"),
        ("yuv420p9le", "colorspace=bt709:iall=bt2020", "type scale=depth=10 before it"),
        ("yuv420p16le", "colorspace=bt709:iall=bt2020", "type scale=depth=12 before it"),
        ("yuv440p", "colorspace=bt709:iall=bt2020", "type scale=chroma=444 before it"),
    ] {
        let clip = format!("{pixel}:16x16@25");
        let said = bench.fail(&["in.raw", "null:", "--raw", &clip, "-f", chain]);
        assert!(said.contains(fault), "{chain} of {pixel}: {said}");
    }
    let said = bench.fail(&[sample("ten-bit.mp4").to_str().unwrap(), "null:", "-f", "colorspace=bt709"]);
    assert!(
        said.contains("the clip is HDR, PQ, which colorspace does not convert; type sdr, or tonemap, in its place"),
        "{said}"
    );
    let said = bench.refuse(&["in.raw", "null:", "--raw", "yuv420p:16x16@25", "-f", "colorspace=ycgco"]);
    assert!(said.contains("all=ycgco of colorspace is unknown"), "{said}");
    bench.pass(&[
        "in.raw",
        "null:",
        "-q",
        "--raw",
        "yuv440p:16x16@25",
        "-f",
        "scale=chroma=444,colorspace=bt709:iall=bt2020",
    ]);
}
