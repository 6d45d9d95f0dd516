//! Boxes: the mean of a rectangle, once or several times, in space and in space and time.

use anyhow::{Result, ensure};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::Row;
use super::super::value::Values;
use super::super::want::Want;
use super::super::weight;

const RADIUS: Parameter =
    Parameter::new("radius", Kind::Count(0, 1000), Preset::Is("2"), "radius in x: the box is 2 radius + 1 pixels wide")
        .unit("luma pixels")
        .or(&["sizeX", "r"]);
const RADIUS_Y: Parameter =
    Parameter::new("radius_y", Kind::Count(0, 1000), Preset::Derived("as radius"), "radius in y")
        .unit("luma pixels")
        .or(&["sizeY"]);
const PASSES: Parameter = Parameter::new(
    "passes",
    Kind::Count(1, 8),
    Preset::Is("1"),
    "number of passes, without rounding in between; three come close to a Gaussian",
);

pub(in super::super) const SPEC: Spec = Spec {
    name: "box",
    elsewhere: &["boxblur", "avgblur", "BoxBlur", "mean", "average"],
    group: Group::Smooth,
    summary: "box blur: mean of a rectangle, once or several times",
    description: "In subsampled chroma the box covers the same area as in luma; samples that it covers in part count \
                  in part.",
    own: &[RADIUS, RADIUS_Y, PASSES],
    example: "box=radius=3:passes=2",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| {
        let (x, y) = rows(values, target)?;
        Ok(Want::smooth(x, y))
    },
    change: None,
};

pub(in super::super) const IN_TIME: Spec = Spec {
    name: "box3d",
    elsewhere: &[],
    group: Group::Smooth,
    summary: "box blur in space and time",
    description: "The box filter, averaged over 2 radius_t + 1 frames as well.",
    own: &[
        RADIUS,
        Parameter::new(
            "radius_t",
            Kind::Count(0, 512),
            Preset::Is("1"),
            "radius in time: the box is 2 radius_t + 1 frames long",
        )
        .unit("frames"),
        RADIUS_Y,
        PASSES,
    ],
    example: "box3d=radius=1:radius_t=2",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| {
        let (radius, passes) = (values.count("radius_t"), values.count("passes"));
        ensure!(radius * passes <= 512, "radius_t times passes is {}; type at most 512", radius * passes);
        let t = repeated(Row::centred(vec![1.0; 2 * radius + 1]), passes);
        let (x, y) = rows(values, target)?;
        Ok(Want::smooth_in_time(t, x, y))
    },
    change: None,
};

fn rows(values: &Values, target: FormatPlane) -> Result<(Row, Row)> {
    let (radius, passes) = (values.count("radius"), values.count("passes"));
    let radius_y = values.typed("radius_y").map_or(radius, |radius| radius as usize);
    ensure!(
        radius.max(radius_y) * passes <= 2000,
        "radius times passes is {}; type at most 2000",
        radius.max(radius_y) * passes
    );
    let row = |radius, scale| repeated(weight::box_row(radius, scale), passes);
    Ok((row(radius, target.scale_x()), row(radius_y, target.scale_y())))
}

fn repeated(row: Row, passes: usize) -> Row {
    (1..passes).fold(row.clone(), |result, _| result.convolved(&row))
}
