//! Means over samples whose surroundings look alike (Buades, Coll and Morel, 2005): at 8 bits as FFmpeg's `nlmeans` forms them, above by
//! squares that are compared in whole steps.

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
/// alike. Offsets `o` cover `2·frames + 1` frames and a square of `search` samples; those that lead outside the plane are
/// left out. Squares see beyond the plane what the border says, around `p` as around `p + o`. A float that is infinite or no
/// number counts as 0 wherever it is met.
///
/// At 8 bits, as FFmpeg:
/// - `D = Σ (v(p + i) − v(p + o + i))²` over the places `i` of a square of `patch` samples; `w = table[min(D, last)]`.
/// - In `f32`, each operation rounded, none fused, from +0 on, offsets ascending in t, then y, then x, without the sample
///   itself: `total = total + w; sum = sum + w · v(p + o)`. The sample comes last: `total = total + 1; sum = sum + v(p)`.
///
/// Above 8 bits and in floats, by a guide of whole numbers ([`GuideSteps`]) in steps of a fraction of the strength:
/// - `q(v) = round(clamp(v · scale + origin, 0, 32767))`, each operation in `f32`, ties to even. `origin` is 0, of floats 16384; `scale` is `k /
///   2^(depth−8)`, of floats `255 · k`, rounded once, with `k` steps in a step of 8 bits.
/// - `k = √((16128 − e) / N)`. `N` is the first sum of 8-bit differences without a weight, `table.len() − 1` or 1: for weights of
///   `exp(−D/(10 s)²)` it is `⌊ln 255 · (10 s)²⌋`. `e = patch² / 6` is what rounding adds to a sum: a twelfth for each of two samples. So a step
///   is `h / 7.7` for squares of 7 samples a side, and `h / 6.0` for 9, `h = 10 s / patch` being the difference that `exp(−1)` belongs to.
///   Where whole samples have a step or more each, their steps are rounded down to a whole number, and `e` is 0: nothing is
///   rounded then.
/// - `D = Σ min(|q(v(p + i)) − q(v(p + o + i))|, 127)²`. From 127 on one difference alone leaves no weight, so that clamping it to
///   a byte changes nothing.
/// - `w = weights[min(⌊D / 128⌋, 126)]`: `weights[0] = 1`, `weights[126] = 0`, and `weights[i]` between them is the table at
///   `max((i + ½) · 128 − e, 0) / k²`, on the line between two neighbours, in `f64`, rounded to `f32` and then to 8 significant bits, ties to even.
/// - In `f32`, each operation rounded, none fused (a product with a sample of 16 bits is exact, so fusing changes nothing there):
///   `total = total + w; sum = sum + w · v(p + o)`, from +0 on, in the order of [`Nlmeans::offsets`]: frames ascend; in each, rows of
///   offsets are taken two at a time from above, the last alone; columns ascend, and of each two the upper offset comes
///   first. The sample itself has its place there, with a weight of 1.
///
/// `sum / total`, rounded once, goes into the last step in place of a sum; or, where weights are shown, `total · share`, with
/// [`Nlmeans::share`]. A weight of 0 changes neither sum, so such samples can be skipped.
#[derive(Clone, Debug, PartialEq)]
pub struct Nlmeans {
    /// Samples along the sides of what is compared; odd, at most [`Nlmeans::MAX_SIDE`].
    pub patch: usize,
    /// Samples along the sides of where is looked; odd, at most [`Nlmeans::MAX_SIDE`].
    pub search: usize,
    /// Frames on either side of the centre that are looked at too, at most [`Nlmeans::MAX_FRAMES`].
    pub frames: usize,
    /// Weights from 0 to 1 by the sum of squared differences in steps of 8 bits, from 0 on; the last is 0, and there are at most
    /// [`Nlmeans::MAX_TABLE`].
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

/// How samples above 8 bits are compared: as whole numbers in steps of a fraction of the strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuideSteps {
    /// GuideSteps from one sample to the next, or from 0 to 1.
    pub scale: f32,
    /// Where samples of 0 are.
    pub origin: f32,
    /// Weights by the sum of squared differences, in units of `2^`[`GuideSteps::SHIFT`], the last of them 0.
    pub weights: [f32; GuideSteps::CELLS + 1],
}

