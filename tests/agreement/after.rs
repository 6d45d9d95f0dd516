//! Finished samples that are mapped, after every kind of op by every way that a backend may take for it, in every type of
//! samples.

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Rank, Separable, Taps};

use super::{Case, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    [8, 10, 16, 32].into_iter().enumerate().flat_map(|(index, depth)| {
        let mut pixel = Pixel::gray(u8::min(depth, 16));
        if depth == 32 {
            (pixel.sample, pixel.depth) = (Sample::F32, 32);
        }
        ops(pixel).into_iter().enumerate().map(move |(step, op)| {
            let seed = 14_000 + 100 * index as u64 + step as u64;
            let mut random = Random::new(seed);
            let (width, height) = (random.range(1..=150), random.range(1..=40));
            let mut case = random.finished(seed, Format::new(pixel, width, height, Rational::new(25, 1)), vec![op]);
            random.map_finished(&mut case.pass, 0, pixel);
            case
        })
    })
}

fn ops(pixel: Pixel) -> Vec<Op> {
    let whole = if pixel.sample == Sample::F32 { Arithmetic::Real } else { Arithmetic::Integer };
    let finish = Finish { scale: 0.25, dry: 0.0, bias: 0.0 };
    let mixed = Finish { dry: 0.5, ..finish };
    let dense = |size: [usize; 3], arithmetic, combine, finish| {
        let weights = (0..size.iter().product::<usize>()).map(|tap| [1.0, 2.0, -1.0, 0.0, 3.0][tap % 5]).collect();
        let kernel = Kernel { size, anchor: size.map(|size| size / 2), weights };
        let kernels = if combine == Combine::Sum { vec![kernel] } else { vec![kernel.clone(), kernel] };
        Op::Dense(Dense { kernels, combine, arithmetic, border: Border::Clamp, finish })
    };
    let separable = |size: [usize; 3], arithmetic, finish| {
        let [t, y, x] = size.map(|size| match size {
            1 => Taps::identity(),
            _ => Taps { weights: (0..size).map(|tap| (tap % 3) as f32).collect(), anchor: size / 2 },
        });
        Op::Separable(Separable { t, x, y, arithmetic, border: Border::Reflect101, finish })
    };
    let boxed = |count: usize| {
        let taps = Taps { weights: vec![1.0; count], anchor: count / 2 };
        let finish = Finish { scale: 1.0 / (count * count) as f32, ..Finish::PLAIN };
        let (t, y, border) = (Taps::identity(), taps.clone(), Border::Wrap);
        Op::Separable(Separable { t, x: taps, y, arithmetic: whole, border, finish })
    };
    let rank = |size: [usize; 3], rank: usize, finish| {
        Op::Rank(Rank { size, anchor: size.map(|size| size / 2), rank, border: Border::Reflect, finish })
    };
    let half = Finish { scale: 0.5, dry: 0.5, bias: 0.0 };
    vec![
        dense([1, 3, 3], whole, Combine::Sum, finish),
        dense([1, 3, 3], Arithmetic::Real, Combine::Sum, mixed),
        dense([3, 3, 3], whole, Combine::Sum, finish),
        dense([1, 3, 3], whole, Combine::Magnitude, finish),
        dense([1, 2, 5], Arithmetic::Real, Combine::Max, finish),
        dense([1, 25, 27], whole, Combine::Sum, finish),
        dense([1, 25, 27], Arithmetic::Real, Combine::Sum, finish),
        dense([1, 201, 203], Arithmetic::Real, Combine::Sum, Finish { scale: 1e-4, ..Finish::PLAIN }),
        separable([1, 5, 5], whole, finish),
        separable([1, 1, 7], whole, finish),
        separable([1, 7, 1], Arithmetic::Real, mixed),
        separable([5, 1, 1], whole, finish),
        separable([3, 5, 4], Arithmetic::Real, finish),
        separable([1, 3, 801], Arithmetic::Real, Finish { scale: 1e-3, ..Finish::PLAIN }),
        boxed(3),
        boxed(31),
        rank([1, 3, 3], 4, Finish::PLAIN),
        rank([1, 3, 3], 4, half),
        rank([3, 3, 3], 13, Finish::PLAIN),
        rank([1, 7, 7], 24, Finish::PLAIN),
        rank([1, 13, 15], 80, Finish::PLAIN),
        rank([1, 9, 11], 0, Finish::PLAIN),
        rank([3, 5, 31], 464, half),
    ]
}
