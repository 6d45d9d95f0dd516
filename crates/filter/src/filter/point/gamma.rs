//! A power of brightness.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::want::Want;
use super::levels::{Levels, curve};
use super::{RANGE, ends, gain, is_chroma};

pub(in super::super) const SPEC: Spec = Spec {
    name: "gamma",
    elsewhere: &[],
    summary: "brightens or darkens the middle tones",
    description: "black + (white - black) ((sample - black) / (white - black)) ^ (1 / gamma), as in FFmpeg's eq: above \
                  1 brightens. Chroma is unchanged. Values outside black and white are clipped.",
    own: &[Parameter::new("gamma", Kind::Number(0.01, 100.0), Preset::Is("1"), "exponent; 1 changes nothing"), RANGE],
    example: "gamma=1.4",
    want: |values, target| {
        let gamma = values.number("gamma");
        if gamma == 1.0 || is_chroma(target) {
            return Ok(Want::Copy);
        }
        let (black, white) = ends(values, target);
        Ok(Want::Points(curve(Levels { low: black, high: white, gamma, to_low: black, to_high: white })))
    },
    ..gain::GAIN
};
