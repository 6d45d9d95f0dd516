//! A still picture, or another clip, over the clip.

use anyhow::{Context, Result, ensure};

use super::super::change::Change;
use super::super::picture::StillPicture;
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::trajectory::Trajectory;
use super::super::want::Want;
use super::moving::PlacedMoving;
use super::place::PicturePlace;
use super::resized::{MOST, resized};
use super::still::PlacedPicture;
use super::{EOF_ACTION, Kind, Parameter, Preset, SHORTEST, ShownFrames, Values, number, untouched};
use crate::frame::Format;

/// The variables of sides.
const NAMES: &[&str] = &["main_w", "W", "main_h", "H", "overlay_w", "w", "overlay_h", "h", "x", "y", "hsub", "vsub"];

/// The variables of places.
const PLACE_NAMES: &[&str] =
    &["main_w", "W", "main_h", "H", "overlay_w", "w", "overlay_h", "h", "x", "y", "hsub", "vsub", "n", "t"];

/// A column or a row.
const fn place(name: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Expression(PLACE_NAMES), Preset::Is("0"), help).unit("luma pixels")
}

/// A side of the picture.
const fn side(name: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Expression(NAMES), Preset::Derived("its own"), help).unit("luma pixels")
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "overlay",
    elsewhere: &["watermark", "logo"],
    group: Group::Layer,
    summary: "lays a still picture, such as a logo, or another clip over the clip",
    description: "Reads a PNG file, or a second clip: a video, an animation, or a picture of another kind, which stays. It is blended by its \
                  opacity, with the bytes of FFmpeg's overlay for YUV 4:2:0, 4:2:2 and 4:4:4 and RGB of 8 bits, and for 10 bits, if that has the \
                  planes made here. W and H (main_w, main_h) are the size of the frames there, w and h (overlay_w, overlay_h) that of the picture; n is the frame's number as in enable (FFmpeg's is one more), t its time in seconds: places of these are \
                  evaluated for each frame, and NAN hides the picture. Places are cut to whole samples of chroma, and the picture to the \
                  frame. Colours of PNG files become YUV by the clip's matrix, BT.601 where it has none, in its range and \
                  depth, and are rounded; a sample of chroma is the mean of its pixels, weighted by their opacity. The clip's transfer is taken as \
                  the picture's. A second clip's pixels are converted as those of blend are. Above 8 bits the opacity of 4:2:0 chroma is of every \
                  second pair of rows, as in FFmpeg. Clips with opacity of their own are composed as in FFmpeg, not premultiplied. Each frame \
                  meets the second clip's latest one that is not later, by times in both files. Before its first one, frames \
                  stay as they are. The clip ends with the first one, or with shortest after the second one's last \
                  frame, as with --end. Both are scaled, bilinear, with width and height, of which one is enough.",
    own: &[
        Parameter::new("picture", Kind::Picture, Preset::Derived("none"), "PNG file or another clip")
            .or(&["file", "clip"]),
        place("x", "columns to the left of the picture"),
        place("y", "rows above the picture"),
        Parameter::new("opacity", Kind::Number(0.0, 1.0), Preset::Is("1"), "factor of the picture's opacity"),
        EOF_ACTION,
        side("width", "columns that it is scaled to; -1 keeps its shape"),
        side("height", "rows that it is scaled to; -1 keeps its shape"),
        SHORTEST,
    ],
    example: "overlay=samples/logo.png:x=W-w-16:y=16",
    extent: Extent::Picture,
    terms: Terms::Own,
    gain: DcGain::Any,
    want,
    change: Some(overlaid),
};

/// The fault of a call that names nothing to lay over.
const NONE: &str = "there is no picture; type overlay=logo.png:x=16:y=16";

/// Nothing of single planes, but there has to be a picture.
fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    ensure!(values.picture("picture").is_some() || values.moving("picture").is_some(), NONE);
    untouched(values, target)
}

