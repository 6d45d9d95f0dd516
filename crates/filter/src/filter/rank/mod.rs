//! What takes one of the samples around: medians, and the smallest and largest.

pub(super) mod median;
pub(super) mod morphology;

use super::spec::FormatPlane;
use super::value::Values;

/// `radius` and `radius_v` (as `radius` unless typed) of luma pixels in samples of a plane, down and across; a radius
/// that is not 0 does not become 0.
fn radii(values: &Values, target: FormatPlane) -> [usize; 2] {
    let across = values.number("radius");
    let down = values.typed("radius_v").unwrap_or(across);
    let scaled = |radius: f64, scale: f64| (radius * scale + 0.5).floor() as usize;
    [scaled(down, target.scale_y()), scaled(across, target.scale_x())]
}
