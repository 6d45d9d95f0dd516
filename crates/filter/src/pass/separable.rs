//! Products of taps along one axis each, run one after another.

use anyhow::{Result, ensure};

use super::arithmetic::{Arithmetic, Sums, is_bytes, magnitude};
use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::operation::{Operation, border_and_finish};
use super::reach::Reach;
use super::tap::Taps;
use crate::frame::{Format, Pixel, Sample};

/// A kernel that is the product of one along each axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Separable {
    /// Run first.
    pub t: Taps,
    /// Run second.
    pub x: Taps,
    /// Run last.
    pub y: Taps,
    /// In which numbers; bounds hold for the product of all three.
    pub arithmetic: Arithmetic,
    /// Outside the plane.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

impl Separable {
    /// What its sums need. A step in between counts even if what follows makes it smaller.
    ///
    /// # Errors
    /// If they need more than there is.
    pub fn sums(&self, pixel: Pixel) -> Result<Sums> {
        let highest = f64::from(pixel.highest());
        let bound = self.weights().fold(highest, |bound, weights| bound * magnitude(weights).max(1.0));
        self.arithmetic.sums(bound)
    }

    fn weights(&self) -> impl Iterator<Item = &[f32]> {
        [&self.t, &self.x, &self.y].into_iter().map(|taps| taps.weights.as_slice())
    }

    /// The axes along which something is done, in the order in which they are run, with their letters.
    fn steps(&self) -> impl Iterator<Item = (&'static str, &Taps)> {
        [("t", &self.t), ("x", &self.x), ("y", &self.y)].into_iter().filter(|(_, taps)| !taps.is_identity())
    }
}

impl Operation for Separable {
    fn kind(&self) -> &'static str {
        "separable"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        for Taps { weights, anchor } in [&self.t, &self.y, &self.x] {
            ensure!(*anchor < weights.len(), "anchor {anchor} is outside {} taps", weights.len());
        }
        self.arithmetic.check(self.border, format.pixel, self.weights())?;
        self.sums(format.pixel).map(drop)
    }

    /// A box in whole numbers needs one addition and one subtraction along each axis. The first axis that is met has
    /// bytes before it; what stands between the others is wider.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        let mut operations = Operations::NONE;
        let mut is_first = true;
        for taps in [&self.t, &self.x, &self.y].into_iter().filter(|taps| taps.weights.len() > 1) {
            let all = 2 * taps.weights.len() as u64;
            match self.arithmetic {
                Arithmetic::Real => operations.real += all,
                Arithmetic::Integer if is_box(taps) => operations.dot16 += 2,
                Arithmetic::Integer if is_first && is_bytes(sample, &taps.weights) => operations.dot8 += all,
                Arithmetic::Integer => operations.dot16 += all,
            }
            is_first = false;
        }
        operations.times(samples)
    }

    fn reach(&self) -> Reach {
        let axes = [&self.t, &self.y, &self.x];
        Reach::of(axes.map(|taps| taps.weights.len()), axes.map(|taps| taps.anchor))
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(self.arithmetic)
    }

    border_and_finish!();

    fn shape(&self) -> String {
        let steps: Vec<String> = self.steps().map(|(axis, taps)| format!("{} {axis}", taps.weights.len())).collect();
        steps.join(" + ")
    }

    fn taps(&self) -> usize {
        self.steps().map(|(_, taps)| taps.weights.len()).sum()
    }
}

fn is_box(taps: &Taps) -> bool {
    taps.weights.iter().all(|tap| *tap == taps.weights[0])
}
