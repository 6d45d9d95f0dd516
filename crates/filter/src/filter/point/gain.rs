//! Multiples and sums: contrast and brightness.

use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::want::Want;
use super::{RANGE, ends, is_chroma};

pub(in super::super) const GAIN: Spec = Spec {
    name: "gain",
    elsewhere: &["multiply", "brighten"],
    group: Group::Point,
    summary: "multiplies brightness, with black fixed",
    description: "black + factor (sample - black). Chroma is multiplied about mid-grey, so that hue and relative \
                  saturation stay the same.",
    own: &[Parameter::new("factor", Kind::Number(0.0, 1000.0), Preset::Is("1"), "factor; 1 changes nothing"), RANGE],
    example: "gain=1.5",
    extent: Extent::Sample,
    terms: Terms::Own,
    gain: DcGain::Any,
    want: |values, target| {
        let factor = values.number("factor");
        let centre =
            if is_chroma(target) { f64::from(target.pixel.neutral(target.plane)) } else { ends(values, target).0 };
        if factor == 1.0 {
            return Ok(Want::Copy);
        }
        let tones = match centre {
            0.0 => vec![Tone::Multiply(factor)],
            centre => vec![Tone::Add(-centre), Tone::Multiply(factor), Tone::Add(centre)],
        };
        Ok(Want::Points(Curve::new(tones)))
    },
    change: None,
};

pub(in super::super) const OFFSET: Spec = Spec {
    name: "offset",
    elsewhere: &["brightness"],
    summary: "adds a constant to brightness",
    description: "sample + level of full scale. Chroma is unchanged.",
    own: &[Parameter::new("level", Kind::Number(-1.0, 1.0), Preset::Is("0"), "value to add; 0 changes nothing")
        .unit("fraction of full scale")],
    example: "offset=0.1",
    want: |values, target| {
        let term = target.level(values.number("level"));
        Ok(if term == 0.0 || is_chroma(target) { Want::Copy } else { Want::Points(Curve::new(vec![Tone::Add(term)])) })
    },
    ..GAIN
};