impl GuideSteps {
    /// Units of sums that have weights.
    pub const CELLS: usize = 126;
    /// Bits by which a sum is shifted down to find its weight.
    pub const SHIFT: u32 = 7;
    /// The first sum without a weight.
    pub const WEIGHTLESS: u16 = (Self::CELLS as u16) << Self::SHIFT;
    /// The largest difference.
    pub const MOST: u16 = 127;
    /// The largest place.
    pub const LARGEST: f32 = 32767.0;
}

impl Nlmeans {
    /// The most samples along a side.
    pub const MAX_SIDE: usize = 99;
    /// The most frames on either side.
    pub const MAX_FRAMES: usize = 16;
    /// The most weights: 2 MiB of them.
    pub const MAX_TABLE: usize = 1 << 19;
    /// Where weights are shown, what they are multiplied by, rounded once: the largest sample over how many samples are
    /// looked at, the sample itself among them.
    pub fn share(&self, pixel: Pixel) -> Option<f32> {
        let share = f64::from(pixel.peak()) / (self.taps() + 1) as f64;
        (self.shown == Shown::Weights).then_some(share as f32)
    }

    /// How samples of a format are compared; `None` at 8 bits, where they are compared as they are.
    pub fn steps(&self, pixel: Pixel) -> Option<GuideSteps> {
        let first = self.table.len().saturating_sub(1).max(1);
        let mut excess = (self.patch * self.patch) as f64 / 6.0;
        let mut steps = ((f64::from(GuideSteps::WEIGHTLESS) - excess) / first as f64).sqrt();
        let unit = match pixel.sample {
            Sample::U8 => return None,
            Sample::U16 => f64::from(1u32 << (pixel.depth - 8)),
            Sample::F32 => 1.0 / 255.0,
        };
        let is_float = pixel.sample == Sample::F32;
        if !is_float && steps >= unit {
            (steps, excess) = ((steps / unit).floor() * unit, 0.0);
        }
        let (scale, origin) = ((steps / unit) as f32, if is_float { 16384.0 } else { 0.0 });
        let mut weights = [0.0; GuideSteps::CELLS + 1];
        for (i, weight) in weights[..GuideSteps::CELLS].iter_mut().enumerate() {
            let place = ((i as f64 + 0.5) * f64::from(1 << GuideSteps::SHIFT) - excess).max(0.0) / (steps * steps);
            let at = |place: usize| f64::from(self.table.get(place).copied().unwrap_or(0.0));
            let (before, part) = (place as usize, place.fract());
            *weight = if i == 0 { 1.0 } else { shortened((at(before) * (1.0 - part) + at(before + 1) * part) as f32) };
        }
        Some(GuideSteps { scale, origin, weights })
    }

    /// Offsets in the order in which they are added, in t, y and x.
    pub fn offsets(&self, pixel: Pixel) -> Vec<[isize; 3]> {
        let (frames, reach) = (self.frames as isize, self.search as isize / 2);
        // Rows that are taken together.
        let together = if pixel.sample == Sample::U8 { 1 } else { 2 };
        let mut offsets = Vec::with_capacity(self.taps() + 1);
        for t in -frames..=frames {
            for y in (-reach..=reach).step_by(together as usize) {
                for x in -reach..=reach {
                    offsets.extend((y..(y + together).min(reach + 1)).map(|y| [t, y, x]));
                }
            }
        }
        if pixel.sample == Sample::U8 {
            offsets.retain(|offset| *offset != [0; 3]);
        }
        offsets
    }
}

/// A number from 0 to 1, with 8 significant bits: to nearest, ties to even.
fn shortened(value: f32) -> f32 {
    let bits = value.to_bits();
    f32::from_bits(bits.wrapping_add(0x7fff + (bits >> 16 & 1)) & 0xffff_0000)
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
