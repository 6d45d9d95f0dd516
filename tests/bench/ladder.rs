//! The ladder of kernels: its device code compiles for every GPU, and where there is a GPU each rung gives the oracle's
//! bits. Without a GPU the CPU's part of the table is there.

use std::sync::Arc;

use warpreel::backend::cuda::ladder::{self, Ladder, RUNGS};
use warpreel::backend::cuda::limit;
use warpreel::bench::schema::Record;
use warpreel::bench::synthetic::noise;
use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Format, Pixel, Pool, Rational};
use warpreel::pass::{
    Arithmetic, Border, Combine, Correction, Dense, Finish, Kernel, Op, OverlayPlace, Pass, Scan, TimeBorder,
};
use warpreel::plan::plan;

use crate::device::device;
use crate::kernel::nvrtc;
use crate::oracle;
use crate::program::Bench;

const BORDERS: [Border; 6] =
    [Border::Constant(0.0), Border::Clamp, Border::Reflect101, Border::Reflect, Border::Wrap, Border::Lopsided];

fn op(size: [usize; 2], anchor: [usize; 2], arithmetic: Arithmetic, border: Border) -> Dense {
    let weight = |i: usize| match arithmetic {
        Arithmetic::Integer => (i * 7 % 11) as f32 - 3.0,
        Arithmetic::Real => (i * 7 % 11) as f32 * 0.0137 - 0.03,
    };
    let weights = (0..size[0] * size[1]).map(weight).collect();
    Dense {
        kernels: vec![Kernel { size: [1, size[0], size[1]], anchor: [0, anchor[0], anchor[1]], weights }],
        combine: Combine::Sum,
        arithmetic,
        border,
        finish: Finish { scale: 0.07, dry: 0.25, bias: 3.5 },
    }
}

/// Kernels of all kinds, small enough for the oracle.
fn ops() -> Vec<Dense> {
    let mut ops = Vec::new();
    for border in BORDERS.into_iter().chain([Border::Constant(200.0)]) {
        for arithmetic in [Arithmetic::Integer, Arithmetic::Real] {
            ops.push(op([3, 3], [1, 1], arithmetic, border));
            ops.push(op([5, 8], [4, 0], arithmetic, border));
        }
    }
    ops
}

#[test]
fn every_rung_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    for arch in [70, 80, 90, 100].into_iter().filter(|arch| nvrtc.target(*arch) == Some(*arch)) {
        let code = |name, source, options: &[String]| {
            let code = nvrtc.compile(name, source, options).unwrap_or_else(|error| panic!("sm_{arch}: {error:#}"));
            assert!(code.starts_with(b"\x7fELF"), "machine code is an ELF file");
        };
        code("limit.cu", limit::SOURCE, &limit::options(arch));
        let largest = op([ladder::LARGEST; 2], [60, 60], Arithmetic::Integer, Border::Clamp);
        for op in ops().into_iter().step_by(3).chain([largest]) {
            let options = [limit::options(arch), ladder::defines(&op).expect("a kernel")].concat();
            code("ladder.cu", ladder::SOURCE, &options);
        }
    }
}

#[test]
fn every_rung_gives_the_oracles_bits() {
    let Some(device) = device() else { return };
    for (index, op) in ops().into_iter().enumerate() {
        for (width, height) in [(1, 1), (3, 2), (32, 16), (33, 17), (70, 45)] {
            let format = Arc::new(Format::new(Pixel::gray(8), width, height, Rational::new(25, 1)));
            let frame = noise(&format, &Pool::heap(), index as u32).expect("memory");
            let pass = Pass::new("ladder", vec![Op::Dense(op.clone())], TimeBorder::Clamp);
            let facts = (1.0, Scan::default(), Correction::NONE, OverlayPlace::default());
            let wanted = oracle::plane(&pass, &format, &[Some(&frame)], facts, 0);
            let samples: Vec<u8> = frame.host().expect("a frame on the host").rows(0).flatten().copied().collect();
            let ladder = Ladder::new(device, &op, width, height, &[samples]).expect("a ladder");
            for rung in RUNGS {
                let made: Vec<f32> = ladder.run(rung).expect("a plane").into_iter().map(f32::from).collect();
                assert_eq!(made, wanted, "{rung}, {width}x{height}, {op:#?}");
            }
        }
    }
}

#[test]
fn the_limits_of_a_gpu() {
    let Some(device) = device() else { return };
    let limits = limit::measure(device, 12_441_600).expect("limits");
    let text = format!("{limits:#?}");
    for figure in [limits.copy_gb_s, limits.real_gop_s, limits.integer_gop_s, limits.launch_us, limits.pageable_up_gb_s]
    {
        assert!(figure > 0.0 && figure.is_finite(), "{text}");
    }
    assert!(limits.duplex_gb_s <= 1.1 * limits.pinned_up_gb_s.max(limits.pinned_down_gb_s), "{text}");
    assert!(limits.piece_up_gb_s < limits.pinned_up_gb_s, "{text}");
}

#[test]
fn the_table() {
    let folder = Bench::new();
    let arguments = ["bench", "ladder", "--sizes", "64x48,200x100", "--json", "out.json"];
    let table = String::from_utf8(folder.pass(&arguments)).expect("text");
    let record = Record::parse(&std::fs::read_to_string(folder.path("out.json")).expect("a file")).expect("a result");
    let names: Vec<_> = record.ladder.iter().map(|rung| rung.name.as_str()).collect();
    let each = if record.machine.gpu.is_some() {
        vec!["basic", "constant", "tiled", "cached", "production", "cpu"]
    } else {
        vec!["cpu"]
    };
    assert_eq!(names, [each.clone(), each].concat(), "{table}");
    for rung in &record.ladder {
        assert_eq!(rung.operations_per_byte, 9.0, "18 operations for two bytes");
        assert!(rung.per_plane.p50_ms > 0.0 && rung.memory_share > 0.0 && rung.arithmetic_share > 0.0, "{rung:#?}");
    }
    assert!(table.contains("200x100") && table.contains("op/byte"), "{table}");
}

#[test]
fn kernels_that_are_none_for_the_ladder() {
    let format = Arc::new(Format::new(Pixel::gray(8), 64, 64, Rational::new(25, 1)));
    let dense = |chain: &str| {
        let chain = parse(chain, &Defaults::default()).expect("a chain");
        warpreel::bench::ladder::dense(&plan(&chain, &format).expect("a plan"))
    };
    let blur = dense("gaussian=sigma=1").expect("the product of its factors");
    assert_eq!(blur.kernels.len(), 1);
    assert!((blur.kernels[0].weights.iter().sum::<f32>() * blur.finish.scale - 1.0).abs() < 1e-5);
    for (chain, hint) in [
        ("tmix=frames=3", "one frame"),
        ("box=radius=1,box=radius=2", "one filter"),
        ("gaussian=sigma=0", "one filter"),
    ] {
        let error = format!("{:#}", dense(chain).expect_err("no kernel for the ladder"));
        assert!(error.contains(hint), "{chain}: {error}");
    }
    for (op, hint) in [
        (op([128, 3], [1, 1], Arithmetic::Real, Border::Wrap), "127"),
        (Dense { kernels: vec![], ..op([3, 3], [1, 1], Arithmetic::Real, Border::Wrap) }, "one kernel"),
    ] {
        let error = format!("{:#}", ladder::defines(&op).expect_err("no kernel for the ladder"));
        assert!(error.contains(hint), "{error}");
    }
}
