//! Means over the samples around, by how near and how like they are, in space, and in space and time.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::super::parameter::{Kind, Parameter, Preset, Strength};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::strength::{Noise, times};
use super::super::value::Values;
use super::super::want::Want;
use crate::frame::Sample;
use crate::pass::{Arithmetic, Bilateral, Border, Finish, Guide, Op};

const SIGMA_S: Parameter = Parameter::new(
    "sigma_s",
    Kind::Number(0.0, 1000.0),
    Preset::Is("2.5"),
    "standard deviation in space; 0 does nothing",
)
.unit("samples")
.or(&["sigmaS"]);
const SIGMA_R: Parameter = Parameter::new(
    "sigma_r",
    Kind::Strength(0.0, 1.0),
    Preset::Is("0.05"),
    "standard deviation of the difference; 0 does nothing",
)
.unit("fraction of full scale")
.or(&["sigmaR"])
.by_noise(Strength::new(|values, noise| times(per_noise(values), noise.luma), 0.3, 7.0));
const SIGMA_RC: Parameter = Parameter::new(
    "sigma_rc",
    Kind::Strength(0.0, 1.0),
    Preset::Derived("as sigma_r; with auto, by the noise of chroma"),
    "standard deviation of the difference in chroma, where joint is 0",
)
.unit("fraction of full scale")
.by_noise(Strength::beside(in_chroma));

/// Standard deviation of the difference for a noise of 1, measured (docs/denoising.md): the wider the window, the more samples
/// are averaged, and the less each has to count.
fn per_noise(values: &Values) -> f64 {
    (1.6 + 1.2 / values.number("sigma_s").max(0.5)) / 255.0
}

/// Of chroma, unless it is weighed by the differences of luma.
fn in_chroma(values: &Values, noise: Noise) -> Option<f64> {
    if values.is_on("joint") { None } else { times(per_noise(values), noise.chroma?) }
}
const RADIUS: Parameter = Parameter::new(
    "radius",
    Kind::Count(0, Bilateral::MAX_RADIUS),
    Preset::Derived("twice sigma_s, at most 32"),
    "radius of the round window",
)
.unit("samples");

const JOINT: Parameter = Parameter::new(
    "joint",
    Kind::Switch,
    Preset::Is("0"),
    "1 weights all planes by the first plane's differences: edges of colour stay where those of brightness are",
);

pub(in super::super) const SPEC: Spec = Spec {
    name: "bilateral",
    elsewhere: &["Bilateral", "bilateralFilter", "bilateral_cuda"],
    group: Group::Denoise,
    summary: "bilateral filter: averages near, similar neighbours; keeps edges",
    description: "Smooths and keeps edges: samples are weighted by a Gaussian of their distance and a Gaussian of \
                  their difference. The window is round, as in OpenCV; FFmpeg's filter of this name is a recursive \
                  approximation without a window, so its bytes differ. Distances are in samples of the plane, so that \
                  subsampled chroma is smoothed over a larger area. With joint=1 planes after the first are weighted \
                  by differences in the first: for subsampled chroma, by the mean of the luma samples that each \
                  covers. Above 8 bits samples are compared in steps of 1/36 of sigma_r, or of a sample if that is more, \
                  and weights have 8 bits. sigma_r=auto is (1.6 + 1.2/sigma_s) n/255 for the noise n that a job measures, in luma and in \
                  chroma, as denoise does: noise alone makes equal samples differ by 1.4 n, and a small window needs more \
                  of them to count; 0 for noise below 0.5.",
    own: &[SIGMA_S, SIGMA_R, RADIUS, JOINT, SIGMA_RC],
    example: "bilateral=sigma_s=3:sigma_r=0.08",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| want(values, target, Time { frames: 0, sigma: 0.0 }),
    change: None,
};

pub(in super::super) const IN_TIME: Spec = Spec {
    name: "bilateral3d",
    elsewhere: &[],
    summary: "bilateral filter across frames: near, similar pixels in x, y, t",
    description: "The bilateral filter with a window in space and time: samples of other frames are weighted by a \
                  Gaussian of their distance in time as well. Moving objects differ, and so are not mixed. sigma_r=auto is \
                  that of bilateral.",
    own: &[
        SIGMA_S,
        SIGMA_R,
        Parameter::new("frames", Kind::Count(0, Bilateral::MAX_FRAMES), Preset::Is("1"), "frames on either side")
            .unit("frames"),
        Parameter::new("sigma_t", Kind::Number(0.0, 100.0), Preset::Is("1"), "standard deviation in time")
            .unit("frames"),
        RADIUS,
        JOINT,
        SIGMA_RC,
    ],
    example: "bilateral3d=sigma_s=2:sigma_r=0.08:frames=2",
    extent: Extent::Time,
    want: |values, target| {
        want(values, target, Time { frames: values.count("frames"), sigma: values.number("sigma_t") })
    },
    ..SPEC
};

/// Frames on either side, and how they count.
struct Time {
    frames: usize,
    sigma: f64,
}

/// The least that the largest weight by offset becomes, so that weights keep four bits.
const COARSEST: f64 = 16.0;

/// Steps in a standard deviation of the difference, above 8 bits.
const STEPS: f64 = 36.0;

