//! Every backend against the oracle, bit for bit. The cases are the same for whatever makes a backend.

mod after;
mod atadenoise;
mod bilateral;
mod blend;
mod bm3d;
mod boxes;
mod cas;
mod case;
pub mod colorspace;
mod compose;
mod cpu;
mod deband;
mod deblock;
pub mod decimate;
mod degrain;
mod field;
pub mod fieldmatch;
pub mod grade;
mod grain;
mod long;
pub mod measure;
pub mod mix;
mod nlmeans;
pub mod overlay;
mod random;
mod requantize;
mod samples;
mod shape;
mod short;
mod vector;

use std::ops::Range;
use std::sync::Arc;

use warpreel::filter::{Defaults, FILTERS, parse};
use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Pass, Separable, Taps};
use warpreel::plan::plan;

pub use case::{Case, Content};
pub use random::Random;

/// All cases that every backend has to pass.
pub fn cases() -> impl Iterator<Item = Case> {
    let sums = anything().chain(sizes()).chain(small()).chain(far()).chain(depths()).chain(edges()).chain(boundless());
    sums.chain(samples::cases())
        .chain(after::cases())
        .chain(blend::cases())
        .chain(boxes::cases())
        .chain(compose::cases())
        .chain(nlmeans::cases())
        .chain(atadenoise::cases())
        .chain(bilateral::cases())
        .chain(degrain::cases())
        .chain(bm3d::cases())
        .chain(field::cases())
        .chain(fieldmatch::cases())
        .chain(long::cases())
        .chain(shape::cases())
        .chain(requantize::cases())
        .chain(short::cases())
        .chain(grade::cases())
        .chain(mix::cases())
        .chain(colorspace::cases())
        .chain(overlay::cases())
        .chain(cas::cases())
        .chain(deband::cases())
        .chain(deblock::cases())
        .chain(grain::cases())
        .chain(table())
}

/// Every filter of the table, with its defaults and as in its example.
fn table() -> impl Iterator<Item = Case> {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let pixels = [Pixel::yuv420p(8), Pixel { alpha: true, ..Pixel::yuv420p(10) }, float, Pixel::gray(16)];
    let calls = FILTERS.iter().flat_map(|spec| [spec.name, spec.example]);
    let calls = calls.filter_map(|call| parse(call, &Defaults::default()).ok());
    calls.enumerate().flat_map(move |(index, chain)| {
        // What converts colours takes those of YUV alone, and has cases of its own.
        let is_colours = ["colorspace", "tonemap", "sdr"].contains(&chain[0].spec.name);
        let pixel = if is_colours { pixels[0] } else { pixels[index % pixels.len()] };
        let format = Format::new(pixel, 33, 19, Rational::new(25, 1));
        let plan = match plan(&chain, &Arc::new(format.clone())) {
            // Without a parameter nothing says which colours.
            Err(_) if is_colours && chain[0].text == chain[0].spec.name => return Vec::new(),
            plan => plan.expect("a plan"),
        };
        let seed = 15_000 + 10 * index as u64;
        let passes: Vec<Pass> = plan.passes().to_vec();
        let case = move |(step, pass): (usize, Pass)| {
            let seed = seed + step as u64;
            let is_shape = pass.target.is_some();
            match is_shape {
                true => shape::case(seed, &format, pass),
                false => Random::new(seed).finished(seed, format.clone(), pass.ops().cloned().collect()),
            }
        };
        passes.into_iter().enumerate().map(case).collect()
    })
}

/// Anything on small frames, and a few on larger ones.
fn anything() -> impl Iterator<Item = Case> {
    (0..400).map(|seed| Random::case(seed, 24)).chain((1000..1030).map(|seed| Random::case(seed, 70)))
}

/// One plane of a depth, 32 for floats.
pub fn gray(depth: u8) -> Pixel {
    let mut pixel = Pixel::gray(depth.min(16));
    if depth == 32 {
        (pixel.sample, pixel.depth) = (Sample::F32, 32);
    }
    pixel
}

/// An operation of random values in any planes of any format, up to so many columns and rows.
fn drawn(
    seeds: Range<u64>,
    [width, height]: [usize; 2],
    op: fn(&mut Random, Pixel) -> Op,
) -> impl Iterator<Item = Case> {
    seeds.map(move |seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=width), random.range(1..=height), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| op(&mut random, pixel)).collect();
        random.finished(seed, format, ops)
    })
}

