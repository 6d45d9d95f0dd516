//! Denoising by how noisy a clip is: measured by whoever has the clip, or said.

use super::super::parameter::{Kind, Parameter, Preset, Strength};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::strength::{LEAST, MOST};
use super::super::value::Values;
use super::super::want::Want;
use super::nlmeans;
use crate::pass::Op;

/// Parts of the measured noise.
const LIGHT: f64 = 0.75;
const STRONG: f64 = 1.5;

pub(in super::super) const SPEC: Spec = Spec {
    name: "denoise",
    elsewhere: &[],
    group: Group::Denoise,
    summary: "removes noise, with the strength measured from the clip",
    description: "A job measures the noise of the clip: how much samples change from frame to frame where nothing moves, \
                  over its first two seconds, and again after each cut (scene, or 0.4). It removes 0.75 times that \
                  (light), all of it (medium or auto), or 1.5 times as much (strong), and prints the result as a filter \
                  that you can type instead, with fixed strengths (luma, chroma); warpreel explain CLIP -f denoise prints \
                  it without a run. Where the strength changes at a cut, all filters of the chain restart there, as at the \
                  beginning of a clip. Without a clip to measure, as in bench, the noise is taken to be 5. The filter is \
                  nlmeans=p=5:r=7:frames=3 with a strength of half the noise; noise below 0.5 is left unchanged.",
    own: &[
        Parameter::new(
            "strength",
            Kind::Name(&["auto", "light", "medium", "strong"]),
            Preset::Is("auto"),
            "part of the noise that is removed: 0.75 of it, all, or 1.5 times as much; auto is medium",
        ),
        Parameter::new(
            "luma",
            Kind::Strength(0.0, MOST),
            Preset::Is("auto"),
            "noise of luma, whatever the strength: standard deviation; 0 does nothing; auto: that which is measured, times \
             the strength",
        )
        .unit("steps of 8 bits")
        .by_noise(Strength::new(|values, noise| Some(removed(values, noise.luma)), 0.55, 4.0)),
        Parameter::new(
            "chroma",
            Kind::Strength(0.0, MOST),
            Preset::Derived("that of luma; with auto, what is measured"),
            "noise of chroma",
        )
        .unit("steps of 8 bits")
        .by_noise(Strength::beside(|values, noise| noise.chroma.map(|chroma| removed(values, chroma)))),
    ],
    example: "denoise=luma=6:chroma=4",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| Ok(want(deviation(values, target))),
    change: None,
};

/// The noise that is removed of what was measured, in tenths.
fn removed(values: &Values, measured: f64) -> f64 {
    let part = match values.word("strength") {
        "light" => LIGHT,
        "strong" => STRONG,
        _ => 1.0,
    };
    ((part * measured).min(MOST) * 10.0).round() / 10.0
}

/// The noise that a plane is taken to have.
fn deviation(values: &Values, target: FormatPlane) -> f64 {
    let chroma = values.typed("chroma").filter(|_| target.pixel.is_chroma(target.plane));
    chroma.unwrap_or_else(|| values.number("luma"))
}

/// What takes noise of a standard deviation away.
fn want(deviation: f64) -> Want {
    if deviation < LEAST {
        return Want::Copy;
    }
    Want::Operation(Op::Nlmeans(nlmeans::of(0.5 * deviation, 5, 7, 3)))
}
