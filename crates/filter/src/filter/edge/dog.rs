//! The difference of two Gaussians.

use anyhow::{Result, ensure};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::{Matrix, Row};
use super::super::value::Values;
use super::super::want::Want;
use super::super::weight;
use super::{ABS, OFFSET, SCALE, derivative};

pub(in super::super) const SPEC: Spec = Spec {
    name: "dog",
    elsewhere: &[],
    group: Group::Edge,
    summary: "difference of two Gaussians: keeps a band of detail",
    description: "The narrower Gaussian minus the wider one: keeps detail larger than sigma and smaller than sigma2.",
    own: &[
        Parameter::new(
            "sigma",
            Kind::Number(0.0, 100.0),
            Preset::Is("1"),
            "standard deviation of the narrower Gaussian",
        )
        .unit("luma pixels"),
        Parameter::new(
            "sigma2",
            Kind::Number(0.0, 100.0),
            Preset::Derived("1.6 times sigma"),
            "standard deviation of the wider Gaussian",
        )
        .unit("luma pixels"),
        SCALE,
        OFFSET,
        ABS,
    ],
    example: "dog=sigma=1:sigma2=3:offset=0.5",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::Zero,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let sigma = values.number("sigma");
    let wide = values.typed("sigma2").unwrap_or(1.6 * sigma);
    ensure!(wide > sigma, "sigma2={wide} is not above sigma={sigma}; type sigma2={}", 1.6 * sigma.max(1.0));
    let rows = |sigma: f64, scale: f64| -> (Row, usize) {
        let radius = weight::gaussian_radius(sigma * scale, 3.0);
        (weight::gaussian(sigma * scale, radius), radius)
    };
    let product = |sigma: f64| -> (Matrix, usize, usize) {
        let ((x, rx), (y, ry)) = (rows(sigma, target.scale_x()), rows(sigma, target.scale_y()));
        (Matrix::product(&Row::identity(), &y, &x), rx, ry)
    };
    let ((inner, rx, ry), (outer, wide_x, wide_y)) = (product(sigma), product(wide));
    let mut weights: Vec<f64> = outer.weights.iter().map(|tap| -tap).collect();
    for y in 0..inner.size[1] {
        for x in 0..inner.size[2] {
            let place = (y + wide_y - ry) * outer.size[2] + x + wide_x - rx;
            weights[place] += inner.weights[y * inner.size[2] + x];
        }
    }
    Ok(derivative(Matrix { weights, ..outer }, values, target))
}
