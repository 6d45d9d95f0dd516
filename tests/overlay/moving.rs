//! Other clips over clips, through the program: FFmpeg's bytes, times of both, parts and chunks, turned clips, other sizes and colours.

use crate::agreement::Random;
use crate::container::turn;
use crate::program::{Bench, timed_checksums};

/// FFmpeg's filters that give each pixel an opacity, of which some is none and some is full.
fn with_opacity(pixel: &str) -> String {
    let opacity = "a='clip(mod(X*37+Y*11+N*40,300)-20,0,255)'";
    match pixel.starts_with('g') {
        true => format!("format=gbrap,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':{opacity}"),
        false => format!("format=yuva444p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':{opacity}"),
    }
}

/// A clip of noise and shapes, without loss; with opacity that differs from pixel to pixel and frame to frame where the format has it.
pub(super) fn make(bench: &Bench, name: &str, pixel: &str, size: &str, rate: u32, frames: u32) {
    let has_alpha = pixel.contains("yuva") || pixel.contains("gbrap");
    let opacity = if has_alpha { format!(",{}", with_opacity(pixel)) } else { String::new() };
    let source = format!("testsrc2=size={size}:rate={rate},noise=alls=40:allf=t{opacity}");
    let count = frames.to_string();
    // FFV1 has no planes of RGB at 8 bits.
    let codec = if ["gbrp", "gbrap"].contains(&pixel) { "utvideo" } else { "ffv1" };
    let coded = ["-frames:v", &count, "-pix_fmt", pixel, "-c:v", codec, "-y", name];
    bench.ffmpeg(&[&["-f", "lavfi", "-i", &source][..], &coded].concat());
}

fn raw(bench: &Bench, input: &str, chain: &str, more: &[&str]) -> Vec<u8> {
    let all = [input, "-", "--container", "raw", "-q", "--backend", "cpu"];
    let chain = if chain.is_empty() { &[][..] } else { &["-f", chain][..] };
    bench.pass(&[&all[..], chain, more].concat())
}

/// What FFmpeg makes of both.
pub(super) fn theirs(bench: &Bench, [first, second]: [&str; 2], graph: &str) -> Vec<u8> {
    let inputs = ["-cpuflags", "0", "-i", first, "-i", second, "-lavfi", graph];
    bench.ffmpeg(&[&inputs[..], &["-fps_mode", "passthrough", "-f", "rawvideo", "-"]].concat())
}

/// Formats of both clips, and of FFmpeg's blending.
pub(super) const PAIRS: [(&str, &str, &str); 12] = [
    ("yuv420p", "yuv420p", "yuv420"),
    ("yuv420p", "yuva420p", "yuv420"),
    ("yuv422p", "yuva422p", "yuv422"),
    ("yuv444p", "yuva444p", "yuv444"),
    ("gbrp", "gbrap", "gbrp"),
    ("gbrp", "gbrp", "gbrp"),
    ("yuv420p10le", "yuv420p10le", "yuv420p10"),
    ("yuv420p10le", "yuva420p10le", "yuv420p10"),
    ("yuv422p10le", "yuva422p10le", "yuv422p10"),
    ("yuva444p", "yuva444p", "yuv444"),
    ("yuva444p", "yuv444p", "yuv444"),
    ("gbrap", "gbrap", "gbrp"),
];

#[test]
fn clips_with_and_without_opacity_have_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut random = Random::new(92);
    for (first, second, blending) in PAIRS {
        for _ in 0..3 {
            let mut side = |least, most| random.range(least..=most);
            let (size, other) = ((side(16, 90), side(16, 50)), (side(16, 60), side(16, 40)));
            let place = (random.range(0..=110) as i64 - 40, random.range(0..=70) as i64 - 30);
            make(&bench, "a.mkv", first, &format!("{}x{}", size.0, size.1), 25, 3);
            make(&bench, "b.mkv", second, &format!("{}x{}", other.0, other.1), 25, 3);
            let ours = raw(&bench, "a.mkv", &format!("overlay=b.mkv:{}:{}", place.0, place.1), &[]);
            let graph = format!("[0][1]overlay=x={}:y={}:format={blending},format={first}", place.0, place.1);
            let theirs = theirs(&bench, ["a.mkv", "b.mkv"], &graph);
            assert!(!ours.is_empty() && ours == theirs, "{second} of {other:?} over {first} of {size:?} at {place:?}");
        }
    }
}

