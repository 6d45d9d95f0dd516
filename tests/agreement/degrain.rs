//! Cases of means along motion.

use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Degrain, Finish, Guide, Op, VectorPart};

use super::{Case, Content, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(depths()).chain(large()).chain(following())
}

/// A plane of such pixels, in weights that few sums or all have.
fn op(random: &mut Random, pixel: Pixel, frames: usize, block: usize, search: usize) -> Op {
    let whole = pixel.sample != Sample::F32;
    let arithmetic = if whole { Arithmetic::Integer } else { Arithmetic::Real };
    let most = 255 * (block * block) as u64;
    let weights = match random.below(4) {
        0 => Degrain::weights(random.below(most) as u32),
        1 => Arc::from([]),
        _ => (0..=most).map(|_| random.below(257) as u32).collect(),
    };
    let limit = *random.one_of(&[0.0, 3.0, 40.0, 65535.0]);
    Op::Degrain(Degrain {
        follows: None,
        shown: (random.below(8) == 0).then_some(VectorPart::Length),
        told: None,
        frames,
        block,
        search,
        halves: random.below(3) > 0,
        again: *random.one_of(&[0, 50, 256]),
        scene: [random.below(most / 2) as u32, random.below(400) as u32],
        weights,
        limit: if whole || random.below(2) == 0 { limit } else { limit / 100.0 },
        border: random.border(pixel, arithmetic),
        finish: *random.one_of(&[Finish::PLAIN, Finish::PLAIN, Finish { scale: 0.75, dry: 0.25, bias: 0.0 }]),
    })
}

/// Any blocks in any plane of any format.
fn anything() -> impl Iterator<Item = Case> {
    (70_000..70_100).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=30), random.range(1..=20), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| {
            let (frames, block, search) = (random.range(1..=2), *random.one_of(&[8, 8, 16]), random.range(0..=2));
            op(&mut random, pixel, frames, block, search)
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}

/// Planes around what a group covers, and what is made at once.
fn sizes() -> impl Iterator<Item = Case> {
    [1, 23, 24, 25, 27, 28, 29, 52, 53, 129].into_iter().enumerate().flat_map(|(index, width)| {
        [8, 10, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 71_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let mut pixel = Pixel::gray(u8::min(depth, 16));
            if depth == 32 {
                (pixel.sample, pixel.depth) = (Sample::F32, 32);
            }
            let op = op(&mut random, pixel, 1, 8, 1);
            let format = Format::new(pixel, width, [1, 26, 9, 55][(index + kind) % 4], Rational::new(25, 1));
            random.finished(seed, format, vec![op])
        })
    })
}

/// Sums of every depth, as large as they become.
fn depths() -> impl Iterator<Item = Case> {
    (8..=16).flat_map(|depth| {
        [Content::Checkers, Content::Wild, Content::Noise].into_iter().enumerate().map(move |(kind, content)| {
            let seed = 72_000 + 10 * u64::from(depth) + kind as u64;
            let mut random = Random::new(seed);
            let pixel = Pixel::gray(depth);
            let op = op(&mut random, pixel, 1, [8, 16][kind % 2], 1);
            let format = Format::new(pixel, 21, 9, Rational::new(25, 1));
            Case { content, ..random.finished(seed, format, vec![op]) }
        })
    })
}

/// The most frames, and the farthest search.
fn large() -> impl Iterator<Item = Case> {
    let sizes = [(6, 8, 1), (1, 16, 16), (1, 8, 16), (3, 8, 8)];
    sizes.into_iter().enumerate().map(|(index, (frames, block, search))| {
        let seed = 73_000 + index as u64;
        let mut random = Random::new(seed);
        let pixel = Pixel::gray([8, 12][index % 2]);
        let op = op(&mut random, pixel, frames, block, search);
        random.finished(seed, Format::new(pixel, 40, 12, Rational::new(25, 1)), vec![op])
    })
}

/// Planes that take the motion of the first, of any subsampling, in blocks of every shape.
fn following() -> impl Iterator<Item = Case> {
    (74_000..74_100).map(|seed| {
        let mut random = Random::new(seed);
        let mut pixel = random.pixel();
        if pixel.planes() == 1 {
            pixel.alpha = true;
        }
        let format = Format::new(pixel, random.range(1..=70), random.range(1..=30), Rational::new(25, 1));
        let (frames, block, search) = (random.range(1..=2), *random.one_of(&[8, 8, 16]), random.range(0..=1));
        let Op::Degrain(first) = op(&mut random, pixel, frames, block, search) else { unreachable!("a degrain") };
        let ops = (0..pixel.planes()).map(|plane| {
            let Op::Degrain(own) = op(&mut random, pixel, frames, block, search) else { unreachable!("a degrain") };
            let Degrain { halves, again, scene, .. } = first;
            Op::Degrain(match Guide::first(pixel, plane) {
                None => first.clone(),
                follows => {
                    let shown = *random.one_of(&[None, None, None, Some(VectorPart::Right), Some(VectorPart::Down)]);
                    Degrain { halves, again, scene, follows, shown, ..own }
                }
            })
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}
