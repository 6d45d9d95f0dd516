//! A part of the picture.

use anyhow::{Result, ensure};

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::value::Values;
use super::flip;
use super::map::{SampleMap, remap};
use super::shown::{ShownFrames, number, sides, sized};
use super::{place, size};
use crate::frame::Format;
use crate::pass::Border;

pub(in super::super) const SPEC: Spec = Spec {
    name: "crop",
    elsewhere: &["Crop", "CropAbs", "CropRel"],
    summary: "keeps a rectangle of the picture",
    description: "As FFmpeg's crop, with its expressions of iw, ih, ow, oh, a, sar, dar, hsub and vsub. Sizes and places \
                  are rounded down to whole samples of chroma, unless exact=1; a place outside is moved inside.",
    own: &[
        size("w", &["out_w"], "width"),
        size("h", &["out_h"], "height"),
        place("x", Preset::Derived("centred"), "columns to its left"),
        place("y", Preset::Derived("centred"), "rows above it"),
        Parameter::new("keep_aspect", Kind::Switch, Preset::Is("0"), "whether pixels are stretched to keep the shape"),
        Parameter::new("exact", Kind::Switch, Preset::Is("0"), "whether sizes and places are taken as they are"),
    ],
    example: "crop=iw*3/4:ih*3/4",
    change: Some(cropped),
    ..flip::HORIZONTAL
};

fn cropped(values: &Values, format: &Format) -> Result<Change> {
    let shown = ShownFrames { format };
    let ((width, height), (across, down)) = (shown.size(), shown.grain());
    let variables = shown.variables();
    let (wide, high) = sides(values, &variables, (width as f64, height as f64))?;
    let exact = values.is_on("exact");
    // To nearest, ties to even, as FFmpeg does here.
    let rounded = |exactly: f64, grain: usize| {
        let length = exactly.round_ties_even() as isize;
        if exact { length } else { length & !(grain as isize - 1) }
    };
    let (w, h) = (rounded(wide, across), rounded(high, down));
    ensure!(
        w > 0 && h > 0 && w <= width as isize && h <= height as isize,
        "a part of {w}x{h} does not fit into {width}x{height}; type a size from {across}x{down} to {width}x{height}"
    );
    let variables = sized(&variables, (wide, high));
    let origin = |name, length: usize, part: isize, exactly: f64, grain: usize| {
        let most = (length as isize - part) as f64;
        let place = number(name, values.expression(name), &variables, || (length as f64 - exactly) / 2.0)?;
        anyhow::Ok(rounded(place.round_ties_even().clamp(0.0, most), grain))
    };
    let (x, y) = (origin("x", width, w, wide, across)?, origin("y", height, h, high, down)?);
    let part = (w as usize, h as usize);
    let mut to = shown.resized(part)?;
    if values.is_on("keep_aspect") {
        to.aspect = shown.aspect_at(part);
    }
    let op = |plane| {
        let (across, down) = shown.subsampling(plane);
        let op = remap(format, &to, plane, Border::Clamp, |_, _| SampleMap::moved(x >> across, y >> down));
        (op, format!("{w}x{h} from {x}, {y}"))
    };
    Ok(Change::to(&to, op))
}