/// A share of the opacity is opacity of that share, and of none the clip stays as it is.
#[test]
fn opacity_is_a_share_of_the_clips_own() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "yuv420p", "64x48", 25, 3);
    make(&bench, "b.mkv", "yuv420p", "31x21", 25, 3);
    for (name, opacity) in [("even.mkv", "102"), ("half.mkv", "51")] {
        let filters = format!("format=yuva420p,lutyuv=y=val:u=val:v=val:a={opacity}");
        bench.ffmpeg(&["-i", "b.mkv", "-vf", &filters, "-c:v", "ffv1", name]);
    }
    let over = |chain: &str| raw(&bench, "a.mkv", chain, &[]);
    let shared = over("overlay=b.mkv:7:9:opacity=0.4");
    assert!(shared == over("overlay=even.mkv:7:9"));
    assert!(shared == theirs(&bench, ["a.mkv", "even.mkv"], "[0][1]overlay=7:9:format=yuv420"));
    assert!(over("overlay=even.mkv:7:9:opacity=0.5") == over("overlay=half.mkv:7:9"));
    let untouched = over("");
    for chain in
        ["overlay=b.mkv:7:9:opacity=0", "overlay=even.mkv:opacity=0", "overlay=b.mkv:x=W", "overlay=b.mkv:y=-h"]
    {
        assert!(over(chain) == untouched, "{chain}");
    }
}

/// Rates that differ, and a second clip that ends early.
#[test]
fn frames_meet_by_their_times() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "yuv420p", "62x42", 25, 40);
    make(&bench, "slow.mkv", "yuva420p", "21x17", 10, 9);
    make(&bench, "fast.mkv", "yuv420p", "21x17", 60, 30);
    for second in ["slow.mkv", "fast.mkv"] {
        for options in ["", ":eof_action=pass", ":shortest=1"] {
            let ours = raw(&bench, "a.mkv", &format!("overlay={second}:9:5{options}"), &[]);
            let graph = format!("[0][1]overlay=9:5:format=yuv420{options}");
            assert!(ours == theirs(&bench, ["a.mkv", second], &graph), "{second}{options}");
        }
    }
    let some = raw(&bench, "a.mkv", "overlay=slow.mkv:9:5:enable='gte(n,20)'", &[]);
    let all = raw(&bench, "a.mkv", "overlay=slow.mkv:9:5", &[]);
    let bytes = all.len() / 40;
    assert!(some[20 * bytes..] == all[20 * bytes..] && some[..20 * bytes] != all[..20 * bytes]);
}

#[test]
fn parts_and_chunks_are_slices() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "yuv420p", "62x42", 25, 60);
    make(&bench, "b.mkv", "yuva420p", "21x17", 10, 20);
    let chain = "tmix=3,overlay=b.mkv:x=W-w-4:y=4:opacity=0.8,overlay=b.mkv:4:9:width=30,gaussian=1";
    let sums = |more: &[&str]| -> Vec<String> {
        let all = ["a.mkv", "hash:", "-q", "--backend", "cpu", "-f", chain];
        timed_checksums(&bench.pass(&[&all[..], more].concat())).into_iter().map(|(_, sum)| sum).collect()
    };
    let whole = sums(&[]);
    let parts = [("--start=#0", "17"), ("--start=#17", "1"), ("--start=#18", "42")];
    let parts: Vec<_> = parts.iter().flat_map(|(start, count)| sums(&[start, "--frames", count])).collect();
    assert_eq!(parts, whole);
    let chunks: Vec<_> = ["1/3", "2/3", "3/3"].iter().flat_map(|chunk| sums(&["--chunk", chunk])).collect();
    assert_eq!(chunks, whole);
    for threads in ["1", "3"] {
        assert_eq!(sums(&["--threads", threads]), whole);
    }
}

/// Both clips are seen as they are shown.
#[test]
fn turned_clips_have_it_upright() {
    let bench = Bench::new();
    make(&bench, "b.mkv", "yuva420p", "21x17", 25, 10);
    make(&bench, "a.mkv", "yuv420p", "100x90", 25, 10);
    for matrix in [[0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0], [-1, 0, 0, 1], [0, 1, 1, 0]] {
        for (size, pixel) in [("64x36", "yuv420p"), ("64x36", "yuv420p10le"), ("62x34", "yuv444p")] {
            turn::clip(&bench, size, pixel, matrix, "turned.mp4");
            bench.ffmpeg(&["-y", "-i", "turned.mp4", "-c:v", "ffv1", "upright.mkv"]);
            for place in ["x=W-w-3:y=5", "x=-4:y=H-9:opacity=0.6"] {
                let chain = format!("overlay=b.mkv:{place}");
                let seen = raw(&bench, "turned.mp4", &chain, &[]);
                assert!(seen == raw(&bench, "upright.mkv", &chain, &[]), "{matrix:?} {size} {pixel} {place}");
            }
            // And the other way about; chroma of other depths is moved to the place that it has.
            if pixel.ends_with("10le") {
                continue;
            }
            let chains = ["turned.mp4", "upright.mkv"].map(|clip| format!("overlay={clip}:9:13"));
            let [turned, upright] = chains.map(|chain| raw(&bench, "a.mkv", &chain, &[]));
            assert!(turned == upright, "{matrix:?} {size} {pixel} over another");
        }
    }
}

