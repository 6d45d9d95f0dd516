//! Rows along edges, within the change over time.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::want::Want;
use super::{DEINT, PARITY, fields};
use crate::pass::{Op, Yadif};

/// With the spatial check and without.
const FRAMES: [&str; 2] = ["send_frame", "send_frame_nospatial"];
const FIELDS: [&str; 2] = ["send_field", "send_field_nospatial"];

pub(in super::super) const SPEC: Spec = Spec {
    name: "yadif",
    elsewhere: &["yadif_cuda", "yadif_videotoolbox"],
    group: Group::Deinterlace,
    summary: "deinterlaces along edges",
    description: "Keeps the first field of each frame and rebuilds the rows of the other: means of the rows above and below along \
                  the edge that fits best, within bounds from the frames before and after; send_field then makes another frame in \
                  which the second field stays, at twice the frame rate. FFmpeg's CPU filter of this name \
                  gives the same bytes. Differences: \
                  enable is that of the frame itself, and in FFmpeg that of the next one. Frames of any size and float samples \
                  are filtered too. The output is tagged as progressive unless only a part of it is deinterlaced (planes, roi, \
                  mask, mix, enable).",
    own: &[
        Parameter::new(
            "mode",
            Kind::Word(&[FRAMES[0], FIELDS[0], FRAMES[1], FIELDS[1]]),
            Preset::Is(FRAMES[0]),
            "one frame for each, or one for each of its fields, with a spatial check or without (nospatial)",
        ),
        PARITY,
        DEINT,
    ],
    example: "yadif=parity=tff",
    extent: Extent::Fields,
    terms: Terms::Ffmpeg,
    gain: DcGain::One,
    change: None,
    want: |values, _| {
        let mode = values.word("mode");
        let fields = fields(values, FIELDS.contains(&mode), true)?;
        let spatial = [FRAMES[0], FIELDS[0]].contains(&mode);
        Ok(Want::Operation(Op::Yadif(Yadif { fields, spatial })))
    },
};
