//! Another frame rate: which frame is shown when.

use anyhow::{Context, Result};

use crate::frame::{Format, Rational};

/// Frames of another rate, made by repeating and dropping those that go in, FFmpeg's `fps`, or by blending them, its
/// `framerate`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateChange {
    /// Frames per second that come out, positive; the unit of their times is one frame.
    pub rate: Rational,
    /// How times become those of the new rate.
    pub rounding: Rounding,
    /// The time of the first frame that comes out, in microseconds; `None` for that of the first that goes in.
    pub start_us: Option<i64>,
    /// Whether the last frame is shown to the end of the last frame of the new rate that it begins.
    pub fills: bool,
    /// How frames between two that go in are blended of them; `None` where the earlier one is shown.
    pub blend: Option<RateBlend>,
}

/// How a frame is blended of the two around its time. It is the later one where its weight is all, and the earlier one where
/// its weight is 0. Where the two are of different scenes, it is the one with more weight, at half the earlier one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateBlend {
    /// The weight that is all of a frame.
    pub whole: u32,
    /// Where blending begins and where it ends on the way from the earlier frame to the later one, in 256ths, both included.
    pub zone: [u32; 2],
    /// The score from which two frames are of different scenes: the mean difference in percent, or its change since
    /// the last two frames between which one was blended, if that is less. `None` if scenes do not matter.
    pub scene: Option<f64>,
}

impl RateBlend {
    /// How many frames back those two may lie; else there are none, and the change is that from 0. FFmpeg knows no limit, so
    /// that the clip's first frame could matter to its last.
    pub const HISTORY: u64 = 8;

    /// The weight of the later frame at `num / den` of the way to it, which is from 0 to 1.
    fn weight(&self, num: i128, den: i128) -> u32 {
        let near = |whole: u32| {
            let twice = num.saturating_mul(2 * i128::from(whole));
            twice.saturating_add(den) / den.saturating_mul(2).max(1)
        };
        let (weight, place) = (near(self.whole), near(256));
        if weight >= i128::from(self.whole) || place > self.zone[1].into() {
            self.whole
        } else if weight <= 0 || place < self.zone[0].into() {
            0
        } else {
            weight as u32
        }
    }
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

    /// The weight of the later of two frames, the first of which is shown `from` units after the clip's beginning and the second
    /// `shown` units later, in frame `index` of the new rate counted from there.
    pub fn weight(&self, blend: &RateBlend, index: i64, [from, shown]: [i64; 2], unit: Rational) -> u32 {
        let [unit_num, unit_den, num, den] = [unit.num, unit.den, self.rate.num, self.rate.den].map(i128::from);
        let time = i128::from(index).saturating_mul(den * unit_den);
        let behind = time.saturating_sub(i128::from(from).saturating_mul(unit_num * num));
        blend.weight(behind.max(0), i128::from(shown).saturating_mul(unit_num * num))
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
    rate.with_context(|| {
        format!("{value} frames per second are out of range; type a rate above 0, up to 1000000, without a unit")
    })
}
