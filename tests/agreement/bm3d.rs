//! Cases of blocks filtered together with those that look like them.

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Bm3d, Border, Finish, Op, Shrink};

use super::{Case, Content, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(strips()).chain(large()).chain(windows())
}

/// Any step of any strength.
fn op(random: &mut Random, pixel: Pixel, [group, range, step]: [usize; 3], last: bool) -> Op {
    let arithmetic = if pixel.sample == Sample::F32 { Arithmetic::Real } else { Arithmetic::Integer };
    let border = if random.below(2) == 0 { Border::Reflect101 } else { random.border(pixel, arithmetic) };
    let share = *random.one_of(&[0.001, 0.01, 0.1, 0.4]);
    let sigma = share * if pixel.sample == Sample::F32 { 1.0 } else { pixel.peak() };
    let threshold = *random.one_of(&[1.0, 2.65, 8.0]);
    let shrink = match last {
        true => Shrink::Wiener { power: *random.one_of(&[0.5, 1.0]), threshold },
        false => Shrink::Threshold(threshold),
    };
    let finish = *random.one_of(&[Finish::PLAIN, Finish::PLAIN, Finish { scale: 0.75, dry: 0.25, bias: 0.0 }]);
    Op::Bm3d(Bm3d { shrink, sigma, group, range, frames: 0, near: 0, step, border, finish })
}

/// The same over so many frames on either side.
fn over(op: Op, frames: usize, near: usize) -> Op {
    match op {
        Op::Bm3d(op) => Op::Bm3d(Bm3d { frames, near: if frames > 0 { near } else { 0 }, ..op }),
        other => other,
    }
}

/// Any sizes in any plane of any format, also planes that are smaller than a block.
fn anything() -> impl Iterator<Item = Case> {
    (90_000..90_080).map(|seed| {
        let mut random = Random::new(seed);
        let (pixel, last) = (random.pixel(), seed % 2 == 0);
        let format = Format::new(pixel, random.range(1..=34), random.range(1..=22), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| {
            let group = *random.one_of(&[1, 2, 4, 8, 16, 32]);
            let (range, step) = (random.range(0..=5), random.range(1..=8));
            op(&mut random, pixel, [group, range, step], last)
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}

/// Rows around those of vectors of reference blocks, of every depth and content.
fn sizes() -> impl Iterator<Item = Case> {
    [8, 9, 15, 39, 40, 41, 63, 72, 136, 140].into_iter().enumerate().flat_map(|(index, width)| {
        [Content::Noise, Content::Wild, Content::Checkers, Content::Peak].into_iter().enumerate().map(
            move |(kind, content)| {
                let seed = 91_000 + 10 * index as u64 + kind as u64;
                let mut random = Random::new(seed);
                let mut pixel = Pixel::gray(*random.one_of(&[8, 9, 10, 12, 16]));
                if (index + kind) % 5 == 0 {
                    (pixel.sample, pixel.depth) = (Sample::F32, 32);
                }
                let sizes = [[8, 3, 8], [16, 4, 4], [4, 2, 2], [8, 2, 3]][(index + kind) % 4];
                let op = op(&mut random, pixel, sizes, index % 2 == 0);
                let format = Format::new(pixel, width, 8 + index, Rational::new(25, 1));
                Case { content, ..random.finished(seed, format, vec![op]) }
            },
        )
    })
}

/// Planes of several strips and tiles.
fn strips() -> impl Iterator<Item = Case> {
    [64, 71, 72, 73, 130, 137].into_iter().enumerate().map(|(index, height)| {
        let seed = 92_000 + index as u64;
        let mut random = Random::new(seed);
        let pixel = Pixel::gray([8, 10][index % 2]);
        let step = [8, 5, 4, 7, 8, 6][index];
        let op = op(&mut random, pixel, [8, 6, step], index % 2 == 0);
        random.finished(seed, Format::new(pixel, 19, height, Rational::new(25, 1)), vec![op])
    })
}

/// As far and as many as may be, beyond the plane also.
fn large() -> impl Iterator<Item = Case> {
    [(32, 32, 8, 40), (32, 9, 3, 30), (16, 12, 1, 14), (32, 32, 1, 17)].into_iter().enumerate().map(
        |(index, (group, range, step, width))| {
            let seed = 93_000 + index as u64;
            let mut random = Random::new(seed);
            let op = op(&mut random, Pixel::gray(8), [group, range, step], index % 2 == 0);
            random.finished(seed, Format::new(Pixel::gray(8), width, 20, Rational::new(25, 1)), vec![op])
        },
    )
}

/// Windows of every length, with frames that are not there, planes with a shorter one than others, and blocks that are
/// looked for as far away as may be.
fn windows() -> impl Iterator<Item = Case> {
    (94_000..94_048).map(|seed| {
        let mut random = Random::new(seed);
        let (pixel, last) = (random.pixel(), seed % 2 == 0);
        let wide = if seed % 6 == 0 { 100..=140 } else { 1..=40 };
        let format = Format::new(pixel, random.range(wide), random.range(1..=26), Rational::new(25, 1));
        let longest = 1 + seed as usize / 2 % Bm3d::MAX_FRAMES;
        let ops = (0..pixel.planes()).map(|plane| {
            let group = *random.one_of(&[1, 4, 8, 16, 32]);
            let (range, step) = (random.range(0..=4), random.range(3..=8));
            let near = *random.one_of(&[0, 1, 2, 3, 4, 8]);
            let frames = if plane == 0 { longest } else { random.range(0..=longest) };
            over(op(&mut random, pixel, [group, range, step], last), frames, near)
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}
