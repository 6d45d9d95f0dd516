//! Frames of another rate.

use anyhow::Result;

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::rate::{RateChange, Rounding, rate_of};
use super::super::shape::untouched;
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::value::Values;
use crate::frame::{Format, Rational};

/// The variables of rates.
pub(super) const NAMES: &[&str] = &["source_fps", "ntsc", "pal", "film", "ntsc_film"];

const ROUNDINGS: [(&str, Rounding); 5] = [
    ("near", Rounding::Near),
    ("zero", Rounding::Zero),
    ("inf", Rounding::Inf),
    ("down", Rounding::Down),
    ("up", Rounding::Up),
];

pub(in super::super) const SPEC: Spec = Spec {
    name: "fps",
    elsewhere: &["ChangeFPS"],
    group: Group::Time,
    summary: "changes the frame rate by repeating and dropping frames",
    description: "Gives the frames and times of FFmpeg's fps: a constant rate, at which each frame of the output is the latest \
                  one of the input whose rounded time has come. No frame is computed; a frame rate is a number, a ratio or an \
                  expression of source_fps, ntsc (30000/1001), pal (25), film (24) and ntsc_film (24000/1001); source_fps \
                  of a clip of a variable rate is its mean, and in FFmpeg a guess. Sound and \
                  subtitles keep their times. Filters behind it see the new frames: n, t and neighbours in time are theirs.",
    own: &[
        Parameter::new("fps", Kind::Expression(NAMES), Preset::Is("25"), "frames per second that come out"),
        Parameter::new(
            "start_time",
            Kind::Number(-1e9, 1e9),
            Preset::Derived("that of the first frame"),
            "time of the first frame that comes out",
        )
        .unit("seconds"),
        Parameter::new(
            "round",
            Kind::Name(&["near", "zero", "inf", "down", "up"]),
            Preset::Is("near"),
            "rounding of times to the new rate",
        ),
        Parameter::new(
            "eof_action",
            Kind::Word(&["round", "pass"]),
            Preset::Is("round"),
            "end of the last frame: rounded like all times, or up",
        ),
    ],
    example: "fps=30",
    extent: Extent::Rate,
    terms: Terms::Own,
    gain: DcGain::One,
    want: untouched,
    change: Some(converted),
};

/// The frames per second that were typed; `preset` where none were.
///
/// # Errors
/// If that is out of range.
pub(super) fn typed_rate(values: &Values, format: &Format, preset: i32) -> Result<Rational> {
    const NTSC: f64 = 30000.0 / 1001.0;
    const NTSC_FILM: f64 = 24000.0 / 1001.0;
    let source = format.rate.value().unwrap_or(f64::NAN);
    let variables = [("source_fps", source), ("ntsc", NTSC), ("pal", 25.0), ("film", 24.0), ("ntsc_film", NTSC_FILM)];
    values.expression("fps").map_or(Ok(Rational::new(preset, 1)), |typed| rate_of(typed.value(&variables)?))
}

fn converted(values: &Values, format: &Format) -> Result<Change> {
    let rate = typed_rate(values, format, 25)?;
    let word = values.word("round");
    let rounding = ROUNDINGS.iter().find(|(name, _)| *name == word).map_or(Rounding::Near, |(_, rounding)| *rounding);
    let start_us = values.typed("start_time").map(|seconds| (seconds * 1e6) as i64);
    let fills = values.word("eof_action") == "pass";
    Ok(Change { rate: Some(RateChange { rate, rounding, start_us, fills, blend: None }), ..Change::none(format) })
}
