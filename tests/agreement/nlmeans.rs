//! Cases of means over samples whose surroundings look alike.

use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Border, Finish, Nlmeans, Op, Shown};

use super::{Case, Content, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(depths()).chain(large()).chain(seams())
}

/// Weights that fall off to 0, the last of `count`.
fn table(random: &mut Random, count: usize) -> Arc<[f32]> {
    let power = random.real(0.3, 3.0);
    (0..count).map(|i| (1.0 - (i + 1) as f32 / count as f32).powf(power)).collect()
}

/// A plane of such pixels, in weights of a number that few differences or most lie below.
fn op(random: &mut Random, pixel: Pixel, [patch, search]: [usize; 2], frames: usize) -> Op {
    let whole = pixel.sample != Sample::F32;
    let arithmetic = if whole { Arithmetic::Integer } else { Arithmetic::Real };
    let count = *random.one_of(&[1, 2, 555, 4_000, 20_000, 65_026, 65_027, 100_000, 1 << 19]);
    let table = table(random, count);
    let border = if random.below(2) == 0 { Border::Clamp } else { random.border(pixel, arithmetic) };
    let finish = *random.one_of(&[Finish::PLAIN, Finish::PLAIN, Finish { scale: 0.75, dry: 0.25, bias: 0.0 }]);
    let shown = *random.one_of(&[Shown::Mean, Shown::Mean, Shown::Mean, Shown::Weights]);
    Op::Nlmeans(Nlmeans { patch, search, frames, table, border, shown, finish })
}

/// Any patch and search in any plane of any format, frames before and after among them.
fn anything() -> impl Iterator<Item = Case> {
    (50_000..50_120).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=24), random.range(1..=16), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| {
            let sides = [0; 2].map(|_| 2 * random.range(0..=3) + 1);
            let frames = random.range(0..=1);
            op(&mut random, pixel, sides, frames)
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}

/// Rows around what is made at once, of the usual patch in a small search.
fn sizes() -> impl Iterator<Item = Case> {
    [1, 15, 17, 63, 64, 65, 127, 128, 129, 255, 257, 300].into_iter().enumerate().flat_map(|(index, width)| {
        [8, 10, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 51_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let mut pixel = Pixel::gray(u8::min(depth, 16));
            if depth == 32 {
                (pixel.sample, pixel.depth) = (Sample::F32, 32);
            }
            let op = op(&mut random, pixel, [7, 3], 0);
            let format = Format::new(pixel, width, 1 + 9 * ((index + kind) % 3), Rational::new(25, 1));
            random.finished(seed, format, vec![op])
        })
    })
}

/// Differences of every depth, as large as they become.
fn depths() -> impl Iterator<Item = Case> {
    (8..=16).flat_map(|depth| {
        [Content::Checkers, Content::Wild, Content::Noise].into_iter().enumerate().map(move |(kind, content)| {
            let seed = 52_000 + 10 * u64::from(depth) + kind as u64;
            let mut random = Random::new(seed);
            let pixel = Pixel::gray(depth);
            let op = op(&mut random, pixel, [5, 5], 0);
            let format = Format::new(pixel, 21, 9, Rational::new(25, 1));
            Case { content, ..random.finished(seed, format, vec![op]) }
        })
    })
}

/// Patches and searches that are larger than the frame, up to the largest.
fn large() -> impl Iterator<Item = Case> {
    let sides = [[9, 21], [15, 1], [17, 9], [31, 5], [63, 3], [99, 3], [1, 99], [3, 45]];
    sides.into_iter().enumerate().flat_map(|(index, sides)| {
        [8, 12, 16].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 53_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let op = op(&mut random, Pixel::gray(depth), sides, 0);
            let (width, height) = (random.range(1..=12), random.range(1..=7));
            random.finished(seed, Format::new(Pixel::gray(depth), width, height, Rational::new(25, 1)), vec![op])
        })
    })
}

/// Planes of several strips and bands, in searches of every kind.
fn seams() -> impl Iterator<Item = Case> {
    let planes =
        [[7, 15, 190, 20], [5, 21, 120, 30], [3, 31, 210, 20], [1, 9, 60, 200], [3, 5, 40, 140], [7, 3, 9, 70]];
    planes.into_iter().enumerate().flat_map(|(index, [patch, search, width, height])| {
        [8, 10].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 54_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let op = op(&mut random, Pixel::gray(depth), [patch, search], 0);
            random.finished(seed, Format::new(Pixel::gray(depth), width, height, Rational::new(25, 1)), vec![op])
        })
    })
}
