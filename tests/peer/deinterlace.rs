//! Deinterlacers, against FFmpeg's filters.
//!
//! - Its `bwdif` of version 5.1 mirrors one row more at the edges above 8 bits: there the rows near the edges are left to the
//!   oracle.
//! - It reads outside of planes of fewer than four rows, so planes have at least four.
//! - Its vector instructions for `yadif` above 10 bits add three differences in 16 bits, which overflow from 14 bits on: there
//!   it runs without them.

use proptest::prelude::*;

use crate::extent;
use crate::program::Bench;

/// The checksums of a framemd5 listing: times are in other units.
fn sums(listing: &[u8]) -> Vec<String> {
    let rows = crate::program::checksums(listing);
    rows.iter().filter_map(|row| row.rsplit(',').next().map(|sum| sum.trim().to_owned())).collect()
}

/// What all three of FFmpeg's filters take.
const PIXELS: [&str; 14] = [
    "gray",
    "yuv420p",
    "yuv420p",
    "yuv422p",
    "yuv444p",
    "yuv411p",
    "yuv440p",
    "yuva420p",
    "gbrp",
    "yuv420p9le",
    "yuv420p10le",
    "yuv422p12le",
    "yuv444p14le",
    "gbrp12le",
];

/// What `bwdif` and `yadif` take too.
const DEEPEST: [&str; 3] = ["gray16le", "yuv420p16le", "gbrp16le"];

/// A filter, a pixel format, a size, how many frames there are, and whether FFmpeg runs without vector instructions.
fn case() -> impl Strategy<Value = (String, &'static str, (u32, u32), u32, bool)> {
    let options = (
        prop::sample::select(&["auto", "tff", "bff", "-1", "0", "1"][..]),
        prop::sample::select(&["all", "interlaced"][..]),
    );
    const MODES: [&str; 7] = [
        "bwdif=mode=send_frame",
        "bwdif=mode=send_field",
        "yadif=mode=send_frame",
        "yadif=mode=send_frame_nospatial",
        "yadif=2",
        "yadif=1",
        "yadif=mode=send_field_nospatial",
    ];
    const WEIGHTS: [&str; 5] = [
        "w3fdif=mode=frame",
        "w3fdif=mode=field",
        "w3fdif=complex:frame",
        "w3fdif=simple:frame",
        "w3fdif=simple:field",
    ];
    let deep = prop_oneof![3 => prop::sample::select(&PIXELS[..]), 1 => prop::sample::select(&DEEPEST[..])];
    let filter = prop_oneof![
        (prop::sample::select(&MODES[..]), deep).boxed(),
        (prop::sample::select(&WEIGHTS[..]), prop::sample::select(&PIXELS[..])).boxed(),
    ];
    let size = (prop_oneof![3 => 12..60u32, 1 => 120..280u32], 16..50u32);
    (filter, options, size, 1..=5u32, any::<bool>()).prop_map(
        |((filter, pixel), (parity, deint), size, frames, plain)| {
            (format!("{filter}:parity={parity}:deint={deint}"), pixel, size, frames, plain)
        },
    )
}

/// The rows in which FFmpeg's result is defined as ours is, as a filter of its own.
fn comparable(chain: &str, pixel: &str) -> &'static str {
    let is_deep = pixel.ends_with("le");
    if chain.starts_with("bwdif") && is_deep { ",crop=iw:ih-32:0:16" } else { "" }
}

