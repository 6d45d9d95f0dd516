//! Gabor's wavelet: a wave under a Gaussian, which answers to stripes of one width and direction.

use anyhow::{Result, ensure};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::Matrix;
use super::super::value::Values;
use super::super::want::Want;
use super::super::weight;
use super::{ABS, OFFSET, SCALE, derivative};

pub(in super::super) const SPEC: Spec = Spec {
    name: "gabor",
    elsewhere: &[],
    group: Group::Edge,
    summary: "Gabor filter: finds stripes of one width and direction",
    description: "cos(2 pi u / wavelength + phase) exp(-(u^2 + aspect^2 v^2) / (2 sigma^2)), u across the stripes and \
                  v along them, minus its weighted mean, and scaled so that its absolute values sum to 1.",
    own: &[
        Parameter::new("wavelength", Kind::Number(2.0, 200.0), Preset::Is("8"), "width of a stripe and its gap")
            .unit("luma pixels"),
        Parameter::new("angle", Kind::Number(-360.0, 360.0), Preset::Is("0"), "direction: 0 finds vertical stripes")
            .unit("degrees, counterclockwise"),
        Parameter::new("sigma", Kind::Number(0.5, 50.0), Preset::Derived("half a wavelength"), "width of the Gaussian")
            .unit("luma pixels"),
        Parameter::new("phase", Kind::Number(-360.0, 360.0), Preset::Is("0"), "phase: 0 finds lines, 90 edges")
            .unit("degrees"),
        Parameter::new(
            "aspect",
            Kind::Number(0.1, 10.0),
            Preset::Is("0.5"),
            "aspect ratio; below 1 is longer along the stripes",
        ),
        SCALE,
        OFFSET,
        ABS,
    ],
    example: "gabor=wavelength=8:angle=45:abs=1",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::Zero,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let wavelength = values.number("wavelength");
    let sigma = values.typed("sigma").unwrap_or(wavelength / 2.0);
    let (phase, aspect) = (values.number("phase").to_radians(), values.number("aspect"));
    let (sin, cos) = libm::sincos(values.number("angle").to_radians());
    let longest = sigma * aspect.recip().max(1.0);
    let (sx, sy) = (target.scale_x(), target.scale_y());
    let (rx, ry) = (weight::gaussian_radius(longest * sx, 3.0), weight::gaussian_radius(longest * sy, 3.0));
    let size = [1, 2 * ry + 1, 2 * rx + 1];
    ensure!(size[1] * size[2] <= Matrix::MAX_TAPS, "the kernel is {}x{}; type a smaller sigma", size[2], size[1]);
    let (mut wave, mut bell) = (Vec::new(), Vec::new());
    for row in 0..size[1] {
        for column in 0..size[2] {
            let (x, y) = ((column as f64 - rx as f64) / sx, (row as f64 - ry as f64) / sy);
            // Rows are counted downwards, angles upwards.
            let (u, v) = (x * cos - y * sin, x * sin + y * cos);
            let envelope = libm::exp(-(u * u + aspect * aspect * v * v) / (2.0 * sigma * sigma));
            bell.push(envelope);
            wave.push(envelope * libm::cos(std::f64::consts::TAU * u / wavelength + phase));
        }
    }
    let mean = wave.iter().sum::<f64>() / bell.iter().sum::<f64>();
    let wave: Vec<f64> = wave.iter().zip(&bell).map(|(tap, envelope)| tap - mean * envelope).collect();
    let total: f64 = wave.iter().map(|tap| tap.abs()).sum();
    let total = if total > 0.0 { total } else { 1.0 };
    let matrix = Matrix::centred(size, wave.iter().map(|tap| tap / total).collect());
    Ok(derivative(matrix, values, target))
}
