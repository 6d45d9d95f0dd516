//! The derivative in time.

use super::super::edge::{ABS, OFFSET, SCALE, derivative};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::stencil::Matrix;

pub(in super::super) const SPEC: Spec = Spec {
    name: "tdiff",
    elsewhere: &["framediff"],
    group: Group::Time,
    summary: "difference of successive frames",
    description: "This frame minus the previous one, or half of the next minus the previous one. With offset=0.5 no \
                  motion is grey; with abs=1 it is black.",
    own: &[
        Parameter::new(
            "mode",
            Kind::Word(&["previous", "centred"]),
            Preset::Is("previous"),
            "frames to subtract: this one and the previous one, or the two neighbours",
        ),
        SCALE,
        OFFSET,
        ABS,
    ],
    example: "tdiff=abs=1:scale=4",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::Zero,
    want: |values, target| {
        let matrix = match values.word("mode") {
            "centred" => Matrix::centred([3, 1, 1], vec![-0.5, 0.0, 0.5]),
            _ => Matrix::centred([2, 1, 1], vec![-1.0, 1.0]),
        };
        Ok(derivative(matrix, values, target))
    },
    change: None,
};
