//! What changes each sample by itself: brightness, contrast, tables.

pub(super) mod abs;
pub(super) mod colorspace;
pub(super) mod curves;
pub(super) mod eq;
pub(super) mod exposure;
pub(super) mod gain;
pub(super) mod gamma;
mod hdr;
pub(super) mod hue;
pub(super) mod invert;
pub(super) mod levels;
pub(super) mod lut;
pub(super) mod lut1d;
pub(super) mod lut3d;
pub(super) mod mixer;
mod primaries;
mod sum;
pub(super) mod temperature;
pub(super) mod threshold;
pub(super) mod tonemap;
pub(super) mod vibrance;

use crate::frame::{Range, Sample};

use super::parameter::{Kind, Parameter, Preset};
use super::spec::FormatPlane;
use super::value::Values;

/// Names of the filters that convert colours of whole pixels, as the tags of the clip have them.
pub(super) const CONVERSIONS: [&str; 3] = [colorspace::SPEC.name, tonemap::SPEC.name, tonemap::SDR.name];

const RANGE: Parameter = Parameter::new(
    "range",
    Kind::Word(&["full", "limited"]),
    Preset::Derived("the clip's"),
    "black and white: 0 and full scale, or 16 and 235 of 255; by the clip's tag, else limited for YUV and full for grey, RGB \
     and floats",
);

/// Black and white of a plane in the units of its samples, as `range` has them, or the clip. Opacity is always full.
fn ends(values: &Values, target: FormatPlane) -> (f64, f64) {
    range_ends(target, values.typed_word("range").map_or(target.range == Range::Full, |word| word == "full"))
}

/// Black and white of a plane in the units of its samples, in full range or limited. Opacity is always full.
pub(super) fn range_ends(target: FormatPlane, is_full: bool) -> (f64, f64) {
    let full = (0.0, target.level(1.0));
    if is_full || target.pixel.is_alpha(target.plane) {
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
