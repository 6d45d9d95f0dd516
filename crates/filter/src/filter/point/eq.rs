//! Contrast, brightness, saturation and gamma in one call, as FFmpeg's eq has them.

use anyhow::Result;

use super::super::colour::{BT_601, weights};
use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::{gain, hue, sum};
use crate::frame::{Family, Sample};

const fn gamma(name: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(0.1, 10.0), Preset::Is("1"), help)
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "eq",
    elsewhere: &["contrast"],
    summary: "contrast, brightness, saturation and gamma in one call",
    description: "FFmpeg's eq, for numbers that stay the same. YUV and grey of 8 bits have FFmpeg's bytes, which move \
                  grey chroma from 128 to 127 where saturation is not 1: the filter saturation keeps it. Deeper \
                  samples and floats are contrast (x - 1/2) + 1/2 + brightness, with x from 0 to 1 over full scale, \
                  then the gamma, rounded once; FFmpeg has none of these. Chroma has the saturation as its contrast, \
                  and no brightness. RGB is filtered as it is, each colour by itself; its saturation is about luma, \
                  and comes before the gamma.",
    own: &[
        Parameter::new(
            "contrast",
            Kind::Number(-1000.0, 1000.0),
            Preset::Is("1"),
            "factor about mid-grey; below 0 gives a negative",
        ),
        Parameter::new("brightness", Kind::Number(-1.0, 1.0), Preset::Is("0"), "value to add")
            .unit("fraction of full scale"),
        Parameter::new(
            "saturation",
            Kind::Number(0.0, 3.0),
            Preset::Is("1"),
            "factor of chroma; 0 leaves black and white",
        ),
        gamma("gamma", "exponent; above 1 brightens the middle tones"),
        gamma("gamma_r", "the same of red"),
        gamma("gamma_g", "the same of green"),
        gamma("gamma_b", "the same of blue"),
        Parameter::new(
            "gamma_weight",
            Kind::Number(0.0, 1.0),
            Preset::Is("1"),
            "share of the gamma; less spares bright areas",
        ),
    ],
    example: "eq=contrast=1.2:brightness=0.05:saturation=1.5",
    want,
    ..gain::GAIN
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let FormatPlane { pixel, plane, colour, .. } = target;
    if pixel.is_alpha(plane) {
        return Ok(Want::Copy);
    }
    let number = |name: &str| hue::kept(values.number(name));
    let [contrast, brightness, saturation] = ["contrast", "brightness", "saturation"].map(number);
    let [gamma, red, green, blue] = ["gamma", "gamma_r", "gamma_g", "gamma_b"].map(number);
    let share = number("gamma_weight");
    let tone = |contrast, brightness, gamma| Equalised { contrast, brightness, gamma, share };
    if pixel.family != Family::Rgb {
        let tone = match plane {
            0 => tone(contrast, brightness, gamma * green),
            1 => tone(saturation, 0.0, (blue / green).sqrt()),
            _ => tone(saturation, 0.0, (red / green).sqrt()),
        };
        return Ok(tone.want(target));
    }
    let gamma = gamma * [green, blue, red][plane];
    if saturation == 1.0 {
        return Ok(tone(contrast, brightness, gamma).want(target));
    }
    let rows = hue::saturated(weights(colour.matrix).unwrap_or(BT_601), saturation);
    let offset = target.level(0.5 - 0.5 * contrast + brightness);
    let mixed = sum::rgb(target, rows.map(|row| row.map(|part| contrast * part)), offset);
    Ok(match (mixed, tone(1.0, 0.0, gamma).want(target)) {
        (Want::Operation(op), Want::Points(curve)) => Want::OperationThen(op, curve),
        (mixed, _) => mixed,
    })
}

/// The operation for one plane.
struct Equalised {
    contrast: f64,
    brightness: f64,
    gamma: f64,
    /// Of the gamma.
    share: f64,
}

impl Equalised {
    fn want(&self, target: FormatPlane) -> Want {
        if (self.contrast, self.brightness, self.gamma) == (1.0, 0.0, 1.0) {
            return Want::Copy;
        }
        let FormatPlane { pixel, plane, .. } = target;
        if pixel.sample == Sample::U8 && pixel.family != Family::Rgb {
            let entries = (0..256).map(|byte| self.byte(byte)).collect();
            return Want::Points(Curve::new(vec![Tone::Multiply(1.0 / 255.0), Tone::Lookup(entries)]));
        }
        // Chroma without colour stays in the middle.
        let scale = if pixel.is_chroma(plane) { 2.0 * f64::from(pixel.neutral(plane)) } else { target.level(1.0) };
        let mut tones = vec![Tone::Multiply(1.0 / scale)];
        match self.contrast {
            1.0 => tones.push(Tone::Add(self.brightness)),
            contrast => tones.extend([Tone::Add(-0.5), Tone::Multiply(contrast), Tone::Add(0.5 + self.brightness)]),
        }
        if self.gamma != 1.0 {
            const POINTS: u32 = 1 << 12;
            tones.push(Tone::Clamp(0.0, 1.0));
            tones.push(match self.share {
                1.0 => Tone::Power(1.0 / self.gamma),
                _ => Tone::Lookup((0..=POINTS).map(|k| self.raised(f64::from(k) / f64::from(POINTS))).collect()),
            });
        }
        tones.push(Tone::Multiply(scale));
        tones.retain(|tone| *tone != Tone::Multiply(1.0) && *tone != Tone::Add(0.0));
        Want::Points(Curve::new(tones))
    }

    /// A value above 0 with the gamma.
    fn raised(&self, value: f64) -> f64 {
        value * (1.0 - self.share) + libm::pow(value, 1.0 / self.gamma) * self.share
    }

    /// What FFmpeg makes of a byte: whole numbers without a gamma, else numbers that are cut off.
    fn byte(&self, byte: i32) -> f64 {
        if self.gamma == 1.0 && self.contrast.abs() < 7.9 {
            let contrast = (self.contrast * 4096.0) as i32;
            let percent = (100.0 * self.brightness + 100.0) as i32;
            let term = percent * 511 / 200 - 128 - contrast / 32;
            return f64::from((((byte * contrast) >> 12) + term).clamp(0, 255));
        }
        let value = self.contrast * (f64::from(byte) / 255.0 - 0.5) + 0.5 + self.brightness;
        let value = if value <= 0.0 { 0.0 } else { self.raised(value) };
        (256.0 * value).floor().min(255.0)
    }
}
