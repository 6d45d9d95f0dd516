//! Means over samples whose surroundings look alike.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::super::parameter::{AcceptedNumbers, Kind, Parameter, Preset, Strength};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::strength::{Noise, times};
use super::super::value::Values;
use super::super::want::Want;
use crate::pass::{Border, Finish, Nlmeans, Op, Shown};

const STRENGTH: Parameter = Parameter::new(
    "s",
    Kind::Strength(0.0, MOST),
    Preset::Is("1"),
    "strength: the difference up to which neighbourhoods count as similar; FFmpeg takes 1 to 30; 0 does nothing",
)
.by_noise(Strength::new(|values, noise| by_noise(values, noise.luma, "p"), 0.55, 4.0));
/// The largest strength; beyond it the table of weights would not fit.
const MOST: f64 = 30.0;
/// The least strength that weighs anything but the sample itself.
const LEAST: f64 = 0.1;
const PATCH: Parameter = Parameter::new(
    "p",
    Kind::Count(1, Nlmeans::MAX_SIDE),
    Preset::Is("7"),
    "side of the neighbourhoods that are compared (patch); odd",
)
.unit("samples")
.only(AcceptedNumbers::Odd);
const SEARCH: Parameter = Parameter::new(
    "r",
    Kind::Count(1, Nlmeans::MAX_SIDE),
    Preset::Is("15"),
    "side of the square that is searched around a sample; odd",
)
.unit("samples")
.only(AcceptedNumbers::Odd);
const FRAMES: Parameter =
    Parameter::new("frames", Kind::Count(0, Nlmeans::MAX_FRAMES), Preset::Is("0"), "frames to search on either side")
        .unit("frames");

const WEIGHTS: Parameter = Parameter::new(
    "weights",
    Kind::Word(&["welsch", "linear", "bisquare", "bisquare8"]),
    Preset::Is("welsch"),
    "falloff of weights with the difference x of two patches in units of (10 s)^2: exp(-x), or the 1st, 2nd or 8th \
     power of 1 - x down to 0",
);

pub(in super::super) const SPEC: Spec = Spec {
    name: "nlmeans",
    elsewhere: &["KNLMeansCL", "NLMeans", "fastNlMeansDenoising"],
    group: Group::Denoise,
    summary: "non-local means: averages pixels with similar neighbourhoods",
    description: "Replaces each sample by a mean of the samples around it, weighted by how similar their \
                  neighbourhoods are. At 8 bits FFmpeg's filter of this name gives the same bytes; it rounds an even p \
                  or r up to odd, which is an error here. Strengths mean the same at every depth: differences are \
                  counted in 8-bit units. Above 8 bits neighbourhoods are compared in whole steps of about a seventh of \
                  the strength, at a loss of 0.03 dB at most against f64 (docs/denoising.md). Planes after the first use \
                  pc and rc, in samples of chroma. Neighbourhoods extend beyond the edge as border says; samples outside \
                  the picture are not averaged. With frames the neighbouring frames are searched like the frame itself. s=auto \
                  follows the noise n that a job measures, in luma and in chroma, as denoise does: s = (0.13 + 0.095 n) p, \
                  since noise alone makes two equal neighbourhoods differ by 1.4 n a sample, and the picture adds a \
                  little; 0 for noise below 0.5.",
    own: &[
        STRENGTH,
        PATCH,
        Parameter {
            name: "pc",
            kind: Kind::Count(0, Nlmeans::MAX_SIDE),
            preset: Preset::Is("0"),
            help: "patch side in planes after the first; 0: as p",
            ..PATCH
        },
        SEARCH,
        Parameter {
            name: "rc",
            kind: Kind::Count(0, Nlmeans::MAX_SIDE),
            preset: Preset::Is("0"),
            help: "search side in planes after the first; 0: as r",
            ..SEARCH
        },
        FRAMES,
        WEIGHTS,
        Parameter::new(
            "show",
            Kind::Word(&["mean", "weights"]),
            Preset::Is("mean"),
            "output: the mean, or the total weight, from black for the sample alone to white for all",
        ),
        Parameter {
            name: "sc",
            preset: Preset::Derived("as s; with auto, by the noise of chroma"),
            help: "strength in chroma",
            ..STRENGTH
        }
        .by_noise(Strength::beside(|values, Noise { chroma, .. }| by_noise(values, chroma?, "pc"))),
    ],
    example: "nlmeans=s=3:p=5:r=9",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| {
        let colour = target.plane > 0 && !target.pixel.is_alpha(target.plane);
        let patch = side(values, "p", colour.then_some("pc"))?;
        let search = side(values, "r", colour.then_some("rc"))?;
        let chroma = values.typed("sc").filter(|_| target.pixel.is_chroma(target.plane));
        let strength = chroma.unwrap_or_else(|| values.number("s"));
        if strength < LEAST {
            return Ok(Want::Copy);
        }
        let table = table(strength, values.word("weights"));
        let shown = if values.word("show") == "weights" { Shown::Weights } else { Shown::Mean };
        let means = means(patch, search, values.count("frames"), table);
        Ok(Want::Operation(Op::Nlmeans(Nlmeans { shown, ..means })))
    },
    change: None,
};

