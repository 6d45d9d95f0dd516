//! Tones of red, green and blue along curves.

use std::sync::Arc;

use anyhow::Result;

use super::super::curve::{Curve, Tone};
use super::super::knots::{KnotCurve, Knots};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::lut3d::{self, MATRIX};
use super::{gain, sum};
use crate::frame::{Family, Sample};
use crate::pass::{ColourMap, Grade, Op, ToneCurves};

/// Straight pieces of a curve for samples that are not whole.
const PIECES: usize = 4096;

/// Names of FFmpeg's presets, and their curves of red, green, blue and all of them.
const PRESETS: [(&str, [&str; 4]); 11] = [
    ("none", [""; 4]),
    (
        "color_negative",
        ["0.129/1 0.466/0.498 0.725/0", "0.109/1 0.301/0.498 0.517/0", "0.098/1 0.235/0.498 0.423/0", ""],
    ),
    (
        "cross_process",
        [
            "0/0 0.25/0.156 0.501/0.501 0.686/0.745 1/1",
            "0/0 0.25/0.188 0.38/0.501 0.745/0.815 1/0.815",
            "0/0 0.231/0.094 0.709/0.874 1/1",
            "",
        ],
    ),
    ("darker", ["", "", "", "0/0 0.5/0.4 1/1"]),
    ("increase_contrast", ["", "", "", "0/0 0.149/0.066 0.831/0.905 0.905/0.98 1/1"]),
    ("lighter", ["", "", "", "0/0 0.4/0.5 1/1"]),
    ("linear_contrast", ["", "", "", "0/0 0.305/0.286 0.694/0.713 1/1"]),
    ("medium_contrast", ["", "", "", "0/0 0.286/0.219 0.639/0.643 1/1"]),
    ("negative", ["", "", "", "0/1 1/0"]),
    ("strong_contrast", ["", "", "", "0/0 0.301/0.196 0.592/0.6 0.686/0.737 1/1"]),
    ("vintage", ["0/0.11 0.42/0.51 1/0.95", "0/0 0.50/0.48 1/1", "0/0.22 0.49/0.44 1/0.8", ""]),
];

/// The names alone, as they are typed.
const WORDS: [&str; PRESETS.len()] = {
    let mut words = [""; PRESETS.len()];
    let mut n = 0;
    while n < words.len() {
        words[n] = PRESETS[n].0;
        n += 1;
    }
    words
};

/// Key points of a curve.
const fn points(name: &'static str, default: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Knots, Preset::Derived(default), help)
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "curves",
    elsewhere: &["ToneCurve"],
    summary: "bends the tones of red, green and blue along curves through key points",
    description: "FFmpeg's curves: 0/0 0.5/0.6 1/1 are points of a curve, input/output from black to white, which a natural cubic spline \
                  joins; with interp=pchip the curve never overshoots its points. Beyond the first and the last point their values \
                  hold. A colour that has no curve of its own takes all, else the preset's; master is applied after the three. \
                  RGB of whole numbers has FFmpeg's bytes, which cut off fractions. YUV and grey are converted to RGB \
                  and back in 32-bit floats by the clip's matrix and range, as lut3d does, and rounded; FFmpeg converts to 8-bit RGB. \
                  Their curves, and those of floats, are 4096 straight pieces, clipped to black and white. FFmpeg's psfile and plot are \
                  not offered.",
    own: &[
        Parameter::new("preset", Kind::Word(&WORDS), Preset::Is("none"), "curves where none are typed"),
        points("master", "no curve", "curve of all three, after their own").or(&["m"]),
        points("red", "as all", "curve of red").or(&["r"]),
        points("green", "as all", "curve of green").or(&["g"]),
        points("blue", "as all", "curve of blue").or(&["b"]),
        points("all", "the preset's", "curve of red, green and blue where they have none"),
        Parameter::new("interp", Kind::Name(&["natural", "pchip"]), Preset::Is("natural"), "curve between the points"),
        MATRIX,
    ],
    example: "curves=preset=increase_contrast",
    want,
    ..gain::GAIN
};

/// The curves of red, green and blue, and that of all after them, if there are any.
fn typed(values: &Values) -> [Option<KnotCurve>; 4] {
    let is_natural = values.word("interp") == "natural";
    let preset = PRESETS.iter().find(|(name, _)| *name == values.word("preset")).map_or([""; 4], |(_, curves)| *curves);
    let curve = |(name, is_own): (&str, bool), preset: &str| {
        let all = || is_own.then(|| values.knots("all")).flatten();
        let typed = values.knots(name).or_else(all).cloned();
        let knots = typed.or_else(|| Knots::parse(preset).ok())?;
        Some(KnotCurve::new(&knots, is_natural))
    };
    let [red, green, blue, master] = preset;
    [
        curve(("red", true), red),
        curve(("green", true), green),
        curve(("blue", true), blue),
        curve(("master", false), master),
    ]
}

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let FormatPlane { pixel, plane, .. } = target;
    let curves = typed(values);
    let master = curves[3].as_ref();
    let is_whole_rgb = pixel.family == Family::Rgb && pixel.sample != Sample::F32;
    if pixel.is_alpha(plane) || curves.iter().all(Option::is_none) {
        return Ok(Want::Copy);
    }
    if is_whole_rgb {
        let own = curves[sum::COLOUR_OF_PLANE[plane]].as_ref();
        if own.is_none() && master.is_none() {
            return Ok(Want::Copy);
        }
        let peak = pixel.peak() as u32;
        let table = |curve: Option<&KnotCurve>| curve.map_or_else(|| (0..=peak).collect(), |curve| curve.table(peak));
        let (own, master): (Vec<u32>, Vec<u32>) = (table(own), table(master));
        let entries = own.into_iter().map(|v| f64::from(master[v as usize]));
        return Ok(Want::Points(Curve::new(vec![
            Tone::Multiply(1.0 / f64::from(peak)),
            Tone::Lookup(entries.collect()),
        ])));
    }
    let bent = |curve: Option<&KnotCurve>, x: f64| curve.map_or(x, |curve| curve.value(x).clamp(0.0, 1.0));
    let pieces = [0, 1, 2].map(|colour| {
        let value = |n: usize| bent(master, bent(curves[colour].as_ref(), n as f64 / PIECES as f64));
        let values: Vec<f64> = (0..=PIECES).map(value).collect();
        let last = values[PIECES];
        let pairs = values.windows(2).map(|pair| [pair[0] as f32, (pair[1] - pair[0]) as f32, 0.0, 0.0]);
        pairs.chain([[last as f32, 0.0, 0.0, 0.0]]).collect::<Vec<_>>()
    });
    let curves = Arc::new(ToneCurves::new(pieces, [0.0; 3], [1.0; 3], 0.0)?);
    let matrix = lut3d::matrix(values, target)?;
    Ok(Want::Operation(Op::Grade(Grade { map: ColourMap::Curves(curves), strength: 1.0, matrix })))
}
