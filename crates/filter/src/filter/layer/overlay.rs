//! A still picture over the clip.

use anyhow::{Context, Result};

use super::super::change::Change;
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::want::Want;
use super::still::PlacedPicture;
use super::{Kind, Parameter, Preset, ShownFrames, Values, number, untouched};
use crate::frame::Format;

/// The variables of places.
const NAMES: &[&str] = &["main_w", "W", "main_h", "H", "overlay_w", "w", "overlay_h", "h", "x", "y", "hsub", "vsub"];

/// A column or a row.
const fn place(name: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Expression(NAMES), Preset::Is("0"), help).unit("luma pixels")
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "overlay",
    elsewhere: &["watermark", "logo"],
    group: Group::Layer,
    summary: "lays a still picture, such as a logo, over the clip",
    description: "Reads a PNG file and blends it by its opacity, with the arithmetic of FFmpeg's overlay: its bytes for YUV 4:2:0, 4:2:2 and \
                  4:4:4 and for RGB of 8 bits and for 10 bits, if FFmpeg has the picture as the planes made here. W and H (main_w, main_h) are the \
                  size of the frames at that place of the chain, w and h (overlay_w, overlay_h) that of the picture; places are cut to whole samples \
                  of chroma, and parts outside the frame are cut off. Colours become YUV in 64-bit floats by the clip's matrix, BT.601 where it has \
                  none, in its range and depth, and are rounded; a sample of chroma is the mean of its pixels, weighted by their opacity. The clip's \
                  transfer is taken as the picture's. Above 8 bits the opacity of 4:2:0 chroma is of every second pair of rows, as in FFmpeg. \
                  Clips with opacity of their own are composed as in FFmpeg, not premultiplied. The picture does not move, and keeps its size: expressions \
                  of n and t are refused, and a picture of another size is made with FFmpeg.",
    own: &[
        Parameter::new("picture", Kind::Picture, Preset::Derived("none"), "PNG file").or(&["file"]),
        place("x", "columns to the left of the picture"),
        place("y", "rows above the picture"),
        Parameter::new("opacity", Kind::Number(0.0, 1.0), Preset::Is("1"), "factor of the picture's opacity"),
    ],
    example: "overlay=samples/logo.png:x=W-w-16:y=16",
    extent: Extent::Picture,
    terms: Terms::Own,
    gain: DcGain::Any,
    want,
    change: Some(overlaid),
};

/// Nothing of single planes, but there has to be a picture.
fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    values.picture("picture").context("there is no picture; type overlay=logo.png:x=16:y=16")?;
    untouched(values, target)
}

fn overlaid(values: &Values, format: &Format) -> Result<Change> {
    let picture = values.picture("picture").context("there is no picture; type overlay=logo.png:x=16:y=16")?;
    let share = values.number("opacity");
    let frames = ShownFrames { format };
    let ((width, height), (across, down)) = (frames.size(), frames.grain());
    let sizes = [
        (["main_w", "W"], width),
        (["main_h", "H"], height),
        (["overlay_w", "w"], picture.width),
        (["overlay_h", "h"], picture.height),
    ];
    let sizes = sizes.into_iter().flat_map(|(names, size)| names.map(|name| (name, size as f64)));
    let known: Vec<(&str, f64)> = sizes.chain([("hsub", across as f64), ("vsub", down as f64)]).collect();
    let at = |name: &str, x: f64, y: f64| {
        let variables = [&known[..], &[("x", x), ("y", y)]].concat();
        number(name, values.expression(name), &variables, || 0.0)
    };
    // Either may name the other.
    let guess = at("x", f64::NAN, f64::NAN).unwrap_or(f64::NAN);
    let y = at("y", guess, f64::NAN)?;
    let x = at("x", guess, y)?;
    let whole = |place: f64, grain: usize| place as isize & !(grain as isize - 1);
    let (x, y) = (whole(x, across), whole(y, down));
    let placed = PlacedPicture::new(picture, frames, (x, y), share);
    let reason = format!("{}, {}x{} at {x}, {y}", picture.path, picture.width, picture.height);
    Ok(Change::to(format, |plane| (placed.op(plane), reason.clone())))
}
