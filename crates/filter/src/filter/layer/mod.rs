//! Filters that lay pictures over the frames of a clip, or blend them with those of another.

pub(super) mod blend;
pub(super) mod overlay;
mod still;

use super::parameter::{Kind, Parameter, Preset};
use super::shape::{ShownFrames, number, untouched};
use super::value::Values;
