//! Deblocking against FFmpeg's `deblock`.

use proptest::prelude::*;

use crate::extent;
use crate::program::{Bench, checksums};

/// What FFmpeg's filter takes, of every depth, with how much narrower its chroma planes are.
const PIXELS: [(&str, u32); 15] = [
    ("gray", 1),
    ("yuv420p", 2),
    ("yuv422p", 2),
    ("yuv444p", 1),
    ("yuv411p", 4),
    ("yuvj420p", 2),
    ("gbrp", 1),
    ("yuva420p", 2),
    ("gray10le", 1),
    ("yuv420p10le", 2),
    ("yuv422p12le", 2),
    ("yuv444p9le", 1),
    ("yuv444p14le", 1),
    ("gbrp16le", 1),
    ("yuv420p16le", 2),
];

/// True if FFmpeg reads nothing right of a row: beside the last vertical edge there are as many columns as it changes.
fn is_defined(width: u32, narrower: u32, block: u32) -> bool {
    [width, width.div_ceil(narrower)].into_iter().all(|width| width <= block || !(1..3).contains(&(width % block)))
}

/// Options without the block, the block, a pixel format, a size, and how strong the noise is.
type Call = (String, u32, (&'static str, u32), (u32, u32), u32);

fn case() -> impl Strategy<Value = Call> {
    let limit = || prop_oneof![2 => 20..120u32, 1 => 120..=1000u32, 1 => 0..20u32];
    let limits = prop_oneof![1 => Just(None), 2 => prop::collection::vec(limit(), 4).prop_map(Some)];
    let planes = prop_oneof![3 => Just(String::new()), 1 => (0..16u32).prop_map(|bits| format!(":planes={bits}"))];
    let filter = prop::sample::select(&["weak", "strong"][..]);
    let chain = (filter, limits, planes).prop_map(|(filter, limits, planes)| {
        let names = ["alpha", "beta", "gamma", "delta"].into_iter();
        let limits = limits.into_iter().flat_map(|limits| names.clone().zip(limits));
        let limits: String = limits.map(|(name, limit)| format!(":{name}={}", f64::from(limit) / 1000.0)).collect();
        format!("deblock=filter={filter}{limits}{planes}")
    });
    let block = prop_oneof![3 => Just(8u32), 3 => Just(4), 2 => 4..12u32, 1 => 4..=512u32];
    let size = (prop_oneof![1 => 1..8u32, 3 => 8..150u32], prop_oneof![1 => 1..8u32, 2 => 8..70u32]);
    let calls =
        (chain, block, prop::sample::select(&PIXELS[..]), size, prop_oneof![Just(0u32), Just(6), Just(15), Just(80)]);
    calls.prop_filter("reads padding", |(_, block, (_, narrower), (width, _), _)| is_defined(*width, *narrower, *block))
}

#[test]
fn deblock_gives_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut runner = extent::runner(120);
    let outcome = runner.run(&case(), |(chain, block, (pixel, _), (width, height), noise)| {
        let (size, chain) = (format!("{width}x{height}"), format!("{chain}:block={block}"));
        // Blocks that differ, and noise in them.
        let steps = format!("8*mod(floor(X/{block})+floor(Y/{block})+N\\,2)");
        let geq = format!("geq=random(1)*{noise}+60+{steps}:128+random(1)*{noise}-{steps}:random(2)*{noise}+{steps}");
        let source = format!("nullsrc=size={size}:rate=25,{geq}");
        let input = ["-f", "lavfi", "-i", &source, "-frames:v", "2", "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"];
        bench.ffmpeg(&input);
        let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "25", "-i", "in.raw"];
        let theirs = bench.ffmpeg(&[&raw[..], &["-vf", &chain, "-f", "framemd5", "-"]].concat());
        let ours = bench.pass(&["in.raw", "hash:", "--raw", &format!("{pixel}:{size}@25"), "-f", &chain]);
        prop_assert_eq!(checksums(&ours), checksums(&theirs), "{} of {} pixels of {}", chain, size, pixel);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// A large picture, by several threads of both.
#[test]
fn deblock_gives_ffmpegs_bytes_on_large_pictures() {
    let bench = Bench::new();
    let steps = "8*mod(floor(X/8)+floor(Y/8)\\,2)";
    let geq = format!("geq=random(1)*14+X/8+{steps}:90+random(2)*14-{steps}:random(3)*9+Y/8+{steps}");
    let noise = &format!("nullsrc=size=1283x723:rate=25,{geq}");
    for pixel in ["yuv444p", "yuv444p10le", "yuv444p16le"] {
        let input = ["-f", "lavfi", "-i", noise, "-frames:v", "1", "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"];
        bench.ffmpeg(&input);
        for chain in ["deblock", "deblock=weak:block=4", "deblock=block=4", "deblock=block=10:alpha=0.2"] {
            let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", "1283x723", "-r", "25", "-i", "in.raw"];
            let theirs = bench.ffmpeg(&[&raw[..], &["-vf", chain, "-f", "framemd5", "-"]].concat());
            let ours = bench.pass(&["in.raw", "hash:", "--raw", &format!("{pixel}:1283x723@25"), "-f", chain]);
            assert_eq!(checksums(&ours), checksums(&theirs), "{chain} of {pixel}");
        }
    }
}
