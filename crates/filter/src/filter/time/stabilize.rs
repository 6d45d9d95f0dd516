//! A steady picture of a shaky camera.

use anyhow::Result;

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::shape::flip;
use super::super::shape::{INTERPOLATION, TAPS, interpolation};
use super::super::spec::{Group, Spec};
use super::super::value::Values;
use crate::frame::{Format, Turn};
use crate::pass::{Op, Placement, Stabilized, Warp, WarpEdge};

pub(in super::super) const SPEC: Spec = Spec {
    name: "stabilize",
    elsewhere: &["deshake", "vidstab", "vidstabtransform", "vidstabdetect", "DePan", "Stab"],
    group: Group::Time,
    summary: "steadies a shaky camera",
    description: "Finds how the whole picture moves from each frame to the next (shift and angle; things that move by themselves \
                  are left out), smooths the path of the camera over the frames around, with weights of a Gaussian whose sigma is \
                  half the radius, and moves each frame to the smooth path. A cut begins a new path. One run does it, where \
                  vid.stab needs two; motion has steps of 1/65536 pixel, and is the same on every machine. zoom hides the \
                  borders that moving leaves; edge fills the rest of them.",
    own: &[
        Parameter::new(
            "radius",
            Kind::Count(1, 64),
            Preset::Is("15"),
            "frames on each side that the path is smoothed over",
        )
        .unit("frames")
        .or(&["smoothing", "r"]),
        Parameter::new("zoom", Kind::Number(0.0, 100.0), Preset::Is("5"), "enlargement of the picture, in percent"),
        Parameter::new(
            "edge",
            Kind::Word(&["mirror", "clamp", "fill"]),
            Preset::Is("mirror"),
            "picture outside the frame: mirrored, the nearest sample, or a colour",
        ),
        Parameter::new(
            "color",
            Kind::Colour,
            Preset::Is("black"),
            "the colour of edge=fill: a name of CSS, or #RRGGBB, with @ and its opacity from 0 to 1 behind it",
        )
        .or(&["c", "fillcolor", "colour"]),
        INTERPOLATION,
        TAPS,
    ],
    example: "stabilize=radius=20:zoom=6",
    change: Some(stabilized),
    ..flip::HORIZONTAL
};

fn stabilized(values: &Values, format: &Format) -> Result<Change> {
    let edge = match values.word("edge") {
        "clamp" => WarpEdge::Clamp,
        "fill" => WarpEdge::Fill,
        _ => WarpEdge::Mirror,
    };
    let zoom = 1.0 + values.number("zoom") / 100.0;
    let fill = values.colour("color").levels(format);
    let op = |plane: usize| {
        let (size, (across, down)) = (format.plane_size(plane), format.pixel.subsampling(plane));
        let placement = Placement::Stabilized(Stabilized { finer: [across, down], zoom, edge });
        let interpolation = interpolation(values);
        let op = Warp { from: size, turn: Turn::default(), size, placement, interpolation, fill: fill[plane] };
        (Op::Warp(op), "moved against the camera's motion".to_owned())
    };
    Ok(Change { smoothing: Some(values.count("radius")), ..Change::to(format, op) })
}
