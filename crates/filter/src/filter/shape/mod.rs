//! What changes the size or the shape of the picture. All sizes and places are those of the picture as it is shown.

pub(super) mod crop;
pub(super) mod flip;
mod kernel;
mod map;
pub(super) mod pad;
pub(super) mod scale;
mod shown;
pub(super) mod transpose;
mod weight;

use super::spec::FormatPlane;
use super::value::Values;
use super::want::Want;

/// What filters of shape want of planes that stay: nothing.
fn untouched(_: &Values, _: FormatPlane) -> anyhow::Result<Want> {
    Ok(Want::Copy)
}
