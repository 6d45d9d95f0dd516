//! The blur of a lens out of focus.

use anyhow::{Context, Result};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::value::Values;
use super::super::want::Want;
use super::super::weight;

pub(in super::super) const SPEC: Spec = Spec {
    name: "disk",
    elsewhere: &["pillbox", "defocus", "lensblur"],
    group: Group::Smooth,
    summary: "disk blur, like a lens out of focus",
    description: "Samples on the rim are weighted by the share inside the disk, in 64ths of a pixel.",
    own: &[Parameter::new("radius", Kind::Number(0.5, 400.0), Preset::Is("3"), "radius of the disk")
        .unit("luma pixels")
        .or(&["r"])],
    example: "disk=radius=4.5",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let radius = values.number("radius");
    let scale = (target.scale_x(), target.scale_y());
    let inside = |x: f64, y: f64| x * x + y * y <= radius * radius;
    let matrix = weight::figure((radius, radius), scale, inside).context("the disk is too large; type radius=400")?;
    let scale = 1.0 / matrix.sum();
    Ok(Want::kernel(matrix, scale))
}
