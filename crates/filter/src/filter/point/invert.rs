//! The negative.

use super::super::curve::{Curve, Tone};
use super::super::spec::Spec;
use super::super::want::Want;
use super::{RANGE, ends, gain, is_chroma};

pub(in super::super) const SPEC: Spec = Spec {
    name: "invert",
    elsewhere: &["negate", "Invert", "negative"],
    summary: "inverts the picture (negative)",
    description: "black + white - sample. Chroma is mirrored about mid-grey, where FFmpeg's negate mirrors it about \
                  half of full scale, so that integers differ by 1. FFmpeg's filter inverts limited range as if it \
                  were full.",
    own: &[RANGE],
    example: "invert",
    want: |values, target| {
        let sum = match is_chroma(target) {
            true => 2.0 * f64::from(target.pixel.neutral(target.plane)),
            false => {
                let (black, white) = ends(values, target);
                black + white
            }
        };
        Ok(Want::Points(Curve::new(vec![Tone::Multiply(-1.0), Tone::Add(sum)])))
    },
    ..gain::GAIN
};
