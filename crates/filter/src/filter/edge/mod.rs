//! What keeps nothing but change: gradients and Laplacians. A constant picture becomes black, or the offset.

pub(super) mod dog;
pub(super) mod gabor;
pub(super) mod gradient;
pub(super) mod laplacian;

use crate::pass::Combine;

use super::parameter::{Kind, Parameter, Preset};
use super::spec::FormatPlane;
use super::stencil::{Matrix, Shape, Stencil};
use super::value::Values;
use super::want::Want;

pub(super) const SCALE: Parameter =
    Parameter::new("scale", Kind::Number(-65535.0, 65535.0), Preset::Is("1"), "factor of the result");
pub(super) const OFFSET: Parameter = Parameter::new(
    "offset",
    Kind::Number(-1.0, 1.0),
    Preset::Is("0"),
    "added to the result, except in chroma; 0.5 shows negative values too",
)
.unit("fraction of full scale");
pub(super) const ABS: Parameter =
    Parameter::new("abs", Kind::Switch, Preset::Is("0"), "1 takes the absolute value, before scale and offset");

/// One kernel with the three parameters above.
pub(super) fn derivative(matrix: Matrix, values: &Values, target: FormatPlane) -> Want {
    let combine = if values.is_on("abs") { Combine::Max } else { Combine::Sum };
    let bias = target.level(values.number("offset"));
    let shape = Shape::Kernels(vec![matrix], combine);
    Want::Stencil(Stencil { bias, ..Stencil::scaled(shape, values.number("scale")) })
}
