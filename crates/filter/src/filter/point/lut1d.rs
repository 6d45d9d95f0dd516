//! Tables of tones of red, green and blue from a file.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::super::cube::ToneFile;
use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::lut3d::{self, MATRIX};
use super::{gain, sum};
use crate::frame::{Family, Pixel, Sample};
use crate::pass::{ColourMap, Grade, Op, ToneCurves};

/// Cubic pieces between two tones that a cosine joins, if there is room for them.
const PIECES: usize = 16;

pub(in super::super) const SPEC: Spec = Spec {
    name: "lut1d",
    elsewhere: &["LUT1D"],
    summary: "maps red, green and blue each by a table of tones from a .cube file",
    description: "RGB of 8 bits has the bytes of FFmpeg's lut1d, which cuts off fractions; so has RGB of up to 16 bits, of FFmpeg's C code. \
                  The domain of the file is followed as its specification says; FFmpeg ignores DOMAIN_MIN. YUV and grey are converted to \
                  RGB and back in 32-bit floats by the clip's matrix and range, as lut3d does, and rounded; FFmpeg converts to 8-bit RGB. \
                  A file of three dimensions is what lut3d reads.",
    own: &[
        Parameter::new("file", Kind::ToneCube, Preset::Derived("none"), "file with the table"),
        Parameter::new(
            "interp",
            Kind::Word(&["nearest", "linear", "cubic", "cosine", "spline"]),
            Preset::Is("linear"),
            "interpolation between the tones of the table",
        ),
        MATRIX,
    ],
    example: "lut1d=samples/fade.cube",
    want,
    ..gain::GAIN
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let file = values.tones("file").context("there is no table; type lut1d=look.cube")?;
    let FormatPlane { pixel, plane, .. } = target;
    if pixel.is_alpha(plane) {
        return Ok(Want::Copy);
    }
    let interp = values.word("interp");
    if pixel.family == Family::Rgb && pixel.sample != Sample::F32 {
        let peak = f64::from(pixel.peak());
        let entries = whole(file, interp, pixel, sum::COLOUR_OF_PLANE[plane]);
        return Ok(Want::Points(Curve::new(vec![Tone::Multiply(1.0 / peak), Tone::Lookup(entries)])));
    }
    let map = ColourMap::Curves(Arc::new(curves(file, interp)?));
    let matrix = lut3d::matrix(values, target)?;
    Ok(Want::Operation(Op::Grade(Grade { map, strength: 1.0, matrix })))
}

/// The tones around a place: the one before, that at the place or below it, the next, and the one after that; the ends are repeated.
fn around(file: &ToneFile, colour: usize, place: usize) -> [f32; 4] {
    let last = file.tones.len() - 1;
    [place.saturating_sub(1), place, (place + 1).min(last), (place + 2).min(last)].map(|n| file.tones[n][colour])
}

/// What each whole sample becomes, with FFmpeg's arithmetic of `f32`.
fn whole(file: &ToneFile, interp: &str, pixel: Pixel, colour: usize) -> Vec<f64> {
    let (peak, last) = (pixel.peak(), (file.tones.len() - 1) as f32);
    let (low, high) = (file.low[colour], file.high[colour]);
    let unit = (1.0 / (f64::from(high) - f64::from(low))) as f32;
    let step = unit / peak * last;
    let value = |v: u32| {
        let place = (v as f32 * step - low * unit * last).clamp(0.0, last);
        let (first, part) = (place as usize, place - place.trunc());
        let [y0, y1, y2, y3] = around(file, colour, first);
        match interp {
            "nearest" => file.tones[(f64::from(place) + 0.5) as usize][colour],
            "cubic" => {
                let square = part * part;
                let a = y3 - y2 - y0 + y1;
                let b = y0 - y1 - a;
                a * part * square + b * square + (y2 - y0) * part + y1
            }
            "cosine" => {
                let share = (1.0 - libm::cosf((f64::from(part) * std::f64::consts::PI) as f32)) * 0.5;
                y1 + (y2 - y1) * share
            }
            "spline" => {
                let [c0, c1, c2, c3] = spline([y0, y1, y2, y3]);
                ((c3 * part + c2) * part + c1) * part + c0
            }
            _ => y1 + (y2 - y1) * part,
        }
    };
    let cut = |value: f32| f64::from((value * peak).clamp(0.0, peak).trunc());
    (0..=peak as u32).map(|v| cut(value(v))).collect()
}

/// The numbers of FFmpeg's spline, by the powers of the part of the way.
fn spline([y0, y1, y2, y3]: [f32; 4]) -> [f32; 4] {
    [y1, 0.5 * (y2 - y0), y0 - 2.5 * y1 + 2.0 * y2 - 0.5 * y3, 0.5 * (y3 - y0) + 1.5 * (y1 - y2)]
}

/// The table as curves.
fn curves(file: &ToneFile, interp: &str) -> Result<ToneCurves> {
    let count = file.tones.len();
    let pieces = [0, 1, 2].map(|colour| {
        let joined = |place: usize| {
            let [y0, y1, y2, y3] = around(file, colour, place);
            match interp {
                "nearest" => [y1, 0.0, 0.0, 0.0],
                "cubic" => {
                    let a = y3 - y2 - y0 + y1;
                    [y1, y2 - y0, y0 - y1 - a, a]
                }
                "spline" => spline([y0, y1, y2, y3]),
                _ => [y1, y2 - y1, 0.0, 0.0],
            }
        };
        match interp {
            "cosine" => rounded(file, colour),
            _ => (0..count).map(joined).collect::<Vec<_>>(),
        }
    });
    ToneCurves::new(pieces, file.low, file.high, if interp == "nearest" { 0.5 } else { 0.0 })
}

/// Half waves of a cosine between tones, in cubic pieces that meet it and its slope at their ends.
fn rounded(file: &ToneFile, colour: usize) -> Vec<[f32; 4]> {
    let count = file.tones.len();
    let finer = (ToneCurves::MAX_SIZE / count).clamp(1, PIECES);
    let angle = std::f64::consts::PI / finer as f64;
    let between = (0..count - 1).flat_map(|place| {
        let [_, first, next, _] = around(file, colour, place).map(f64::from);
        (0..finer).map(move |n| {
            let ends = [n, n + 1].map(|n| {
                let place = angle * n as f64;
                [(1.0 - libm::cos(place)) / 2.0, libm::sin(place) / 2.0 * angle]
            });
            let [[y0, m0], [y1, m1]] = ends.map(|end| end.map(|number| number * (next - first)));
            let (second, third) = (3.0 * (y1 - y0) - 2.0 * m0 - m1, 2.0 * (y0 - y1) + m0 + m1);
            [first + y0, m0, second, third].map(|number| number as f32)
        })
    });
    between.chain([[file.tones[count - 1][colour], 0.0, 0.0, 0.0]]).collect()
}
