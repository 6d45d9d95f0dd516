//! The suite that every backend passes, many cases at once because each compiles kernels of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use warpreel::backend::cuda::{Device, Tracing};
use warpreel::backend::{Cpu, Cuda};
use warpreel::frame::{Format, Pixel, Pool, Rational, Sample};
use warpreel::pass::{
    Arithmetic, Blend, Border, Combine, Dense, Finish, Kernel, Nlmeans, Op, Pass, Rank, Separable, Shown, Taps,
    TimeBorder,
};

use crate::agreement::{Case, Content, Random, cases, decimate, fieldmatch, measure};

use super::device;

/// Runs `check` on all cases with a thread a core, and fails with the first failures.
fn all(cases: Vec<Case>, check: impl Fn(&Case) + Sync) {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(case))) {
                        let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                        failures.lock().expect("no poison").push(text);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no poison");
    assert!(failures.is_empty(), "{} of {} failed, the first:\n{}", failures.len(), cases.len(), failures[0]);
}

/// Stages that share one pool, because pinning memory takes long.
fn on_gpu(device: &'static Device) -> impl Fn(Arc<[Pass]>, Arc<Format>, Pool) -> anyhow::Result<Cuda> + Sync {
    let pool = Pool::new(device.allocator());
    move |passes, format, _| Cuda::new(device, device.prepare(&passes, &format)?, pool.clone(), 1, Tracing::Off)
}

/// Every case beside the slow definition, in parts because each case compiles kernels: a run may have room for some of them.
mod oracle {
    use super::*;

    const PARTS: usize = 8;

    fn part(number: usize) {
        let Some(device) = device() else { return };
        let make = on_gpu(device);
        all(cases().skip(number).step_by(PARTS).collect(), |case| case.check(&make, &case.wanted()));
    }

    macro_rules! parts {
        ($($name:ident $number:literal)*) => {
            $(#[test] fn $name() { part($number) })*
            const _: () = assert!([$($number),*].len() == PARTS);
        };
    }
    parts!(part_0 0 part_1 1 part_2 2 part_3 3 part_4 4 part_5 5 part_6 6 part_7 7);
}

#[test]
fn sums() {
    let Some(device) = device() else { return };
    measure::sums(on_gpu(device));
}

#[test]
fn changes() {
    let Some(device) = device() else { return };
    decimate::changes(on_gpu(device));
}

#[test]
fn fields() {
    let Some(device) = device() else { return };
    fieldmatch::answers(on_gpu(device));
}

/// Cases that are too large for the oracle, against the CPU stage.
fn large() -> Vec<Case> {
    let sizes = [(126, 31), (127, 33), (128, 64), (129, 65), (257, 63), (1921, 83), (640, 360), (3840, 2160)];
    let mut cases = Vec::new();
    for (index, (width, height)) in sizes.into_iter().enumerate() {
        for variant in 0..6 {
            let seed = 20_000 + 100 * index as u64 + variant;
            let mut random = Random::new(seed);
            let pixel = match variant {
                0 | 1 => Pixel::yuv420p(8),
                2 => Pixel::yuv420p(10),
                3 => Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) },
                _ => random.pixel(),
            };
            let format = Format::new(pixel, width, height, Rational::new(25, 1));
            let ops = (0..pixel.planes()).map(|plane| match (plane as u64 + variant) % 3 {
                0 => random.separable(pixel, 31, 3),
                1 => random.dense(pixel, [1, 15, 15]),
                _ => random.dense(pixel, [3, 5, 5]),
            });
            let ops = ops.collect();
            cases.push(random.finished(seed, format, ops));
        }
    }
    cases
}

fn taps(weight: f32, count: usize) -> Taps {
    let mut weights = vec![weight; count];
    if count > 3 {
        // So that it shows where a sum begins and ends.
        (weights[3], weights[count - 2]) = (2.0 * weight, 0.0);
    }
    Taps { weights, anchor: count / 2 }
}

