//! Black and white by a level.

use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::want::Want;
use super::{RANGE, ends, gain, is_chroma};

const fn level(name: &'static str, is: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(0.0, 1.0), Preset::Is(is), help).unit("fraction from black to white")
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "threshold",
    elsewhere: &["binarize", "Binarize"],
    summary: "makes two tones, split at a level",
    description: "Sets samples below the level to low, the rest to high. Chroma is unchanged; for grey, use a format \
                  without it.",
    own: &[
        level("level", "0.5", "level of the split"),
        level("low", "0", "output below the level"),
        level("high", "1", "output from the level on"),
        RANGE,
    ],
    example: "threshold=0.3",
    want: |values, target| {
        if is_chroma(target) {
            return Ok(Want::Copy);
        }
        let (black, white) = ends(values, target);
        let at = |name: &str| black + values.number(name) * (white - black);
        let tone = Tone::Threshold { level: at("level"), below: at("low"), above: at("high") };
        Ok(Want::Points(Curve::new(vec![tone])))
    },
    ..gain::GAIN
};
