//! Cases of deinterlacers.

use warpreel::frame::{Format, Rational};
use warpreel::pass::{Bwdif, Op, W3fdif, Yadif};

use super::{Case, Content, Random, gray};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(edges())
}

fn op(random: &mut Random) -> Op {
    let fields = random.deinterlacing();
    match random.below(3) {
        0 => Op::Bwdif(Bwdif { fields }),
        1 => Op::Yadif(Yadif { fields, spatial: random.below(3) > 0 }),
        _ => Op::W3fdif(W3fdif { fields, complex: random.below(3) > 0 }),
    }
}

/// Any planes of any format, each with an operation of its own.
fn anything() -> impl Iterator<Item = Case> {
    (90_000..90_400).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=50), random.range(1..=20), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| if random.below(8) == 0 { Op::Copy } else { op(&mut random) });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}

/// Rows around what is made at once, and planes of few rows.
fn sizes() -> impl Iterator<Item = Case> {
    let widths = [1, 2, 5, 6, 7, 8, 13, 14, 15, 16, 17, 22, 31, 32, 33, 37, 38, 39, 63, 64, 65, 70, 71, 129];
    widths.into_iter().enumerate().flat_map(|(index, width)| {
        [8, 10, 13, 14, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 91_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let height = 1 + (index + 5 * kind) % 11;
            let op = op(&mut random);
            random.finished(seed, Format::new(gray(depth), width, height, Rational::new(25, 1)), vec![op])
        })
    })
}

/// Samples that agree everywhere, nowhere, and that a format does not mean.
fn edges() -> impl Iterator<Item = Case> {
    [8, 9, 12, 14, 15, 16, 32].into_iter().flat_map(|depth| {
        [Content::Peak, Content::Checkers, Content::Wild].into_iter().enumerate().flat_map(move |(kind, content)| {
            (0..12).map(move |variant| {
                let seed = 92_000 + 100 * u64::from(depth) + 20 * kind as u64 + variant;
                let mut random = Random::new(seed);
                let op = op(&mut random);
                let format = Format::new(gray(depth), 39, 13, Rational::new(25, 1));
                Case { content, ..random.finished(seed, format, vec![op]) }
            })
        })
    })
}