fn overlaid(values: &Values, format: &Format) -> Result<Change> {
    let share = values.number("opacity");
    if let Some(moving) = values.moving("picture") {
        let (width, height) = scaled(values, format, (moving.shape.width, moving.shape.height))?;
        let (place, trajectory) = placed(values, format, (width, height))?;
        if trajectory.is_some() {
            // Frames that a pass reads have opacity below their samples, and are read whole.
            let rows = format.turn.size((width, height)).1 * if moving.shape.has_alpha { 2 } else { 1 };
            ensure!(rows <= Format::MAX_SIDE, large(&moving.path, (width, height)));
        }
        let reason = reason(&moving.path, &place, trajectory.as_ref());
        let placed = PlacedMoving::new(moving.shape, place, share);
        let change = Change::to(format, |plane| (placed.op(plane), reason.clone()));
        return Ok(Change { fit: placed.fit(), trajectory, ..change });
    }
    let picture = values.picture("picture").context(NONE)?;
    let own = (picture.width, picture.height);
    let size = scaled(values, format, own)?;
    let made = (size != own).then(|| resized(picture, size)).transpose()?;
    let picture = made.as_ref().unwrap_or(picture);
    let (place, trajectory) = placed(values, format, (picture.width, picture.height))?;
    if trajectory.is_some() {
        let StillPicture { path, width, height, .. } = picture;
        ensure!(width * height <= MOST, large(path, (*width, *height)));
    }
    let reason = reason(&picture.path, &place, trajectory.as_ref());
    let placed = PlacedPicture::new(picture, place, share);
    Ok(Change { trajectory, ..Change::to(format, |plane| (placed.op(plane), reason.clone())) })
}

/// What is said of a picture or a clip that is too large to be held whole.
fn large(path: &str, (width, height): (usize, usize)) -> String {
    format!("{path}, {width}x{height}, is too large to move; type a smaller width and height")
}

/// A picture in words: its name, size and place.
fn reason(path: &str, place: &PicturePlace<'_>, trajectory: Option<&Trajectory>) -> String {
    let (width, height) = place.size;
    match (place.corner, trajectory) {
        (Some((left, top)), _) => format!("{path}, {width}x{height} at {left}, {top}"),
        (None, Some(trajectory)) => format!("{path}, {width}x{height} at {trajectory}"),
        (None, None) => format!("{path}, {width}x{height}"),
    }
}

/// The variables of places and sizes, but for places.
fn known(frames: &ShownFrames<'_>, size: (usize, usize)) -> Vec<(&'static str, f64)> {
    let ((width, height), (across, down)) = (frames.size(), frames.grain());
    let sizes = [
        (["main_w", "W"], width),
        (["main_h", "H"], height),
        (["overlay_w", "w"], size.0),
        (["overlay_h", "h"], size.1),
    ];
    let sizes = sizes.into_iter().flat_map(|(names, size)| names.map(|name| (name, size as f64)));
    sizes.chain([("hsub", across as f64), ("vsub", down as f64)]).collect()
}

/// Width and height of a picture or a clip over frames of a format. A side that is not typed, or is negative, follows the other one.
fn scaled(values: &Values, format: &Format, own: (usize, usize)) -> Result<(usize, usize)> {
    let variables = [&known(&ShownFrames { format }, own)[..], &[("x", f64::NAN), ("y", f64::NAN)]].concat();
    let side = |name: &str| {
        let typed = values.expression(name).map(|formula| number(name, Some(formula), &variables, || 0.0));
        anyhow::Ok(typed.transpose()?.filter(|side| *side >= 0.0))
    };
    let following = |side: f64, of: usize, other: usize| (side * other as f64 / of as f64).round().max(1.0);
    let (width, height) = match (side("width")?, side("height")?) {
        (None, None) => return Ok(own),
        (Some(width), Some(height)) => (width, height),
        (Some(width), None) => (width, following(width, own.0, own.1)),
        (None, Some(height)) => (following(height, own.1, own.0), height),
    };
    let most = Format::MAX_SIDE as f64;
    let is_fit = [width, height].iter().all(|side| (1.0..=most).contains(side));
    ensure!(is_fit, "the picture would have {width}x{height} pixels; type sides from 1 to {most}");
    Ok((width as usize, height as usize))
}

/// The place of a picture of so many pixels, and how it moves if it does.
fn placed<'a>(
    values: &Values,
    format: &'a Format,
    size: (usize, usize),
) -> Result<(PicturePlace<'a>, Option<Trajectory>)> {
    let frames = ShownFrames { format };
    let ((across, down), known) = (frames.grain(), known(&frames, size));
    let formulas = values.expression("x").zip(values.expression("y"));
    let trajectory = formulas.and_then(|(x, y)| Trajectory::new([x, y], known.clone(), (across, down)));
    if trajectory.is_some() {
        return Ok((PicturePlace { frames, corner: None, size }, trajectory));
    }
    let at = |name: &str, x: f64, y: f64| {
        let variables = [&known[..], &[("x", x), ("y", y)]].concat();
        number(name, values.expression(name), &variables, || 0.0)
    };
    // Either may name the other.
    let guess = at("x", f64::NAN, f64::NAN).unwrap_or(f64::NAN);
    let y = at("y", guess, f64::NAN)?;
    let x = at("x", guess, y)?;
    let whole = |place: f64, grain: usize| place as isize & !(grain as isize - 1);
    Ok((PicturePlace { frames, corner: Some((whole(x, across), whole(y, down))), size }, None))
}
