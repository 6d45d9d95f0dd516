//! What the plan makes of kernels, checked by multiplying it back.

use proptest::prelude::*;
use warpreel::filter::{Defaults, Matrix, Shape, Want, parse};
use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{Arithmetic, Border, Combine, Op, TimeBorder};

use super::super::filter::{only, pixels};
use super::{op, planned};

/// The weights of an op by their distance from the sample, t, y, x; those of 0 left out.
fn placed(op: &Op) -> Vec<([isize; 3], f64)> {
    let matrix = match op {
        Op::Copy => Matrix::centred([1, 1, 1], vec![1.0]),
        Op::Separable(op) => {
            let row = |taps: &warpreel::pass::Taps| warpreel::filter::Row {
                weights: taps.weights.iter().map(|weight| f64::from(*weight)).collect(),
                anchor: taps.anchor,
            };
            Matrix::product(&row(&op.t), &row(&op.y), &row(&op.x))
        }
        Op::Dense(op) => {
            let kernel = &op.kernels[0];
            let weights = kernel.weights.iter().map(|weight| f64::from(*weight)).collect();
            Matrix { size: kernel.size, anchor: kernel.anchor, weights }
        }
        _ => panic!("no sums"),
    };
    placed_matrix(&matrix)
}

fn placed_matrix(matrix: &Matrix) -> Vec<([isize; 3], f64)> {
    let [_, rows, columns] = matrix.size;
    let place = |i: usize| {
        let index = [i / columns / rows, i / columns % rows, i % columns];
        [0, 1, 2].map(|axis| index[axis] as isize - matrix.anchor[axis] as isize)
    };
    let used = matrix.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
    used.map(|(i, weight)| (place(i), *weight)).collect()
}

/// The kernel as text of the chain.
fn text(matrix: &Matrix) -> String {
    let [_, rows, columns] = matrix.size;
    let row = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let frame = |frame: &[f64]| frame.chunks(columns).map(row).collect::<Vec<_>>().join(";");
    let frames: Vec<String> = matrix.weights.chunks(rows * columns).map(frame).collect();
    let [t, y, x] = matrix.anchor;
    format!("kernel={}:anchor={x} {y} {t}:scale=1", frames.join("|"))
}

fn any_matrix(weight: impl Strategy<Value = f64> + Clone + 'static) -> impl Strategy<Value = Matrix> {
    (1..4usize, 1..5usize, 1..5usize).prop_flat_map(move |(t, y, x)| {
        (prop::collection::vec(weight.clone(), t * y * x), 0..t, 0..y, 0..x)
            .prop_map(move |(weights, at, ay, ax)| Matrix { size: [t, y, x], anchor: [at, ay, ax], weights })
    })
}

