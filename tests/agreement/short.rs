//! Cases of equal taps, of which those at the ends may differ: boxes of bytes with sums in 16 bits, and those just too large; sums
//! in 16 bits along x alone, in planes high enough for bands of them.

use warpreel::frame::{Format, Pixel, Rational};
use warpreel::pass::{Arithmetic, Border, Finish, Op, Separable, Taps};

use super::{Case, Content, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    small().chain(tall())
}

/// Taps of any size beside small planes.
fn small() -> impl Iterator<Item = Case> {
    (66_000..66_160).map(|seed| {
        let mut random = Random::new(seed);
        let depth = *random.one_of(&[8, 8, 8, 10, 16]);
        let format =
            Format::new(Pixel::yuv420p(depth), random.range(1..=150), random.range(1..=40), Rational::new(25, 1));
        let ops = (0..3).map(|_| op(&mut random)).collect();
        let content = *random.one_of(&[Content::Noise, Content::Checkers, Content::Wild, Content::Peak]);
        Case { content, ..random.finished(seed, format, ops) }
    })
}

/// Boxes whose ends are parts of what is between them, beside planes several times as high; sums along x lie on both sides of
/// 32767, of taps of at most 128.
fn tall() -> impl Iterator<Item = Case> {
    (67_000..67_080).map(|seed| {
        let mut random = Random::new(seed);
        let (width, height) = (random.range(1..=200), random.range(60..=160));
        let ops = (0..3).map(|_| {
            let counts = [random.range(1..=45), random.range(1..=26)];
            let axes = counts.map(|count| even_taps(&mut random, count));
            let scale = *random.one_of(&[1.0, 1.0, 0.5, 4.0]) / sum(&axes);
            let bias = *random.one_of(&[0.0, 0.0, 16.5]);
            boxes(&mut random, axes, Finish { scale, bias, dry: 0.0 })
        });
        let ops = ops.collect();
        let content = *random.one_of(&[Content::Noise, Content::Checkers, Content::Peak]);
        let format = Format::new(Pixel::yuv420p(8), width, height, Rational::new(25, 1));
        Case { content, ..random.finished(seed, format, ops) }
    })
}

/// A box with ends of the same weight, at most that of the others.
fn even_taps(random: &mut Random, count: usize) -> Taps {
    let middle = random.range(1..=4) as f32;
    let end = *random.one_of(&[middle, 0.0, 1.0, (middle / 2.0).floor()]);
    let mut weights = vec![middle; count];
    (weights[0], weights[count - 1]) = (end, end);
    Taps { weights, anchor: random.below(count as u64) as usize }
}

fn sum(axes: &[Taps; 2]) -> f32 {
    axes.iter().map(|taps| taps.weights.iter().sum::<f32>().max(1.0)).product()
}

fn op(random: &mut Random) -> Op {
    // Sums of all taps lie on both sides of 257.
    let axes = [0; 2].map(|_| taps(random));
    let scale = *random.one_of(&[1.0, 1.0 / sum(&axes), -0.25, 0.5]);
    let finish =
        Finish { scale, bias: *random.one_of(&[0.0, 0.0, 16.5, -3.25]), dry: *random.one_of(&[0.0, 0.0, 0.0, 0.5]) };
    boxes(random, axes, finish)
}

fn boxes(random: &mut Random, [x, y]: [Taps; 2], finish: Finish) -> Op {
    let border = random.border(Pixel::gray(8), Arithmetic::Integer);
    let border = if let Border::Constant(_) = border { Border::Constant(random.below(256) as f32) } else { border };
    Op::Separable(Separable { t: Taps::identity(), x, y, arithmetic: Arithmetic::Integer, border, finish })
}

fn taps(random: &mut Random) -> Taps {
    let count = *random.one_of(&[1, 2, 3, 4, 5, 7, 13, 16, 17]);
    let [first, middle, last] = [0; 3].map(|_| random.below(4) as f32);
    let mut weights = vec![if random.below(2) == 0 { 1.0 } else { middle }; count];
    if random.below(2) == 0 {
        weights[count - 1] = last;
        weights[0] = first;
    }
    Taps { weights, anchor: random.below(count as u64) as usize }
}