/// An operation on samples that are all alike or as far apart as can be, or that a format does not mean: so many cases of each.
fn extremes(
    first_seed: u64,
    count: u64,
    [width, height]: [usize; 2],
    op: fn(&mut Random, Pixel) -> Op,
) -> impl Iterator<Item = Case> {
    [8, 9, 12, 15, 16, 32].into_iter().flat_map(move |depth| {
        let contents = [Content::Peak, Content::Checkers, Content::Wild].into_iter().enumerate();
        contents.flat_map(move |(kind, content)| {
            (0..count).map(move |variant| {
                let seed = first_seed + 100 * u64::from(depth) + 10 * kind as u64 + variant;
                let (mut random, pixel) = (Random::new(seed), gray(depth));
                let op = op(&mut random, pixel);
                let format = Format::new(pixel, width, height, Rational::new(25, 1));
                Case { content, ..random.finished(seed, format, vec![op]) }
            })
        })
    })
}

fn gray_of(depth: u8, width: usize, height: usize) -> Format {
    Format::new(Pixel::gray(depth), width, height, Rational::new(25, 1))
}

/// Widths around what is filtered at once, and heights around two rows.
fn sizes() -> impl Iterator<Item = Case> {
    let widths = [1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 193];
    let sizes = widths.into_iter().flat_map(|width| [1, 2, 3, 8, 9].map(|height| (width, height)));
    sizes.enumerate().flat_map(|(index, (width, height))| {
        [8, 10].map(|depth| {
            let seed = 2000 + 10 * index as u64 + u64::from(depth);
            let mut random = Random::new(seed);
            let format = gray_of(depth, width, height);
            let op = match index % 2 {
                0 => random.separable(format.pixel, 7, 1),
                _ => random.dense(format.pixel, [1, 5, 5]),
            };
            random.finished(seed, format, vec![op])
        })
    })
}

/// Small integer kernels of one size, on rows around what is filtered at once: alone, in pairs and in eights, joined in
/// every manner, with the last step in every shape.
fn small() -> impl Iterator<Item = Case> {
    let kinds = [
        ([2, 2], 2, Combine::Magnitude),
        ([3, 3], 1, Combine::Sum),
        ([3, 3], 2, Combine::Magnitude),
        ([3, 3], 2, Combine::Max),
        ([3, 3], 8, Combine::Largest),
        ([3, 4], 2, Combine::Magnitude),
        ([5, 5], 1, Combine::Sum),
    ];
    let finishes = [
        Finish::PLAIN,
        Finish { scale: 0.03, dry: 0.0, bias: 0.5 },
        Finish { scale: -1.0, dry: 0.0, bias: 40.0 },
        Finish { scale: 0.1, dry: 0.75, bias: 0.0 },
        Finish { scale: 1e9, dry: 0.0, bias: 0.0 },
        Finish { scale: f32::INFINITY, dry: 0.0, bias: 0.0 },
    ];
    let widths = [1, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191];
    kinds.into_iter().enumerate().flat_map(move |(kind, (size, count, combine))| {
        widths.into_iter().enumerate().flat_map(move |(index, width)| {
            [8, 8, 10, 16].into_iter().enumerate().map(move |(variant, depth)| {
                let seed = 20_000 + 1000 * kind as u64 + 10 * index as u64 + variant as u64;
                let mut random = Random::new(seed);
                let format = gray_of(depth, width, 1 + (index + variant) % 4);
                let largest = *random.one_of(&[1, 2, 5, 127]);
                let mut kernel = || Kernel {
                    size: [1, size[0], size[1]],
                    anchor: [0, size[0] / 2, size[1] / 2],
                    weights: (0..size[0] * size[1])
                        .map(|_| random.below(2 * largest + 1) as f32 - largest as f32)
                        .collect(),
                };
                let kernels = (0..count).map(|_| kernel()).collect();
                let arithmetic = Arithmetic::Integer;
                let border = random.border(format.pixel, arithmetic);
                let finish = *random.one_of(&finishes);
                let op = Op::Dense(Dense { kernels, combine, arithmetic, border, finish });
                random.finished(seed, format, vec![op])
            })
        })
    })
}