#[test]
fn frames_have_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut runner = extent::runner(80);
    let outcome = runner.run(&case(), |(chain, pixel, (width, height), frames, plain)| {
        let inside = comparable(&chain, pixel);
        let height = if inside.is_empty() { height } else { height + 32 };
        let (size, count) = (format!("{width}x{height}"), frames.to_string());
        let moving = format!(
            "nullsrc=size={size}:rate=25,geq=random(1)*60+90+90*sin((X+9*N)/7+Y/5):128+60*sin(X*Y+N):random(2)*255"
        );
        // Where samples are the same in all frames, nothing is done.
        let still = format!(
            "nullsrc=size={size}:rate=25,geq=100+90*sin(X*Y/9)+gt(N\\,1)*gt(X\\,9)*3:60+20*sin(X):200-random(1)*eq(N\\,2)*40"
        );
        let source = if frames % 2 == 0 { still } else { moving };
        let format = ["-frames:v", &count, "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"];
        bench.ffmpeg(&[&["-f", "lavfi", "-i", &source][..], &format].concat());
        let plain = plain || (chain.starts_with("yadif") && pixel.contains("p14"));
        let code: &[&str] = if plain { &["-cpuflags", "0"] } else { &[] };
        let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "25", "-i", "in.raw"];
        let theirs = format!("{chain}{inside}");
        let output = ["-vf", &theirs, "-fps_mode", "passthrough", "-f", "framemd5", "-"];
        let theirs = sums(&bench.ffmpeg(&[code, &raw[..], &output].concat()));
        bench.pass(&["in.raw", "out.raw", "-y", "-q", "--raw", &format!("{pixel}:{size}@25"), "-f", &chain]);
        let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "25", "-i", "out.raw"];
        let crop = format!("null{inside}");
        let ours = sums(&bench.ffmpeg(&[&raw[..], &["-vf", &crop, "-f", "framemd5", "-"]].concat()));
        // FFmpeg's w3fdif gives a first frame that passes through twice.
        let twice = chain.starts_with("w3fdif") && chain.ends_with("interlaced");
        let theirs = if twice { &theirs[theirs.len() - ours.len()..] } else { &theirs[..] };
        prop_assert_eq!(&ours[..], theirs, "{}, {} frames, {}, {}", chain, frames, size, pixel);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// A clip whose frames are top field first, then progressive, then bottom field first.
fn mixed(bench: &Bench) {
    for (name, field) in [("a", "tff"), ("b", "prog"), ("c", "bff")] {
        let source = format!("testsrc2=size=64x48:rate=25,noise=alls=30:allf=t,setfield={field}");
        let input = ["-f", "lavfi", "-i", &source, "-frames:v", "3", "-pix_fmt", "yuv420p"];
        bench.ffmpeg(&[&input[..], &["-c:v", "ffv1", "-level", "3", "-y", &format!("{name}.mkv")]].concat());
    }
    std::fs::write(bench.path("list"), "file a.mkv\nfile b.mkv\nfile c.mkv\n").unwrap();
    bench.ffmpeg(&["-f", "concat", "-i", "list", "-c", "copy", "-y", "in.mkv"]);
}

/// Each frame's own flags say which of its fields stays, and whether it is deinterlaced at all.
#[test]
fn flags_are_those_of_each_frame() {
    let bench = Bench::new();
    mixed(&bench);
    let mut found = Vec::new();
    for filter in ["bwdif=mode=send_frame", "yadif", "w3fdif=mode=frame"] {
        for options in ["parity=auto", "parity=auto:deint=interlaced", "parity=bff"] {
            let chain = format!("{filter}{}{options}", if filter.contains('=') { ':' } else { '=' });
            let output = ["-vf", &chain, "-fps_mode", "passthrough", "-f", "framemd5", "-"];
            let theirs = sums(&bench.ffmpeg(&[&["-i", "in.mkv"][..], &output].concat()));
            let ours = sums(&bench.pass(&["in.mkv", "hash:", "-q", "--fields", "frame", "-f", &chain]));
            assert_eq!(ours, theirs, "{chain}");
            // A part is a slice of the whole: its flags travel with its frames.
            let part = ["in.mkv", "hash:", "-q", "--fields", "frame", "--start", "#2", "--frames", "5", "-f", &chain];
            assert_eq!(sums(&bench.pass(&part)), ours[2..7], "{chain}");
            found.push(ours);
        }
    }
    found.dedup();
    assert_eq!(found.len(), 9, "every option changes something");
}
