//! Contrast-adaptive sharpening, with FFmpeg's parameters.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::want::Want;
use crate::pass::{Border, Cas, Finish, Op};

pub(in super::super) const SPEC: Spec = Spec {
    name: "cas",
    elsewhere: &["CAS"],
    group: Group::Sharpen,
    summary: "contrast-adaptive sharpening: less where contrast is high already",
    description: "Subtracts the four neighbours of each sample, with a weight that falls with the contrast of the eight around it: \
                  edges that are sharp already change little and get no halos. strength=0 sharpens too, a little. FFmpeg's \
                  filter of this name gives the same bytes at 8 to 16 bits. As there, results are cut off, not rounded, so that \
                  flat areas can lose 1. Floats, which FFmpeg does not take, keep their value, with 1 as white. VapourSynth's CAS \
                  rounds, mirrors the edges (border=reflect101), and its sharpness has another scale.",
    own: &[
        Parameter::new("strength", Kind::Number(0.0, 1.0), Preset::Is("0"), "strength; 0 is the weakest, and no copy"),
        Parameter::new(
            "planes",
            Kind::Planes,
            Preset::Derived("--planes, or colour"),
            "planes to filter; the others are unchanged",
        ),
        Parameter::new(
            "border",
            Kind::Border,
            Preset::Derived("--border, or clamp"),
            "samples outside the picture; zero and levels leave chroma colourless",
        ),
    ],
    example: "cas=0.5",
    extent: Extent::Space,
    terms: Terms::Own,
    // A constant is cut off behind a quotient that rounding can leave just below it.
    gain: DcGain::Any,
    want: |values, _| {
        let divisor = Cas::divisor(values.number("strength") as f32);
        Ok(Want::Operation(Op::Cas(Cas { divisor, border: Border::Clamp, finish: Finish::PLAIN })))
    },
    change: None,
};
