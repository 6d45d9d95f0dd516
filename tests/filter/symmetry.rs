//! Mirrored pictures through every filter of the table that does not tell left from right.

use warpreel::filter::{Matrix, Pick, Shape, Want};
use warpreel::frame::Pixel;
use warpreel::pass::{Combine, Op};

use super::call::{bordered, for_all};
use super::only;
use super::property::{noise, want};
use crate::stage::{Clip, format, run};

/// A matrix with its columns in the opposite order.
fn mirrored(matrix: &Matrix) -> Matrix {
    let columns = matrix.size[2];
    let weights = matrix.weights.chunks(columns).flat_map(|row| row.iter().rev().copied()).collect();
    let [t, y, x] = matrix.anchor;
    Matrix { size: matrix.size, anchor: [t, y, columns - 1 - x], weights }
}

/// Whether left and right are alike to a filter.
fn is_symmetric(want: &Want) -> bool {
    let near = |a: &[f64], b: &[f64], sign: f64| std::iter::zip(a, b).all(|(a, b)| (a - sign * b).abs() < 1e-12);
    let alike =
        |a: &Matrix, b: &Matrix, sign| a.anchor == b.anchor && a.size == b.size && near(&a.weights, &b.weights, sign);
    match want {
        Want::Copy | Want::Points(_) | Want::Steady(_) => true,
        Want::Picks(picks) => picks.iter().all(|Pick { size, anchor, .. }| 2 * anchor[2] + 1 == size[2]),
        // Blocks are counted from the left, and of two that are equally like the left one comes first.
        Want::Operation(Op::Bm3d(_)) => false,
        Want::OperationThen(op, _) => op.facts().reach().size() == [1; 3],
        Want::Operation(op) => op.facts().reach().before[2] == op.facts().reach().after[2],
        Want::Stencil(stencil) => match &stencil.shape {
            Shape::Product { x, .. } => {
                let turned: Vec<f64> = x.weights.iter().rev().copied().collect();
                2 * x.anchor + 1 == x.weights.len() && near(&x.weights, &turned, 1.0)
            }
            Shape::Kernels(kernels, combine) => kernels.iter().all(|kernel| {
                let turned = mirrored(kernel);
                let signed = matches!(combine, Combine::Magnitude | Combine::Max);
                kernels.iter().any(|other| alike(&turned, other, 1.0) || (signed && alike(&turned, other, -1.0)))
            }),
        },
    }
}

/// A mirrored picture gives the mirrored result where the kernel is symmetric: exactly where integers are summed or
/// picked, within a rounding where reals are.
#[test]
fn symmetry() {
    let checked = std::cell::Cell::new(0);
    for_all(300, |spec, text| {
        let border = ["reflect101", "clamp", "reflect", "wrap", "zero"][text.len() % 5];
        let text = bordered(spec, text, border, "clamp");
        let filter = only(&text);
        let pixel = Pixel::yuv420p([8, 12][text.len() / 5 % 2]);
        let wants: Vec<Want> = (0..3).map(|plane| want(&filter, pixel, plane)).collect();
        // Of two edges that fit equally well yadif takes the first. Chroma lies beside the left pixel. What is random differs
        // from place to place.
        let through_rgb =
            ["lut1d", "lut3d", "curves", "vibrance", "colorchannelmixer", "colortemperature"].contains(&spec.name);
        if through_rgb
            || ["yadif", "deband", "deblock", "grain"].contains(&spec.name)
            || !wants.iter().all(is_symmetric)
        {
            return;
        }
        checked.set(checked.get() + 1);
        let (width, height) = (14, 8);
        let format = format(pixel, width, height);
        let mirror = |clip: &Clip| -> Clip {
            let plane = |(index, samples): (usize, &Vec<f32>)| -> Vec<f32> {
                samples.chunks(format.plane_size(index).0).flat_map(|row| row.iter().rev().copied()).collect()
            };
            clip.iter().map(|planes| planes.iter().enumerate().map(plane).collect()).collect()
        };
        let input = noise(pixel, width, height, 3, 9);
        let expected = mirror(&run(&text, &format, &input));
        let found = run(&text, &format, &mirror(&input));
        for (found, expected) in std::iter::zip(&found, &expected) {
            for plane in 0..3 {
                let whole = match &wants[plane] {
                    Want::Stencil(stencil) => match &stencil.shape {
                        Shape::Product { t, y, x } => {
                            [t, y, x].iter().all(|row| row.weights.iter().all(|weight| weight.fract() == 0.0))
                        }
                        Shape::Kernels(kernels, combine) => {
                            let whole = |kernel: &Matrix| kernel.weights.iter().all(|weight| weight.fract() == 0.0);
                            // Squares are added in the order of the kernels.
                            *combine != Combine::Magnitude && kernels.iter().all(whole)
                        }
                    },
                    _ => true,
                };
                let step = if whole { 0.0 } else { 1.0 };
                for (found, expected) in std::iter::zip(&found[plane], &expected[plane]) {
                    assert!((found - expected).abs() <= step, "{text}: {found} and {expected} in plane {plane}");
                }
            }
        }
    });
    assert!(checked.get() > 100, "{} filters are symmetric", checked.get());
}
