//! The CPU stage: the suite at every level, the same bytes for any number of threads, and nothing written beside rows.

use std::sync::{Arc, Mutex};

use warpreel::backend::cpu::simd::Level;
use warpreel::backend::{Backend, Cpu, Inputs};
use warpreel::frame::{Format, Frame, Pixel, Pool, Rational};
use warpreel::pass::{
    Arithmetic, Atadenoise, Bilateral, Blend, Border, Cas, Deband, Deblock, Finish, Grain, Guide, Kernel, Op, Pass,
    PlaneOp, PointStep, Pointwise, Rank, TimeBorder,
};

use super::{Case, Random, cases};
use crate::extent;

#[test]
fn every_level() {
    let levels = Level::available();
    let cases = Mutex::new(extent::sample(cases()));
    // Threads of their own: work of the stage that waits would begin cases within cases.
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = next(&cases) {
                    at_levels(&case, &levels)
                }
            });
        }
    });
}

fn next(cases: &Mutex<impl Iterator<Item = Case>>) -> Option<Case> {
    cases.lock().expect("no case panics while it is made").next()
}

fn at_levels(case: &Case, levels: &[Level]) {
    let wanted = case.wanted();
    case.check(&|passes, format, pool| Cpu::new(passes, format, pool, 2), &wanted);
    for &level in &levels[..levels.len() - 1] {
        case.check(&|passes, format, pool| Cpu::with_level(passes, format, pool, 2, level), &wanted);
    }
}

fn on_threads(case: &Case, threads: usize) -> Frame {
    case.run(&|passes, format, pool| Cpu::new(passes, format, pool, threads))
}

#[test]
fn any_number_of_threads() {
    for case in cases().step_by(7) {
        let alone = on_threads(&case, 1);
        for threads in [2, 3, 8] {
            case.same(&on_threads(&case, threads), &alone);
        }
    }
}

/// What a new frame holds between and behind its rows is what it held before.
#[test]
fn padding_is_left_alone() {
    const POISON: u8 = 0x5A;
    for case in (0..40).map(|seed| Random::case(seed, 40)) {
        let (pool, inputs) = (Pool::heap(), Pool::heap());
        let format = Arc::new(case.format.clone());
        pool.frame(&format).expect("memory").bytes_mut().fill(POISON);
        let mut cpu = Cpu::new([case.pass.clone()].into(), format.clone(), pool, 3).expect("a pass that fits");
        let window = case.window(&inputs);
        let frame = cpu.run(0, &case.inputs(&case.apart(&window))).expect("a frame");
        if case.pass.ops().all(|op| *op == Op::Copy) {
            continue;
        }
        let sample = format.pixel.sample.bytes();
        let mut inside = vec![false; frame.host().expect("a frame on the host").bytes().len()];
        for plane in &frame.layout().planes {
            for y in 0..plane.height {
                let start = plane.offset_bytes + y * plane.stride * sample;
                inside[start..start + plane.width * sample].fill(true);
            }
        }
        for (at, (&byte, &inside)) in frame.host().expect("a frame on the host").bytes().iter().zip(&inside).enumerate()
        {
            assert!(inside || byte == POISON, "byte {at} between the rows was written\n{case:#?}");
        }
    }
}

#[test]
fn copies_are_the_frame_itself() {
    let mut case = Random::case(3, 20);
    case.pass.planes.fill(Op::Copy.into());
    case.missing.clear();
    let pool = Pool::heap();
    let mut cpu = Cpu::new([case.pass.clone()].into(), Arc::new(case.format.clone()), pool.clone(), 1).expect("a pass");
    let window = case.window(&pool);
    let frame = cpu.run(0, &Inputs::new(&[window[0].as_ref()])).expect("a frame");
    let bytes = |frame: &Frame| frame.host().expect("a frame on the host").bytes().as_ptr();
    assert!(std::ptr::eq(bytes(&frame), bytes(window[0].as_ref().expect("the centre"))));
}

fn refusal(op: Op, pixel: Pixel) -> String {
    let format = Arc::new(Format::new(pixel, 4, 4, Rational::new(25, 1)));
    let pass = Pass::new("odd", vec![op], TimeBorder::Clamp);
    match Cpu::new([pass].into(), format, Pool::heap(), 1) {
        Ok(_) => panic!("a pass that contradicts itself was accepted"),
        Err(error) => format!("{error:#}"),
    }
}

