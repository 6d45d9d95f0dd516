//! Cases of means of samples with those at their place in other frames.

use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Atadenoise, Finish, Op};

use super::{Case, Content, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(edges()).chain(long())
}

/// Limits of which few or most samples stay below: of bytes' widths, of 16 bits' and beyond.
fn limits(random: &mut Random, pixel: Pixel) -> [f32; 2] {
    if pixel.sample == Sample::F32 {
        return [random.real(0.0, 1.5), random.real(0.0, 4.0)];
    }
    let near = |random: &mut Random, most: f32| (random.real(0.0, 1.0) * most).floor();
    match random.below(8) {
        0 => [0.0, near(random, 9.0)],
        1 => [near(random, 9.0), 0.0],
        2 => [256.0, 255.0],
        3 => [near(random, 300.0), near(random, 600.0)],
        4 => [near(random, 128.0), near(random, 128.0)],
        5 => [65535.0, 65535.0],
        6 => [65536.0, near(random, 400_000.0)],
        _ => [near(random, pixel.peak()), near(random, 3.0 * pixel.peak())],
    }
}

fn op(random: &mut Random, pixel: Pixel, radius: usize) -> Op {
    let [single, total] = limits(random, pixel);
    let weights: Arc<[f32]> = match random.below(3) {
        0 => (0..radius).map(|_| random.real(0.0, 1.0)).collect(),
        _ => Arc::new([]),
    };
    let finish = *random.one_of(&[Finish::PLAIN, Finish::PLAIN, Finish { scale: 0.75, dry: 0.25, bias: 0.5 }]);
    Op::Atadenoise(Atadenoise { radius, single, total, together: random.below(2) == 0, weights, finish })
}

/// Any limits in any plane of any format, planes with radii of their own.
fn anything() -> impl Iterator<Item = Case> {
    (60_000..60_250).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=40), random.range(1..=12), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| {
            let radius = random.range(0..=5);
            op(&mut random, pixel, radius)
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}

/// Rows around what is made at once.
fn sizes() -> impl Iterator<Item = Case> {
    [1, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 257].into_iter().enumerate().flat_map(|(index, width)| {
        [8, 10, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 61_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let mut pixel = Pixel::gray(u8::min(depth, 16));
            if depth == 32 {
                (pixel.sample, pixel.depth) = (Sample::F32, 32);
            }
            let op = op(&mut random, pixel, 4);
            let format = Format::new(pixel, width, 1 + 16 * ((index + kind) % 3), Rational::new(25, 1));
            random.finished(seed, format, vec![op])
        })
    })
}

/// Samples that agree everywhere, nowhere, and that a format does not mean.
fn edges() -> impl Iterator<Item = Case> {
    [8, 9, 12, 16, 32].into_iter().flat_map(|depth| {
        [Content::Peak, Content::Checkers, Content::Wild].into_iter().enumerate().flat_map(move |(kind, content)| {
            (0..4).map(move |variant| {
                let seed = 62_000 + 100 * u64::from(depth) + 10 * kind as u64 + variant;
                let mut random = Random::new(seed);
                let mut pixel = Pixel::gray(u8::min(depth, 16));
                if depth == 32 {
                    (pixel.sample, pixel.depth) = (Sample::F32, 32);
                }
                let op = op(&mut random, pixel, 3);
                let format = Format::new(pixel, 39, 5, Rational::new(25, 1));
                Case { content, ..random.finished(seed, format, vec![op]) }
            })
        })
    })
}

/// The longest windows, of which sums are the largest; all samples alike or none.
fn long() -> impl Iterator<Item = Case> {
    [8, 10, 16, 32].into_iter().enumerate().flat_map(|(kind, depth)| {
        [Content::Peak, Content::Noise].into_iter().enumerate().map(move |(other, content)| {
            let seed = 63_000 + 10 * kind as u64 + other as u64;
            let mut random = Random::new(seed);
            let mut pixel = Pixel::gray(u8::min(depth, 16));
            if depth == 32 {
                (pixel.sample, pixel.depth) = (Sample::F32, 32);
            }
            let (single, total) = if depth == 32 { (2.0, 1e6) } else { (65536.0, 8_000_000.0) };
            let (weights, finish) = (Arc::new([]), Finish::PLAIN);
            let together = other == 0;
            let radius = Atadenoise::MAX_RADIUS;
            let op = Op::Atadenoise(Atadenoise { radius, single, total, together, weights, finish });
            let format = Format::new(pixel, 35, 3, Rational::new(25, 1));
            Case { content, ..random.finished(seed, format, vec![op]) }
        })
    })
}
