//! Filters that lay pictures or other clips over the frames of a clip, or blend them with those of another.

pub(super) mod blend;
mod moving;
pub(super) mod overlay;
mod place;
mod resized;
mod still;

use super::parameter::{Kind, Parameter, Preset};
use super::shape::{ShownFrames, number, untouched};
use super::value::Values;

/// Treatment of the frames after the end of the second clip.
const EOF_ACTION: Parameter = Parameter::new(
    "eof_action",
    Kind::Name(&["repeat", "endall", "pass"]),
    Preset::Is("repeat"),
    "frames after its end: meet its last frame, are left out, or stay",
);

/// Another word for one treatment of them.
const SHORTEST: Parameter = Parameter::new(
    "shortest",
    Kind::Switch,
    Preset::Is("0"),
    "1 ends the clip with the second one, as eof_action=endall",
);
