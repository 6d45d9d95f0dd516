//! Means of a sample and those at its place in other frames, as far back and forth as they stay like it: adaptive temporal
//! averaging (Bartovčak and Vrankić), as FFmpeg's `atadenoise` does it.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::finish::Finish;
use super::operation::{Operation, finish};
use super::reach::Reach;
use crate::frame::{Format, Sample};

/// A sample `c`, and for `k` from 1 to `radius` the samples `v` at its place `k` frames before and `k` frames after, of
/// which each is met in that order and taken into a mean unless its side has ended.
///
/// - A side keeps a sum of distances, which starts at 0: `d = |c − v|; far = far + d`. It goes on while `d < single` and
///   `far < total`; a sample for which one of the two does not hold is left out, and with it all that come after it.
///   What ends one side ends the other too, from the next sample in the order on, if `together` says so. Without it the
///   sides know nothing of each other, and all samples before are summed ahead of all samples after.
/// - Of integer samples all of this is exact, whatever the order. The mean is, in `f32` and each operation rounded, none
///   fused: `weighed = 1; sum = c`, for each sample taken `sum = sum + w · v; weighed = weighed + w`, with its weight `w`,
///   and `sum / weighed`. Without weights every `w` is 1, both sums are whole numbers below 2²⁴, and the quotient goes into
///   the last step in place of a sum: FFmpeg's division in whole numbers, rounded to nearest with halves upwards, gives the
///   same. With weights the quotient is first rounded to a whole number, ties to even.
/// - Of float samples everything is in `f32`, each operation rounded: `e = v − c; d = |e|; far = far + d`, and for each
///   sample taken `sum = sum + w · e; weighed = weighed + w`, from `weighed = 1; sum = 0` on. `c + sum / weighed` goes into
///   the last step, so that a constant clip stays what it is. A distance that is no number ends a side.
///
/// The integer sums may be formed in any order; all others are formed in the order in which samples are met.
#[derive(Clone, Debug, PartialEq)]
pub struct Atadenoise {
    /// Frames on either side, at most [`Atadenoise::MAX_RADIUS`].
    pub radius: usize,
    /// A sample's distance lies below this, in the units of samples; for integer samples a whole number. Nothing is taken
    /// where it is 0.
    pub single: f32,
    /// A side's sum of distances lies below this; otherwise as `single`.
    pub total: f32,
    /// Whether both sides end where one does.
    pub together: bool,
    /// The weight of the samples `k` frames away at `k − 1`, each from 0 to 1; none where every weight is 1.
    pub weights: Arc<[f32]>,
    /// The last step.
    pub finish: Finish,
}

impl Atadenoise {
    /// The most frames on either side.
    pub const MAX_RADIUS: usize = 64;

    /// Whether any sample can be taken into a mean.
    pub fn takes_any(&self) -> bool {
        self.radius > 0 && self.single > 0.0 && self.total > 0.0
    }
}

impl Operation for Atadenoise {
    fn kind(&self) -> &'static str {
        "atadenoise"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let Self { radius, single, total, weights, .. } = self;
        ensure!(*radius <= Self::MAX_RADIUS, "{radius} frames on either side are more than {}", Self::MAX_RADIUS);
        let whole = format.pixel.sample != Sample::F32;
        for limit in [*single, *total] {
            let fits = (0.0..(1 << 24) as f32).contains(&limit) && !(whole && limit.fract() != 0.0);
            ensure!(fits, "the limit {limit} is not from 0 to 2^24, or not whole where samples are");
        }
        let count = weights.len();
        ensure!(count == 0 || count == *radius, "{count} weights for {radius} frames on either side");
        ensure!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "a weight is not from 0 to 1");
        Ok(())
    }

    /// A look at each sample: what comes of it depends on the picture.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { dot16: samples, ..Operations::NONE }
    }

    fn reach(&self) -> Reach {
        Reach::of([2 * self.radius + 1, 1, 1], [self.radius, 0, 0])
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    finish!();

    fn shape(&self) -> String {
        let sides = if self.together { "both sides at once" } else { "one side after the other" };
        format!("{} frames, {sides}", 2 * self.radius + 1)
    }

    fn taps(&self) -> usize {
        2 * self.radius
    }
}