/// Taps that reach far beyond the frame.
fn far() -> impl Iterator<Item = Case> {
    [(1, 1), (3, 2), (2, 1), (7, 5), (40, 3)].into_iter().enumerate().flat_map(|(index, (width, height))| {
        (0..12).map(move |variant| {
            let seed = 4000 + 100 * index as u64 + variant;
            let mut random = Random::new(seed);
            let format = gray_of(if variant % 3 == 0 { 16 } else { 8 }, width, height);
            let op = match variant % 2 {
                0 => random.separable(format.pixel, 61, 3),
                _ => random.dense(format.pixel, [2, 33, 41]),
            };
            random.finished(seed, format, vec![op])
        })
    })
}

/// Every depth with taps that fill the integers as far as they are allowed to.
fn depths() -> impl Iterator<Item = Case> {
    (8..=16).flat_map(|depth| {
        [Content::Checkers, Content::Peak, Content::Wild].into_iter().map(move |content| {
            let format = gray_of(depth, 37, 6);
            let largest = (2f32.powi(31) / format.pixel.highest() / 9.0).min(16_000_000.0).floor() - 1.0;
            let weights = (0..9).map(|i| if i % 3 == 1 { -largest } else { largest }).collect();
            let kernel = Kernel { size: [1, 3, 3], anchor: [0, 1, 1], weights };
            let op = Op::Dense(Dense {
                kernels: vec![kernel],
                combine: Combine::Sum,
                arithmetic: Arithmetic::Integer,
                border: Border::Wrap,
                finish: Finish { scale: 1.0 / largest, ..Finish::PLAIN },
            });
            let seed = 6000 + u64::from(depth);
            Case { content, ..Random::new(seed).finished(seed, format, vec![op]) }
        })
    })
}

/// Every border with boxes, blurs and derivatives of many sizes, anchored anywhere.
fn edges() -> impl Iterator<Item = Case> {
    use Border::{Clamp, Constant, Lopsided, Reflect, Reflect101, Wrap};
    let borders = [Reflect101, Clamp, Lopsided, Reflect, Wrap, Constant(77.0)];
    borders.into_iter().enumerate().flat_map(|(index, border)| {
        [1, 2, 3, 4, 9, 20, 50].into_iter().flat_map(move |size| {
            [0, size / 2, size - 1].into_iter().map(move |anchor| {
                let seed = 7000 + 1000 * index as u64 + size as u64;
                let taps = |weight: f32| Taps { weights: vec![weight; size], anchor };
                let op = Separable {
                    t: Taps::identity(),
                    x: taps(1.0),
                    y: taps(if size % 2 == 0 { 1.0 } else { 3.0 }),
                    arithmetic: Arithmetic::Integer,
                    border,
                    finish: Finish { scale: 1.0 / (size * size) as f32, ..Finish::PLAIN },
                };
                let format = Format::new(Pixel::yuv420p(8), 43, 21, Rational::new(25, 1));
                let column = Separable { x: Taps::identity(), ..op.clone() };
                let row = Separable { y: Taps::identity(), ..op.clone() };
                Random::new(seed).finished(seed, format, [op, column, row].map(Op::Separable).to_vec())
            })
        })
    })
}

/// Real taps whose sums overflow to infinities, and to NaN where two of them meet.
fn boundless() -> impl Iterator<Item = Case> {
    let pixels = [Pixel::gray(8), Pixel::gray(16), Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) }];
    pixels.into_iter().enumerate().flat_map(|(index, pixel)| {
        (0..8).map(move |variant| {
            let seed = 13_000 + 10 * index as u64 + variant;
            let mut random = Random::new(seed);
            let mut taps =
                || Taps { weights: (0..3).map(|_| *random.one_of(&[3e38, -3e38, 1.0])).collect(), anchor: 1 };
            let (x, y) = (taps(), taps());
            let (arithmetic, border, finish) = (Arithmetic::Real, Border::Wrap, Finish::PLAIN);
            let op = if variant % 2 == 0 {
                Op::Separable(Separable { t: Taps::identity(), x, y, arithmetic, border, finish })
            } else {
                let kernel = |taps: Taps| Kernel { size: [1, 3, 1], anchor: [0, 1, 0], weights: taps.weights };
                let combine = *random.one_of(&[Combine::Sum, Combine::Magnitude, Combine::Max]);
                Op::Dense(Dense { kernels: vec![kernel(x), kernel(y)], combine, arithmetic, border, finish })
            };
            let format = Format::new(pixel, 21, 7, Rational::new(25, 1));
            Case { content: Content::Noise, ..random.finished(seed, format, vec![op]) }
        })
    })
}
