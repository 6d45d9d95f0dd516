//! Means over the same place in other frames, with FFmpeg's parameters.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::super::parameter::{AcceptedNumbers, Kind, Parameter, Preset, Strength};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::strength::{Noise, times};
use super::super::value::Values;
use super::super::want::Want;
use crate::frame::Sample;
use crate::pass::{Atadenoise, Finish, Op};

/// What there is for each plane: how far a frame, how far all frames of a side, and how weights fall off.
const NAMES: [[&str; 3]; 3] = [["0a", "0b", "0s"], ["1a", "1b", "1s"], ["2a", "2b", "2s"]];

/// The sigma at which there are no weights.
const FLAT: f64 = 32767.0;

const SINGLE: Parameter = Parameter::new(
    NAMES[0][0],
    Kind::Strength(0.0, 0.3),
    Preset::Is("0.02"),
    "largest difference of one sample, in the first plane; 0 leaves the plane unchanged; auto sets the limits of all planes \
     that are not typed",
)
.unit("full scale")
.by_noise(Strength::new(|_, noise| times(SINGLE_PER_NOISE, noise.luma), 0.45, 4.0));
const TOTAL: Parameter = Parameter::new(
    NAMES[0][1],
    Kind::Strength(0.0, 5.0),
    Preset::Is("0.04"),
    "largest summed difference of one side, in the first plane",
)
.unit("full scale")
.by_noise(Strength::new(|_, noise| times(TOTAL_PER_NOISE, noise.luma), 0.45, 4.0));
const SIGMA: Parameter = Parameter::new(
    NAMES[0][2],
    Kind::Number(0.0, FLAT),
    Preset::Is("32767"),
    "falloff of weights with time, in the first plane; 32767 weights all frames alike",
)
.unit("half windows");
const FRAMES: Parameter =
    Parameter::new("s", Kind::Count(3, 2 * Atadenoise::MAX_RADIUS + 1), Preset::Is("9"), "number of frames; odd")
        .unit("frames")
        .only(AcceptedNumbers::Odd);

/// Limits for a noise of 1, measured (docs/denoising.md).
const SINGLE_PER_NOISE: f64 = 4.5 / 255.0;
const TOTAL_PER_NOISE: f64 = 6.0 / 255.0;

const SINGLE_BESIDE: Strength = Strength::beside(|_, noise: Noise| times(SINGLE_PER_NOISE, noise.of_chroma()));
const TOTAL_BESIDE: Strength = Strength::beside(|_, noise: Noise| times(TOTAL_PER_NOISE, noise.of_chroma()));

const SECOND: &str = "the same in the second plane";
const THIRD: &str = "the same in the third plane";

pub(in super::super) const SPEC: Spec = Spec {
    name: "atadenoise",
    elsewhere: &["TemporalSoften"],
    group: Group::Denoise,
    summary: "adaptive temporal averaging: a mean over time up to a change",
    description: "Averages each sample with those at the same place in the frames around it, from the nearest on, \
                  until one differs by more than a or all together by more than b. The side ends at that frame, and \
                  with a=p the other side too. FFmpeg's filter of this name gives the same bytes at 8 to 16 bits, \
                  except that a limit of 0 leaves a plane unchanged, as FFmpeg's SSE4 code does, while its other code \
                  averages all. Beyond the last frame FFmpeg repeats the frame s/2 before the clip's end, as \
                  border_t=lopsided does here; the default repeats the last frame. Clips of fewer than s/2 frames end \
                  here, and never in FFmpeg. An even s is an error; FFmpeg makes it odd. Alpha uses the limits of the \
                  first plane if planes selects it. 0a=auto, or atadenoise=auto, sets all limits that are not typed by the \
                  noise n that a job measures, in luma and in chroma, as denoise does: a = 4.5 n/255 and b = 6 n/255. Noise \
                  alone makes samples differ by 1.4 n, and hardly ever by 4.5 n; larger limits average what moves. For noise \
                  below 0.5 they are 0.",
    own: &[
        SINGLE,
        TOTAL,
        Parameter { name: NAMES[1][0], help: SECOND, ..SINGLE }.by_noise(SINGLE_BESIDE),
        Parameter { name: NAMES[1][1], help: SECOND, ..TOTAL }.by_noise(TOTAL_BESIDE),
        Parameter { name: NAMES[2][0], help: THIRD, ..SINGLE }.by_noise(SINGLE_BESIDE),
        Parameter { name: NAMES[2][1], help: THIRD, ..TOTAL }.by_noise(TOTAL_BESIDE),
        FRAMES,
        Parameter::new(
            "p",
            Kind::Count(0, 15),
            Preset::Derived("all of planes"),
            "planes as a sum of bits (1, 2, 4, 8), of those that planes selects",
        ),
        Parameter::new(
            "a",
            Kind::Word(&["p", "s"]),
            Preset::Is("p"),
            "order: both sides at once, where one side ends the other (p), or one side after the other (s)",
        ),
        SIGMA,
        Parameter { name: NAMES[1][2], help: SECOND, ..SIGMA },
        Parameter { name: NAMES[2][2], help: THIRD, ..SIGMA },
    ],
    example: "atadenoise=0a=0.04:0b=0.1:s=7",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let frames = values.count("s");
    ensure!(frames % 2 == 1, "s is {frames}; type an odd number from 3 to 129, as s={}", frames + 1);
    let [single, total, sigma] = NAMES[if target.plane < NAMES.len() { target.plane } else { 0 }];
    let selected = values.typed("p").is_none_or(|bits| bits as usize >> target.plane & 1 == 1);
    let radius = frames / 2;
    let op = Atadenoise {
        radius,
        single: limit(values.number(single), target),
        total: limit(values.number(total), target),
        together: values.word("a") == "p",
        weights: weights(radius, values.number(sigma)),
        finish: Finish::PLAIN,
    };
    Ok(if selected && op.takes_any() { Want::Operation(Op::Atadenoise(op)) } else { Want::Copy })
}

/// Below which distances lie. FFmpeg computes the largest that is still taken, in `f32`, and cuts off what stands behind
/// the point.
fn limit(typed: f64, FormatPlane { pixel, .. }: FormatPlane) -> f32 {
    match pixel.sample {
        Sample::F32 => typed as f32,
        Sample::U8 | Sample::U16 => (typed as f32 * f32::from(1u16 << (pixel.depth - 1)) * 2.0 - 1.0).trunc() + 1.0,
    }
}

/// FFmpeg's weights `exp(−(k + 1)² / 2(radius · sigma)²)` of the frames `k` away, in its mixture of `f32` and `f64`. They are
/// rounded to nearest, which the `expf` of C libraries misses by a unit at times: glibc's in one of 1,300.
fn weights(radius: usize, sigma: f64) -> Arc<[f32]> {
    let sigma = sigma as f32;
    if sigma >= FLAT as f32 {
        return Arc::new([]);
    }
    let width = radius as f32 * sigma;
    let square = f64::from(width * width);
    let weight = |k: usize| libm::exp(f64::from((-0.5 * ((k + 1) * (k + 1)) as f64 / square) as f32)) as f32;
    (1..=radius).map(weight).collect()
}
