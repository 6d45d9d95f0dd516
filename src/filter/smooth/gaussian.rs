//! The Gaussian, in space, and in space and time.

use anyhow::Result;

use super::super::parameter::{Kind, Parameter, Preset, Values};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::Row;
use super::super::want::Want;
use super::super::weight;

const SIGMA: Parameter =
    Parameter::new("sigma", Kind::Number(0.0, 1000.0), Preset::Is("1"), "standard deviation across; 0 does nothing")
        .unit("luma pixels")
        .or(&["sigma_x", "s"]);
const SIGMA_Y: Parameter =
    Parameter::new("sigma_y", Kind::Number(0.0, 1000.0), Preset::Derived("as sigma"), "standard deviation down")
        .unit("luma pixels")
        .or(&["sigmaV"]);
const TRUNCATE: Parameter = Parameter::new(
    "truncate",
    Kind::Number(0.5, 8.0),
    Preset::Is("3"),
    "where the bell is cut off: the radius is truncate times sigma, rounded",
)
.unit("standard deviations");
const RADIUS: Parameter = Parameter::new(
    "radius",
    Kind::Count(0, 8000),
    Preset::Derived("truncate times sigma"),
    "where the bell is cut off, instead of truncate",
)
.unit("luma pixels");

pub(in super::super) const SPEC: Spec = Spec {
    name: "gaussian",
    elsewhere: &["gblur", "gauss", "gaussianblur", "GaussianBlur", "blur"],
    group: Group::Smooth,
    summary: "Gaussian blur of any sigma, also different across and down",
    description: "The bell is sampled, cut off at truncate standard deviations or at radius, and scaled to sum to 1, \
                  as SciPy does. FFmpeg's gblur is a recursive approximation of it, so its bytes are others.",
    own: &[SIGMA, SIGMA_Y, TRUNCATE, RADIUS],
    example: "gaussian=sigma=2",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| {
        let (x, y) = rows(values, target);
        Ok(Want::smooth(x, y))
    },
};

pub(in super::super) const IN_TIME: Spec = Spec {
    name: "gaussian3d",
    elsewhere: &[],
    group: Group::Smooth,
    summary: "Gaussian blur in space and time",
    description: "The gaussian filter, and a bell across frames as well: centred, so that it adds no delay to what is \
                  seen.",
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
};

fn in_time(values: &Values, target: FormatPlane) -> Result<Want> {
    let sigma = values.number("sigma_t");
    let t = weight::gaussian(sigma, weight::gaussian_radius(sigma, values.number("truncate")));
    let (x, y) = rows(values, target);
    Ok(Want::smooth_in_time(t, x, y))
}

/// Across and down, for this plane.
fn rows(values: &Values, target: FormatPlane) -> (Row, Row) {
    let row = |sigma: f64, scale: f64| {
        let radius = match values.typed("radius") {
            Some(radius) => (radius * scale).ceil() as usize,
            None => weight::gaussian_radius(sigma * scale, values.number("truncate")),
        };
        weight::gaussian(sigma * scale, radius)
    };
    let sigma = values.number("sigma");
    let sigma_y = values.typed("sigma_y").unwrap_or(sigma);
    (row(sigma, target.scale_x()), row(sigma_y, target.scale_y()))
}
