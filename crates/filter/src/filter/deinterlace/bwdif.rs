//! Weights of three fields within yadif's bounds.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::want::Want;
use super::{DEINT, PARITY, fields};
use crate::pass::{Bwdif, Op};

const FRAME: &str = "send_frame";
const FIELD: &str = "send_field";

pub(in super::super) const SPEC: Spec = Spec {
    name: "bwdif",
    elsewhere: &["bwdif_cuda", "bwdif_vulkan"],
    group: Group::Deinterlace,
    summary: "deinterlaces with weights of three fields; the usual choice",
    description: "Keeps the first field of each frame and rebuilds the rows of the other from the fields around it, with the \
                  weights of w3fdif, within the bounds of yadif; send_field then makes another frame in which the second field \
                  stays, at twice the frame rate. The first frame of a clip, and the last of send_field, are rebuilt from their \
                  own field alone. FFmpeg's CPU filter of this name gives the same bytes at 8 bits, and above 8 bits from version 9 on: \
                  FFmpeg 5.1 mirrors one row more at the edges there. Differences: enable is that of the frame itself, and in FFmpeg that of \
                  the next one; where deint or enable leaves the first frames of a clip as they are, FFmpeg rebuilds the first \
                  one that follows from its own field alone. Frames of any size and float samples are filtered too. The output \
                  is tagged as progressive unless only a part of it is deinterlaced (planes, roi, mask, mix, enable).",
    own: &[
        Parameter::new(
            "mode",
            Kind::Word(&[FRAME, FIELD]),
            Preset::Is(FIELD),
            "one frame for each, or one for each of its fields",
        ),
        PARITY,
        DEINT,
    ],
    example: "bwdif=mode=send_frame",
    extent: Extent::Fields,
    terms: Terms::Ffmpeg,
    gain: DcGain::Any,
    change: None,
    want: |values, _| {
        let fields = fields(values, values.word("mode") == FIELD, true)?;
        Ok(Want::Operation(Op::Bwdif(Bwdif { fields })))
    },
};
