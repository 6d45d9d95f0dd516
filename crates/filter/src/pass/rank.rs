//! The sample of a given rank in a box around each sample: medians, minima, maxima.

use anyhow::{Result, bail, ensure};

use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::operation::{Operation, border_and_finish, size_text};
use super::reach::Reach;
use crate::frame::{Format, Sample};

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

    /// Whether it takes the smallest or the largest, which can be found along one axis after another.
    pub fn is_extreme(&self) -> bool {
        self.rank == 0 || self.rank + 1 == self.samples()
    }
}

impl Operation for Rank {
    fn kind(&self) -> &'static str {
        "rank"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let Self { size, anchor, rank, border, .. } = self;
        let [t, y, x] = *size;
        ensure!(t > 0 && y > 0 && x > 0, "a box of {t}x{y}x{x} samples is empty");
        let most = Self::MAX_SAMPLES;
        let samples = t.checked_mul(y).and_then(|samples| samples.checked_mul(x)).filter(|&samples| samples <= most);
        let Some(samples) = samples else { bail!("a box of {t}x{y}x{x} samples holds more than {most}") };
        ensure!((0..3).all(|axis| anchor[axis] < size[axis]), "the anchor is outside {t}x{y}x{x} samples");
        ensure!(*rank < samples, "there is no rank {rank} among {samples} samples");
        if format.pixel.sample == Sample::F32 { Ok(()) } else { border.check(format.pixel.peak()) }
    }

    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { dot16: samples, ..Operations::NONE }
    }

    fn reach(&self) -> Reach {
        Reach::of(self.size, self.anchor)
    }

    border_and_finish!();

    fn shape(&self) -> String {
        size_text(self.size)
    }

    fn taps(&self) -> usize {
        if self.is_extreme() { self.size.iter().filter(|size| **size > 1).sum() } else { self.samples() }
    }
}
