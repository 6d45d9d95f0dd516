//! Times as numbers of frames, for outputs that count frames instead of time.

use crate::frame::{Format, Rational};

/// The grid of a constant rate.
pub struct Grid {
    rate: Rational,
    time_base: Rational,
}

impl Grid {
    /// The grid of a clip's nominal rate; `None` where it has none.
    pub fn new(format: &Format) -> Option<Self> {
        let Format { rate, time_base, .. } = *format;
        (rate.value().is_some() && time_base.value().is_some()).then_some(Self { rate, time_base })
    }

    /// The place on the grid that is nearest to a time, and whether the time is on the grid but for the rounding to
    /// the clip's time base, as Matroska's to milliseconds.
    pub fn place(&self, pts: i64) -> (i64, Fit) {
        let tick = i128::from(self.time_base.num) * i128::from(self.rate.num);
        let frame = i128::from(self.time_base.den) * i128::from(self.rate.den);
        let time = i128::from(pts) * tick;
        let place = (2 * time + frame).div_euclid(2 * frame);
        let fit = if (place * frame - time).abs() <= tick { Fit::On } else { Fit::Off };
        // A rate beyond one frame a tick could leave the range.
        (i64::try_from(place).unwrap_or(if place < 0 { i64::MIN } else { i64::MAX }), fit)
    }
}

/// Whether a time is on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is.
    On,
    /// It lies between.
    Off,
}
