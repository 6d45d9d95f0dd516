//! Which part of the input is wanted, and when things happen counted from its beginning.

use crate::frame::Rational;
use crate::libav::packet::{Packet, rescale};
use crate::source::Portion;

/// One microsecond, the unit in which containers and cuts are measured.
pub(super) const MICROSECOND: Rational = Rational::new(1, 1_000_000);

/// The wanted part of the input, and the times of frames within it.
#[derive(Clone)]
pub(super) struct InputTimeline {
    time_base: Rational,
    /// What is time 0 of the output, in microseconds of the input's own clock.
    pub origin_us: i64,
    /// The same in `time_base`.
    pub origin: i64,
    /// Whether what lies before the origin is left out.
    pub has_start: bool,
    /// The output ends before this time, in `time_base` from the origin.
    pub end: Option<i64>,
    /// How far the origin lies behind the beginning of the file, in `time_base`.
    before: i64,
    /// By how much the origin was moved into the input to read a part of it, whose frames keep their times.
    kept: i64,
    /// How long a frame is shown where the input does not say, in `time_base`; at least 1.
    step: i64,
    /// Time and duration of the frame before.
    last: Option<(i64, i64)>,
    /// Times that had to be moved so that they ascend.
    pub nudged: u64,
}

impl InputTimeline {
    /// The part from `start_us` after the input's beginning, which its own clock calls `first_us`.
    pub fn new(
        time_base: Rational,
        rate: Rational,
        first_us: i64,
        start_us: Option<i64>,
        length_us: Option<i64>,
    ) -> Self {
        let origin_us = first_us + start_us.unwrap_or(0);
        let origin = rescale(origin_us, MICROSECOND, time_base);
        let step = if rate.value().is_some() { rescale(1, rate.inverse(), time_base).max(1) } else { 1 };
        Self {
            time_base,
            origin_us,
            origin,
            has_start: start_us.is_some(),
            // So that times of a part and this are those of the whole, however they are rounded.
            before: origin - rescale(first_us, MICROSECOND, time_base),
            kept: 0,
            end: length_us.map(|length| rescale(length, MICROSECOND, time_base)),
            step,
            last: None,
            nudged: 0,
        }
    }

    /// Time and duration of the next frame from those that the decoder gives. Times always ascend.
    pub fn place(&mut self, pts: Option<i64>, duration: i64) -> (i64, i64) {
        let expected = self.last.map(|(pts, duration)| pts + duration.max(1));
        let mut time = match pts {
            Some(pts) => pts - self.origin,
            None => expected.unwrap_or(-self.before),
        };
        if let Some((last, _)) = self.last
            && time <= last
        {
            time = last + 1;
            self.nudged += 1;
        }
        let duration = if duration > 0 { duration } else { self.step };
        self.last = Some((time, duration));
        (time, duration)
    }

    /// How long a frame is shown where the input does not say, in the clip's unit.
    pub fn step(&self) -> i64 {
        self.step
    }

    /// How far the origin lies behind the beginning of the file, in the clip's unit.
    pub fn offset(&self) -> i64 {
        self.before
    }

    /// Moves the origin to a part of what is wanted, and the end with it.
    pub fn keep_to(&mut self, portion: Portion) {
        self.origin += portion.from;
        self.origin_us += rescale(portion.from, self.time_base, MICROSECOND);
        self.before += portion.from;
        self.kept = portion.from;
        self.has_start |= portion.first > 0;
        self.end = portion.to.map(|to| to - portion.from);
        if portion.first > 0 {
            self.restart();
        }
    }

    /// By how much the origin was moved for a part.
    pub fn kept(&self) -> i64 {
        self.kept
    }

    /// Begins again at another place of the input.
    pub fn restart(&mut self) {
        (self.last, self.nudged) = (None, 0);
    }

    /// Where the last frame ends.
    pub fn reached(&self) -> i64 {
        self.last.map_or(0, |(pts, duration)| pts + duration)
    }

    /// Counts a packet of another stream from the origin. `None` if it ends before that and a start was asked for.
    pub fn shift(&self, mut packet: Packet, time_base: Rational, clip: EarlyPacket) -> Option<Packet> {
        let origin = rescale(self.origin_us, MICROSECOND, time_base);
        let shifted = |time: Option<i64>| time.map(|time| time - origin);
        let (pts, dts) = (shifted(packet.pts()), shifted(packet.dts()));
        packet.set_times(pts, dts);
        packet.uproot();
        let Some(start) = pts.or(dts) else { return Some(packet) };
        if !self.has_start || start >= 0 {
            return Some(packet);
        }
        if start + packet.duration() <= 0 {
            return None;
        }
        if clip == EarlyPacket::Start {
            packet.set_duration(start + packet.duration());
            packet.set_times(Some(0), Some(0));
        }
        Some(packet)
    }

    /// Whether a packet of another stream, already shifted, starts before `time`, which is in the clip's unit.
    pub fn is_before(&self, packet: &Packet, time_base: Rational, time: i64) -> bool {
        packet.starts_before(time_base, time, self.time_base)
    }
}

/// What becomes of a packet that begins before the wanted part and ends in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EarlyPacket {
    /// It keeps its time, before 0: a packet of audio is whole or not at all.
    Keep,
    /// It begins at 0 and is shorter: a subtitle can be.
    Start,
}
