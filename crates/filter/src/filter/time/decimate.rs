//! One frame of each cycle dropped.

use anyhow::{Context, Result};

use super::super::change::Change;
use super::super::deinterlace::fieldmatch::block;
use super::super::parameter::{AcceptedNumbers, Kind, Parameter, Preset};
use super::super::shape::untouched;
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::value::Values;
use crate::frame::Format;
use crate::pass::Decimation;

pub(in super::super) const SPEC: Spec = Spec {
    name: "decimate",
    elsewhere: &["vdecimate", "tdecimate"],
    group: Group::Time,
    summary: "drops the frame of each cycle that repeats another",
    description: "Drops one frame of every cycle, as FFmpeg's decimate: the one whose largest block differs least from the frame before; where \
                  none is a duplicate by dupthresh, the last one that begins a scene by scthresh, if there is one. Behind \
                  fieldmatch it turns NTSC video of 30 frames a second into film of 24. Frames are compared, never computed, so that those that \
                  stay keep their samples. Cycles are counted from the clip's first frame; a last one that is not \
                  complete loses no frame. The frames of a cycle share its time evenly, so that the pace is constant where that of the input \
                  is, and sound stays in step where it is not; those of an incomplete last cycle keep that pace. Choices are those of \
                  FFmpeg at 8 to 16 bits. Differences from FFmpeg: a frame that has no more than half a block \
                  across or down is one block, and FFmpeg takes all such frames for duplicates; of floats 0 to 1 is compared as 16 bits; RGB is compared like YUV 4:4:4, \
                  green as luma; opacity does not count; ppsrc and mixed are not here. Times: FFmpeg gives each frame one tick \
                  of the new rate, whatever the times of the input are, and begins with the first frame that it keeps. Where the \
                  strength of a filter is measured and changes within a cycle, this cycle loses no frame. Filters behind it see the \
                  new frames: n, t and neighbours in time are theirs.",
    own: &[
        Parameter::new("cycle", Kind::Count(2, 25), Preset::Is("5"), "frames of which one is dropped"),
        Parameter::new(
            "dupthresh",
            Kind::Number(0.0, 100.0),
            Preset::Is("1.1"),
            "change of the block that changes most below which a frame is a duplicate",
        )
        .unit("percent of a white block"),
        Parameter::new(
            "scthresh",
            Kind::Number(0.0, 100.0),
            Preset::Is("15"),
            "change of the whole frame above which a scene begins",
        )
        .unit("percent of a white frame"),
        Parameter::new("blockx", Kind::Count(4, 512), Preset::Is("32"), "width of the blocks that are compared")
            .unit("luma pixels")
            .only(AcceptedNumbers::PowersOfTwo),
        Parameter::new("blocky", Kind::Count(4, 512), Preset::Is("32"), "height of these blocks")
            .unit("luma pixels")
            .only(AcceptedNumbers::PowersOfTwo),
        Parameter::new("chroma", Kind::Switch, Preset::Is("1"), "compare chroma too"),
    ],
    example: "decimate",
    extent: Extent::Rate,
    terms: Terms::Own,
    gain: DcGain::One,
    want: untouched,
    change: Some(decimated),
};

fn decimated(values: &Values, format: &Format) -> Result<Change> {
    let decimation = Decimation {
        cycle: values.count("cycle") as u32,
        duplicate: values.number("dupthresh"),
        scene: values.number("scthresh"),
        block: [block(values, "blockx")?, block(values, "blocky")?],
        chroma: values.is_on("chroma"),
    };
    format.of_cycles(decimation.cycle).with_context(|| format!("a cycle of {} frames", decimation.cycle))?;
    let same = Change::none(format);
    let reason = format!("frames are handed on, but for one of {}", decimation.cycle);
    let planes = same.planes.into_iter().map(|(op, _)| (op, reason.clone())).collect();
    Ok(Change { decimation: Some(decimation), planes, ..Change::none(format) })
}
