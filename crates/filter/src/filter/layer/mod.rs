//! Filters that lay pictures or other clips over the frames of a clip, or blend them with those of another.

pub(super) mod blend;
mod moving;
pub(super) mod overlay;
mod place;
mod still;

use super::parameter::{Kind, Parameter, Preset};
use super::shape::{ShownFrames, number, untouched};
use super::value::Values;
use crate::frame::Pixel;
use crate::pass::{Guide, OverlayBase};

/// What becomes of the frames after the second clip's end.
const EOF_ACTION: Parameter = Parameter::new(
    "eof_action",
    Kind::Name(&["repeat", "pass"]),
    Preset::Is("repeat"),
    "frames after the second clip's end: meet its last frame, or stay unchanged",
);

/// What lies below a picture in a plane.
fn base(pixel: Pixel, plane: usize) -> OverlayBase {
    let alpha = pixel.planes() - 1;
    match pixel.alpha {
        false => OverlayBase::Opaque,
        true if plane == alpha => OverlayBase::Opacity,
        true => OverlayBase::Colour(Guide::of(pixel, plane, alpha)),
    }
}
