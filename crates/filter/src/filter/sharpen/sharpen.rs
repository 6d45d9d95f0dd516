//! Sharpening by the Laplacian: the smallest kernel that sharpens.

use crate::pass::Combine;

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::stencil::{Matrix, Shape, Stencil};
use super::super::want::Want;

/// The neighbours that count, and how many they are.
pub(in super::super) const NEIGHBOURS: Parameter = Parameter::new(
    "neighbours",
    Kind::Word(&["4", "8"]),
    Preset::Is("4"),
    "neighbours to compare: 4, or 8 with the corners",
)
.or(&["neighbors"]);

/// The sum of the neighbours.
pub(in super::super) fn around(neighbours: &str) -> (Matrix, f64) {
    match neighbours {
        "8" => (Matrix::flat([[1, 1, 1], [1, 0, 1], [1, 1, 1]]), 8.0),
        _ => (Matrix::flat([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), 4.0),
    }
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "sharpen",
    elsewhere: &[],
    group: Group::Sharpen,
    summary: "sharpens with a 3x3 Laplacian",
    description: "sample - amount (neighbours - n sample): with amount=1 the kernel 0 -1 0, -1 5 -1, 0 -1 0.",
    own: &[Parameter::new("amount", Kind::Number(-10.0, 10.0), Preset::Is("0.5"), "strength; 0 copies"), NEIGHBOURS],
    example: "sharpen=amount=0.3",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, _| {
        let amount = values.number("amount");
        if amount == 0.0 {
            return Ok(Want::Copy);
        }
        let (matrix, count) = around(values.word("neighbours"));
        let shape = Shape::Kernels(vec![matrix], Combine::Sum);
        Ok(Want::Stencil(Stencil { dry: 1.0 + amount * count, ..Stencil::scaled(shape, -amount) }))
    },
    change: None,
};
