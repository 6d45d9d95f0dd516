//! FFmpeg as the other implementation: `convolution` must give the same bytes, whatever the matrix.
//!
//! FFmpeg has faults here, which of them depends on the version, and each is stepped around:
//! - Above 8 bits its `mode=column` steps through its rows at twice the stride, so that what it gives is no
//!   convolution. Ours is compared with its `mode=row` on the transposed picture.
//! - Its `mode=column` writes 16 columns at a time, also past the columns of its thread and the end of the row. With
//!   one thread that falls into the padding.
//! - Before 7.0 it takes no notice of `rdiv`. Ours is told the very factor that FFmpeg then derives from the taps.
//! - Its border is lopsided, in some versions for 3x3 squares, in others for all shapes, which [`uneven`] finds out; in
//!   mended ones for none. Planes that it treats alike are then a call of ours with the border that gives its bytes.
//!   Those that are lopsided for all shapes also read outside of small pictures, which are then left out.

mod blend;
mod colour;
mod deband;
mod deblock;
mod decimate;
mod deinterlace;
mod denoise;
mod depth;
mod fieldmatch;
mod fps;
mod framerate;
mod grade;
mod rank;
mod sharpen;
mod timeline;
mod tonemap;

use proptest::prelude::*;

use crate::extent;
use crate::program::{Bench, checksums, mirrors_once, uneven};

/// What FFmpeg's filter takes, of every subsampling.
const EIGHT_BIT: [&str; 8] = ["gray", "yuv420p", "yuv422p", "yuv444p", "yuv411p", "yuv440p", "gbrp", "yuva420p"];

/// The same above 8 bits.
const DEEP: [&str; 6] = ["gray10le", "yuv420p10le", "yuv422p12le", "yuv444p9le", "gbrp16le", "yuv420p16le"];

/// Of these, what FFmpeg's `transpose` takes.
const DEEP_TRANSPOSABLE: [&str; 4] = ["yuv420p10le", "yuv444p9le", "gbrp16le", "yuv420p16le"];

/// What is done to one plane.
#[derive(Clone, Debug)]
struct Plane {
    mode: &'static str,
    taps: Vec<i32>,
    rdiv: Option<f32>,
    bias: f32,
}

impl Plane {
    /// The options of plane `n`, with this `rdiv`.
    fn options(&self, n: usize, rdiv: Option<f64>) -> String {
        let Self { mode, taps, bias, .. } = self;
        let taps: Vec<_> = taps.iter().map(i32::to_string).collect();
        let rdiv = rdiv.map_or(String::new(), |rdiv| format!(":{n}rdiv={rdiv}"));
        format!("{n}m={}{rdiv}:{n}bias={bias}:{n}mode={mode}", taps.join(" "))
    }

    fn is_3x3(&self) -> bool {
        self.mode == "square" && self.taps.len() == 9
    }

    /// What FFmpeg takes where `rdiv` is not given.
    fn natural(&self) -> f64 {
        match self.taps.iter().sum() {
            0 => 1.0,
            sum => 1.0 / f64::from(sum),
        }
    }
}

/// The same chain for us and for FFmpeg.
fn chains(planes: &[Plane], heeds_rdiv: bool) -> (String, String) {
    let chain = |rdiv: &dyn Fn(&Plane) -> Option<f64>| {
        let options: Vec<_> = planes.iter().enumerate().map(|(n, plane)| plane.options(n, rdiv(plane))).collect();
        format!("convolution={}", options.join(":"))
    };
    if heeds_rdiv {
        let same = chain(&|plane| plane.rdiv.map(f64::from));
        (with_borders(&same, planes), same)
    } else {
        (with_borders(&chain(&|plane| plane.rdiv.map(|_| plane.natural())), planes), chain(&|_| None))
    }
}

/// A chain of ours whose planes have the installed FFmpeg's borders: one call, or two with planes of their own.
fn with_borders(chain: &str, planes: &[Plane]) -> String {
    let [square, other] = [true, false].map(|is_3x3| uneven().border(is_3x3));
    let bits = |is_3x3: bool| -> u32 {
        let chosen = planes.iter().enumerate().filter(|(_, plane)| plane.is_3x3() == is_3x3);
        chosen.map(|(n, _)| 1 << n).sum()
    };
    match (bits(true), bits(false)) {
        (_, 0) => format!("{chain}{square}"),
        (0, _) => format!("{chain}{other}"),
        _ if square == other => format!("{chain}{square}"),
        (squares, others) => format!("{chain}{square}:planes={squares},{chain}{other}:planes={others}"),
    }
}

