//! Cases of deblocking.

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Deblock, Op};

use super::{Case, Random, gray};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(super::extremes(102_000, 4, [71, 29], op))
}

/// Limits that let few edges of noise pass, most, or all.
fn op(random: &mut Random, pixel: Pixel) -> Op {
    let most = *random.one_of(&[0.2, 0.6, 1.0, 1.6]) * pixel.peak();
    let limit = |random: &mut Random| match random.real(0.5, 1.0) * most {
        limit if pixel.sample == Sample::F32 => limit,
        limit => limit.trunc(),
    };
    let limits = [(); 4].map(|()| limit(random));
    let block = *random.one_of(&[4, 4, 5, 6, 7, 8, 8, 9, 16, 33, 512]);
    Op::Deblock(Deblock { strong: random.below(2) == 0, block, limits })
}

/// Any limits in any plane of any format.
fn anything() -> impl Iterator<Item = Case> {
    super::drawn(100_000..100_300, [60, 60], op)
}

/// Columns and rows around blocks, and around the columns that are made together.
fn sizes() -> impl Iterator<Item = Case> {
    let widths = [1, 4, 7, 8, 9, 10, 11, 16, 127, 128, 130, 255, 256, 258, 259, 260, 265, 515, 531, 775];
    widths.into_iter().enumerate().flat_map(|(index, width)| {
        [8, 10, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 101_000 + 10 * index as u64 + kind as u64;
            let (mut random, pixel) = (Random::new(seed), gray(depth));
            let op = op(&mut random, pixel);
            let height = [1, 8, 9, 12, 16, 17, 24, 25, 31, 40][(3 * index + kind) % 10];
            let format = Format::new(pixel, width, height, Rational::new(25, 1));
            random.finished(seed, format, vec![op])
        })
    })
}
