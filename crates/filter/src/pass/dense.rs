//! Kernels of any shape, all taps at once.

use anyhow::{Result, ensure};

use super::arithmetic::{Arithmetic, Sums, is_bytes, magnitude};
use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::operation::{Operation, border_and_finish, size_text};
use super::reach::Reach;
use super::tap::Kernel;
use crate::frame::{Format, Pixel, Sample};

/// How the sums of several kernels over the same samples become one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combine {
    /// `((a + b) + c) + …` in `f32`; with one kernel, its sum.
    Sum,
    /// `sqrt(((a·a) + b·b) + …)`, every operation rounded to `f32`, the root correctly.
    Magnitude,
    /// The largest absolute value; of a number and a NaN the number.
    Max,
    /// The largest; of a number and a NaN the number. Which zero stands for both makes no difference, because the bias
    /// that is added last is never −0.
    Largest,
}

/// One or more kernels of any shape over the same samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// At least one.
    pub kernels: Vec<Kernel>,
    /// How several become one; also applied to a single one.
    pub combine: Combine,
    /// In which numbers each sum is formed; the combination is in `f32`.
    pub arithmetic: Arithmetic,
    /// Outside the plane.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

impl Dense {
    /// What its sums need.
    ///
    /// # Errors
    /// If they need more than there is.
    pub fn sums(&self, pixel: Pixel) -> Result<Sums> {
        let largest = self.kernels.iter().map(|kernel| magnitude(&kernel.weights)).fold(0.0, f64::max);
        self.arithmetic.sums(largest * f64::from(pixel.highest()))
    }
}

impl Operation for Dense {
    fn kind(&self) -> &'static str {
        "dense"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        ensure!(!self.kernels.is_empty(), "there is no kernel");
        self.kernels.iter().try_for_each(Kernel::check)?;
        let weights = self.kernels.iter().map(|kernel| kernel.weights.as_slice());
        self.arithmetic.check(self.border, format.pixel, weights)?;
        self.sums(format.pixel).map(drop)
    }

    fn least(&self, sample: Sample, samples: u64) -> Operations {
        let all = self.operations(samples);
        match self.arithmetic {
            Arithmetic::Real => Operations { real: all, ..Operations::NONE },
            Arithmetic::Integer if self.kernels.iter().all(|kernel| is_bytes(sample, &kernel.weights)) => {
                Operations { dot8: all, ..Operations::NONE }
            }
            Arithmetic::Integer => Operations { dot16: all, ..Operations::NONE },
        }
    }

    fn reach(&self) -> Reach {
        self.kernels.iter().map(Kernel::reach).fold(Reach::default(), Reach::union)
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(self.arithmetic)
    }

    border_and_finish!();

    fn shape(&self) -> String {
        let sizes: Vec<String> = self.kernels.iter().map(|kernel| size_text(kernel.size)).collect();
        sizes.join(", ")
    }

    fn taps(&self) -> usize {
        self.kernels.iter().map(|kernel| kernel.weights.len()).sum()
    }
}
