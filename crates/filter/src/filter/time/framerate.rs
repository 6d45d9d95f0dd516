//! Frames of another rate, blended of the two around their time.

use anyhow::Result;

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::rate::{RateBlend, RateChange, Rounding};
use super::super::shape::untouched;
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::value::Values;
use super::fps::{NAMES, typed_rate};
use crate::frame::{Format, Rational};
use crate::pass::{Crossfade, Op};

pub(in super::super) const SPEC: Spec = Spec {
    name: "framerate",
    elsewhere: &["ConvertFPS"],
    group: Group::Time,
    summary: "changes the frame rate by blending frames",
    description: "Gives the frames, times and bytes of FFmpeg's framerate: a constant rate from the first frame on, at which a \
                  frame between two of the input is their mean, weighted by how near they are. Where it is nearer to one of them than interp_start \
                  and interp_end say, it is that one, sharp; where a new scene begins between the two, it is the nearer one. fps is a \
                  number, a ratio or an expression, as in fps. Behind the last frame it is repeated for as long as the one before it was shown. \
                  The scene score is the mean difference of luma between the two frames in percent, or its change since the last two that were \
                  blended, if that is less. Differences from FFmpeg: it looks back at 8 frames for those two, and FFmpeg as far \
                  as the beginning; in 4:2:0 of an odd height all rows of chroma are blended, and FFmpeg leaves the last one undefined; \
                  of frames with the same time the last one is used, and in FFmpeg the first; scene=100 stands for its flags=0. Grey, RGB, alpha, 14 and 16 bits and float samples are blended too. Sound and \
                  subtitles keep their times. Filters behind it see the new frames: n, t and neighbours in time are theirs.",
    own: &[
        Parameter::new("fps", Kind::Expression(NAMES), Preset::Is("50"), "frames per second that come out"),
        Parameter::new(
            "interp_start",
            Kind::Count(0, 255),
            Preset::Is("15"),
            "256ths of the way from one frame to the next before which frames are not blended",
        ),
        Parameter::new(
            "interp_end",
            Kind::Count(0, 255),
            Preset::Is("240"),
            "256ths of the way behind which frames are not blended",
        ),
        Parameter::new(
            "scene",
            Kind::Number(0.0, 100.0),
            Preset::Is("8.2"),
            "scene score from which two frames are not blended; 0 blends none, 100 blends across cuts too",
        ),
    ],
    example: "framerate=60",
    extent: Extent::Rate,
    terms: Terms::Own,
    gain: DcGain::One,
    want: untouched,
    change: Some(converted),
};

fn converted(values: &Values, format: &Format) -> Result<Change> {
    // FFmpeg's name for it, which as an expression is the difference of two rates.
    let is_film = values.expression("fps").is_some_and(|typed| typed.text() == "ntsc-film");
    let rate = if is_film { Rational::new(24000, 1001) } else { typed_rate(values, format, 50)? };
    let sample = format.pixel.sample;
    // No score reaches 100: that is the difference between black and white, divided by one step more.
    let scene = Some(values.number("scene")).filter(|scene| *scene < 100.0);
    let zone = ["interp_start", "interp_end"].map(|name| values.number(name) as u32);
    let whole = Crossfade::whole(sample);
    let blend = Some(RateBlend { whole, zone, scene });
    let change = RateChange { rate, rounding: Rounding::Up, start_us: None, fills: false, blend };
    let reason = format!("weights in steps of 1/{whole}, by the times of the two frames");
    let planes = vec![(Op::Crossfade(Crossfade), reason); format.pixel.planes()];
    Ok(Change { rate: Some(change), planes, ..Change::none(format) })
}
