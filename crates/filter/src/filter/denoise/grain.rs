//! Film grain, for pictures that look too clean after denoising.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::point::range_ends;
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::value::Values;
use super::super::want::Want;
use crate::frame::{Family, Range};
use crate::pass::{Deband, Finish, Grain, Op};

/// The largest seed.
const SEEDS: usize = 65535;

pub(in super::super) const SPEC: Spec = Spec {
    name: "grain",
    elsewhere: &[],
    group: Group::Denoise,
    summary: "adds film grain, most in the mid-tones",
    description: "Adds noise with a nearly normal distribution: the sum of four uniform bytes of a hash of the seed, the frame's number in \
                  the clip, and the place. So every machine, every part of a clip and every run makes the same grain. strength is \
                  the standard deviation at mid-grey, in steps of 8 bits at any depth; it falls linearly to the shares shadows at \
                  black and highlights at white. Larger grains are smoothed noise of the same standard deviation. All channels of \
                  RGB get the same noise, so that grey stays grey. FFmpeg's noise filter takes other parameters and gives other \
                  noise.",
    own: &[
        Parameter::new(
            "strength",
            Kind::Number(0.0, 64.0),
            Preset::Is("4"),
            "standard deviation at mid-grey; 0 copies",
        )
        .unit("steps of 8 bits"),
        Parameter::new("size", Kind::Count(1, Grain::MAX_SIZE), Preset::Is("2"), "size of grains; 1 is white noise")
            .unit("samples of the plane"),
        Parameter::new("shadows", Kind::Number(0.0, 1.0), Preset::Is("0.5"), "share of the strength at black"),
        Parameter::new("highlights", Kind::Number(0.0, 1.0), Preset::Is("0.25"), "share of the strength at white"),
        Parameter::new(
            "chroma",
            Kind::Number(0.0, 1.0),
            Preset::Is("0"),
            "share of the strength in chroma planes, at any brightness; 0 leaves them unchanged",
        ),
        Parameter::new("seed", Kind::Count(0, SEEDS), Preset::Is("0"), "number that selects the noise"),
        Parameter::new("static", Kind::Switch, Preset::Is("0"), "1 adds the same noise to all frames"),
    ],
    example: "grain=6:size=2:chroma=0.3",
    extent: Extent::Sample,
    terms: Terms::Own,
    gain: DcGain::Any,
    want: |values, target| Ok(want(values, target)),
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Want {
    let FormatPlane { pixel, plane, .. } = target;
    let is_chroma = pixel.is_chroma(plane);
    let share = if is_chroma { values.number("chroma") } else { 1.0 };
    let strength = share * values.number("strength");
    if strength == 0.0 {
        return Want::Copy;
    }
    let size = values.count("size");
    let most = target.level(strength / 255.0) / Grain::deviation(size);
    let (black, white) = range_ends(target, target.range == Range::Full);
    let [shadows, highlights] = match is_chroma {
        true => [1.0; 2],
        false => ["shadows", "highlights"].map(|name| values.number(name)),
    };
    // All channels of RGB have one noise; opacity has its own.
    let stream = match pixel.family {
        _ if pixel.is_alpha(plane) => 3,
        Family::Rgb | Family::Gray => 0,
        Family::Yuv => plane as u32,
    };
    Want::Operation(Op::Grain(Grain {
        key: Deband::hash(values.count("seed") as u32, stream),
        still: values.is_on("static"),
        size,
        black: black as f32,
        scale: (1.0 / (white - black)) as f32,
        dark: [most * shadows, 2.0 * most * (1.0 - shadows)].map(|weight| weight as f32),
        bright: [most * (2.0 - highlights), -2.0 * most * (1.0 - highlights)].map(|weight| weight as f32),
        finish: Finish::PLAIN,
    }))
}
