//! Cases of means over the samples around, by how near and how like they are.

use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Bilateral, Finish, Guide, Op};

use super::{Case, Content, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(depths()).chain(large()).chain(joint())
}

/// Whole weights that fall off from `most`, and the last of which is 0.
fn table(random: &mut Random, count: usize, most: u32) -> Vec<f32> {
    let power = random.real(0.2, 3.0);
    let weight = |i: usize| (1.0 - i as f32 / (count - 1) as f32).powf(power);
    (0..count).map(|i| (most as f32 * weight(i)).ceil()).collect()
}

/// A plane of such pixels, in weights that few differences or most have.
fn op(random: &mut Random, pixel: Pixel, reach: [usize; 2]) -> Op {
    guided(random, pixel, reach, None)
}

/// The same, weighed by another plane.
fn guided(random: &mut Random, pixel: Pixel, [frames, radius]: [usize; 2], guide: Option<Guide>) -> Op {
    let whole = pixel.sample == Sample::U8;
    let arithmetic = if whole { Arithmetic::Integer } else { Arithmetic::Real };
    let (counts, most): (&[usize], u32) = if whole {
        (&[2, 3, 17, 64, 128, 129, 255, 256, Bilateral::MAX_TABLE], Bilateral::WHOLE[1])
    } else {
        (&[2, 3, 17, 64, 100, 127, Bilateral::MAX_STEPS], Bilateral::MOST)
    };
    let count = *random.one_of(counts);
    let range = table(random, count, most);
    let fineness = match pixel.sample {
        Sample::U8 => 1.0,
        // A step a sample, a power of two of samples, and any number.
        Sample::U16 => match random.below(3) {
            0 => 1.0,
            1 => 1.0 / (1 << random.below(9)) as f32,
            _ => random.real(0.001, 1.0),
        },
        Sample::F32 => random.real(0.5, 5000.0),
    };
    let highest = match guide {
        _ if !whole => 1.0,
        Some(_) => f64::from(range[0]) * 255.0,
        None => Bilateral::largest(&range).max(range[0].into()),
    };
    // As large as sums allow, every offset counted as if it had the largest.
    let places = ((2 * frames + 1) * (2 * radius + 1) * (2 * radius + 1)) as f64;
    let fits = (Bilateral::LIMIT - 1.0) / highest / places;
    let largest = f64::from(Bilateral::WHOLE[0]).min(fits).floor().max(1.0) as f32;
    let space = (0..(frames + 1) * (radius + 1) * (radius + 1)).map(|i| match random.below(4) {
        0 if i > 0 => 0.0,
        _ if i == 0 && whole => largest,
        _ if whole => random.below(largest as u64 + 1) as f32,
        _ => random.real(0.1, 1.0),
    });
    let space: Arc<[f32]> = space.collect();
    // A constant is a sample, of floats any number.
    let samples = if pixel.sample == Sample::F32 { Arithmetic::Real } else { Arithmetic::Integer };
    let border = random.border(pixel, samples);
    let finish = *random.one_of(&[Finish::PLAIN, Finish::PLAIN, Finish { scale: 0.75, dry: 0.25, bias: 0.0 }]);
    Op::Bilateral(Bilateral { radius, frames, space, range: range.into(), fineness, guide, arithmetic, border, finish })
}

/// Any window in any plane of any format, frames before and after among them.
fn anything() -> impl Iterator<Item = Case> {
    (60_000..60_150).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=24), random.range(1..=16), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| {
            let reach = [random.range(0..=2), random.range(0..=5)];
            op(&mut random, pixel, reach)
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}

fn pixels() -> [Pixel; 4] {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    [Pixel::gray(8), Pixel::gray(10), Pixel::gray(16), float]
}

/// Rows around what is made at once, and columns.
fn sizes() -> impl Iterator<Item = Case> {
    let widths = [1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300, 600];
    widths.into_iter().enumerate().flat_map(|(index, width)| {
        pixels().into_iter().enumerate().map(move |(kind, pixel)| {
            let seed = 61_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let op = op(&mut random, pixel, [kind % 2, 1 + index % 4]);
            let format = Format::new(pixel, width, 1 + 13 * ((index + kind) % 3), Rational::new(25, 1));
            random.finished(seed, format, vec![op])
        })
    })
}

/// Differences of every depth, as large as they become.
fn depths() -> impl Iterator<Item = Case> {
    (8..=16).map(Pixel::gray).chain([pixels()[3]]).flat_map(|pixel| {
        [Content::Checkers, Content::Wild, Content::Noise, Content::Peak].into_iter().enumerate().map(
            move |(kind, content)| {
                let seed = 62_000 + 10 * u64::from(pixel.depth) + kind as u64;
                let mut random = Random::new(seed);
                let op = op(&mut random, pixel, [0, 3]);
                let format = Format::new(pixel, 41, 9, Rational::new(25, 1));
                Case { content, ..random.finished(seed, format, vec![op]) }
            },
        )
    })
}

/// Windows that are larger than the frame, up to the largest.
fn large() -> impl Iterator<Item = Case> {
    [[0, 10], [0, 11], [1, 9], [8, 1], [0, 32], [3, 0]].into_iter().enumerate().flat_map(|(index, reach)| {
        pixels().into_iter().enumerate().map(move |(kind, pixel)| {
            let seed = 63_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let op = op(&mut random, pixel, reach);
            let (width, height) = (random.range(1..=12), random.range(1..=7));
            random.finished(seed, Format::new(pixel, width, height, Rational::new(25, 1)), vec![op])
        })
    })
}

/// Planes weighed by the first, of any subsampling, at odd sizes and even ones, and windows larger than the frame.
fn joint() -> impl Iterator<Item = Case> {
    (64_000..64_150).map(|seed| {
        let mut random = Random::new(seed);
        let mut pixel = random.pixel();
        if pixel.planes() == 1 {
            pixel.alpha = true;
        }
        let format = Format::new(pixel, random.range(1..=90), random.range(1..=20), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|plane| {
            let reach = [random.range(0..=2), random.range(0..=5)];
            guided(&mut random, pixel, reach, Guide::first(pixel, plane))
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}
