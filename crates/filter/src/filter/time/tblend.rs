//! This frame blended with the one before.

use crate::frame::Sample;
use crate::pass::{Combine, Compose, ComposeMode, ComposePartner, Op};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::pick::Pick;
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::stencil::{Matrix, Shape, Stencil};
use super::super::want::Want;

const MODES: &[&str] = &[
    "normal",
    "addition",
    "average",
    "subtract",
    "difference",
    "darken",
    "lighten",
    "grainextract",
    "grainmerge",
    "phoenix",
    "multiply",
    "multiply128",
    "negation",
    "extremity",
    "screen",
    "overlay",
    "hardlight",
    "hardmix",
    "heat",
    "freeze",
    "divide",
    "dodge",
    "burn",
    "softlight",
    "exclusion",
    "pinlight",
    "reflect",
    "glow",
    "and",
    "or",
    "xor",
    "vividlight",
    "linearlight",
    "softdifference",
    "geometric",
    "harmonic",
    "hardoverlay",
];

pub(in super::super) const SPEC: Spec = Spec {
    name: "tblend",
    elsewhere: &[],
    group: Group::Time,
    summary: "blends each frame with the one before; FFmpeg's modes",
    description: "With a for this frame and b for the previous one: normal a, addition a + b, average (a + b) / 2, \
                  subtract a - b, difference |a - b|, darken the smaller, lighten the larger, grainextract a - b + \
                  grey, grainmerge a + b - grey, phoenix white - |a - b|. Opacity is the share of the blend against a, \
                  or for normal of a against b. The first frame is blended with itself (border_t=clamp), where \
                  FFmpeg's filter drops it. Differences from FFmpeg: averages and opacity are rounded to nearest, \
                  results are clipped once, at the end, and chroma is centred on mid-grey, so that colourless stays \
                  colourless. The other modes are products, quotients and bit operations with the definitions of \
                  FFmpeg's tblend in every plane, and its bytes at 8 to 14 bits with any opacity; with planes=luma colours \
                  stay. At 16 bits, where FFmpeg's products overflow, they are exact. FFmpeg's bleach, stain and interpolate are not offered.",
    own: &[
        Parameter::new("mode", Kind::Name(MODES), Preset::Is("normal"), "blend mode").or(&["all_mode"]),
        Parameter::new(
            "opacity",
            Kind::Number(0.0, 1.0),
            Preset::Is("1"),
            "share of the blend; the rest is this frame, or for normal the previous one",
        )
        .or(&["all_opacity"]),
    ],
    example: "tblend=mode=difference",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::Any,
    want: |values, target| {
        let opacity = values.number("opacity");
        let white = target.level(1.0);
        let grey = match target.pixel.sample {
            Sample::F32 => 0.5,
            _ => f64::from(1u32 << (target.pixel.depth - 1)),
        };
        let pick = |rank| {
            let pick = Pick { size: [2, 1, 1], anchor: [1, 0, 0], rank, mix: opacity };
            Ok(if opacity == 0.0 { Want::Copy } else { Want::Picks(vec![pick]) })
        };
        // The weights of the frame before and of this one, the factor of their sum, and what is added.
        let (before, now, combine, scale, bias) = match values.word("mode") {
            "normal" if opacity == 1.0 => return Ok(Want::Copy),
            "normal" => {
                let matrix = Matrix::centred([2, 1, 1], vec![1.0 - opacity, opacity]);
                return Ok(Want::kernel(matrix, 1.0));
            }
            "darken" => return pick(0),
            "lighten" => return pick(1),
            "addition" => (1.0, 1.0, Combine::Sum, 1.0, 0.0),
            "average" => (1.0, 1.0, Combine::Sum, 0.5, 0.0),
            "subtract" => (-1.0, 1.0, Combine::Sum, 1.0, 0.0),
            "difference" => (-1.0, 1.0, Combine::Max, 1.0, 0.0),
            "grainextract" => (-1.0, 1.0, Combine::Sum, 1.0, grey),
            "grainmerge" => (1.0, 1.0, Combine::Sum, 1.0, -grey),
            "phoenix" => (-1.0, 1.0, Combine::Max, -1.0, white),
            name => {
                let compose = ComposeMode::named(name).map(|mode| Compose {
                    mode,
                    opacity: opacity as f32,
                    partner: ComposePartner::Before,
                });
                return Ok(compose
                    .filter(|op| op.opacity > 0.0)
                    .map_or(Want::Copy, |op| Want::Operation(Op::Compose(op))));
            }
        };
        if opacity == 0.0 {
            return Ok(Want::Copy);
        }
        let shape = Shape::Kernels(vec![Matrix::centred([2, 1, 1], vec![before, now])], combine);
        let (scale, dry, bias) = (opacity * scale, 1.0 - opacity, opacity * bias);
        Ok(Want::Stencil(Stencil { dry, bias, ..Stencil::scaled(shape, scale) }))
    },
    change: None,
};
