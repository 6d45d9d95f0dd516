//! What takes detail away, in space and time; all of these leave a constant picture as it is.

pub(super) mod binomial;
pub(super) mod box_blur;
pub(super) mod disk;
pub(super) mod gaussian;
pub(super) mod lowpass;
pub(super) mod motionblur;
