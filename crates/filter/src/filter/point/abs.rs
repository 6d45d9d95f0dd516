//! The distance from a level.

use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::want::Want;
use super::{gain, is_chroma};

pub(in super::super) const SPEC: Spec = Spec {
    name: "abs",
    elsewhere: &[],
    summary: "absolute difference of brightness from a level",
    description: "scale |sample - level|: shows the positive and negative results of a filter with offset=0.5 alike. \
                  Float clips hold negative values; level=0:scale=1 makes them positive. Chroma is unchanged.",
    own: &[
        Parameter::new("level", Kind::Number(0.0, 1.0), Preset::Is("0.5"), "level that becomes black")
            .unit("fraction of full scale"),
        Parameter::new("scale", Kind::Number(-1000.0, 1000.0), Preset::Is("2"), "factor of the distance"),
    ],
    example: "abs=level=0.5",
    want: |values, target| {
        if is_chroma(target) {
            return Ok(Want::Copy);
        }
        let level = target.level(values.number("level"));
        let mut tones = vec![Tone::Add(-level), Tone::Absolute, Tone::Multiply(values.number("scale"))];
        tones.retain(|tone| *tone != Tone::Add(0.0) && *tone != Tone::Multiply(1.0));
        Ok(Want::Points(Curve::new(tones)))
    },
    ..gain::GAIN
};
