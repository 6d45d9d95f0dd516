//! Emboss: the picture as a relief that is lit from one side.

use anyhow::{Result, ensure};

use super::super::parameter::{AcceptedNumbers, Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::Matrix;
use super::super::value::Values;
use super::super::want::Want;

pub(in super::super) const SPEC: Spec = Spec {
    name: "emboss",
    elsewhere: &[],
    group: Group::Sharpen,
    summary: "turns the picture into a relief, lit from one side",
    description: "The kernel -2 -1 0, -1 1 1, 0 1 2, rotated in steps of 45 degrees.",
    own: &[Parameter::new(
        "angle",
        Kind::Count(0, 315),
        Preset::Is("135"),
        "direction of the light: 135 is the upper left",
    )
    .unit("degrees, in steps of 45")
    .only(AcceptedNumbers::Multiples(45))],
    example: "emboss=angle=45",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
    change: None,
};

fn want(values: &Values, _: FormatPlane) -> Result<Want> {
    let angle = values.count("angle");
    ensure!(angle.is_multiple_of(45), "angle={angle} is no multiple of 45; type {}", (angle + 22) / 45 * 45);
    // Clockwise from the upper left, where light from there has its darkest tap; angles run counterclockwise.
    const PLACES: [usize; 8] = [0, 1, 2, 5, 8, 7, 6, 3];
    const RING: [f64; 8] = [-2.0, -1.0, 0.0, 1.0, 2.0, 1.0, 0.0, -1.0];
    let turn = (angle / 45 + 8 - 3) % 8;
    let mut weights = vec![1.0; 9];
    for (i, place) in PLACES.into_iter().enumerate() {
        weights[place] = RING[(i + turn) % 8];
    }
    Ok(Want::kernel(Matrix::centred([1, 3, 3], weights), 1.0))
}