/// What cannot be run is refused before the first frame, in words.
#[test]
fn contradictions() {
    let dense = |size: [usize; 3], anchor: [usize; 3], weights: Vec<f32>| warpreel::pass::Dense {
        kernels: vec![Kernel { size, anchor, weights }],
        combine: warpreel::pass::Combine::Sum,
        arithmetic: Arithmetic::Integer,
        border: Border::Clamp,
        finish: Finish::PLAIN,
    };
    let refuse = |op: warpreel::pass::Dense, pixel: Pixel| refusal(Op::Dense(op), pixel);
    let good = dense([1, 1, 1], [0; 3], vec![2.0]);
    let gray = Pixel::gray(8);
    assert!(refuse(dense([1, 1, 2], [0; 3], vec![1.0]), gray).contains("1 weights for 1x1x2 taps"));
    assert!(refuse(dense([1, 0, 2], [0; 3], vec![]), gray).contains("empty"));
    assert!(refuse(dense([1, 1, 1], [0, 1, 0], vec![1.0]), gray).contains("anchor"));
    assert!(refuse(dense([1, 1, 1], [0; 3], vec![0.5]), gray).contains("not an integer"));
    assert!(refuse(dense([1, 1, 1], [0; 3], vec![9e6]), gray).contains("the limit is 2^31"));
    assert!(refuse(warpreel::pass::Dense { border: Border::Constant(0.5), ..good.clone() }, gray).contains("border"));
    assert!(refuse(warpreel::pass::Dense { kernels: vec![], ..good.clone() }, gray).contains("no kernel"));
    assert!(refuse(good.clone(), Pixel::yuv420p(8)).contains("1 ops for the 3 planes"));
    let float = Pixel { sample: warpreel::frame::Sample::F32, depth: 32, ..gray };
    assert!(refuse(good, float).contains("float samples"));
}

/// A plane is weighed by another one that there is, of no fewer samples, as they lie.
#[test]
fn contradictions_of_guides() {
    let good = Bilateral {
        radius: 0,
        frames: 0,
        space: [1.0].into(),
        range: [1.0, 0.0].into(),
        fineness: 1.0,
        guide: None,
        arithmetic: Arithmetic::Integer,
        border: Border::Clamp,
        finish: Finish::PLAIN,
    };
    let colour = Pixel::yuv420p(8);
    let refuse = |plane: usize, guide: Guide| {
        let ops = (0..3).map(|index| match index == plane {
            true => Op::Bilateral(Bilateral { guide: Some(guide), ..good.clone() }),
            false => Op::Copy,
        });
        let pass = Pass::new("joint", ops.collect(), TimeBorder::Clamp);
        format!("{:#}", pass.check(&Format::new(colour, 8, 8, Rational::new(25, 1))).expect_err("a refusal"))
    };
    let first = Guide::first(colour, 1).expect("a guide");
    assert_eq!(first, Guide { plane: 0, finer: [1, 1] });
    assert_eq!(Guide::first(colour, 0), None);
    assert!(refuse(0, Guide { plane: 0, finer: [0, 0] }).contains("joint, plane 0: its guide is the plane itself"));
    assert!(refuse(0, Guide { plane: 1, finer: [0, 0] }).contains("has fewer samples"));
    assert!(refuse(1, Guide { plane: 3, ..first }).contains("plane 3, which"));
    assert!(refuse(1, Guide { finer: [0, 1], ..first }).contains("powers [1, 1] of two, not [0, 1]"));
    let most = Bilateral { space: [64.0; 4].into(), radius: 1, guide: Some(first), ..good };
    assert!(most.bounds()[1] == 9.0 * 64.0 * 255.0, "any weight can meet any difference");
}

#[test]
fn contradictions_of_means_over_time() {
    let good = Atadenoise {
        radius: 2,
        single: 4.0,
        total: 9.0,
        together: true,
        weights: [0.5, 0.25].into(),
        finish: Finish::PLAIN,
    };
    let refuse = |op: Atadenoise| refusal(Op::Atadenoise(op), Pixel::gray(8));
    assert!(refuse(Atadenoise { radius: 65, ..good.clone() }).contains("65 frames on either side are more than 64"));
    assert!(refuse(Atadenoise { single: 4.5, ..good.clone() }).contains("the limit 4.5 is not from 0"));
    assert!(refuse(Atadenoise { total: f32::NAN, ..good.clone() }).contains("the limit NaN is not from 0"));
    assert!(refuse(Atadenoise { radius: 3, ..good.clone() }).contains("2 weights for 3 frames"));
    assert!(refuse(Atadenoise { weights: [0.5, 1.5].into(), ..good }).contains("a weight is not from 0 to 1"));
}

