//! Deinterlacing with the weights of Weston's three-field filter where yadif would interpolate along edges, as FFmpeg's
//! `bwdif` does it.

use anyhow::Result;

use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use super::scan::Deinterlacing;
use crate::frame::{Format, Sample};

/// Of a frame `cur` between `prev` and `next`, the rows of the field that was taken later, from both fields around it.
///
/// A rebuilt row `y` of a plane of `h` rows, at any column, with `c = cur[y−1]`, `e = cur[y+1]`, `s(k) = prev[y+k] + cur[y+k]`:
///
/// - `d = s(0) / 2`; `t = |prev[y] − cur[y]|`; `t1 = (|prev[y−1] − c| + |prev[y+1] − e|) / 2`, `t2` the same of `next`;
///   `w = max(max(t / 2, t1), t2)`. The sample is `d` unless `w > 0`.
/// - Spatial check, unless `y < 2` or `y + 3 > h`: `b = s(−2) / 2 − c`, `f = s(2) / 2 − e`, `m = max(max(d − e, d − c), min(b, f))`,
///   `n = min(min(d − e, d − c), max(b, f))`, `w = max(max(w, n), −m)`.
/// - Prediction: `(c + e) / 2` if `y < 4` or `y + 5 > h`; else with `E = cur[y−3] + cur[y+3]`, and if `|c − e| > t`,
///   `((5570 s(0) − 3801 (s(−2) + s(2)) + 1016 (s(−4) + s(4))) / 4 + (4309 (c + e) − 213 E)) / 2¹³`, else
///   `(5077 (c + e) − 981 E) / 2¹³`.
/// - The sample is the prediction, at most `d + w` and then at least `d − w`.
///
/// In the first frame of a clip or scene that has others, each rebuilt row is `(5077 (c + e) − 981 (cur[y−3] + cur[y+3])) / 2¹³`
/// alone, where `y + 1` stands for `y − 3` before the first row and `y − 1` for `y + 3` behind the last.
///
/// Rows outside: [`super::beside`]. Of integer samples all is exact, divisions round down, samples above the format's
/// largest count as the largest, and the result is clamped to the format. Of float samples each operation is rounded to `f32` in
/// the order written, products before their sum, `max(a, b)` is `a` if `a > b` else `b`, `min` alike, and nothing is clamped; a
/// NaN becomes `0x7fc0_0000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bwdif {
    /// Which frames, and which field.
    pub fields: Deinterlacing,
}

impl Bwdif {
    /// The weights of `s(0)`, `s(±2)` and `s(±4)`.
    pub const FINE: [i32; 3] = [5570, -3801, 1016];
    /// The weights of `c + e` and of the rows three away, beside [`Bwdif::FINE`].
    pub const COARSE: [i32; 2] = [4309, -213];
    /// The same by themselves.
    pub const SPATIAL: [i32; 2] = [5077, -981];
}

impl Operation for Bwdif {
    fn kind(&self) -> &'static str {
        "bwdif"
    }

    /// Any frames do.
    fn check(&self, _: &Format, _: usize) -> Result<()> {
        Ok(())
    }

    /// Half of the samples, each of seven products and some thirty sums and comparisons.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        work(sample, 44 * samples / 2)
    }

    fn reach(&self) -> Reach {
        Reach { before: [1, 4, 0], after: [1, 4, 0] }
    }

    fn deinterlacing(&self) -> Option<Deinterlacing> {
        Some(self.fields)
    }

    fn shape(&self) -> String {
        self.fields.words()
    }

    /// The frame, the one before, one field of the one after, and the result.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        7 * samples / 2 * sample.bytes() as u64
    }

    fn operations(&self, samples: u64) -> u64 {
        44 * samples / 2
    }
}

/// So many operations, in the numbers that suit the samples.
pub(super) fn work(sample: Sample, operations: u64) -> Operations {
    match sample {
        Sample::F32 => Operations { real: operations, ..Operations::NONE },
        Sample::U8 | Sample::U16 => Operations { dot16: operations, ..Operations::NONE },
    }
}
