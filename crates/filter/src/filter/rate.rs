//! Another frame rate: which frame is shown when.

use anyhow::{Context, Result};

use crate::frame::{Format, Rational};

/// Frames of another rate, made by repeating and dropping those that go in: FFmpeg's `fps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateChange {
    /// Frames per second that come out, positive; the unit of their times is one frame.
    pub rate: Rational,
    /// How times become those of the new rate.
    pub rounding: Rounding,
    /// The time of the first frame that comes out, in microseconds; `None` for that of the first that goes in.
    pub start_us: Option<i64>,
    /// Whether the last frame is shown to the end of the last frame of the new rate that it begins.
    pub fills: bool,
}

/// How times become whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Towards 0.
    Zero,
    /// Away from 0.
    Inf,
    /// Towards the past.
    Down,
    /// Towards the future.
    Up,
    /// To the nearest, halves away from 0.
    Near,
}

impl RateChange {
    /// A time in frames of the new rate. `unit` is that of the time, in seconds.
    pub fn frames(&self, time: i64, unit: Rational) -> i64 {
        scaled(self.rounding, time, unit, self.rate)
    }

    /// The first frame that comes out and what that is in `unit`, where a start was asked for; else 0.
    pub fn start(&self, unit: Rational) -> [i64; 2] {
        const MICROSECOND: Rational = Rational::new(1, 1_000_000);
        let start = self.start_us.unwrap_or(0);
        [self.rate, unit.inverse()].map(|rate| scaled(self.rounding, start, MICROSECOND, rate))
    }

    /// How much later a part is shown in its clip, in frames of the new rate.
    pub fn offset(&self, time: i64, unit: Rational) -> i64 {
        scaled(Rounding::Near, time, unit, self.rate)
    }

    /// The end of the last frame that goes in, in frames of the new rate.
    pub fn end(&self, time: i64, unit: Rational) -> i64 {
        let rounding = if self.fills { Rounding::Up } else { self.rounding };
        scaled(rounding, time, unit, self.rate)
    }

    /// The format of what comes out of frames of another.
    pub fn output(&self, format: &Format) -> Format {
        Format { rate: self.rate, time_base: self.rate.inverse(), ..format.clone() }
    }

    /// How many frames about come out of so many of a rate; as many where that is unknown.
    pub fn length(&self, frames: u64, rate: Rational) -> u64 {
        let Some((own, new)) = rate.value().zip(self.rate.value()) else { return frames };
        (frames as f64 * new / own).round() as u64
    }
}

/// `time * unit * rate`, rounded; the nearest that fits.
fn scaled(rounding: Rounding, time: i64, unit: Rational, rate: Rational) -> i64 {
    let num = i128::from(time) * i128::from(unit.num) * i128::from(rate.num);
    let den = (i128::from(unit.den) * i128::from(rate.den)).max(1);
    let (down, rest) = (num.div_euclid(den), num.rem_euclid(den));
    let is_up = match rounding {
        Rounding::Down => false,
        Rounding::Up => rest > 0,
        Rounding::Zero => rest > 0 && num < 0,
        Rounding::Inf => rest > 0 && num > 0,
        Rounding::Near if num < 0 => 2 * rest > den,
        Rounding::Near => 2 * rest >= den,
    };
    let whole = down + i128::from(is_up);
    whole.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// The ratio for a number of frames per second.
///
/// # Errors
/// If it is none.
pub(super) fn rate_of(value: f64) -> Result<Rational> {
    let rate = Rational::nearest(value).filter(|_| value <= 1e6);
    rate.with_context(|| format!("{value} frames per second are out of range; type a rate above 0, up to 1000000"))
}
