//! A table of tones.

use anyhow::{Result, ensure};

use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::{RANGE, ends, gain, is_chroma};

pub(in super::super) const SPEC: Spec = Spec {
    name: "lut",
    elsewhere: &["lutyuv", "lutrgb", "Lut"],
    summary: "maps tones by a lookup table",
    description: "The values are equally spaced from black to white, with linear interpolation: 0 1 changes nothing between the two, 1 0 \
                  is a negative, 0 0.6 1 brightens. Values outside black and white are clipped. \
                  With range=full, 256 values cover every value of an 8-bit clip. As text or from a file, as for kernel. \
                  Chroma is unchanged unless it has a table of its own, which spans full scale.",
    own: &[
        Parameter::new("table", Kind::Tones, Preset::Is("0 1"), "output for the tones from black to white")
            .unit("fraction from black to white"),
        Parameter::new(
            "chroma",
            Kind::Tones,
            Preset::Derived("chroma is left alone"),
            "output for both chroma planes, mid-grey in the middle",
        )
        .unit("fraction of full scale"),
        RANGE,
    ],
    example: "lut='0 0.1 0.5 0.9 1'",
    want,
    ..gain::GAIN
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let name = if is_chroma(target) { "chroma" } else { "table" };
    let Some(taps) = values.kernel(name) else { return Ok(Want::Copy) };
    let (black, white) = if is_chroma(target) { (0.0, target.level(1.0)) } else { ends(values, target) };
    let entries: Vec<f64> = taps.kernels.iter().flat_map(|kernel| kernel.weights.iter().copied()).collect();
    ensure!(entries.len() >= 2, "{name} has a single value; type at least the first and the last tone: 0 1");
    if entries == [0.0, 1.0] && !is_chroma(target) {
        return Ok(Want::Copy);
    }
    let span = white - black;
    let mut tones = vec![
        Tone::Add(-black),
        Tone::Multiply(1.0 / span),
        Tone::Lookup(entries),
        Tone::Multiply(span),
        Tone::Add(black),
    ];
    tones.retain(|tone| *tone != Tone::Multiply(1.0) && *tone != Tone::Add(0.0));
    Ok(Want::Points(Curve::new(tones)))
}
