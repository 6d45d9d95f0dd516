//! Denoising by how noisy a clip is: measured by whoever has the clip, or said.

use super::super::parameter::{Kind, Parameter, Preset, Values};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::want::Want;
use super::nlmeans;
use crate::pass::Op;

/// Noise below this, in steps of 8 bits, is left alone: rounding alone makes 0.3.
const LEAST: f64 = 0.5;

/// The most noise that is reckoned with.
pub(in super::super) const MOST: f64 = 50.0;

const DEVIATION: Parameter = Parameter::new(
    "luma",
    Kind::Number(0.0, MOST),
    Preset::Derived("what is measured, or 2.5, 5 or 10 for light, medium or strong"),
    "noise of luma: standard deviation; 0 does nothing",
)
.unit("steps of 8 bits");

pub(in super::super) const SPEC: Spec = Spec {
    name: "denoise",
    elsewhere: &[],
    group: Group::Denoise,
    summary: "removes noise, with the strength measured from the clip",
    description: "With auto a job measures the clip: how much samples change from frame to frame where nothing moves, \
                  over its first two seconds, and again after each cut (scene, or 0.4). It prints the result as a \
                  filter that you can type instead; warpreel explain CLIP -f denoise prints it without a run. Where \
                  the strength changes at a cut, all filters of the chain restart there, as at the beginning of a \
                  clip. Without a clip to measure, as in bench, auto is medium. The filter is nlmeans=p=5:r=7:frames=3 \
                  with a strength of half the noise; noise below 0.5 is left unchanged.",
    own: &[
        Parameter::new(
            "strength",
            Kind::Name(&["auto", "light", "medium", "strong"]),
            Preset::Is("auto"),
            "assumed noise of the clip",
        ),
        DEVIATION,
        Parameter {
            name: "chroma",
            preset: Preset::Derived("that of luma; with auto, what is measured"),
            help: "noise of chroma",
            ..DEVIATION
        },
    ],
    example: "denoise=luma=6:chroma=4",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| Ok(want(deviation(values, target))),
};

/// The noise that a plane is taken to have.
fn deviation(values: &Values, target: FormatPlane) -> f64 {
    let luma = || {
        values.typed("luma").unwrap_or(match values.word("strength") {
            "light" => 2.5,
            "strong" => 10.0,
            _ => 5.0,
        })
    };
    let chroma = values.typed("chroma").filter(|_| target.pixel.is_chroma(target.plane));
    chroma.unwrap_or_else(luma)
}

/// What takes noise of a standard deviation away.
fn want(deviation: f64) -> Want {
    if deviation < LEAST {
        return Want::Copy;
    }
    Want::Operation(Op::Nlmeans(nlmeans::of(0.5 * deviation, 5, 7, 3)))
}
