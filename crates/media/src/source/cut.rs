//! Which part of a clip is wanted: `--start`, `--end`, `--duration` and `--frames`, in times or in numbers of frames.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::{FrameIndex, Portion};
use crate::frame::{Margin, Rational, Timing};

/// A place in a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutPoint {
    /// So long after its beginning.
    Time(Duration),
    /// The frame of this number, from 0.
    Frame(u64),
}

impl Default for CutPoint {
    fn default() -> Self {
        Self::Time(Duration::ZERO)
    }
}

/// A part of a clip. The default is all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Frames shown before this are left out.
    pub start: CutPoint,
    /// Frames shown then, or later, are left out.
    pub end: Option<CutPoint>,
    /// Frames shown this long after `start`, or later, are left out.
    pub duration: Option<Duration>,
    /// At most so many frames.
    pub frames: Option<u64>,
}

impl Cut {
    /// The frames of a clip of constant rate that are wanted, numbered from 0; open ends are `u64::MAX`. Exact, as times and
    /// rates are fractions. A rate that is not positive counts as 25 frames a second. Empty where no frame is asked
    /// for, or the end lies before the start.
    pub fn range(&self, rate: Rational) -> Range<u64> {
        let first = |moment| match moment {
            CutPoint::Time(time) => first_from(time, 0, rate),
            CutPoint::Frame(number) => number,
        };
        let start = first(self.start).min(u64::MAX - 1);
        let end = self.end.map_or(u64::MAX, first);
        let lasts = |duration| match self.start {
            CutPoint::Time(time) => first_from(time.saturating_add(duration), 0, rate),
            CutPoint::Frame(number) => first_from(duration, number, rate),
        };
        let end = self.duration.map_or(end, |duration| lasts(duration).min(end));
        let limit = self.frames.map_or(u64::MAX, |frames| start.saturating_add(frames));
        start..end.min(limit).max(start)
    }
}

/// The part of a clip of constant rate that is read, and the frames around it.
pub(super) struct CutRange {
    wanted: Range<u64>,
    /// The frame from which times are counted.
    origin: u64,
    margin: Margin,
}

impl CutRange {
    pub(super) fn new(wanted: Range<u64>) -> Self {
        Self { origin: wanted.start, wanted, margin: Margin::default() }
    }

    /// The frames of a clip of `total` that are wanted.
    pub(super) fn index(&self, total: Option<u64>, name: &str) -> Result<FrameIndex> {
        let unknown = || format!("the number of frames of {name} is unknown; name a file to cut it into chunks");
        let total = total.with_context(unknown)?;
        let end = Some(self.wanted.end).filter(|end| *end < u64::MAX).map(|end| (end - self.origin).cast_signed());
        Ok(FrameIndex { end, ..FrameIndex::even(self.length(Some(total)).unwrap_or(0)) })
    }

    /// Keeps to a part of them, which has the times that it has in all of them.
    pub(super) fn keep_to(&mut self, portion: Portion) {
        let start = self.origin.saturating_add(portion.first);
        let end = portion.to.map_or(self.wanted.end, |_| start.saturating_add(portion.frames));
        self.wanted = start..end;
    }

    /// Asks for frames around it.
    pub(super) fn widen(&mut self, margin: Margin) {
        self.margin = margin;
    }

    /// The frames that are read; none if none is wanted.
    pub(super) fn read(&self) -> Range<u64> {
        let Range { start, end } = self.wanted;
        if start == end {
            return start..start;
        }
        start.saturating_sub(self.margin.before)..end.saturating_add(self.margin.after)
    }

    /// The time of a frame that is read, shown for one unit of time.
    pub(super) fn timing(&self, number: u64) -> Timing {
        let offset = self.origin.cast_signed();
        let is_margin = !self.wanted.contains(&number);
        Timing { number, pts: number as i64 - offset, offset, is_margin, duration: 1, ..Timing::default() }
    }

    /// How many frames are wanted of a clip of `total`; `None` where the end is open and the clip's length unknown.
    pub(super) fn length(&self, total: Option<u64>) -> Option<u64> {
        let Range { start, end } = self.wanted;
        let end = total.map(|total| total.min(end)).or((end < u64::MAX).then_some(end))?;
        Some(end.saturating_sub(start))
    }

    /// Fails where frames from a start on were asked for and the clip has ended with `count` frames, all of them before
    /// it.
    pub(super) fn check_start(&self, name: &str, count: u64) -> Result<()> {
        let Range { start, .. } = self.wanted;
        ensure!(start == 0 || self.wanted.is_empty() || count > start, missed(name));
        Ok(())
    }
}

/// Why a clip gives no frame although some were asked for from a start on.
pub(super) fn missed(name: &str) -> String {
    format!("{name} ends before --start; name an earlier time")
}

/// The first frame that is not shown before `time` after frame `number`.
fn first_from(time: Duration, number: u64, rate: Rational) -> u64 {
    const NANOS: u128 = 1_000_000_000;
    let rate = if rate.num > 0 && rate.den > 0 { rate } else { Rational::new(25, 1) };
    let (num, den) = (u128::from(rate.num.unsigned_abs()), u128::from(rate.den.unsigned_abs()));
    let frames = (time.as_nanos() * num).div_ceil(NANOS * den);
    u64::try_from(frames).unwrap_or(u64::MAX).saturating_add(number)
}