#[test]
fn contradictions_of_sharpening() {
    let good = Cas { divisor: -16.0, border: Border::Clamp, finish: Finish::PLAIN };
    let refuse = |op: Cas| refusal(Op::Cas(op), Pixel::gray(8));
    for divisor in [-4.0, 4.01, 0.0, -1e9, f32::NAN] {
        let said = refuse(Cas { divisor, ..good.clone() });
        assert!(said.contains("is not from -65536 to below -4"), "{said}");
    }
    assert!(refuse(Cas { border: Border::Constant(256.0), ..good.clone() }).contains("the border 256 is no sample"));
    assert!(refuse(Cas { border: Border::Constant(0.5), ..good }).contains("the border 0.5 is no sample"));
}

#[test]
fn contradictions_of_smoothed_steps() {
    let good = Deband {
        thresholds: [5.0].into(),
        places: [[3, 4]].into(),
        blurs: true,
        coupled: false,
        border: Border::Clamp,
    };
    let refuse = |op: Deband| refusal(Op::Deband(op), Pixel::gray(8));
    for threshold in [-1.0, 0.5, 2f32.powi(24), f32::NAN] {
        let said = refuse(Deband { thresholds: [threshold].into(), ..good.clone() });
        assert!(said.contains("is not from 0 to 2^24, or not whole"), "{said}");
    }
    let said = refuse(Deband { thresholds: [1.0, 2.0].into(), ..good.clone() });
    assert!(said.contains("2 thresholds for 1 planes"), "{said}");
    for count in [0, 3, 8192] {
        let said = refuse(Deband { places: vec![[0, 0]; count].into(), ..good.clone() });
        assert!(said.contains("are no power of two up to 4096"), "{said}");
    }
    assert!(
        refuse(Deband { places: [[0, -1025]].into(), ..good.clone() }).contains("places [1025, 0] away are too far")
    );
    assert!(refuse(Deband { border: Border::Constant(256.0), ..good }).contains("the border 256 is no sample"));
}

#[test]
fn contradictions_of_deblocking() {
    let good = Deblock { strong: true, block: 8, limits: [5.0; 4] };
    let refuse = |op: Deblock| refusal(Op::Deblock(op), Pixel::gray(8));
    for block in [0, 3, 513] {
        assert!(refuse(Deblock { block, ..good.clone() }).contains("are not from 4 to 512"));
    }
    for limit in [-1.0, 0.5, 2f32.powi(24), f32::NAN] {
        let said = refuse(Deblock { limits: [1.0, 1.0, limit, 1.0], ..good.clone() });
        assert!(said.contains("is not from 0 to 2^24, or not whole"), "{said}");
    }
}

#[test]
fn contradictions_of_grain() {
    let good = Grain {
        key: 1,
        still: false,
        size: 2,
        black: 16.0,
        scale: 0.005,
        dark: [0.1, 0.1],
        bright: [0.2, -0.1],
        finish: Finish::PLAIN,
    };
    let refuse = |op: Grain| refusal(Op::Grain(op), Pixel::gray(8));
    for size in [0, 9] {
        assert!(refuse(Grain { size, ..good.clone() }).contains("is not from 1 to 8"));
    }
    assert!(refuse(Grain { scale: 0.0, ..good.clone() }).contains("is not above 0"));
    assert!(refuse(Grain { dark: [f32::NAN, 0.0], ..good }).contains("is not below 2^24"));
}

