//! Operations, one of each kind, of any size.

use warpreel::backend::cuda::program::BlockLimits;
use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{
    Arithmetic, Atadenoise, Bilateral, Bm3d, Border, Boxes, Cas, Combine, Deband, Degrain, Dense, Finish, Gain, Guide,
    Kernel, Nlmeans, Op, Pass, PointStep, Pointwise, Rank, Separable, Shown, Shrink, Taps, TimeBorder, VectorPart,
};

/// Of an H200.
pub const LIMITS: BlockLimits = BlockLimits { shared_bytes: 227 << 10 };

pub fn dense(size: [usize; 3], weight: f32, arithmetic: Arithmetic, border: Border, combine: Combine) -> Op {
    let weights = vec![weight; size.iter().product()];
    let kernel = Kernel { size, anchor: size.map(|size| size / 2), weights };
    let kernels = if combine == Combine::Sum { vec![kernel] } else { vec![kernel; 2] };
    Op::Dense(Dense { kernels, combine, arithmetic, border, finish: Finish::PLAIN })
}

pub fn separable(size: [usize; 3], weight: f32, arithmetic: Arithmetic, border: Border) -> Op {
    let [t, y, x] = size.map(|size| match size {
        1 => Taps::identity(),
        size => Taps { weights: vec![weight; size], anchor: size / 2 },
    });
    Op::Separable(Separable { t, x, y, arithmetic, border, finish: Finish::PLAIN })
}

pub fn rank(size: [usize; 3], rank: usize, border: Border) -> Op {
    Op::Rank(Rank { size, anchor: size.map(|size| size / 2), rank, border, finish: Finish::PLAIN })
}

pub fn cas(strength: f32, border: Border) -> Op {
    Op::Cas(Cas { divisor: Cas::divisor(strength), border, finish: Finish::PLAIN })
}

pub fn deband(places: usize, planes: usize, blurs: bool, border: Border) -> Op {
    let places = (0..places).map(|place| [place as i16 % 9, place as i16 % 5 - 2]).collect();
    Op::Deband(Deband { thresholds: vec![3.0; planes].into(), places, blurs, coupled: planes > 1, border })
}

pub fn pointwise(pixel: Pixel) -> Op {
    let power = [
        PointStep::Clamp { low: 0.0, high: 1.0 },
        PointStep::Power(0.45),
        PointStep::Multiply(0.5),
        PointStep::Add(0.25),
    ];
    let rest = [
        PointStep::Absolute,
        PointStep::Lookup([0.0, 0.3, 1.0].into()),
        PointStep::Threshold { level: 0.5, below: 0.0, above: 1.0 },
    ];
    Op::Pointwise(match pixel.sample {
        Sample::F32 => Pointwise::Steps { steps: [&power[..], &rest].concat(), wet: 0.5, dry: 0.5 },
        _ => Pointwise::Table((0..1 << pixel.depth).map(|sample| (sample / 2) as u16).collect()),
    })
}

pub fn gain(black: f32, dry: f32) -> Op {
    Op::Gain(Gain { black, finish: Finish { dry, ..Finish::PLAIN } })
}

pub fn nlmeans(patch: usize, search: usize, frames: usize, weights: usize, border: Border) -> Op {
    let table = (0..weights).map(|i| if i + 1 == weights { 0.0 } else { 1.0 / (i + 1) as f32 }).collect();
    Op::Nlmeans(Nlmeans { patch, search, frames, table, border, shown: Shown::Mean, finish: Finish::PLAIN })
}

pub fn boxes(y: &[usize], x: &[usize], border: Border) -> Op {
    Op::Boxes(Boxes { y: y.to_vec(), x: x.to_vec(), border, finish: Finish { scale: 0.01, ..Finish::PLAIN } })
}

pub fn atadenoise(radius: usize, [single, total]: [f32; 2], together: bool, weighted: bool) -> Op {
    let weights = (0..if weighted { radius } else { 0 }).map(|k| 1.0 / (k + 2) as f32).collect();
    Op::Atadenoise(Atadenoise { radius, single, total, together, weights, finish: Finish::PLAIN })
}

pub fn bilateral(radius: usize, frames: usize, differences: usize, pixel: Pixel, border: Border) -> Op {
    let (arithmetic, most, count) = match pixel.sample {
        Sample::U8 => (Arithmetic::Integer, Bilateral::WHOLE[1], Bilateral::MAX_TABLE),
        _ => (Arithmetic::Real, Bilateral::MOST, Bilateral::MAX_STEPS),
    };
    let differences = differences.min(count - 1);
    let range = (0..=differences).map(|i| if i == differences { 0.0 } else { most as f32 }).collect();
    let space = (0..(frames + 1) * (radius + 1) * (radius + 1)).map(|i| match arithmetic {
        Arithmetic::Integer => (1 + i % 2) as f32,
        Arithmetic::Real => 0.5 + (i % 2) as f32 / 2.0,
    });
    let space = space.collect();
    let (fineness, guide, finish) = (1.0, None, Finish::PLAIN);
    Op::Bilateral(Bilateral { radius, frames, space, range, fineness, guide, arithmetic, border, finish })
}

/// The same for a plane after the first, weighed by that.
pub fn joint(radius: usize, frames: usize, plane: usize, pixel: Pixel, border: Border) -> Op {
    match bilateral(radius, frames, 64, pixel, border) {
        Op::Bilateral(op) => Op::Bilateral(Bilateral { guide: Guide::first(pixel, plane), ..op }),
        op => op,
    }
}

pub fn degrain(frames: usize, block: usize, search: usize, halves: bool, border: Border) -> Op {
    let (again, scene, limit) = (50, [400, 130], 65535.0);
    let weights = Degrain::weights(400);
    let finish = Finish::PLAIN;
    let (follows, shown, told) = (None, None, None);
    Op::Degrain(Degrain {
        frames,
        block,
        search,
        halves,
        again,
        scene,
        follows,
        shown,
        told,
        weights,
        limit,
        border,
        finish,
    })
}

/// What shows motion instead.
pub fn shown(op: Op, component: VectorPart) -> Op {
    match op {
        Op::Degrain(op) => Op::Degrain(Degrain { shown: Some(component), ..op }),
        op => op,
    }
}

/// The same for a plane after the first, which has one of its own like it.
pub fn following(op: &Op, plane: usize, pixel: Pixel) -> Op {
    match op {
        Op::Degrain(op) => Op::Degrain(Degrain { follows: Guide::first(pixel, plane), ..op.clone() }),
        op => op.clone(),
    }
}

pub fn bm3d([group, range, step]: [usize; 3], last: bool, border: Border) -> Op {
    let shrink = if last { Shrink::Wiener { power: 0.8, threshold: 2.65 } } else { Shrink::Threshold(2.65) };
    Op::Bm3d(Bm3d { shrink, sigma: 3.0, group, range, frames: 0, near: 0, step, border, finish: Finish::PLAIN })
}

/// The same over frames on either side.
pub fn over(op: Op, frames: usize, near: usize) -> Op {
    let Op::Bm3d(op) = op else { unreachable!("blocks") };
    Op::Bm3d(Bm3d { frames, near, ..op })
}

pub fn pass(ops: Vec<Op>) -> Pass {
    Pass::new("test", ops, TimeBorder::Clamp)
}
