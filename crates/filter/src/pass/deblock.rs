//! Deblocking: steps at the edges of a grid of blocks made smaller, as FFmpeg's `deblock` does it.

use anyhow::{Result, ensure};

use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use crate::frame::{Format, Sample};

/// Edges lie at every multiple of `block`, above 0. Across an edge the samples are `b2 b1 b0 | a0 a1 a2`, with
/// `d = a0 − b0` and the limits `[alpha, beta, gamma, delta]`:
///
/// - Weak: if `|d| < alpha`, `|b0 − b1| < beta` and `|a0 − a1| < gamma`, then `b0 + d/2`, `b1 + d/8`, `a0 − d/2`, `a1 − d/8`.
/// - Strong: if `|d| < alpha`, `|b0 − b1| < beta`, `|a1 − a2| < gamma` and `|a0 − a1| < delta`, then `b0 + d/2`, `b1 + d/4`,
///   `b2 + d/8`, `a0 − d/2`, `a1 − d/4`, `a2 − d/8`.
///
/// Quotients of integer samples are cut off towards zero, and changed samples are clamped to the format. Of float samples each
/// difference and each sum is rounded to `f32`, and nothing is clamped. A distance that is no number is not below a limit; NaN
/// becomes `0x7fc0_0000`.
///
/// The plane is changed in place, in bands of `block` rows from the top. In each band, of which `y` is the first row:
///
/// 1. The horizontal edge above the band, if `0 < y` and `y + block < height`: every column by itself. So the lowest
///    edge that the plane has, with at most `block` rows below it, is not filtered.
/// 2. The vertical edges from left to right, each row by row from `y` down. The first row whose samples miss a limit ends the
///    edge: the rows of the band below it stay. Edges with fewer than [`Deblock::reach_samples`] columns right of them stay.
///
/// With `block` at least twice [`Deblock::reach_samples`], no two parallel edges share a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Deblock {
    /// True for three samples on either side of an edge, false for two.
    pub strong: bool,
    /// Distance of edges, in samples of the plane; at least [`Deblock::MIN_BLOCK`].
    pub block: usize,
    /// Alpha, beta, gamma and delta in the units of samples: distances below them are filtered. Of integer samples whole numbers.
    pub limits: [f32; 4],
}

impl Deblock {
    /// The smallest distance of edges.
    pub const MIN_BLOCK: usize = 4;
    /// The largest.
    pub const MAX_BLOCK: usize = 512;

    /// Samples on either side of an edge that are read and changed.
    pub fn reach_samples(&self) -> usize {
        if self.strong { 3 } else { 2 }
    }

    /// True if vertical edges next to each other share samples, so that each needs the result of the one before.
    pub fn overlaps(&self) -> bool {
        self.block < 2 * self.reach_samples()
    }
}

impl Operation for Deblock {
    fn kind(&self) -> &'static str {
        "deblock"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let Self { block, limits, .. } = self;
        let (least, most) = (Self::MIN_BLOCK, Self::MAX_BLOCK);
        ensure!((least..=most).contains(block), "blocks of {block} samples are not from {least} to {most}");
        let is_whole = format.pixel.sample != Sample::F32;
        for limit in limits {
            let fits = (0.0..(1 << 24) as f32).contains(limit) && !(is_whole && limit.fract() != 0.0);
            ensure!(fits, "the limit {limit} is not from 0 to 2^24, or not whole where samples are");
        }
        Ok(())
    }

    /// At each edge four distances and six sums, for each sample along it.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        let work = self.operations(samples);
        match sample {
            Sample::F32 => Operations { real: work, ..Operations::NONE },
            Sample::U8 | Sample::U16 => Operations { dot16: work, ..Operations::NONE },
        }
    }

    fn reach(&self) -> Reach {
        let reach = self.reach_samples();
        Reach { before: [0, reach, reach], after: [0, reach, reach] }
    }

    fn shape(&self) -> String {
        format!("{} {}x{}", if self.strong { "strong" } else { "weak" }, self.block, self.block)
    }

    /// Each sample once, and the result.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        2 * samples * sample.bytes() as u64
    }

    fn operations(&self, samples: u64) -> u64 {
        2 * 14 * samples / self.block as u64
    }
}
