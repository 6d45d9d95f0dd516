//! The Gaussian, in space, and in space and time.

use anyhow::{Result, ensure};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::Row;
use super::super::value::Values;
use super::super::want::Want;
use super::super::weight;
use crate::frame::Sample;
use crate::pass::{Border, Boxes, Finish, Op};

const SIGMA: Parameter =
    Parameter::new("sigma", Kind::Number(0.0, 1000.0), Preset::Is("1"), "standard deviation in x; 0 does nothing")
        .unit("luma pixels")
        .or(&["sigma_x", "s"]);
const SIGMA_Y: Parameter =
    Parameter::new("sigma_y", Kind::Number(0.0, 1000.0), Preset::Derived("as sigma"), "standard deviation in y")
        .unit("luma pixels")
        .or(&["sigmaV"]);
const TRUNCATE: Parameter = Parameter::new(
    "truncate",
    Kind::Number(0.5, 8.0),
    Preset::Is("3"),
    "cutoff: the radius is truncate times sigma, rounded",
)
.unit("standard deviations");
const RADIUS: Parameter = Parameter::new(
    "radius",
    Kind::Count(0, 8000),
    Preset::Derived("truncate times sigma"),
    "cutoff as a radius, instead of truncate",
)
.unit("luma pixels");

const BOXES: Parameter = Parameter::new(
    "boxes",
    Kind::Count(0, 6),
    Preset::Is("0"),
    "number of box blurs in place of the Gaussian; 0 is the Gaussian itself",
);
/// Samples; below, widths are too coarse to meet a sigma.
const LEAST_BOXED: f64 = 5.0;

pub(in super::super) const SPEC: Spec = Spec {
    name: "gaussian",
    elsewhere: &["gblur", "gauss", "gaussianblur", "GaussianBlur", "blur"],
    group: Group::Smooth,
    summary: "Gaussian blur of any sigma, also different in x and y",
    description: "The Gaussian is sampled, cut off at truncate standard deviations or at radius, and scaled to sum to \
                  1, as in SciPy. FFmpeg's gblur is a recursive approximation, so its bytes differ. With boxes the \
                  time does not depend on sigma, so that a long blur is several times faster on a CPU. Boxes are exact \
                  integer sums that approximate the Gaussian: at an edge three boxes are within 1.5 % of the edge's \
                  height, four within 1.2 %, five within 0.9 % and six within 0.8 %. Planes in which sigma is less \
                  than 5 samples, and float samples, get the Gaussian itself.",
    own: &[SIGMA, SIGMA_Y, TRUNCATE, RADIUS, BOXES],
    example: "gaussian=sigma=2",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| {
        if let Some(boxes) = boxes(values, target)? {
            return Ok(boxes);
        }
        let (x, y) = rows(values, target);
        Ok(Want::smooth(x, y))
    },
    change: None,
};

pub(in super::super) const IN_TIME: Spec = Spec {
    name: "gaussian3d",
    elsewhere: &[],
    group: Group::Smooth,
    summary: "Gaussian blur in space and time",
    description: "The gaussian filter, with a Gaussian across frames as well; centred, so that the picture does not \
                  shift in time.",
    own: &[
        SIGMA,
        Parameter::new("sigma_t", Kind::Number(0.0, 100.0), Preset::Is("1"), "standard deviation in time")
            .unit("frames"),
        SIGMA_Y,
        TRUNCATE,
        RADIUS,
    ],
    example: "gaussian3d=sigma=1.5:sigma_t=1",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want: in_time,
    change: None,
};

fn in_time(values: &Values, target: FormatPlane) -> Result<Want> {
    let sigma = values.number("sigma_t");
    let t = weight::gaussian(sigma, weight::gaussian_radius(sigma, values.number("truncate")));
    let (x, y) = rows(values, target);
    Ok(Want::smooth_in_time(t, x, y))
}

/// Boxes in place of the bell, where they are asked for and serve.
fn boxes(values: &Values, target: FormatPlane) -> Result<Option<Want>> {
    let count = values.count("boxes");
    if count == 0 {
        return Ok(None);
    }
    ensure!(values.typed("radius").is_none(), "boxes have no radius; leave out radius, or boxes");
    let sigmas = sigmas(values, target);
    if target.pixel.sample == Sample::F32 || sigmas.iter().any(|sigma| *sigma > 0.0 && *sigma < LEAST_BOXED) {
        return Ok(None);
    }
    let [x, y] = sigmas.map(|sigma| weight::boxes(sigma, count));
    let mut op = Boxes { y, x, border: Border::default(), finish: Finish::PLAIN };
    op.finish.scale = (1.0 / op.steps(target.pixel).gain) as f32;
    Ok(Some(Want::Operation(Op::Boxes(op))))
}

/// Across and down, in samples of this plane.
fn sigmas(values: &Values, target: FormatPlane) -> [f64; 2] {
    let sigma = values.number("sigma");
    [sigma * target.scale_x(), values.typed("sigma_y").unwrap_or(sigma) * target.scale_y()]
}

/// Across and down, for this plane.
fn rows(values: &Values, target: FormatPlane) -> (Row, Row) {
    let row = |sigma: f64, scale: f64| {
        let radius = match values.typed("radius") {
            Some(radius) => (radius * scale).ceil() as usize,
            None => weight::gaussian_radius(sigma, values.number("truncate")),
        };
        weight::gaussian(sigma, radius)
    };
    let [x, y] = sigmas(values, target);
    (row(x, target.scale_x()), row(y, target.scale_y()))
}
