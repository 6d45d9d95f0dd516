//! Exposure in stops.

use anyhow::{Result, ensure};

use super::super::curve::{Curve, Tone};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::{RANGE, ends, gain, is_chroma};

pub(in super::super) const SPEC: Spec = Spec {
    name: "exposure",
    elsewhere: &["stops"],
    summary: "brightens or darkens by stops, as a longer or shorter exposure",
    description: "FFmpeg's exposure: (x - black) / (2 ^ -exposure - black), with x from black to white. Values are \
                  taken as the clip has them, which is linear light only in clips that hold that. RGB floats have \
                  FFmpeg's bytes; whole numbers, YUV and grey, which FFmpeg's does not take, are rounded. Chroma is \
                  multiplied about grey, which is what the same exposure of red, green and blue makes of it.",
    own: &[
        Parameter::new("exposure", Kind::Number(-3.0, 3.0), Preset::Is("0"), "stops; 1 doubles brightness")
            .unit("stops"),
        Parameter::new("black", Kind::Number(-1.0, 1.0), Preset::Is("0"), "value that becomes black")
            .unit("fraction from black to white"),
        RANGE,
    ],
    example: "exposure=0.5",
    want,
    ..gain::GAIN
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    // Numbers as FFmpeg keeps them.
    let [exposure, floor] = ["exposure", "black"].map(|name| values.number(name) as f32);
    // The nearest `f32`; that of the C library, which FFmpeg takes, is the other one for single exposures (2.698).
    let light = libm::exp2(f64::from(-exposure)) as f32;
    ensure!(light > floor, "black={floor} is not below {light}, which becomes white; type a smaller black");
    if target.pixel.is_alpha(target.plane) || (exposure, floor) == (0.0, 0.0) {
        return Ok(Want::Copy);
    }
    let scale = f64::from(1.0 / (light - floor));
    let mut tones = if is_chroma(target) {
        let middle = f64::from(target.pixel.neutral(target.plane));
        vec![Tone::Add(-middle), Tone::Multiply(scale), Tone::Add(middle)]
    } else {
        let (black, white) = ends(values, target);
        vec![Tone::Add(-black - f64::from(floor) * (white - black)), Tone::Multiply(scale), Tone::Add(black)]
    };
    tones.retain(|tone| *tone != Tone::Multiply(1.0) && *tone != Tone::Add(0.0) && *tone != Tone::Add(-0.0));
    Ok(Want::Points(Curve::new(tones)))
}