/// The filter at a strength that need not be one that can be typed.
pub(super) fn of(strength: f64, patch: usize, search: usize, frames: usize) -> Nlmeans {
    means(patch, search, frames, table(strength.min(MOST), "welsch"))
}

/// The strength for a noise: noise alone makes a difference of `2 σ²` at each sample of a patch, so its root over the patch,
/// with which weights have to fall off, grows with the side (`own`, or `p`) and with the noise; and with the little by which
/// neighbourhoods of the picture itself differ.
fn by_noise(values: &Values, noise: f64, own: &'static str) -> Option<f64> {
    let side = Some(values.count(own)).filter(|side| *side > 0).unwrap_or_else(|| values.count("p"));
    let [picture, by_noise] = PER_SIDE.map(|factor| factor * side as f64);
    times(by_noise, noise).map(|strength| if strength > 0.0 { strength + picture } else { 0.0 })
}

/// Strength for a patch of 1: without noise, and for a noise of 1, measured (docs/denoising.md).
const PER_SIDE: [f64; 2] = [0.13, 0.095];

fn means(patch: usize, search: usize, frames: usize, table: Arc<[f32]>) -> Nlmeans {
    Nlmeans { patch, search, frames, table, border: Border::Clamp, shown: Shown::Mean, finish: Finish::PLAIN }
}

/// A side that must be odd; `own` is what planes after the first have, where it is not 0.
fn side(values: &Values, all: &'static str, own: Option<&'static str>) -> Result<usize> {
    let own = own.map(|name| (name, values.count(name))).filter(|(_, side)| *side > 0);
    let (name, side) = own.unwrap_or_else(|| (all, values.count(all)));
    let most = Nlmeans::MAX_SIDE;
    ensure!(side % 2 == 1, "{name} is {side}; type an odd number from 1 to {most}, as {name}={}", side + 1);
    Ok(side)
}

/// Weights by the sum of squared differences `i`, with `x = i / (10 s)²`: FFmpeg's `exp(−x)` down to 1/255 and then 0, or
/// powers of `1 − x` as KNLMeansCL has them.
fn table(strength: f64, kind: &str) -> Arc<[f32]> {
    let width = strength * 10.0;
    let scale = 1.0 / (width * width);
    let power = match kind {
        "linear" => 1,
        "bisquare" => 2,
        "bisquare8" => 8,
        _ => {
            let count = (libm::log(255.0) / scale) as usize;
            return (0..count).map(|i| libm::exp(-(i as f64) * scale) as f32).chain([0.0]).collect();
        }
    };
    let count = (width * width).ceil() as usize;
    (0..count).map(|i| (1.0 - i as f64 * scale).max(0.0).powi(power) as f32).chain([0.0]).collect()
}
