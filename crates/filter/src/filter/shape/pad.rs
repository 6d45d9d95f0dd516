//! More picture around the picture.

use anyhow::{Result, ensure};

use super::super::change::Change;
use super::super::choice::Edge;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::value::{Value, Values};
use super::flip;
use super::map::{SampleMap, remap};
use super::shown::{ShownFrames, number, sides, sized};
use super::{place, size};
use crate::frame::Format;
use crate::pass::Border;

pub(in super::super) const SPEC: Spec = Spec {
    name: "pad",
    elsewhere: &["AddBorders", "letterbox"],
    summary: "adds borders around the picture",
    description: "As FFmpeg's pad, with its expressions. A size of 0 is that of the input; a place below 0, or at which \
                  the picture would not fit, centres it. Both are rounded down to whole samples of chroma. border fills \
                  with the picture itself in place of a colour. A colour becomes YUV by the clip's matrix, BT.601 where \
                  it has none, in its own range.",
    own: &[
        size("w", &["width"], "width"),
        size("h", &["height"], "height"),
        place("x", Preset::Is("0"), "columns to the left of the picture"),
        place("y", Preset::Is("0"), "rows above the picture"),
        Parameter::new(
            "color",
            Kind::Colour,
            Preset::Is("black"),
            "what is added: a name of CSS, or #RRGGBB, with @ and its opacity from 0 to 1 behind it",
        )
        .or(&["colour"]),
        Parameter::new(
            "border",
            Kind::Border,
            Preset::Derived("color"),
            "what is added in place of a colour: reflect101, reflect, clamp or wrap repeat the picture",
        ),
    ],
    example: "pad=iw+64:ih+32:-1:-1",
    change: Some(padded),
    ..flip::HORIZONTAL
};

fn padded(values: &Values, format: &Format) -> Result<Change> {
    let shown = ShownFrames { format };
    let ((width, height), (across, down)) = (shown.size(), shown.grain());
    let variables = shown.variables();
    let (wide, high) = sides(values, &variables, (0.0, 0.0))?;
    // Towards 0, as FFmpeg does here.
    let side = |length: f64, own: usize| if length as isize == 0 { own as isize } else { length as isize };
    let (w, h) = (side(wide, width), side(high, height));
    // The picture itself may be no whole number of chroma samples.
    let rounded = |length: isize, own: usize, grain: usize| match length == own as isize {
        true => length,
        false => length & !(grain as isize - 1),
    };
    let (w, h) = (rounded(w, width, across), rounded(h, height, down));
    let variables = sized(&variables, (w as f64, h as f64));
    let origin = |name, whole_length: isize, part: usize, grain: usize| {
        let place = number(name, values.expression(name), &variables, || 0.0)? as isize;
        let left = whole_length - part as isize;
        ensure!(
            left >= 0,
            "the picture, {width}x{height}, does not fit into {w}x{h}; type a larger size, or scale it first: scale=fit={w}x{h}"
        );
        // As FFmpeg: a place where the picture would not fit centres it.
        anyhow::Ok(if (0..=left).contains(&place) { place } else { left / 2 } & !(grain as isize - 1))
    };
    let (x, y) = (origin("x", w, width, across)?, origin("y", h, height, down)?);
    let to = shown.resized((w.max(0) as usize, h.max(0) as usize))?;
    let typed = match values.find("border") {
        Some(Value::Border(edge)) => Some(*edge),
        _ => None,
    };
    let levels = values.colour("color").levels(format);
    let op = |plane| {
        let (across, down) = shown.subsampling(plane);
        let border = typed.map_or(Border::Constant(levels[plane]), |edge: Edge| edge.border(format.pixel, plane));
        let op = remap(format, &to, plane, border, |_, _| SampleMap::moved(-(x >> across), -(y >> down)));
        (op, format!("{width}x{height} at {x}, {y}"))
    };
    Ok(Change::to(&to, op))
}
