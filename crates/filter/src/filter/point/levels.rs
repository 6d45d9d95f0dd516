//! Brightness between two levels spread out between two others.

use anyhow::ensure;

use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::want::Want;
use super::{RANGE, ends, gain, is_chroma};

const fn level(name: &'static str, is: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(-1.0, 2.0), Preset::Is(is), help).unit("fraction from black to white")
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "levels",
    elsewhere: &["colorlevels", "Levels"],
    summary: "spreads the tones between two levels",
    description: "Maps in_low to in_high onto out_low to out_high, with a power curve in between; values outside are \
                  clipped. Chroma is unchanged.",
    own: &[
        level("in_low", "0", "input that maps to out_low"),
        level("in_high", "1", "input that maps to out_high"),
        Parameter::new(
            "gamma",
            Kind::Number(0.01, 100.0),
            Preset::Is("1"),
            "exponent; above 1 brightens the middle tones",
        ),
        level("out_low", "0", "output for in_low"),
        level("out_high", "1", "output for in_high; below out_low it gives a negative"),
        RANGE,
    ],
    example: "levels=in_low=0.1:in_high=0.9",
    want: |values, target| {
        let [low, high, to_low, to_high] = ["in_low", "in_high", "out_low", "out_high"].map(|name| values.number(name));
        ensure!(low < high, "in_low={low} is not below in_high={high}; exchange out_low and out_high for a negative");
        let gamma = values.number("gamma");
        let changes = (low, high, gamma) != (0.0, 1.0, 1.0) || (to_low, to_high) != (0.0, 1.0);
        if is_chroma(target) || !changes {
            return Ok(Want::Copy);
        }
        let (black, white) = ends(values, target);
        let at = |fraction: f64| black + fraction * (white - black);
        let levels = Levels { low: at(low), high: at(high), gamma, to_low: at(to_low), to_high: at(to_high) };
        Ok(Want::Points(curve(levels)))
    },
    ..gain::GAIN
};

/// All in the units of the samples, but for gamma.
pub(super) struct Levels {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) gamma: f64,
    pub(super) to_low: f64,
    pub(super) to_high: f64,
}

/// From `low` to `high` onto `to_low` to `to_high`.
pub(super) fn curve(levels: Levels) -> Curve {
    let Levels { low, high, gamma, to_low, to_high } = levels;
    let mut tones = vec![Tone::Clamp(low, high), Tone::Add(-low), Tone::Multiply(1.0 / (high - low))];
    if gamma != 1.0 {
        tones.push(Tone::Power(1.0 / gamma));
    }
    tones.extend([Tone::Multiply(to_high - to_low), Tone::Add(to_low)]);
    tones.retain(|tone| *tone != Tone::Add(0.0) && *tone != Tone::Multiply(1.0));
    Curve::new(tones)
}
