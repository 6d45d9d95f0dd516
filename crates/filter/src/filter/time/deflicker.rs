//! Brightness that does not jump from frame to frame.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::steady::{Mean, Steady};
use super::super::want::Want;

pub(in super::super) const SPEC: Spec = Spec {
    name: "deflicker",
    elsewhere: &["Deflicker", "ReduceFlicker", "antiflicker"],
    group: Group::Time,
    summary: "removes flicker: evens out the brightness of successive frames",
    description: "Multiplies each frame's luma by the average of the mean luma of the frames around it, divided by its \
                  own; grey likewise, and RGB with one factor from all three planes. Chroma is unchanged. FFmpeg's \
                  filter multiplies the same way, but its window begins with the current frame, and it rounds down; \
                  here the window is centred, and an even one has one more frame before. With range=limited only the \
                  part above 16 of 255 is multiplied, so that black stays black, where FFmpeg multiplies all. A frame \
                  that is entirely black is unchanged. Set scene as well for clips with cuts.",
    own: &[
        Parameter::new("size", Kind::Count(2, 129), Preset::Is("5"), "number of frames to average")
            .unit("frames")
            .or(&["s"]),
        Parameter::new(
            "mode",
            Kind::Word(&Mean::WORDS),
            Preset::Is("am"),
            "type of average: arithmetic, geometric, harmonic, quadratic, cubic, power or the median",
        )
        .or(&["m"]),
        Parameter::new(
            "range",
            Kind::Word(&["full", "limited"]),
            Preset::Is("full"),
            "black: 0, as FFmpeg's filter has it, or 16 of 255",
        ),
    ],
    example: "deflicker=size=9:scene=0.3",
    extent: Extent::Brightness,
    terms: Terms::Own,
    gain: DcGain::Any,
    want: |values, target| {
        let (pixel, plane) = (target.pixel, target.plane);
        if pixel.is_chroma(plane) || pixel.is_alpha(plane) {
            return Ok(Want::Copy);
        }
        let black = if values.word("range") == "limited" { 16.0 } else { 0.0 };
        let mean = Mean::of(values.word("mode"));
        Ok(Want::Steady(Steady { size: values.count("size"), mean, black, mix: 1.0 }))
    },
    change: None,
};
