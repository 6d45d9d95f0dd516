//! Weights of three fields.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::want::Want;
use super::{DEINT, PARITY, check_rate, fields};
use crate::pass::{Op, W3fdif};

const FRAME: &str = "frame";
const FIELD: &str = "field";

pub(in super::super) const SPEC: Spec = Spec {
    name: "w3fdif",
    elsewhere: &[],
    group: Group::Deinterlace,
    summary: "deinterlaces with weights of three fields, without bounds",
    description: "Keeps the first field of each frame and rebuilds the rows of the other: low frequencies from the rows above and \
                  below, high ones from the field itself and from the one before it (Weston's three-field filter, BBC). \
                  FFmpeg's filter of this name gives the same bytes at 8 to 14 bits, which are all that it takes. Differences: \
                  mode has no default, since FFmpeg's field, two frames for one, is not supported; enable is that of the frame \
                  itself, and in FFmpeg that of the next one; a progressive first frame comes once with deint=interlaced, and \
                  twice in FFmpeg. Frames of any size, 16 bits and float samples are filtered too. The output is tagged as \
                  progressive unless only a part of it is deinterlaced (planes, roi, mask, mix, enable).",
    own: &[
        Parameter::new("filter", Kind::Word(&["simple", "complex"]), Preset::Is("complex"), "five rows, or nine"),
        Parameter::new(
            "mode",
            Kind::Word(&[FRAME, FIELD]),
            Preset::Derived("none: type it"),
            "one frame for each; field is not supported",
        ),
        PARITY,
        DEINT,
    ],
    example: "w3fdif=mode=frame",
    extent: Extent::Fields,
    terms: Terms::Ffmpeg,
    gain: DcGain::Any,
    change: None,
    want: |values, _| {
        check_rate("w3fdif", values.typed_word("mode"), [FRAME; 2], [FIELD; 2])?;
        let complex = values.word("filter") == "complex";
        Ok(Want::Operation(Op::W3fdif(W3fdif { fields: fields(values, false), complex })))
    },
};
