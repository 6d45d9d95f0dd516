//! The magnitude of the gradient, by several pairs of kernels, in space and in space and time.

use crate::pass::Combine;

use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::{Matrix, Shape, Stencil};
use super::super::value::Values;
use super::super::want::Want;
use super::SCALE;

const DELTA: Parameter =
    Parameter::new("delta", Kind::Number(-65535.0, 65535.0), Preset::Is("0"), "added to the result, except in chroma")
        .unit("sample values");

pub(in super::super) const SOBEL: Spec = Spec {
    name: "sobel",
    elsewhere: &[],
    group: Group::Edge,
    summary: "magnitude of the gradient, by Sobel's kernels",
    description: "sqrt(gx^2 + gy^2) scale + delta with -1 0 1, -2 0 2, -1 0 1 and its transpose, rounded to nearest. \
                  The result has no colour, unless planes selects chroma alone. FFmpeg's filter rounds down, filters alpha \
                  and chroma too, and turns flat chroma to 0, which is green. FFmpeg's filter mirrors like its convolution: with that border, luma and RGB are \
                  within 1 of its bytes.",
    own: &[SCALE, DELTA],
    example: "sobel",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::Zero,
    want: |values, target| {
        let across = Matrix::flat([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]);
        Ok(magnitude(vec![across, Matrix::flat([[-1, -2, -1], [0, 0, 0], [1, 2, 1]])], values, 1.0, target))
    },
    change: None,
};

pub(in super::super) const PREWITT: Spec = Spec {
    name: "prewitt",
    summary: "magnitude of the gradient, by Prewitt's kernels",
    description: "Like sobel, with -1 0 1 in every row.",
    example: "prewitt=scale=2",
    want: |values, target| {
        let across = Matrix::flat([[-1, 0, 1], [-1, 0, 1], [-1, 0, 1]]);
        Ok(magnitude(vec![across, Matrix::flat([[-1, -1, -1], [0, 0, 0], [1, 1, 1]])], values, 1.0, target))
    },
    ..SOBEL
};

pub(in super::super) const SCHARR: Spec = Spec {
    name: "scharr",
    summary: "magnitude of the gradient, by Scharr's kernels",
    description: "Like sobel, with -47 0 47, -162 0 162, -47 0 47, divided by 256 as in FFmpeg; its response depends \
                  least on direction. It is a quarter of sobel's; scale=4 makes them equal.",
    example: "scharr=scale=4",
    want: |values, target| {
        let across = Matrix::flat([[-47, 0, 47], [-162, 0, 162], [-47, 0, 47]]);
        let down = Matrix::flat([[-47, -162, -47], [0, 0, 0], [47, 162, 47]]);
        Ok(magnitude(vec![across, down], values, 1.0 / 256.0, target))
    },
    ..SOBEL
};

pub(in super::super) const ROBERTS: Spec = Spec {
    name: "roberts",
    summary: "magnitude of the gradient, by Roberts' cross",
    description: "Like sobel, with the two diagonals 1 0, 0 -1 and 0 1, -1 0 of the sample and its neighbours to the \
                  left and above. FFmpeg's filter uses two horizontal differences instead.",
    example: "roberts=scale=4",
    want: |values, target| {
        Ok(magnitude(vec![Matrix::flat([[1, 0], [0, -1]]), Matrix::flat([[0, 1], [-1, 0]])], values, 1.0, target))
    },
    ..SOBEL
};

pub(in super::super) const KIRSCH: Spec = Spec {
    name: "kirsch",
    summary: "strongest edge of eight directions, by Kirsch's kernels",
    description: "Largest of the sums with 5 5 5, -3 0 -3, -3 -3 -3 rotated to all eight directions, times scale, plus \
                  delta; rounded to nearest like sobel. FFmpeg's filter does not rotate the kernel but moves its three \
                  5s along the rows, as order=rows does; with the border of its convolution as well, luma and RGB are \
                  within 1 of its bytes.",
    own: &[
        SCALE,
        DELTA,
        Parameter::new(
            "order",
            Kind::Word(&["round", "rows"]),
            Preset::Is("round"),
            "movement of the kernel: round the sample, or along the rows as in FFmpeg",
        ),
    ],
    example: "kirsch=scale=0.2",
    want: |values, target| {
        // The eight neighbours as places of a 3x3 matrix.
        let order = match values.word("order") {
            "rows" => [0, 1, 2, 3, 5, 6, 7, 8],
            _ => [0, 1, 2, 5, 8, 7, 6, 3],
        };
        let turned = |turn: usize| {
            let mut weights = vec![0.0; 9];
            for (index, place) in order.into_iter().enumerate() {
                weights[place] = if (index + turn) % 8 < 3 { 5.0 } else { -3.0 };
            }
            Matrix::centred([1, 3, 3], weights)
        };
        let shape = Shape::Kernels((0..8).map(turned).collect(), Combine::Largest);
        let (scale, bias) = (values.number("scale"), values.number("delta"));
        Ok(colourless(target).unwrap_or(Want::Stencil(Stencil { bias, ..Stencil::scaled(shape, scale) })))
    },
    ..SOBEL
};

pub(in super::super) const MOTION: Spec = Spec {
    name: "motion",
    summary: "magnitude of the gradient in x, y and t",
    description: "sqrt(gx^2 + gy^2 + (weight gt)^2) scale + delta, each the difference of the two neighbours: shows \
                  changes in space or in time.",
    own: &[
        SCALE,
        DELTA,
        Parameter::new("weight", Kind::Number(0.0, 1000.0), Preset::Is("1"), "weight of time against space"),
    ],
    example: "motion=weight=4",
    extent: Extent::Time,
    want: |values, target| {
        let weight = values.number("weight");
        let kernels = vec![
            Matrix::flat([[-1, 0, 1]]),
            Matrix::flat([[-1], [0], [1]]),
            Matrix::centred([3, 1, 1], vec![-weight, 0.0, weight]),
        ];
        Ok(magnitude(kernels, values, 1.0, target))
    },
    ..SOBEL
};

/// `unit` makes up for taps that are larger than the gradient.
fn magnitude(kernels: Vec<Matrix>, values: &Values, unit: f64, target: FormatPlane) -> Want {
    let shape = Shape::Kernels(kernels, Combine::Magnitude);
    let stencil = Stencil::scaled(shape, unit * values.number("scale"));
    colourless(target).unwrap_or(Want::Stencil(Stencil { bias: values.number("delta"), ..stencil }))
}

/// No colour in chroma beside luma: magnitudes are never negative, so that all edges would have one tint.
fn colourless(target: FormatPlane) -> Option<Want> {
    let FormatPlane { pixel, plane, first_too, .. } = target;
    let neutral = f64::from(pixel.neutral(plane));
    let constant = Curve::new(vec![Tone::Multiply(0.0), Tone::Add(neutral)]);
    (pixel.is_chroma(plane) && first_too).then_some(Want::Points(constant))
}