fn any_product(weight: impl Strategy<Value = f64> + Clone + 'static) -> impl Strategy<Value = Matrix> {
    let row = move || prop::collection::vec(weight.clone(), 1..5).prop_map(warpreel::filter::Row::centred);
    (row(), row(), row()).prop_map(|(t, y, x)| Matrix::product(&t, &y, &x))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whole_kernels_come_back_exactly(matrix in any_matrix((-4..4i32).prop_map(f64::from))) {
        let plan = planned(&text(&matrix), Pixel::gray(16));
        let op = plan.steps().first().map_or(Op::Copy, |step| step.pass.planes[0].op.clone());
        prop_assert_eq!(placed(&op), placed_matrix(&matrix));
    }

    #[test]
    fn whole_products_become_separable(matrix in any_product((1..9i32).prop_map(f64::from))) {
        let plan = planned(&text(&matrix), Pixel::gray(8));
        let op = plan.steps().first().map_or(Op::Copy, |step| step.pass.planes[0].op.clone());
        prop_assert_eq!(placed(&op), placed_matrix(&matrix));
        let steps: usize = matrix.size.iter().filter(|size| **size > 1).sum();
        let cheaper = steps < matrix.weights.len() || matrix.size.iter().filter(|size| **size > 1).count() < 2;
        prop_assert!(!cheaper || !matches!(op, Op::Dense(_)), "{:?} of {:?}", op, matrix);
    }

    #[test]
    fn real_products_come_back_within_a_rounding(matrix in any_product(prop_oneof![-2.0..-0.1, 0.1..2.0])) {
        let op = op(&text(&matrix), Pixel::gray(8));
        let (found, wanted) = (placed(&op), placed_matrix(&matrix));
        let largest = wanted.iter().map(|(_, weight)| weight.abs()).fold(0.0, f64::max);
        for ((place, found), (expected, wanted)) in found.iter().zip(&wanted) {
            prop_assert_eq!(place, expected);
            prop_assert!((found - wanted).abs() < 3e-7 * largest, "{} for {} at {:?}", found, wanted, place);
        }
        let steps: usize = matrix.size.iter().filter(|size| **size > 1).sum();
        prop_assert!(steps >= matrix.weights.len() || matches!(op, Op::Separable(_)));
    }

    #[test]
    fn real_kernels_are_rounded_once(matrix in any_matrix(-2.0..2.0)) {
        let op = op(&text(&matrix), Pixel::gray(8));
        if let Op::Dense(_) = op {
            let rounded = placed_matrix(&matrix).into_iter().map(|(place, weight)| (place, f64::from(weight as f32)));
            prop_assert_eq!(placed(&op), rounded.collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_product_that_is_off_by_more_than_a_rounding_stays_dense() {
    let taps = |off: f64| {
        let mut matrix = Matrix::centred([1, 5, 5], (0..25).map(|i| 1.1f64.powi(i % 5) * 0.7f64.powi(i / 5)).collect());
        matrix.weights[12] += off;
        text(&matrix)
    };
    assert!(matches!(op(&taps(1e-8), Pixel::gray(8)), Op::Separable(_)));
    assert!(matches!(op(&taps(1e-5), Pixel::gray(8)), Op::Dense(_)));
}

#[test]
fn whole_sums_are_exact_while_they_fit() {
    let arithmetic = |text: &str, pixel| match op(text, pixel) {
        Op::Separable(op) => op.arithmetic,
        Op::Dense(op) => op.arithmetic,
        other => panic!("{text} becomes {other:?}"),
    };
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(16) };
    assert_eq!(arithmetic("binomial=2", Pixel::gray(16)), Arithmetic::Integer);
    assert_eq!(arithmetic("binomial=2", float), Arithmetic::Real);
    assert_eq!(arithmetic("gaussian", Pixel::gray(8)), Arithmetic::Real);
    // 32768 · 65535 < 2³¹, and 32769 · 65535 is not.
    assert_eq!(arithmetic("kernel=32767 1", Pixel::gray(16)), Arithmetic::Integer);
    assert_eq!(arithmetic("kernel=32768 1:scale=1", Pixel::gray(16)), Arithmetic::Real);
    assert_eq!(arithmetic("kernel=32768 -1", Pixel::gray(16)), Arithmetic::Real);
    // A pipe may bring as large samples whatever the format says.
    assert_eq!(arithmetic("kernel=32768 1", Pixel::gray(14)), Arithmetic::Real);
    // What stands between two steps must fit too.
    assert_eq!(arithmetic("kernel='1 0; 0 0'", Pixel::gray(8)), Arithmetic::Integer);
    assert_eq!(arithmetic("sobel", Pixel::gray(16)), Arithmetic::Integer);
}

#[test]
fn zeros_at_the_edges_are_left_out() {
    let Op::Dense(op) = op(
        "kernel='0 0 0 0 0; 0 1 2 0 0; 0 3 4 0 0; 0 0 0 0 0 | 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0'",
        Pixel::gray(8),
    ) else {
        panic!("not dense");
    };
    // The anchor is in the second frame, third row and third column, and has to stay inside.
    assert_eq!((op.kernels[0].size, op.kernels[0].anchor), ([2, 2, 2], [1, 1, 1]));
    assert_eq!(planned("kernel=0 0 | 1 1 | 0 0", Pixel::gray(8)).latency(), 0);
    assert_eq!(planned("kernel=0 0 0", Pixel::gray(8)).steps().len(), 1, "black is not the same as a copy");
}

#[test]
fn what_does_nothing_is_left_out() {
    let plan = planned(
        "gaussian=0,convolution=1m=1:1rdiv=1,unsharp=la=0,kernel=0 1 0,box=0,tmix=1,sharpen=0,gaussian=planes=0",
        Pixel::yuv420p(8),
    );
    assert!(plan.steps().is_empty());
    assert_eq!(plan.dropped().len(), 8);
    assert_eq!(plan.latency(), 0);
    let plan = planned("unsharp", Pixel::yuv420p(8));
    assert!(matches!(plan.steps()[0].pass.ops().collect::<Vec<_>>()[..], [Op::Separable(_), Op::Copy, Op::Copy]));
}

#[test]
fn the_largest_smoothing_still_sums_to_one() {
    for text in [
        "box=250:passes=8",
        "box=1000:passes=2",
        "box3d=100:64:passes=8",
        "binomial=100",
        "gaussian=1000:truncate=8",
        "gaussian3d=100:100",
        "disk=400",
        "motionblur=900:33",
        "tmix=1024:weights=1000 2000 3000",
        "unsharp=127:127:-1",
        "highboost=10:100",
    ] {
        for pixel in [Pixel::yuv420p(8), Pixel::yuv420p(16)] {
            let plan = planned(text, pixel);
            let op = &plan.steps()[0].pass.planes[0].op;
            let sum = |weights: &[f32]| weights.iter().map(|weight| f64::from(*weight)).sum::<f64>();
            let (sums, finish) = match op {
                Op::Separable(op) => (sum(&op.t.weights) * sum(&op.x.weights) * sum(&op.y.weights), op.finish),
                Op::Dense(op) => (sum(&op.kernels[0].weights), op.finish),
                other => panic!("{text} becomes {other:?}"),
            };
            assert!(((sums * f64::from(pixel.peak())) as f32).is_finite(), "{text}: sums overflow");
            let gain = sums * f64::from(finish.scale) + f64::from(finish.dry);
            assert!((gain - 1.0).abs() < 2e-6, "{text} in {}: {gain}", pixel.name());
        }
    }
}

#[test]
fn latency_is_the_sum_of_reaches() {
    let plan = planned("tmix=5,tmix=4,tdiff,gaussian3d=sigma_t=1:border_t=zero", Pixel::gray(8));
    let reaches: Vec<usize> = plan.passes().iter().map(warpreel::pass::Pass::reach).collect();
    assert_eq!(reaches, [2, 2, 1, 3]);
    assert_eq!(plan.latency(), 8);
    assert_eq!(plan.steps()[3].pass.border_t, TimeBorder::Zero);
    assert_eq!(plan.steps()[0].pass.border_t, TimeBorder::Clamp);
}

#[test]
fn chroma_is_narrower_by_its_subsampling() {
    for (text, expected) in [("gaussian=2", [13, 7]), ("box=3", [7, 5]), ("binomial=4", [9, 3])] {
        let plan = planned(text, Pixel::yuv420p(8));
        let widths = [0, 1].map(|plane| match &plan.steps()[0].pass.planes[plane].op {
            Op::Separable(op) => op.x.weights.len(),
            op => panic!("{op:?}"),
        });
        assert_eq!(widths, expected, "{text}");
    }
    // Across alone in 4:2:2.
    let plan = planned("box=1", Pixel::integer(warpreel::frame::Family::Yuv, 1, 0, 8));
    let Op::Separable(op) = &plan.steps()[0].pass.planes[1].op else { panic!("not separable") };
    assert_eq!((&op.x.weights[..], &op.y.weights[..]), (&[1.0, 4.0, 1.0][..], &[1.0, 1.0, 1.0][..]));
}

#[test]
fn variance_is_the_same_in_all_planes() {
    let variance = |row: &warpreel::filter::Row| {
        let at = |i: usize| (i as f64 - row.anchor as f64).powi(2);
        row.weights.iter().enumerate().map(|(i, weight)| weight * at(i)).sum::<f64>() / row.sum()
    };
    for radius in 1..20 {
        let filter = only(&format!("binomial={radius}"));
        for pixel in pixels() {
            for plane in (0..pixel.planes()).filter(|plane| !pixel.is_alpha(*plane)) {
                let Want::Stencil(stencil) = filter.wanted(pixel, plane).expect("wanted").want else {
                    panic!("copied")
                };
                let Shape::Product { x, .. } = stencil.shape else { panic!("no product") };
                let scale = f64::from(1u32 << pixel.subsampling(plane).0);
                let found = variance(&x) * scale * scale;
                assert!(
                    (found - f64::from(radius) / 2.0).abs() < 1e-9,
                    "{radius} in {} plane {plane}: {found}",
                    pixel.name()
                );
            }
        }
    }
}

#[test]
fn a_lowpass_has_its_own_width_in_each_plane() {
    let radii = |text: &str, pixel: Pixel| -> Vec<usize> {
        let plan = planned(text, pixel);
        let radius = |op: &Op| match op {
            Op::Separable(op) => op.x.anchor,
            Op::Copy => 0,
            other => panic!("{text} becomes {other:?}"),
        };
        plan.steps()[0].pass.ops().map(radius).collect()
    };
    let all = Pixel { alpha: true, ..Pixel::yuv420p(8) };
    assert_eq!(radii("lowpass=planes=all", all), [3, 3, 3, 3], "no plane is scaled");
    assert_eq!(radii("lowpass='2 0 1':planes=all", all), [6, 0, 3, 3], "the last is repeated");
    assert_eq!(radii("lowpass='2 0 1 4':planes=all", Pixel { alpha: true, ..Pixel::gray(8) }), [6, 12]);
    let Op::Separable(op) = op("lowpass=cutoff=0.125:truncate=8", Pixel::gray(8)) else { panic!("not separable") };
    let wave = |(i, weight): (usize, &f32)| {
        let place = i as f64 - op.x.anchor as f64;
        f64::from(*weight) * (2.0 * std::f64::consts::PI * 0.125 * place).cos()
    };
    let left: f64 = op.x.weights.iter().enumerate().map(wave).sum();
    assert!((left - 0.5).abs() < 1e-5, "{left} of a wave of eight samples is left");
    for (text, hint) in [
        ("lowpass=sigma=1:cutoff=0.2", "leave one of them out"),
        ("lowpass=cutoff=0.6", "type 0.0002 to 0.5, or 0"),
        ("lowpass=-1", "type 0 to 1000"),
        ("lowpass='1 2 3 4 5'", "type one for each plane"),
    ] {
        let refusal = parse(text, &Defaults::default()).expect_err("a wrong value");
        assert_eq!(refusal.hint, hint);
    }
}

#[test]
fn last_steps_and_borders_are_lowered() {
    let Op::Dense(dense) = op("kernel='1 2; 3 5':scale=1/11:bias=0.5:border=0.25", Pixel::gray(10)) else {
        panic!("not dense");
    };
    assert_eq!((dense.finish.scale, dense.finish.dry), ((1.0f64 / 11.0) as f32, 0.0));
    assert_eq!((dense.finish.bias, dense.border), (511.5, Border::Constant(256.0)));
    let Op::Separable(op) = op("unsharp=3:3:2", Pixel::gray(8)) else { panic!("not separable") };
    assert_eq!((op.finish.scale, op.finish.dry, op.finish.bias), (-0.125, 3.0, 0.0));
    let plan = planned("sobel=border=zero:planes=chroma,kernel=-1 1:abs=1", Pixel::yuv420p(8));
    let Op::Dense(dense) = &plan.steps()[0].pass.planes[2].op else { panic!("not dense") };
    assert_eq!((dense.combine, dense.finish.bias, dense.border), (Combine::Magnitude, 128.0, Border::Constant(128.0)));
    let Op::Dense(dense) = &plan.steps()[1].pass.planes[0].op else { panic!("not dense") };
    assert_eq!(dense.combine, Combine::Max);
}

#[test]
fn planes_that_a_format_has_not_are_refused() {
    let format = std::sync::Arc::new(warpreel::frame::Format::new(
        Pixel::yuv420p(8),
        4,
        4,
        warpreel::frame::Rational::new(25, 1),
    ));
    let err = warpreel::plan::plan(&[only("gaussian=planes=rgb")], &format).expect_err("no such planes");
    assert_eq!(
        format!("{err:#}"),
        "plan \"gaussian=planes=rgb\": planes=rgb names no plane of yuv420p; type letters out of yuv"
    );
    assert!(warpreel::plan::plan(&[only("gaussian=planes=ya")], &format).is_ok());
}
