//! The Laplacian, of the picture and of its Gaussian.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::sharpen::sharpen::{NEIGHBOURS, around};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::{Matrix, Row};
use super::super::value::Values;
use super::super::weight;
use super::{ABS, OFFSET, SCALE, derivative};

pub(in super::super) const SPEC: Spec = Spec {
    name: "laplacian",
    elsewhere: &["laplace"],
    group: Group::Edge,
    summary: "the Laplacian, 3x3",
    description: "Sum of the neighbours minus as many times the sample: 0 1 0, 1 -4 1, 0 1 0, or with corners 1 1 1, 1 \
                  -8 1, 1 1 1. To sharpen with it, use sharpen.",
    own: &[NEIGHBOURS, SCALE, OFFSET, ABS],
    example: "laplacian=offset=0.5",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::Zero,
    want: |values, target| {
        let (mut matrix, count) = around(values.word("neighbours"));
        matrix.weights[4] = -count;
        Ok(derivative(matrix, values, target))
    },
    change: None,
};

pub(in super::super) const OF_GAUSSIAN: Spec = Spec {
    name: "log",
    elsewhere: &[],
    summary: "Laplacian of Gaussian",
    description: "Laplacian of a picture blurred by a Gaussian, times sigma squared, so that blobs of all sizes \
                  respond alike. The taps sum to 0 as exactly as possible.",
    own: &[
        Parameter::new("sigma", Kind::Number(0.5, 100.0), Preset::Is("1.5"), "standard deviation of the Gaussian")
            .unit("luma pixels"),
        SCALE,
        OFFSET,
        ABS,
    ],
    example: "log=sigma=2:offset=0.5",
    want: |values, target| Ok(derivative(laplacian_of_gaussian(values, target), values, target)),
    ..SPEC
};

fn laplacian_of_gaussian(values: &Values, target: FormatPlane) -> Matrix {
    let sigma = values.number("sigma");
    let bell = |scale: f64| weight::gaussian(sigma * scale, weight::gaussian_radius(sigma * scale, 4.0).max(1));
    let (x, y) = (bell(target.scale_x()), bell(target.scale_y()));
    let one = Row::identity();
    let across = Matrix::product(&one, &y, &curvature(&x, sigma * target.scale_x()));
    let mut matrix = Matrix::product(&one, &curvature(&y, sigma * target.scale_y()), &x);
    for (sum, tap) in matrix.weights.iter_mut().zip(across.weights) {
        *sum += tap;
    }
    matrix
}

/// The second derivative of a Gaussian, times sigma squared, less what its samples sum to.
fn curvature(bell: &Row, sigma: f64) -> Row {
    let at = |i: usize| (i as f64 - bell.anchor as f64) / sigma;
    let raw: Vec<f64> = bell.weights.iter().enumerate().map(|(i, w)| w * (at(i) * at(i) - 1.0)).collect();
    let sum: f64 = raw.iter().sum();
    Row { weights: raw.iter().zip(&bell.weights).map(|(tap, w)| tap - sum * w).collect(), anchor: bell.anchor }
}