/// A clip that is scaled is the clip of that size.
#[test]
fn sides_follow_the_frames_and_the_clip() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "yuv420p", "120x80", 25, 3);
    make(&bench, "b.mkv", "yuv420p", "64x36", 25, 3);
    bench.pass(&["b.mkv", "small.mkv", "--lossless", "-f", "scale=30:16:flags=bilinear"]);
    let at = |clip: &str| raw(&bench, "a.mkv", &format!("overlay={clip}"), &[]);
    let wanted = at("small.mkv:x=W-w-6:y=4");
    for sides in ["width=30:height=16", "width=W/4:height=H/5"] {
        assert!(at(&format!("b.mkv:x=W-w-6:y=4:{sides}")) == wanted, "{sides}");
    }
    let wide = at("b.mkv:x=W-w:width=32");
    for sides in ["width=32:height=-1", "width=w/2:height=h/2", "height=18", "width=-1:height=18"] {
        assert!(at(&format!("b.mkv:x=W-w:{sides}")) == wide, "{sides}");
    }
    for (side, fault) in [
        ("width=0", "the picture would have 0x1 pixels; type sides from 1 to"),
        ("width=x", "width=x is not a number here"),
    ] {
        let said = bench.fail(&["a.mkv", "null:", "-f", &format!("overlay=b.mkv:{side}")]);
        assert!(said.contains(fault), "{side}: {said}");
    }
}

/// Pictures of other kinds, over colours of other families and depths: close to the same as a PNG file, and nothing outside.
#[test]
fn any_picture_over_any_clip() {
    let bench = Bench::new();
    let source = "testsrc2=size=40x24:rate=25";
    bench.ffmpeg(&["-f", "lavfi", "-i", source, "-frames:v", "1", "-pix_fmt", "yuvj444p", "-q:v", "1", "still.jpg"]);
    bench.ffmpeg(&["-i", "still.jpg", "still.png"]);
    bench.ffmpeg(&["-i", "still.png", "-pix_fmt", "bgr24", "still.bmp"]);
    bench.ffmpeg(&["-i", "still.png", "-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse", "still.gif"]);
    bench.ffmpeg(&["-i", "still.png", "-c:v", "qtrle", "-pix_fmt", "argb", "still.mov"]);
    for pixel in ["yuv420p", "gray", "gray10le", "yuv444p12le", "gbrp", "yuva444p", "gbrap10le", "yuv440p", "yuv411p"] {
        make(&bench, "a.mkv", pixel, "64x48", 25, 1);
        let rgb = |chain: &str| {
            let chain = if chain.is_empty() { &[][..] } else { &["-f", chain][..] };
            bench.pass(&[&["a.mkv", "out.png", "-y", "-q", "--backend", "cpu"][..], chain].concat());
            bench.ffmpeg(&["-i", "out.png", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
        };
        let (before, wanted) = (rgb(""), rgb("overlay=still.png:12:8"));
        for still in ["still.jpg", "still.bmp", "still.gif", "still.mov"] {
            let got = rgb(&format!("overlay={still}:12:8"));
            let (mut sum, mut inside) = (0, 0);
            for (place, ((got, wanted), before)) in got.iter().zip(&wanted).zip(&before).enumerate() {
                let (x, y) = (place / 3 % 64, place / 3 / 64);
                match (12..52).contains(&x) && (8..32).contains(&y) {
                    true => (sum, inside) = (sum + u64::from(got.abs_diff(*wanted)), inside + 1),
                    // Chroma beside the edge is smoothed when it becomes RGB.
                    false if (6..58).contains(&x) && (2..38).contains(&y) => {}
                    false => assert_eq!(got, before, "{still} over {pixel} at {x}, {y}"),
                }
            }
            let mean = sum as f64 / f64::from(inside);
            // Where four pixels of a row share their chroma, theirs is a mean here and weighted by distance there.
            let most = if pixel == "yuv411p" { 14.0 } else { 7.0 };
            assert!(mean < most, "{still} over {pixel}: {mean} from the PNG file");
        }
    }
}

/// What cannot be laid over is answered before anything is written.
#[test]
fn faults_are_told_in_one_line() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "yuv420p", "64x48", 25, 3);
    make(&bench, "b.mkv", "yuv420p", "32x16", 25, 3);
    bench.ffmpeg(&["-f", "lavfi", "-i", "sine=d=1", "sound.wav"]);
    for (chain, fault) in [
        ("overlay=b.mkv:eof_action=end", "eof_action=end of overlay is unknown"),
        ("overlay=-", "type the name of a PNG file or a video"),
        ("overlay=.", "type the name of a PNG file or a video"),
        ("overlay=https://example.org/logo.png", "save it as one first"),
        ("overlay=sound.wav", "is no picture and no video"),
    ] {
        let said = bench.refuse(&["a.mkv", "out.mkv", "-f", chain]);
        assert!(said.contains(fault) && said.lines().next().is_some_and(|line| line.contains(';')), "{chain}: {said}");
        assert!(!bench.path("out.mkv").exists(), "{chain}");
    }
    let said = bench.refuse(&["a.mkv", "out.mkv", "--fields", "separate", "-f", "overlay=b.mkv"]);
    assert!(said.contains("type --fields frame"), "{said}");
}
