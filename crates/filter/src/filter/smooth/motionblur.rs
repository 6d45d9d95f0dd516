//! The blur of a camera that moved.

use anyhow::{Context, Result};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::value::Values;
use super::super::want::Want;
use super::super::weight;

pub(in super::super) const SPEC: Spec = Spec {
    name: "motionblur",
    elsewhere: &[],
    group: Group::Smooth,
    summary: "blur along a line, like a moving camera",
    description: "Mean along a line one pixel thick, centred on the sample. Samples are weighted by the share that the \
                  line covers, in 64ths of a pixel.",
    own: &[
        Parameter::new("length", Kind::Number(1.0, 900.0), Preset::Is("9"), "length of the line").unit("luma pixels"),
        Parameter::new(
            "angle",
            Kind::Number(-360.0, 360.0),
            Preset::Is("0"),
            "direction: 0 is horizontal, 90 vertical",
        )
        .unit("degrees, counterclockwise"),
    ],
    example: "motionblur=length=15:angle=30",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let half = values.number("length") / 2.0;
    let (sin, cos) = libm::sincos(values.number("angle").to_radians());
    let scale = (target.scale_x(), target.scale_y());
    // Rows are counted downwards, angles upwards.
    let inside = |x: f64, y: f64| (x * cos - y * sin).abs() <= half && (x * sin + y * cos).abs() <= 0.5;
    let reach = (half * cos.abs() + sin.abs() / 2.0, half * sin.abs() + cos.abs() / 2.0);
    let matrix = weight::figure(reach, scale, inside).context("the line is too long; type length=900")?;
    let scale = 1.0 / matrix.sum();
    Ok(Want::kernel(matrix, scale))
}
