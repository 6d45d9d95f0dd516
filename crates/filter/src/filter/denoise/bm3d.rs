//! Blocks filtered together with those that look like them.

use anyhow::{Result, ensure};

use super::super::parameter::{AcceptedNumbers, Kind, Parameter, Preset, Strength};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::strength::times;
use super::super::value::Values;
use super::super::want::Want;
use crate::frame::Sample;
use crate::pass::{Bm3d, Border, Finish, Op, Shrink};

/// Coefficients of the first step below so many sigma are noise.
const THRESHOLD: f32 = 2.65;

pub(in super::super) const SPEC: Spec = Spec {
    name: "bm3d",
    elsewhere: &["BM3D", "bm3dcuda", "BM3DCUDA"],
    group: Group::Denoise,
    summary: "block matching and 3-D filtering of similar blocks together",
    description: "Stacks each block of 8x8 samples with similar blocks around it, transforms the stack, and drops \
                  small coefficients as noise. The first of two steps gives an estimate, from which the second takes \
                  its blocks and the power of the signal. Strengths mean the same at every depth and in every plane. \
                  block_step=8:group=8 takes a sixth of the time; block_step=3:bm_range=16:group=32 takes five times \
                  as long, and comes within 0.1 dB of the package bm3d of PyPI, from which the defaults differ by 0.15 \
                  to 0.25 dB. Frames are filtered one by one, unless radius adds frames before and after: blocks are \
                  followed from frame to frame, by at most ps_range samples, so 1 gains 0.5 to 0.9 dB and 2 gains 0.7 \
                  to 1.7 dB where the picture moves less than that. scene excludes blocks of other scenes. sigma=auto is \
                  the noise that a job measures, in luma and in chroma, as denoise does; 0 where it is below 0.5.",
    own: &[
        Parameter::new(
            "sigma",
            Kind::Strength(0.0, 255.0),
            Preset::Is("3"),
            "standard deviation of the noise, in units of 8 bits; 0 does nothing",
        )
        .by_noise(Strength::new(|_, noise| times(1.0, noise.luma), 0.4, 4.0)),
        Parameter::new(
            "block_step",
            Kind::Count(1, Bm3d::SIDE),
            Preset::Is("4"),
            "distance between reference blocks; smaller is better and slower",
        )
        .unit("samples")
        .or(&["bstep"]),
        Parameter::new("bm_range", Kind::Count(0, Bm3d::MAX_RANGE), Preset::Is("9"), "search range")
            .unit("samples")
            .or(&["range"]),
        Parameter::new(
            "group",
            Kind::Count(1, Bm3d::MAX_GROUP),
            Preset::Is("16"),
            "largest number of blocks filtered together; a power of two",
        )
        .unit("blocks")
        .only(AcceptedNumbers::PowersOfTwo),
        Parameter::new("radius", Kind::Count(0, Bm3d::MAX_FRAMES), Preset::Is("0"), "frames to search on either side")
            .unit("frames"),
        Parameter::new(
            "ps_range",
            Kind::Count(0, Bm3d::MAX_NEAR),
            Preset::Is("4"),
            "search range from frame to frame, around the best block of the previous frame",
        )
        .unit("samples"),
        Parameter::new(
            "steps",
            Kind::Word(&["final", "basic"]),
            Preset::Is("final"),
            "both steps, or the first only, which takes half of the time",
        ),
        Parameter::new(
            "border_t",
            Kind::TimeBorder,
            Preset::Is("zero"),
            "frames before the first and after the last; zero: none, and no block is taken from there",
        ),
        Parameter::new(
            "sigmac",
            Kind::Strength(0.0, 255.0),
            Preset::Derived("as sigma; with auto, by the noise of chroma"),
            "standard deviation of the noise of chroma",
        )
        .by_noise(Strength::beside(|_, noise| times(1.0, noise.chroma?))),
    ],
    example: "bm3d=sigma=10:block_step=8:group=8",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let group = values.count("group");
    ensure!(
        group.is_power_of_two(),
        "group is {group}; type a power of two from 1 to {}, as group={}",
        Bm3d::MAX_GROUP,
        group.next_power_of_two()
    );
    let step = match target.pixel.sample {
        Sample::F32 => 1.0 / 255.0,
        _ => f64::from(1u32 << Bm3d::key_shift(target.pixel)),
    };
    let chroma = values.typed("sigmac").filter(|_| target.pixel.is_chroma(target.plane));
    let sigma = (chroma.unwrap_or_else(|| values.number("sigma")) * step) as f32;
    if sigma < Bm3d::LEAST_SIGMA {
        return Ok(Want::Copy);
    }
    let frames = values.count("radius");
    let op = Bm3d {
        shrink: Shrink::Wiener { power: power(group), threshold: THRESHOLD },
        sigma,
        group,
        range: values.count("bm_range"),
        frames,
        near: if frames > 0 { values.count("ps_range") } else { 0 },
        step: values.count("block_step"),
        border: Border::default(),
        finish: Finish::PLAIN,
    };
    let first = (values.word("steps") == "basic").then(|| op.first()).flatten();
    Ok(Want::Operation(Op::Bm3d(first.unwrap_or(op))))
}

/// The part of the noise's power that is best reckoned with, by the size of groups: the estimates of large ones have less
/// noise left, and what looks like noise in them is rather the picture.
fn power(group: usize) -> f32 {
    match group {
        0..=8 => 1.0,
        9..=16 => 0.8,
        _ => 0.6,
    }
}
