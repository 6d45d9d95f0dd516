//! What puts pictures over the clip's.

pub(super) mod overlay;
mod still;

use super::parameter::{Kind, Parameter, Preset};
use super::shape::{ShownFrames, number, untouched};
use super::value::Values;
