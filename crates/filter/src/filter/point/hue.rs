//! Hue and saturation: chroma turned and multiplied.

use std::f64::consts::PI;

use anyhow::{Result, ensure};

use super::super::colour::{BT_601, weights};
use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::{gain, sum};
use crate::frame::{Family, Sample};

pub(in super::super) const SATURATION: Spec = Spec {
    name: "saturation",
    elsewhere: &["Tweak", "saturate"],
    summary: "makes colours stronger or weaker",
    description: "Multiplies chroma about grey: 0 leaves black and white, 1 changes nothing. YUV has the bytes of \
                  FFmpeg's hue=s=FACTOR, at 8 and 10 bits; luma is unchanged. RGB is multiplied about its luma, by the \
                  clip's matrix, or BT.601. Grey clips stay as they are.",
    own: &[Parameter::new("factor", Kind::Number(-10.0, 10.0), Preset::Is("1"), "factor; 1 changes nothing")],
    example: "saturation=1.4",
    want: |values, target| {
        Ok(turned(target, ColourTurn { saturation: values.number("factor"), ..ColourTurn::default() }))
    },
    ..gain::GAIN
};

pub(in super::super) const HUE: Spec = Spec {
    name: "hue",
    elsewhere: &["huesaturation"],
    summary: "turns hues, and makes colours stronger or weaker",
    description: "FFmpeg's hue, for numbers that stay the same: chroma is turned by an angle and multiplied about \
                  grey. YUV of 8 and 10 bits has FFmpeg's bytes: whole numbers of 16 binary places. 9 bits are \
                  likewise; deeper samples and floats are summed in 32-bit floats. RGB is turned about grey by the \
                  clip's matrix, or BT.601. FFmpeg's expressions of time need FFmpeg itself.",
    own: &[
        Parameter::new("h", Kind::Number(-36000.0, 36000.0), Preset::Derived("0"), "angle").unit("degrees"),
        Parameter::new(
            "s",
            Kind::Number(-10.0, 10.0),
            Preset::Is("1"),
            "factor of saturation; 0 leaves black and white",
        ),
        Parameter::new("H", Kind::Number(-1000.0, 1000.0), Preset::Derived("h"), "angle").unit("radians"),
        Parameter::new("b", Kind::Number(-10.0, 10.0), Preset::Is("0"), "brightness to add")
            .unit("tenths of full scale"),
    ],
    example: "hue=h=90:s=1.2",
    want,
    ..gain::GAIN
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let [degrees, radians] = ["h", "H"].map(|name| values.typed(name));
    ensure!(degrees.is_none() || radians.is_none(), "h and H are both the angle; type one of them");
    let angle = degrees.map(f64::to_radians).or(radians).unwrap_or(0.0);
    let kept_angle = degrees.map(|degrees| kept(degrees) * PI / 180.0).or(radians).unwrap_or(0.0);
    let (saturation, brightness) = (values.number("s"), values.number("b"));
    Ok(turned(target, ColourTurn { angle, kept_angle, saturation, brightness }))
}

/// What becomes of colours.
#[derive(Default)]
struct ColourTurn {
    /// In radians.
    angle: f64,
    /// The same from degrees as FFmpeg keeps them.
    kept_angle: f64,
    saturation: f64,
    /// Tenths of full scale.
    brightness: f64,
}

/// A number as FFmpeg keeps it, in `f32`.
pub(super) fn kept(number: f64) -> f64 {
    f64::from(number as f32)
}

impl ColourTurn {
    /// Cosine and sine, times the saturation.
    fn factors(&self) -> [f64; 2] {
        let (sin, cos) = libm::sincos(self.angle);
        // Half a turn has no sine.
        [cos, sin].map(|part| if part.abs() < 1e-12 { 0.0 } else { part * self.saturation })
    }

    /// The same in the parts of one that FFmpeg has.
    fn whole_factors(&self) -> [f64; 2] {
        let (sin, cos) = libm::sincos(kept(self.kept_angle));
        [cos, sin].map(|part| (part * sum::ONE * kept(self.saturation)).round_ties_even() / sum::ONE)
    }

    /// Rows of red, green and blue, with these weights of red and blue in luma.
    fn rows(&self, [kr, kb]: [f64; 2]) -> [[f64; 3]; 3] {
        let [cos, sin] = self.factors();
        let kg = 1.0 - kr - kb;
        let [to_red, to_blue] = [kr, kb].map(|weight| 2.0 * (1.0 - weight));
        let column = |from: usize| {
            let luma = [kr, kg, kb][from];
            let of = |colour: usize| if from == colour { 1.0 - luma } else { -luma };
            let (u, v) = (of(2) / to_blue, of(0) / to_red);
            let (u, v) = (u * cos - v * sin, u * sin + v * cos);
            let (red, blue) = (luma + to_red * v, luma + to_blue * u);
            [red, (luma - kr * red - kb * blue) / kg, blue]
        };
        let columns = [0, 1, 2].map(column);
        [0, 1, 2].map(|to| [0, 1, 2].map(|from| columns[from][to]))
    }
}

/// Rows of red, green and blue for a saturation, with these weights of red and blue in luma.
pub(super) fn saturated(weights: [f64; 2], saturation: f64) -> [[f64; 3]; 3] {
    ColourTurn { saturation, ..ColourTurn::default() }.rows(weights)
}

/// What a plane becomes.
fn turned(target: FormatPlane, turn: ColourTurn) -> Want {
    let FormatPlane { pixel, plane, colour, .. } = target;
    let is_whole = sum::is_whole(pixel);
    let factors = if is_whole && pixel.family == Family::Yuv { turn.whole_factors() } else { turn.factors() };
    let is_same = factors == [1.0, 0.0];
    if pixel.is_alpha(plane) {
        return Want::Copy;
    }
    match pixel.family {
        Family::Rgb if is_same && turn.brightness == 0.0 => Want::Copy,
        Family::Rgb => {
            let rows = turn.rows(weights(colour.matrix).unwrap_or(BT_601));
            sum::rgb(target, rows, target.level(0.1 * turn.brightness))
        }
        Family::Yuv if plane > 0 && is_same => Want::Copy,
        Family::Yuv if plane > 0 && factors[1] == 0.0 => {
            let middle = f64::from(pixel.neutral(plane));
            let tones = vec![Tone::Add(-middle), Tone::Multiply(factors[0]), Tone::Add(middle)];
            Want::Points(Curve::new(tones.into_iter().filter(|tone| *tone != Tone::Add(0.0)).collect()))
        }
        Family::Yuv if plane > 0 => sum::chroma(target, factors),
        Family::Yuv | Family::Gray if turn.brightness == 0.0 => Want::Copy,
        Family::Yuv | Family::Gray => {
            // FFmpeg cuts fractions off, and has tenths of 255 and of 1024.
            let term = match pixel.sample {
                Sample::F32 => 0.1 * turn.brightness,
                Sample::U8 => kept(turn.brightness) * 25.5 - 0.5,
                Sample::U16 => kept(turn.brightness) * 0.1 * f64::from(1u32 << pixel.depth) - 0.5,
            };
            Want::Points(Curve::new(vec![Tone::Add(term)]))
        }
    }
}
