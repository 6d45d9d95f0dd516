//! Which frames of a clip of constant rate are wanted: `--start`, `--duration` and `--frames` in numbers of frames.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::frame::Rational;

/// A part of a clip. The default is all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Frames shown before this time are left out.
    pub start: Duration,
    /// Frames shown this long after `start`, or later, are left out.
    pub duration: Option<Duration>,
    /// At most so many frames.
    pub frames: Option<u64>,
}

impl Cut {
    /// The frames that are wanted, numbered from 0; open ends are `u64::MAX`. Exact, as times and rates are
    /// fractions. A rate that is not positive counts as 25 frames a second. Empty only where no frame is asked for.
    pub fn range(&self, rate: Rational) -> Range<u64> {
        let start = first_from(self.start, rate).min(u64::MAX - 1);
        let end = self.duration.map_or(u64::MAX, |duration| first_from(self.start.saturating_add(duration), rate));
        let limit = self.frames.map_or(u64::MAX, |frames| start.saturating_add(frames));
        start..end.min(limit).max(start)
    }
}

/// Fails where frames from a start on were asked for and the clip has ended with `count` frames, all of them before it.
pub(super) fn check_start(name: &str, wanted: Range<u64>, count: u64) -> Result<()> {
    ensure!(wanted.start == 0 || wanted.is_empty() || count > wanted.start, missed(name));
    Ok(())
}

/// Why a clip gives no frame although some were asked for from a start on.
pub(super) fn missed(name: &str) -> String {
    format!("{name} ends before --start; name an earlier time")
}

/// The first frame that is not shown before `time`.
fn first_from(time: Duration, rate: Rational) -> u64 {
    const NANOS: u128 = 1_000_000_000;
    let rate = if rate.num > 0 && rate.den > 0 { rate } else { Rational::new(25, 1) };
    let (num, den) = (u128::from(rate.num.unsigned_abs()), u128::from(rate.den.unsigned_abs()));
    let frames = (time.as_nanos() * num).div_ceil(NANOS * den);
    u64::try_from(frames).unwrap_or(u64::MAX)
}
