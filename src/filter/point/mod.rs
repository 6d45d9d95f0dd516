//! What changes each sample by itself: brightness, contrast, tables.

pub(super) mod abs;
pub(super) mod gain;
pub(super) mod gamma;
pub(super) mod invert;
pub(super) mod levels;
pub(super) mod lut;
pub(super) mod threshold;

use crate::frame::Sample;

use super::parameter::{Kind, Parameter, Preset, Values};
use super::spec::FormatPlane;

pub(super) const RANGE: Parameter = Parameter::new(
    "range",
    Kind::Word(&["full", "limited"]),
    Preset::Is("full"),
    "values of black and white: 0 and full scale, or 16 and 235 of 255 as in most video",
);

/// Black and white of a plane in the units of its samples, as `range` has them. Opacity is always full.
fn ends(values: &Values, target: FormatPlane) -> (f64, f64) {
    let full = (0.0, target.level(1.0));
    if values.word("range") == "full" || target.pixel.is_alpha(target.plane) {
        return full;
    }
    match target.pixel.sample {
        Sample::F32 => (16.0 / 255.0, 235.0 / 255.0),
        _ => {
            let unit = f64::from(1u32 << (target.pixel.depth - 8));
            (16.0 * unit, 235.0 * unit)
        }
    }
}

/// Whether a plane is chroma, which brightness has nothing to do with.
fn is_chroma(target: FormatPlane) -> bool {
    target.pixel.is_chroma(target.plane)
}
