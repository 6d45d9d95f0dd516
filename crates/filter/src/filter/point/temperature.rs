//! White of another temperature: red, green and blue multiplied.

use anyhow::Result;

use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::lut3d::MATRIX;
use super::{gain, sum};
use crate::frame::{Family, Sample};

pub(in super::super) const SPEC: Spec = Spec {
    name: "colortemperature",
    elsewhere: &["temperature", "whitebalance", "warmth"],
    summary: "makes colours warmer or colder, as light of a temperature does",
    description: "FFmpeg's colortemperature: red, green and blue are multiplied by the colour of a black body; below \
                  6500 is warmer, above is colder, and 6600 changes nothing. RGB of whole numbers is cut off as FFmpeg \
                  does, with factors of its own formula, so that single samples may differ by a step. YUV is converted \
                  to RGB and back in 32-bit floats, as lut3d does, and rounded; FFmpeg converts to 8-bit RGB. Grey \
                  stays as it is. FFmpeg's pl, which preserves lightness, is not known; its mix is that of all filters \
                  here.",
    own: &[
        Parameter::new("temperature", Kind::Number(1000.0, 40000.0), Preset::Is("6500"), "colour of white")
            .unit("kelvin"),
        MATRIX,
    ],
    example: "colortemperature=4500",
    want,
    ..gain::GAIN
};

/// Red, green and blue of a black body, the largest 1: FFmpeg's approximation.
fn white(kelvin: f64) -> [f64; 3] {
    let hundreds = kelvin / 100.0;
    let above = (hundreds - 60.0).max(0.0);
    let (red, green) = if hundreds <= 66.0 {
        (1.0, 0.390_081_578_769_019_6 * libm::log(hundreds) - 0.631_841_443_788_627_4)
    } else {
        (
            1.292_936_186_062_745 * libm::pow(above, -0.133_204_759_2),
            1.129_890_860_895_294 * libm::pow(above, -0.075_514_849_2),
        )
    };
    let blue = match hundreds {
        66.0.. => 1.0,
        ..=19.0 => 0.0,
        _ => 0.543_206_789_110_196_1 * libm::log(hundreds - 10.0) - 1.196_254_089_14,
    };
    // FFmpeg keeps floats.
    [red, green, blue].map(|part| f64::from(part.clamp(0.0, 1.0) as f32))
}

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let FormatPlane { pixel, plane, .. } = target;
    let white = white(values.number("temperature"));
    if pixel.is_alpha(plane) || pixel.family == Family::Gray || white == [1.0; 3] {
        return Ok(Want::Copy);
    }
    if pixel.family == Family::Yuv {
        let [red, green, blue] = white;
        return sum::through_rgb(values, target, [[red, 0.0, 0.0], [0.0, green, 0.0], [0.0, 0.0, blue]]);
    }
    let factor = white[sum::COLOUR_OF_PLANE[plane]];
    if factor == 1.0 {
        return Ok(Want::Copy);
    }
    // Fractions are cut off.
    let cut = (pixel.sample != Sample::F32).then_some(Tone::Add(-0.5));
    Ok(Want::Points(Curve::new([Tone::Multiply(factor)].into_iter().chain(cut).collect())))
}