#[test]
fn contradictions_of_blends() {
    let gray = Pixel::gray(8);
    let refuse = |op: Blend| refusal(Op::Blend(op), gray);
    assert!(refuse(Blend::Even(1.5)).contains("not from 0 to 1"));
    assert!(refuse(Blend::Even(f32::NAN)).contains("not from 0 to 1"));
    assert!(refuse(Blend::Inside { columns: 0..5, rows: 0..1, weight: 1.0 }).contains("exceeds the plane"));
    assert!(refuse(Blend::Inside { columns: 0..1, rows: 3..5, weight: 1.0 }).contains("exceeds the plane"));
    let each = |width: usize, weights: Vec<f32>| refuse(Blend::Each { width, weights: weights.into() });
    assert!(each(4, vec![0.5; 15]).contains("15 weights for 4x4 samples"));
    assert!(each(2, vec![0.5; 16]).contains("16 weights for 4x4 samples"));
    assert!(each(4, vec![-0.5; 16]).contains("not from 0 to 1"));

    let format = Arc::new(Format::new(Pixel::yuv420p(8), 4, 4, Rational::new(25, 1)));
    let make = |ops: Vec<Op>| {
        let pass = Pass::new("odd", ops, TimeBorder::Clamp);
        Cpu::new([pass].into(), format.clone(), Pool::heap(), 1)
    };
    let table = Op::Pointwise(Pointwise::Table((0..256).collect()));
    let mixed = make(vec![Op::Blend(Blend::Even(0.5)), Op::Copy, table]).err().expect("an op with another window");
    assert!(mixed.to_string().contains("another window"), "{mixed:#}");
    let mut cpu = make(vec![Op::Blend(Blend::Even(0.5)); 3]).expect("a blend");
    let frame = Pool::heap().frame(&format).expect("memory").freeze(Default::default());
    for (window, second) in [
        (&[Some(&frame)][..], &[][..]),
        (&[Some(&frame)], &[None]),
        (&[Some(&frame)], &[Some(&frame); 2]),
        (&[None], &[Some(&frame)]),
        (&[], &[Some(&frame)]),
        (&[Some(&frame); 2], &[Some(&frame)]),
        (&[Some(&frame); 3], &[]),
    ] {
        assert!(cpu.run(0, &Inputs { second, ..Inputs::new(window) }).is_err(), "two frames are needed");
    }
    assert!(cpu.run(0, &Inputs { second: &[Some(&frame)], ..Inputs::new(&[Some(&frame)]) }).is_ok());
    assert!(cpu.run(1, &Inputs::new(&[Some(&frame)])).is_err(), "there is one pass");
}

#[test]
fn contradictions_of_ranks_and_tables() {
    let gray = Pixel::gray(8);
    let rank = |size: [usize; 3], rank: usize| {
        let op = Rank { size, anchor: [0; 3], rank, border: Border::Clamp, finish: Finish::PLAIN };
        refusal(Op::Rank(op), gray)
    };
    assert!(rank([1, 0, 3], 0).contains("empty"));
    assert!(rank([1, 3, 3], 9).contains("no rank 9 among 9"));
    assert!(rank([1, 300, 300], 0).contains("more than 65535"));
    assert!(rank([usize::MAX, 2, 2], 0).contains("more than 65535"));
    let op = Rank { size: [1; 3], anchor: [0, 1, 0], rank: 0, border: Border::Clamp, finish: Finish::PLAIN };
    assert!(refusal(Op::Rank(op.clone()), gray).contains("anchor"));
    let op = Rank { anchor: [0; 3], border: Border::Constant(256.0), ..op };
    assert!(refusal(Op::Rank(op), gray).contains("border"));
    let float = Pixel { sample: warpreel::frame::Sample::F32, depth: 32, ..gray };
    let table = |entries: Vec<u16>| Op::Pointwise(Pointwise::Table(entries.into()));
    assert!(refusal(table(vec![0; 255]), gray).contains("255 entries where 256"));
    assert!(refusal(table(vec![256; 256]), gray).contains("256 in a table"));
    assert!(refusal(table(vec![0; 256]), float).contains("float samples"));
    let steps = |steps: Vec<PointStep>| Op::Pointwise(Pointwise::Steps { steps, wet: 1.0, dry: 0.0 });
    assert!(refusal(steps(vec![]), gray).contains("integer samples"));
    let after = |op: Op, points: Pointwise| {
        let format = Arc::new(Format::new(gray, 4, 4, Rational::new(25, 1)));
        let planes = vec![PlaneOp { op, after: Some(points) }];
        let pass = Pass { planes, ..Pass::new("odd", vec![], TimeBorder::Clamp) };
        Cpu::new([pass].into(), format, Pool::heap(), 1).err().map(|error| format!("{error:#}")).expect("a refusal")
    };
    let inverted = Pointwise::Table((0..256).rev().collect());
    assert!(after(Op::Copy, inverted.clone()).contains("after single samples"));
    assert!(after(Op::Pointwise(inverted.clone()), inverted).contains("after single samples"));
    let rank = Rank { size: [1; 3], anchor: [0; 3], rank: 0, border: Border::Clamp, finish: Finish::PLAIN };
    assert!(after(Op::Rank(rank), Pointwise::Table([0; 9].into())).contains("9 entries where 256"));
    assert!(refusal(steps(vec![PointStep::Lookup([0.0].into())]), float).contains("fewer than two"));
}