/// Kernels that take the slow ways: taps in constant and in global memory, no tile, two launches, a table of frames.
fn extreme() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |seed: u64, pixel: Pixel, width, height, op: Op| {
        let format = Format::new(pixel, width, height, Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|plane| if plane == 3 { Op::Copy } else { op.clone() }).collect();
        cases.push(Random::new(seed).finished(seed, format, ops));
    };
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let borders =
        [Border::Reflect101, Border::Clamp, Border::Reflect, Border::Wrap, Border::Constant(7.0), Border::Lopsided];
    for (index, border) in borders.into_iter().enumerate() {
        let seed = 30_000 + 100 * index as u64;
        for (step, size) in [33, 65, 129, 193].into_iter().enumerate() {
            for (kind, arithmetic) in [Arithmetic::Integer, Arithmetic::Real].into_iter().enumerate() {
                let weight = if arithmetic == Arithmetic::Integer { 1.0 } else { 0.37 };
                let mut weights = vec![weight; size * size];
                weights[3] = 2.0 * weight;
                let dense = Dense {
                    kernels: vec![Kernel { size: [1, size, size], anchor: [0, size / 2, size / 3], weights }],
                    combine: Combine::Sum,
                    arithmetic,
                    border,
                    finish: Finish { scale: 1.0 / (size * size) as f32, ..Finish::PLAIN },
                };
                let at = seed + 10 * step as u64 + kind as u64;
                // Integer sums of all 193² samples fit while these are bytes.
                let depth = if step == 3 && kind == 0 { 8 } else { 8 + 2 * step as u8 };
                let pixel = if kind == 1 && step == 1 { float } else { Pixel::gray(depth) };
                add(at, pixel, 150, 40, Op::Dense(dense));
                let separable = Separable {
                    t: if step % 2 == 0 { Taps::identity() } else { taps(1.0, 3) },
                    x: taps(weight, 8 * size),
                    y: taps(weight, 3 * size),
                    arithmetic,
                    border,
                    finish: Finish { scale: 1.0 / (24 * size * size) as f32, dry: 0.5, bias: 0.25 },
                };
                add(
                    at + 5,
                    if kind == 1 { pixel } else { Pixel::yuv420p(8) },
                    150,
                    90,
                    Op::Separable(separable.clone()),
                );
                let row = Separable { y: Taps::identity(), ..separable.clone() };
                add(at + 6, Pixel::gray(8), 90, 9, Op::Separable(row));
                let column = Separable { x: Taps::identity(), ..separable };
                add(at + 7, Pixel::gray(8), 9, 90, Op::Separable(column));
            }
        }
        // Loops over taps in one launch: of packed bytes, of words, of floats along one axis.
        for (step, pixel) in [Pixel::gray(8), Pixel::yuv420p(10), float, float].into_iter().enumerate() {
            let arithmetic = if step == 0 { Arithmetic::Integer } else { Arithmetic::Real };
            let weight = if step == 0 { 1.0 } else { 0.37 };
            let [x, y] = [[26 + index, 60 + index], [34, 29], [61 + index, 1], [1, 53 + index]][step];
            let axis = |count| if count == 1 { Taps::identity() } else { taps(weight, count) };
            let scale = 1.0 / (x * y) as f32;
            let finish = Finish { scale, dry: 0.5, bias: 0.25 };
            let op = Separable { t: Taps::identity(), x: axis(x), y: axis(y), arithmetic, border, finish };
            add(seed + 80 + step as u64, pixel, 150, 90, Op::Separable(op));
        }
        let frames = Separable {
            t: taps(1.0, 20 * index + 129),
            x: Taps::identity(),
            y: if index == 2 { taps(1.0, 3) } else { Taps::identity() },
            arithmetic: Arithmetic::Integer,
            border,
            finish: Finish { scale: 1.0 / 129.0, ..Finish::PLAIN },
        };
        add(seed + 90, Pixel::yuv420p(8), 70, 20, Op::Separable(frames));
        let volume = Kernel { size: [7, 7, 7], anchor: [3, 3, 3], weights: (0..343).map(|i| (i % 5) as f32).collect() };
        let volume = Dense {
            kernels: vec![volume],
            combine: Combine::Sum,
            arithmetic: if index % 2 == 0 { Arithmetic::Integer } else { Arithmetic::Real },
            border,
            finish: Finish { scale: 1.0 / 686.0, ..Finish::PLAIN },
        };
        add(seed + 91, Pixel::gray(8 + index as u8), 200, 70, Op::Dense(volume));
    }
    for case in &mut cases {
        case.pass.border_t = TimeBorder::Zero;
    }
    cases
}

