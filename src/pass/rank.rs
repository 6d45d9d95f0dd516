//! The sample of a given rank in a box around each sample: medians, minima, maxima.

use super::{Border, Finish};

/// All samples of a box in t, y and x, in ascending order; the one at place `rank`, from 0, goes into the last step.
///
/// Floats are ordered as numbers, −0 beside +0, and every NaN behind all of them; what stands for several equal
/// samples makes no difference, because the last step makes one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// How many samples in t, y, x; none is 0, and together they are at most [`Rank::MAX_SAMPLES`].
    pub size: [usize; 3],
    /// The index of the place in the box that is the sample itself, in t, y, x.
    pub anchor: [usize; 3],
    /// Which of the samples, ascending; below their number.
    pub rank: usize,
    /// Outside the plane; for integer samples a constant is one that a sample can have.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

impl Rank {
    /// The most samples of a box, so that any count of them fits into 16 bits.
    pub const MAX_SAMPLES: usize = 65_535;

    /// How many samples the box holds.
    pub fn samples(&self) -> usize {
        self.size.iter().product()
    }

    /// How many frames it reaches to either side.
    pub fn reach_t(&self) -> usize {
        self.anchor[0].max(self.size[0] - 1 - self.anchor[0])
    }

    /// Whether it takes the smallest or the largest, which can be found along one axis after another.
    pub fn is_extreme(&self) -> bool {
        self.rank == 0 || self.rank + 1 == self.samples()
    }
}
