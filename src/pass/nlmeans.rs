//! Means over samples whose surroundings look alike (Buades, Coll and Morel, 2005), as FFmpeg's `nlmeans` forms them.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::operation::{Operation, border_and_finish, size_text};
use super::reach::Reach;
use crate::frame::{Format, Pixel, Sample};

/// A sample `p` and the samples `p + o` around it, each with a weight that says how much the squares around the two look
/// alike.
///
/// - Offsets `o` ascend in t, then y, then x, over `2·frames + 1` frames and a square of `search` samples. Those that
///   lead outside the plane are left out, and so is the sample itself.
/// - A sample is compared as a whole number `q`: an integer as it is; a float as `v · 65280` clamped to ±2²² and rounded to
///   nearest, ties to even, each operation in `f32`. What lies outside the plane, around `p` as around `p + o`, is what
///   the border says.
/// - `d = min(|q(p + i) − q(p + o + i)|, 2^depth − 1)` for each place `i` of a square of `patch` samples, floats having
///   16 bits. `D = Σ ⌊d² / 2^cut⌋` is exact in 32 bits, in any order; `cut` is the least that keeps it below 2³¹ for any
///   samples, 0 at 8 bits: [`Nlmeans::scale`].
/// - `w = table[min(⌊D / 2^shift⌋, last)]`, where `shift = 2·(depth − 8) − cut` makes 8-bit units of `D`.
/// - In `f32`, each operation rounded, none fused, from +0 on and in the order of the offsets:
///   `total = total + w; sum = sum + w · v(p + o)`. The sample itself comes last: `total = total + 1; sum = sum + v(p)`.
///   `sum / total`, rounded once, goes into the last step in place of a sum; or, where weights are shown,
///   `total · share`, with [`Nlmeans::share`].
/// - A float that is infinite or no number counts as 0 wherever it is met.
///
/// A weight of 0 changes neither sum, so such samples can be skipped.
#[derive(Clone, Debug, PartialEq)]
pub struct Nlmeans {
    /// Samples along the sides of what is compared; odd, at most [`Nlmeans::MAX_SIDE`].
    pub patch: usize,
    /// Samples along the sides of where is looked; odd, at most [`Nlmeans::MAX_SIDE`].
    pub search: usize,
    /// Frames on either side of the centre that are looked at too, at most [`Nlmeans::MAX_FRAMES`].
    pub frames: usize,
    /// Weights from 0 to 1 by difference, from 0 on; the last is 0, and there are at most [`Nlmeans::MAX_TABLE`].
    pub table: Arc<[f32]>,
    /// Outside the plane, where patches are compared; for integer samples a constant is one that a sample can have.
    pub border: Border,
    /// What becomes of a sample.
    pub shown: Shown,
    /// The last step.
    pub finish: Finish,
}

/// What becomes of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// The mean.
    #[default]
    Mean,
    /// The sum of the weights: nearly black for nothing but the sample itself, the largest sample where all that was looked
    /// at counts in full.
    Weights,
}

/// How differences of samples of some depth are formed and looked up; of it and the patch alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The largest difference of two samples.
    pub most: u32,
    /// By how many bits a squared difference is shifted down before it is summed.
    pub cut: u32,
    /// By how many bits a sum is shifted down before it is looked up.
    pub shift: u32,
}

impl Nlmeans {
    /// The most samples along a side.
    pub const MAX_SIDE: usize = 99;
    /// The most frames on either side.
    pub const MAX_FRAMES: usize = 16;
    /// The most weights: 2 MiB of them.
    pub const MAX_TABLE: usize = 1 << 19;
    /// What a float of 1 is compared as: 255 in units of 1/256.
    pub const FLOAT: f32 = 65280.0;
    /// The largest magnitude that a float is compared as.
    pub const FLOAT_MOST: f32 = 4_194_304.0;

    /// Where weights are shown, what they are multiplied by, rounded once: the largest sample over how many samples are
    /// looked at, the sample itself among them.
    pub fn share(&self, pixel: Pixel) -> Option<f32> {
        let share = f64::from(pixel.peak()) / (self.taps() + 1) as f64;
        (self.shown == Shown::Weights).then_some(share as f32)
    }

    /// How differences of samples of a format are scaled.
    pub fn scale(&self, pixel: Pixel) -> Scale {
        let depth = if pixel.sample == Sample::F32 { 16 } else { u32::from(pixel.depth) };
        let most = (1u32 << depth) - 1;
        let places = (self.patch * self.patch) as u64;
        let fits = |cut: &u32| places * ((u64::from(most) * u64::from(most)) >> cut) < 1 << 31;
        let cut = (0..2 * (depth - 8)).find(fits).unwrap_or(2 * (depth - 8));
        Scale { most, cut, shift: 2 * (depth - 8) - cut }
    }
}

impl Operation for Nlmeans {
    fn kind(&self) -> &'static str {
        "nlmeans"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let Self { patch, search, frames, table, border, .. } = self;
        for (name, side) in [("patch", *patch), ("search", *search)] {
            let most = Self::MAX_SIDE;
            ensure!(side % 2 == 1 && side <= most, "a {name} of {side} samples a side is not odd, or above {most}");
        }
        ensure!(*frames <= Self::MAX_FRAMES, "{frames} frames on either side are more than {}", Self::MAX_FRAMES);
        let count = table.len();
        ensure!(count <= Self::MAX_TABLE, "{count} weights are more than {}", Self::MAX_TABLE);
        ensure!(table.last() == Some(&0.0), "the last weight is not 0");
        let fits = |weight: &f32| (0.0..=1.0).contains(weight) && weight.is_sign_positive();
        ensure!(table.iter().all(fits), "a weight is not from 0 to 1");
        if format.pixel.sample == Sample::F32 { Ok(()) } else { border.check(format.pixel.peak()) }
    }

    /// A product and two sums for each sample that is looked at: weights differ from pair to pair.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { real: 3 * self.taps() as u64 * samples, ..Operations::NONE }
    }

    fn reach(&self) -> Reach {
        let (size, radius) = (self.search + self.patch - 1, (self.search + self.patch) / 2 - 1);
        Reach::of([2 * self.frames + 1, size, size], [self.frames, radius, radius])
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    border_and_finish!();

    fn shape(&self) -> String {
        let Self { patch, search, frames, .. } = *self;
        format!("{} in {}", size_text([1, patch, patch]), size_text([2 * frames + 1, search, search]))
    }

    fn taps(&self) -> usize {
        (2 * self.frames + 1) * self.search * self.search - 1
    }
}
