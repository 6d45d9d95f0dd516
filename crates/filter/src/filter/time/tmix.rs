//! Frames mixed by any weights, with FFmpeg's parameters.

use anyhow::{Result, ensure};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::{Row, Shape, Stencil};
use super::super::value::Values;
use super::super::want::Want;

const MAX_FRAMES: usize = 1024;

pub(in super::super) const SPEC: Spec = Spec {
    name: "tmix",
    elsewhere: &["AverageFrames", "frameblend"],
    group: Group::Time,
    summary: "weighted mean of successive frames",
    description: "3 to 5 frames blur motion as a slow shutter does, 15 and more as a long exposure. \
                  The window is centred, where FFmpeg's ends with the current frame; an even window has one more frame \
                  before than after. If there are too few weights the last is repeated, as in FFmpeg. Halves, which an \
                  even number of frames often gives, are rounded up; FFmpeg rounds them to even.",
    own: &[
        Parameter::new(
            "frames",
            Kind::Count(1, MAX_FRAMES),
            Preset::Derived("as many as weights, or 3"),
            "number of frames to mix",
        ),
        Parameter::new("weights", Kind::Numbers, Preset::Derived("1 for each"), "weight of each frame, oldest first"),
        Parameter::new(
            "scale",
            Kind::Number(0.0, 32767.0),
            Preset::Is("0"),
            "factor of the sum; 0: 1 over the sum of the weights",
        ),
    ],
    example: "tmix=frames=5:weights='1 2 3 2 1'",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
    change: None,
};

fn want(values: &Values, _: FormatPlane) -> Result<Want> {
    let weights = values.numbers("weights");
    let frames = values.typed("frames").map_or_else(|| weights.map_or(3, <[f64]>::len), |frames| frames as usize);
    let given = weights.unwrap_or(&[1.0]);
    ensure!(
        given.len() <= frames && frames <= MAX_FRAMES,
        "{} weights for {frames} frames; type frames={}",
        given.len(),
        given.len().min(MAX_FRAMES)
    );
    let last = given.last().copied().unwrap_or(1.0);
    let weights = given.iter().copied().chain(std::iter::repeat(last)).take(frames).collect();
    let shape = Shape::Product { t: Row::centred(weights), y: Row::identity(), x: Row::identity() };
    let scale = match (values.number("scale"), shape.gain()) {
        (0.0, 0.0) => 1.0,
        (0.0, sum) => 1.0 / sum,
        (scale, _) => scale,
    };
    Ok(Want::Stencil(Stencil::scaled(shape, scale)))
}
