//! What changes the size, the shape or the samples of the picture. All sizes and places are those of the picture as it is shown.

pub(super) mod crop;
mod depth;
pub(super) mod flip;
mod kernel;
mod map;
pub(super) mod pad;
pub(super) mod perspective;
pub(super) mod rotate;
pub(super) mod scale;
mod shown;
pub(super) mod transpose;
mod warp;
mod weight;

pub(super) use self::kernel::SamplingCurve;
pub(super) use self::shown::{ShownFrames, number};
pub(super) use self::warp::{INTERPOLATION, interpolation};
pub(super) use self::weight::Axis;
use super::parameter::{Kind, Parameter, Preset};
use super::spec::FormatPlane;
use super::value::Values;
use super::want::Want;

/// The variables of sizes and places.
const NAMES: &[&str] = &["in_w", "iw", "in_h", "ih", "out_w", "ow", "out_h", "oh", "a", "sar", "dar", "hsub", "vsub"];

/// A width or a height.
const fn size(name: &'static str, aliases: &'static [&'static str], help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Expression(NAMES), Preset::Derived("that of the input"), help)
        .or(aliases)
        .unit("luma pixels")
}

/// A column or a row.
const fn place(name: &'static str, preset: Preset, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Expression(NAMES), preset, help).unit("luma pixels")
}

/// The lobes of a curve.
pub(super) const TAPS: Parameter = Parameter::new("taps", Kind::Count(1, 16), Preset::Is("3"), "lobes of lanczos");

/// Filters of shape leave planes alone that keep their size.
pub(super) fn untouched(_: &Values, _: FormatPlane) -> anyhow::Result<Want> {
    Ok(Want::Copy)
}