/// Whether the installed FFmpeg honours `rdiv`.
fn heeds_rdiv(bench: &Bench) -> bool {
    let levels = |rdiv: &str| {
        let chain = format!("color=gray:size=8x8,format=gray,convolution=0m=0 0 0 0 1 0 0 0 0:0rdiv={rdiv}");
        bench.ffmpeg(&["-f", "lavfi", "-i", &chain, "-frames:v", "1", "-f", "rawvideo", "-"])
    };
    levels("1") != levels("0.5")
}

fn plane(modes: &'static [&'static str]) -> impl Strategy<Value = Plane> {
    let length = prop::sample::select(modes).prop_flat_map(|mode| {
        let length = match mode {
            "square" => prop_oneof![Just(9usize), Just(25), Just(49)].boxed(),
            _ => (0..25usize).prop_map(|radius| 2 * radius + 1).boxed(),
        };
        (Just(mode), length)
    });
    let rdiv = prop::option::of((1..400i32).prop_map(|thousandths| thousandths as f32 / 1000.0));
    let bias = prop_oneof![Just(0.0f32), (0..2000i32).prop_map(|tenths| tenths as f32 / 10.0)];
    (length, rdiv, bias).prop_flat_map(|((mode, length), rdiv, bias)| {
        let taps = prop::collection::vec(-20..=20i32, length);
        taps.prop_map(move |taps| Plane { mode, taps, rdiv, bias })
    })
}

/// What is done to each plane, a pixel format and a size.
fn case(
    pixels: &'static [&'static str],
    modes: &'static [&'static str],
) -> impl Strategy<Value = (Vec<Plane>, &'static str, (u32, u32))> {
    let size = (prop_oneof![1..70u32, Just(128u32)], 1..50u32);
    (prop::collection::vec(plane(modes), 1..=4), prop::sample::select(pixels), size)
}

/// Checks that our `chain` gives what FFmpeg's `-vf theirs(chain)` gives, for some dozens of cases.
fn agree(cases: u32, pixels: &'static [&'static str], modes: &'static [&'static str], theirs: impl Fn(&str) -> String) {
    let bench = Bench::new();
    let heeds_rdiv = heeds_rdiv(&bench);
    let mut runner = extent::runner(cases);
    let outcome = runner.run(&case(pixels, modes), |(planes, pixel, (width, height))| {
        let (our_chain, their_chain) = chains(&planes, heeds_rdiv);
        // Then no plane is smaller than the longest reach, which is 24.
        let more = if mirrors_once() { 100 } else { 0 };
        let size = format!("{}x{}", width + more, height + more);
        let noise = format!("nullsrc=size={size}:rate=25,geq=random(1)*255:128+90*sin(X*Y+N):random(2)*255");
        bench.ffmpeg(&["-f", "lavfi", "-i", &noise, "-frames:v", "2", "-pix_fmt", pixel, "-f", "rawvideo", "in.raw"]);
        let raw = ["-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-r", "25", "-i", "in.raw"];
        let output = ["-filter_threads", "1", "-vf", &theirs(&their_chain), "-f", "framemd5", "-"];
        let theirs = bench.ffmpeg(&[&raw[..], &output].concat());
        let ours = bench.pass(&["in.raw", "hash:", "--raw", &format!("{pixel}:{size}@25"), "-f", &our_chain]);
        prop_assert_eq!(checksums(&ours), checksums(&theirs), "{} of {} pixels of {}", our_chain, size, pixel);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn convolution_gives_ffmpegs_bytes_at_8_bits() {
    agree(50, &EIGHT_BIT, &["square", "row", "column"], str::to_owned);
}

#[test]
fn convolution_gives_ffmpegs_bytes_above_8_bits() {
    agree(30, &DEEP, &["square", "row"], str::to_owned);
}

#[test]
fn a_column_above_8_bits_is_ffmpegs_row_on_the_transposed_picture() {
    let turned = |chain: &str| {
        let row = chain.replace("mode=column", "mode=row");
        format!("transpose=cclock_flip,{row},transpose=cclock_flip")
    };
    agree(20, &DEEP_TRANSPOSABLE, &["column"], turned);
}
