//! Colours mixed of colours: sepia, black and white, exchanged colours.

use std::sync::Arc;

use anyhow::Result;

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::lut3d::MATRIX;
use super::{gain, sum};
use crate::frame::{Family, Sample};
use crate::pass::{Mix, MixSums, Op};

const fn part(name: &'static str, is: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(-2.0, 2.0), Preset::Is(is), help)
}

/// A part that is read where FFmpeg has it, and is what it is.
const fn fixed(name: &'static str, number: f64, is: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(number, number), Preset::Is(is), help)
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "colorchannelmixer",
    elsewhere: &["channelmixer"],
    summary: "makes each colour of parts of red, green and blue",
    description: "FFmpeg's colorchannelmixer: red becomes rr red + rg green + rb blue, and so on. RGB of 8 bits has \
                  FFmpeg's bytes, which round each part; deeper samples are rounded once, and FFmpeg's may differ by a \
                  step. YUV and grey are converted to RGB and back in 32-bit floats, as lut3d does, by the clip's \
                  matrix, range and chroma location; FFmpeg converts to 8-bit RGB. Opacity is neither read nor made: \
                  ra, ga, ba, ar, ag and ab are 0, and aa is 1. FFmpeg's pc, pl and pa, which preserve colour, are not \
                  known.",
    own: &[
        part("rr", "1", "part of red in red"),
        part("rg", "0", "part of green in red"),
        part("rb", "0", "part of blue in red"),
        fixed("ra", 0.0, "0", "part of opacity in red"),
        part("gr", "0", "part of red in green"),
        part("gg", "1", "part of green in green"),
        part("gb", "0", "part of blue in green"),
        fixed("ga", 0.0, "0", "part of opacity in green"),
        part("br", "0", "part of red in blue"),
        part("bg", "0", "part of green in blue"),
        part("bb", "1", "part of blue in blue"),
        fixed("ba", 0.0, "0", "part of opacity in blue"),
        fixed("ar", 0.0, "0", "part of red in opacity"),
        fixed("ag", 0.0, "0", "part of green in opacity"),
        fixed("ab", 0.0, "0", "part of blue in opacity"),
        fixed("aa", 1.0, "1", "part of opacity in opacity"),
        MATRIX,
    ],
    example: "colorchannelmixer=rr=0:rb=1:br=1:bb=0",
    want,
    ..gain::GAIN
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let rows = [["rr", "rg", "rb"], ["gr", "gg", "gb"], ["br", "bg", "bb"]];
    let rows = rows.map(|row| row.map(|name| values.number(name)));
    let FormatPlane { pixel, plane, .. } = target;
    if pixel.is_alpha(plane) || rows == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        return Ok(Want::Copy);
    }
    if pixel.family != Family::Rgb {
        return sum::through_rgb(values, target, rows);
    }
    if pixel.sample != Sample::U8 {
        return Ok(sum::rgb(target, rows, 0.0));
    }
    let table = |part: f64| std::array::from_fn(|byte| (byte as f64 * part).round_ties_even() as i16);
    let terms = sum::COLOUR_OF_PLANE.map(|to| sum::COLOUR_OF_PLANE.map(|from| table(rows[to][from])));
    Ok(Want::Operation(Op::Mix(Mix { first: 0, centre: 0.0, sums: MixSums::Terms(Arc::new(terms)) })))
}
