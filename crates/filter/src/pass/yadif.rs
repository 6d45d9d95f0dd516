//! Deinterlacing along edges, kept within the change over time, as FFmpeg's `yadif` does it.

use anyhow::Result;

use super::bwdif::work;
use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use super::scan::Deinterlacing;
use crate::frame::{Format, Sample};

/// Of a frame `cur` between `prev` and `next`, the rows of the field that was taken later.
///
/// A rebuilt row `y` of a plane of `h` rows and `w` columns, with `c(x) = cur[y−1]` and `e(x) = cur[y+1]` at a column, and without
/// a column at `x`:
///
/// - `d`, `t`, `t1`, `t2` and the bound, here `m`, as in [`super::Bwdif`].
/// - Prediction: `p = (c + e) / 2`. From column 3 to `w − 4` edges are looked for. A score is `q(j) = (|c(x−1+j) − e(x−1−j)| +
///   |c(x+j) − e(x−j)|) + |c(x+1+j) − e(x+1−j)|`. The best is `q(0)` at first, less 1 if samples are integers. Then `j = −1`: if `q(j)` is
///   below the best, it is the best, `p = (c(x+j) + e(x−j)) / 2`, and the same is tried with `2 j`. Then `j = 1` likewise.
/// - Spatial check with rows `y ± 2` as in [`super::Bwdif`], unless `spatial` is off, `y = 1` or `y + 2 = h`. In the first row `y + 2`
///   stands for `y − 2`, in the last `y − 2` for `y + 2`.
/// - The sample is the prediction, at most `d + m` and then at least `d − m`.
///
/// Rows outside and arithmetic: as in [`super::Bwdif`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yadif {
    /// Which frames, and which field.
    pub fields: Deinterlacing,
    /// With the spatial check.
    pub spatial: bool,
}

impl Yadif {
    /// Columns on each side in which no edges are looked for.
    pub const MARGIN: usize = 3;
}

impl Operation for Yadif {
    fn kind(&self) -> &'static str {
        "yadif"
    }

    /// Any frames do.
    fn check(&self, _: &Format, _: usize) -> Result<()> {
        Ok(())
    }

    /// Half of the samples, each of five scores of five operations, and what bounds it.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        work(sample, 60 * samples / 2)
    }

    fn reach(&self) -> Reach {
        Reach { before: [1, 2, 3], after: [1, 2, 3] }
    }

    fn deinterlacing(&self) -> Option<Deinterlacing> {
        Some(self.fields)
    }

    fn shape(&self) -> String {
        let check = if self.spatial { "" } else { ", no spatial check" };
        self.fields.words() + check
    }

    /// The frame, the one before, one field of the one after, and the result.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        7 * samples / 2 * sample.bytes() as u64
    }

    fn operations(&self, samples: u64) -> u64 {
        60 * samples / 2
    }
}
