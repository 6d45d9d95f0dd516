//! Weights of three fields.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::want::Want;
use super::{DEINT, PARITY, fields};
use crate::pass::{Op, W3fdif};

const FRAME: &str = "frame";
const FIELD: &str = "field";

pub(in super::super) const SPEC: Spec = Spec {
    name: "w3fdif",
    elsewhere: &[],
    group: Group::Deinterlace,
    summary: "deinterlaces with weights of three fields, without bounds",
    description: "Keeps the first field of each frame and rebuilds the rows of the other: low frequencies from the rows above and \
                  below, high ones from the field itself and from the one before it (Weston's three-field filter, BBC); field \
                  then makes another frame in which the second field stays, at twice the frame rate. \
                  FFmpeg's filter of this name gives the same bytes at 8 to 14 bits, which are all that it takes. Differences: \
                  enable is that of the frame \
                  itself, and in FFmpeg that of the next one; a progressive first frame comes once with deint=interlaced, and \
                  twice in FFmpeg. Frames of any size, 16 bits and float samples are filtered too. The output is tagged as \
                  progressive unless only a part of it is deinterlaced (planes, roi, mask, mix, enable).",
    own: &[
        Parameter::new("filter", Kind::Word(&["simple", "complex"]), Preset::Is("complex"), "five rows, or nine"),
        Parameter::new(
            "mode",
            Kind::Word(&[FRAME, FIELD]),
            Preset::Is(FIELD),
            "one frame for each, or one for each of its fields",
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
        let complex = values.word("filter") == "complex";
        let fields = fields(values, values.word("mode") == FIELD, false)?;
        Ok(Want::Operation(Op::W3fdif(W3fdif { fields, complex })))
    },
};