/// Ranks and single samples on planes of many tiles, by every way that a box or a table may take.
fn samples() -> Vec<Case> {
    let boxes = [
        [1, 3, 3],
        [1, 5, 5],
        [3, 3, 3],
        [5, 1, 1],
        [1, 1, 9],
        [1, 9, 1],
        [1, 7, 7],
        [1, 31, 33],
        [3, 1, 20],
        [1, 9, 9],
        [1, 12, 8],
        [1, 15, 15],
        [3, 9, 10],
        [1, 31, 31],
        [1, 40, 5],
        [1, 3, 65],
        [1, 75, 75],
    ];
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let mut cases = Vec::new();
    for (index, pixel) in [Pixel::yuv420p(8), Pixel::yuv420p(10), Pixel::gray(16), float].into_iter().enumerate() {
        for (step, size) in boxes.into_iter().enumerate() {
            let seed = 40_000 + 100 * index as u64 + step as u64;
            let mut random = Random::new(seed);
            let format = Format::new(pixel, 260 + 7 * step, 70 + step, Rational::new(25, 1));
            let samples: usize = size.iter().product();
            let ops = (0..pixel.planes()).map(|plane| match plane {
                2 => random.pointwise(pixel),
                _ => {
                    let rank = [samples / 2, 0, samples / 3, samples - 1][(plane + step + index) % 4];
                    let anchor = size.map(|size| size / 2);
                    let borders = [Border::Clamp, Border::Reflect101, Border::Constant(1.0), Border::Wrap];
                    let border = borders[(step / 2 + index) % 4];
                    Op::Rank(Rank { size, anchor, rank, border, finish: Finish::PLAIN })
                }
            });
            let ops = ops.collect();
            cases.push(random.finished(seed, format, ops));
        }
    }
    cases
}

/// Two frames as one, on planes of many tiles.
fn blends() -> Vec<Case> {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::yuv420p(8) };
    let mut cases = Vec::new();
    for (index, pixel) in [Pixel::yuv420p(8), Pixel::yuv420p(10), float].into_iter().enumerate() {
        for (step, (width, height)) in [(1919, 67), (640, 360), (3840, 540)].into_iter().enumerate() {
            let seed = 60_000 + 10 * index as u64 + step as u64;
            let mut random = Random::new(seed);
            let format = Format::new(pixel, width, height, Rational::new(25, 1));
            let each = |plane: usize| Blend::Each {
                width: format.plane_size(plane).0,
                weights: (0..format.plane_size(plane).0 * format.plane_size(plane).1)
                    .map(|at| (at % 97) as f32 / 96.0)
                    .collect(),
            };
            let inside = Blend::Inside { columns: 101..width / 2 - 3, rows: 5..height / 2, weight: 0.3 };
            let ops = vec![Op::Blend(each(0)), Op::Blend(inside), Op::Blend(random.blend(format.plane_size(2)))];
            cases.push(random.finished(seed, format, ops));
        }
    }
    cases
}

#[test]
fn cpu() {
    let Some(device) = device() else { return };
    let make = on_gpu(device);
    let cases = large().into_iter().chain(extreme()).chain(samples()).chain(blends()).chain(alike()).collect();
    all(cases, |case| {
        let wanted = case.run(&|passes, format, pool| Cpu::new(passes, format, pool, 1));
        case.same(&case.run(&make), &wanted);
    });
}

/// Means over samples that look alike, on frames that hold whole tiles, in every way that weights are kept.
fn alike() -> Vec<Case> {
    let pixels = [Pixel::yuv420p(8), Pixel::yuv420p(10), Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) }];
    let ways = [(7, 15, 0, 555), (5, 9, 1, 555), (3, 5, 0, 20_000), (1, 7, 0, 100_000), (9, 7, 0, 555)];
    let mut cases = Vec::new();
    for (index, (patch, search, frames, weights)) in ways.into_iter().enumerate() {
        for (kind, pixel) in pixels.into_iter().enumerate() {
            let seed = 60_000 + 10 * index as u64 + kind as u64;
            let table = (0..weights).map(|i| 1.0 - (i + 1) as f32 / weights as f32).collect();
            let (border, finish) = (Border::Clamp, Finish::PLAIN);
            let op = Op::Nlmeans(Nlmeans { patch, search, frames, table, border, shown: Shown::Mean, finish });
            let format = Format::new(pixel, 401, 211, Rational::new(25, 1));
            let ops = vec![op; pixel.planes()];
            // Checkers are alike at every second offset, and noise at none but the smallest patches.
            let content = if index % 2 == 0 { Content::Checkers } else { Content::Noise };
            cases.push(Case { content, ..Random::new(seed).finished(seed, format, ops) });
        }
    }
    cases
}

/// A few of all kinds of cases, one after another, for tools under which everything is slow and which do not bear many
/// threads: `compute-sanitizer`.
#[test]
fn sample() {
    let Some(device) = device() else { return };
    let make = on_gpu(device);
    let small = extreme().into_iter().filter(|case| case.format.width * case.format.height < 2000);
    for case in cases().step_by(16).chain(small.step_by(3)) {
        let wanted = case.run(&|passes, format, pool| Cpu::new(passes, format, pool, 1));
        case.same(&case.run(&make), &wanted);
    }
}
