//! Pascal's triangle: the smoothest kernel of whole numbers.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::stencil::Row;
use super::super::want::Want;
use super::super::weight;

pub(in super::super) const SPEC: Spec = Spec {
    name: "binomial",
    elsewhere: &[],
    group: Group::Smooth,
    summary: "binomial blur: rows of Pascal's triangle, 1 2 1, 1 4 6 4 1, …",
    description: "Approximates a Gaussian of sigma = sqrt(radius / 2) with integer taps. In subsampled chroma the row \
                  of the same spread is used; a third tap makes up for what is missing between two rows.",
    own: &[Parameter::new("radius", Kind::Count(0, 100), Preset::Is("1"), "row of the triangle: 2 radius")
        .unit("luma pixels")
        .or(&["r"])],
    example: "binomial=radius=2",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| {
        let radius = values.count("radius");
        Ok(Want::smooth(row(radius, target.scale_x()), row(radius, target.scale_y())))
    },
    change: None,
};

/// The variance of row `2·radius` is `radius / 2`, so that `radius` shrinks with the square of the scale. A rest of
/// `part` in `parts` of a radius is the kernel `part, 4·parts − 2·part, part`.
fn row(radius: usize, scale: f64) -> Row {
    let parts = (1.0 / scale / scale).round() as usize;
    let (whole, part) = (radius / parts, radius % parts);
    let rest = [part, 4 * parts - 2 * part, part].map(|tap| tap as f64);
    let row = weight::binomial(whole);
    if part == 0 { row } else { row.convolved(&Row::centred(rest.to_vec())) }
}