fn want(values: &Values, target: FormatPlane, time: Time) -> Result<Want> {
    let sigma = values.number("sigma_s");
    let radius = match values.typed("radius") {
        Some(radius) => radius as usize,
        None => ((2.0 * sigma).ceil() as usize).min(Bilateral::MAX_RADIUS),
    };
    let spread = Spread { radius, sigma, time };
    let guide = Guide::first(target.pixel, target.plane).filter(|_| values.is_on("joint"));
    let chroma = values.typed("sigma_rc").filter(|_| guide.is_none() && target.pixel.is_chroma(target.plane));
    let sigma_r = chroma.unwrap_or_else(|| values.number("sigma_r"));
    // Only equal samples would be averaged, or those beside equal ones of the guide.
    if sigma_r == 0.0 {
        return Ok(Want::Copy);
    }
    let (range, fineness) = by_difference(sigma_r, target);
    let (space, arithmetic) = if target.pixel.sample == Sample::U8 {
        let largest =
            if guide.is_some() { f64::from(range[0]) * 255.0 } else { Bilateral::largest(&range).max(range[0].into()) };
        (whole(&spread, largest)?, Arithmetic::Integer)
    } else {
        (spread.weights(|weight| weight as f32), Arithmetic::Real)
    };
    let border = Border::default();
    let Spread { radius, time: Time { frames, .. }, .. } = spread;
    let (range, finish) = (range.into(), Finish::PLAIN);
    let op = Bilateral { radius, frames, space, range, fineness, guide, arithmetic, border, finish };
    Ok(trimmed(op).map_or(Want::Copy, |op| Want::Operation(Op::Bilateral(op))))
}

/// Its height at `x`, 1 in the middle; of no width, 0 elsewhere.
fn bell(x: f64, sigma: f64) -> f64 {
    if x == 0.0 { 1.0 } else { libm::exp(-0.5 * (x / sigma) * (x / sigma)) }
}

/// The weights by difference, and how many there are for a difference of 1.
fn by_difference(share: f64, target: FormatPlane) -> (Vec<f32>, f32) {
    let sigma = target.level(share);
    let (most, fineness, count) = match target.pixel.sample {
        Sample::U8 => (Bilateral::WHOLE[1], 1.0, Bilateral::MAX_TABLE - 1),
        Sample::U16 => (Bilateral::MOST, (STEPS / sigma).min(1.0), Bilateral::MAX_STEPS - 1),
        Sample::F32 => (Bilateral::MOST, (STEPS / sigma).min(f32::MAX.into()), Bilateral::MAX_STEPS - 1),
    };
    let most = f64::from(most);
    let weights = (0..count).map(|i| (most * bell(i as f64, fineness * sigma)).round() as f32);
    (weights.take_while(|weight| *weight > 0.0).chain([0.0]).collect(), fineness as f32)
}

/// How weights fall off with distance.
struct Spread {
    radius: usize,
    sigma: f64,
    time: Time,
}

impl Spread {
    /// The weights, each as `of` makes it of a number from 0 to 1.
    fn weights(&self, of: impl Fn(f64) -> f32) -> Arc<[f32]> {
        let Self { radius, sigma, time } = self;
        let mut weights = Vec::with_capacity((time.frames + 1) * (radius + 1) * (radius + 1));
        for t in 0..=time.frames {
            for y in 0..=*radius {
                for x in 0..=*radius {
                    let square = x * x + y * y;
                    let away = bell(t as f64, time.sigma) * bell((square as f64).sqrt(), *sigma);
                    weights.push(if square > radius * radius { 0.0 } else { of(away) });
                }
            }
        }
        weights.into()
    }
}

/// Whole weights by offset, as large as sums allow; `largest` is what a weight by difference and a weighed difference stay
/// at or below.
fn whole(spread: &Spread, largest: f64) -> Result<Arc<[f32]>> {
    let (frames, side) = (spread.time.frames, spread.radius + 1);
    // Each weight stands for the offsets that differ from it in their signs alone.
    let total = |weights: &[f32]| -> f64 {
        let times = |i: usize| [i / side / side, i / side % side, i % side].map(|n| if n == 0 { 1.0 } else { 2.0 });
        weights.iter().enumerate().map(|(i, &weight)| f64::from(weight) * times(i).iter().product::<f64>()).sum()
    };
    let mut first = f64::from(Bilateral::WHOLE[0]);
    loop {
        ensure!(
            first >= COARSEST,
            "a window of radius {} and {frames} frames on either side holds too much for sums below 2^31; type a \
             smaller radius, sigma_r or frames",
            spread.radius
        );
        let weights = spread.weights(|weight| (first * weight).round() as f32);
        let bound = largest * total(&weights);
        if bound < Bilateral::LIMIT {
            return Ok(weights);
        }
        first = (first * Bilateral::LIMIT / bound).min(first - 1.0).floor();
    }
}

/// The same without the rows, columns and frames that have no weight; `None` if only the sample itself has one.
fn trimmed(op: Bilateral) -> Option<Bilateral> {
    let reach = op
        .offsets()
        .fold([0; 3], |reach, (offset, _)| std::array::from_fn(|axis| offset[axis].unsigned_abs().max(reach[axis])));
    let (frames, radius) = (reach[0], reach[1].max(reach[2]));
    let alone = frames == 0 && radius == 0;
    let places = (0..=frames).flat_map(|t| (0..=radius).flat_map(move |y| (0..=radius).map(move |x| [t, y, x])));
    let space = places.map(|place| op.weight(place.map(|n| n as isize))).collect();
    (!alone).then_some(Bilateral { radius, frames, space, ..op })
}
