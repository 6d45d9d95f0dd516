//! A table of tones.

use anyhow::{Result, ensure};

use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset, Values};
use super::super::spec::{FormatPlane, Spec};
use super::super::want::Want;
use super::{gain, is_chroma};

pub(in super::super) const SPEC: Spec = Spec {
    name: "lut",
    elsewhere: &["curves", "lutyuv", "lutrgb", "Lut"],
    summary: "maps tones by a lookup table",
    description: "The values are equally spaced from 0 to full scale, with linear interpolation: 0 1 does nothing, 1 0 \
                  is a negative, 0 0.6 1 brightens, and 256 values cover every value of an 8-bit clip. As text or from \
                  a file, as for kernel. Chroma is unchanged unless it has a table of its own.",
    own: &[
        Parameter::new("table", Kind::Tones, Preset::Is("0 1"), "output for the tones from black to white")
            .unit("fraction of full scale"),
        Parameter::new(
            "chroma",
            Kind::Tones,
            Preset::Derived("chroma is left alone"),
            "output for both chroma planes, mid-grey in the middle",
        )
        .unit("fraction of full scale"),
    ],
    example: "lut='0 0.1 0.5 0.9 1'",
    want,
    ..gain::GAIN
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let name = if is_chroma(target) { "chroma" } else { "table" };
    let Some(taps) = values.kernel(name) else { return Ok(Want::Copy) };
    let full = target.level(1.0);
    let entries: Vec<f64> = taps.kernels.iter().flat_map(|kernel| kernel.weights.iter().copied()).collect();
    ensure!(entries.len() >= 2, "{name} has a single value; type at least the first and the last tone: 0 1");
    let mut tones = vec![Tone::Multiply(1.0 / full), Tone::Lookup(entries), Tone::Multiply(full)];
    tones.retain(|tone| *tone != Tone::Multiply(1.0));
    Ok(Want::Points(Curve::new(tones)))
}
