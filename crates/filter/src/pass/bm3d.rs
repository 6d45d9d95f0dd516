//! Blocks filtered together with those that look like them (Dabov, Foi, Katkovnik and Egiazarian, 2007): BM3D.

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::operation::{Operation, border_and_finish};
use super::reach::Reach;
use crate::frame::{Format, Pixel, Sample};

/// One of the two steps: noise is what a transform of similar blocks leaves small.
///
/// What is computed with and what the noise is taken from:
///
/// - The first step ([`Shrink::Threshold`]) looks at the frames of the window. The second ([`Shrink::Wiener`]) looks at the
///   estimates that the first made of them, and at what went into the first, as the second images. The window has
///   [`Bm3d::frames`] frames on either side of the centre; a place that holds none is left out.
/// - A value `q` is an integer sample as it is; a float clamped to ±64. A float that is infinite or no number counts as 0.
/// - A key is a byte: an integer sample `v` is `min(⌊v / 2^(depth − 8)⌋, 255)`, a float `⌊q · 255 + 0.5⌋` clamped to 0 to
///   255, each operation in `f32`.
/// - A plane of fewer than 8 samples along an axis is continued to 8 on the right and below, as the border says.
///
/// Groups, in whole numbers:
///
/// - Blocks have 8×8 samples. Reference blocks lie at multiples of [`Bm3d::step`] along each axis, and at the last place.
/// - A reference block is one of the centre frame. It is compared with the blocks up to [`Bm3d::range`] samples away along
///   each axis and inside the plane: the sum of the absolute differences of keys, of the estimate in the second step.
/// - So it is with blocks of the other frames, one frame after another from the centre to the past, and then to the future:
///   those up to [`Bm3d::near`] samples away from where the best block of the frame before begins. The best is the one of
///   the least sum, of equal ones the first by y, then x; before the first frame it is the reference block. Where a
///   frame is left out, the start stays.
/// - First comes the reference block, then the others by that sum, equal ones in the order of frames: the centre, those
///   before it from the nearest on, those behind it from the nearest on; then by y, then x. Its group are the first
///   `n` of them, the largest power of two that is at most [`Bm3d::group`] and at most the number of blocks.
///
/// The transform, in `f32`, each operation rounded once; `c(k) = cos(kπ/16) / 2`:
///
/// - Samples become `(q − b) · [`Bm3d::scale`]`, where `b` is the value of the reference block's first sample, of the
///   estimate in the second step. So they are in units of the noise, and a plane that is brighter by a whole number
///   gives the very same.
/// - Each column of a block and then each row is transformed. Of `x(0) … x(7)`: `s(i) = x(i) + x(7−i)`,
///   `d(i) = x(i) − x(7−i)`, `e(i) = s(i) + s(3−i)`, `f(i) = s(i) − s(3−i)`; `X(0) = (e(0) + e(1)) · c(4)`,
///   `X(4) = (e(0) − e(1)) · c(4)`, `X(2) = fma(f(1), c(6), f(0) · c(2))`, `X(6) = fma(f(1), −c(2), f(0) · c(6))`, and the
///   odd ones are `fma(d(3), w(3), fma(d(2), w(2), fma(d(1), w(1), d(0) · w(0))))` with weights `w` in [`Bm3d::ODD`].
/// - Then, of the blocks in the order of the group, for `h = 1, 2, 4 … n/2`: of each two `h` apart whose first has a
///   number without the bit `h`, the sum and the difference.
///
/// What is noise, of each coefficient `c` but the first of the first block, which is none:
///
/// - First step: `c` where `|c| < threshold`, else 0. `S` is the number of the others.
/// - Second step, with `s` for the same coefficient of the estimate: `g = s² / (s² + power)`, and `c · (1 − g)`. `S` is the
///   sum of `g² · 256`, each to nearest, ties to even; that of the first coefficient is 256.
///
/// Back, in `f32`: the transform along the group, as before; each row and then each column: `a = X(0) · c(4)`,
/// `b = X(4) · c(4)`, `e = (a + b, a − b)`, `f = (fma(X(6), c(6), X(2) · c(2)), fma(X(6), −c(2), X(2) · c(6)))`,
/// `s(i) = e(i) + f(i)`, `s(3−i) = e(i) − f(i)`, `d(i)` of `X(1), X(3), X(5), X(7)` with the weights [`Bm3d::ODD`] again,
/// `x(i) = s(i) + d(i)`, `x(7−i) = s(i) − d(i)`. Times [`Bm3d::unscale`], clamped to ±511 and rounded to nearest, ties to
/// even, that is the noise `m` of a sample in sixteenths of sigma.
///
/// Sums, in whole numbers, so that their order does not matter:
///
/// - A group has the weight `w = W / S` in the first step, `W · 256 / S` in the second, where `W` is [`Bm3d::most`]; a sample
///   of a block `max(1, w · window)`, to nearest, ties to even, the window being Kaiser's: [`Bm3d::window`].
/// - A sample's noise is `Σ weight · m / Σ weight` over all blocks of the centre frame, of all groups, that hold it: blocks
///   of other frames help to tell noise from the picture, and what they say of the noise is left. `W` is such that neither
///   sum can reach 2³¹, nor the second 2²⁴.
/// - In `f32`: both sums to nearest, ties to even, their quotient, times `sigma / 16`; for integer samples that plus 98304
///   and less 98304, which rounds it to 1/128. The sample itself, of what went into the first step, less that goes into
///   the last step in place of a sum.
///
/// Transforms are in `f32` and not in whole numbers because the 18 to 24 bits that they need take 32-bit products, which
/// vectors of AVX2 and GPUs form at half the speed; no sum in them is over an order that could be another.
#[derive(Clone, Debug, PartialEq)]
pub struct Bm3d {
    /// Which step.
    pub shrink: Shrink,
    /// The standard deviation of the noise, in units of samples; at least [`Bm3d::LEAST_SIGMA`].
    pub sigma: f32,
    /// The most blocks of a group, a power of two up to [`Bm3d::MAX_GROUP`].
    pub group: usize,
    /// How far away blocks are looked for along each axis, in samples; at most [`Bm3d::MAX_RANGE`].
    pub range: usize,
    /// Frames on either side in which blocks are looked for too, at most [`Bm3d::MAX_FRAMES`].
    pub frames: usize,
    /// How far away blocks of those are looked for from where one was found, in samples; at most [`Bm3d::MAX_NEAR`], and 0
    /// where there are no such frames.
    pub near: usize,
    /// From one reference block to the next, 1 to 8 samples.
    pub step: usize,
    /// What continues planes that are smaller than a block; for integer samples a constant is one that a sample can have.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

/// What becomes of coefficients, which are in units of sigma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shrink {
    /// Those below this are noise.
    Threshold(f32),
    /// By Wiener's rule.
    Wiener {
        /// The power of the noise that is reckoned with; 1 is all of it.
        power: f32,
        /// The threshold of the step before.
        threshold: f32,
    },
}

impl Bm3d {
    /// Samples along the sides of a block.
    pub const SIDE: usize = 8;
    /// The most blocks of a group.
    pub const MAX_GROUP: usize = 32;
    /// How far away blocks are looked for at most.
    pub const MAX_RANGE: usize = 32;
    /// The most frames on either side.
    pub const MAX_FRAMES: usize = 4;
    /// How far away blocks of other frames are looked for at most.
    pub const MAX_NEAR: usize = 8;
    /// The least standard deviation.
    pub const LEAST_SIGMA: f32 = 1e-6;
    /// The noise of a sample at most, in sixteenths of sigma.
    pub const MOST_NOISE: f32 = 511.0;
    /// The largest float that is computed with.
    pub const MOST_FLOAT: f32 = 64.0;
    /// The weights of the odd lines of the transform, those of `X(1)`, `X(3)`, `X(5)` and `X(7)`: `c` of the magnitude.
    pub const ODD: [[isize; 4]; 4] = [[1, 3, 5, 7], [3, -7, -1, -5], [5, -1, 7, 3], [7, -5, 3, -1]];

    /// `c(0) … c(7)`.
    pub fn cosines() -> [f32; 8] {
        std::array::from_fn(|k| (libm::cos(k as f64 * std::f64::consts::PI / 16.0) / 2.0) as f32)
    }

    /// What samples of a group of `n` are multiplied by before they are transformed: `1 / (sigma · √n)`.
    pub fn scale(&self, n: usize) -> f32 {
        (1.0 / (f64::from(self.sigma) * (n as f64).sqrt())) as f32
    }

    /// What noise of a group of `n` is multiplied by afterwards: `16 / √n`.
    pub fn unscale(n: usize) -> f32 {
        (16.0 / (n as f64).sqrt()) as f32
    }

    /// `W`, the largest weight: 2¹⁴, or less where so many groups can hold a sample that sums would not fit.
    pub fn most(&self) -> f32 {
        let along = 2 * (self.range + Self::SIDE - 1) / self.step + 2;
        ((1 << 22) / (along * along * self.group)).min(1 << 14) as f32
    }

    /// Kaiser's window with β = 2, row by row: `I₀(2 √(1 − r²)) / I₀(2)` with `r` from −1 to 1, of both axes.
    pub fn window() -> [f32; 64] {
        let bessel = |x: f64| {
            let (mut sum, mut term) = (1.0, 1.0);
            for k in 1..24 {
                term *= x * x / f64::from(4 * k * k);
                sum += term;
            }
            sum
        };
        let along = |i: usize| {
            let r = i as f64 / 3.5 - 1.0;
            bessel(2.0 * (1.0 - r * r).max(0.0).sqrt()) / bessel(2.0)
        };
        std::array::from_fn(|i| (along(i / 8) * along(i % 8)) as f32)
    }

    /// How many reference blocks there are along an axis of so many samples.
    pub fn references(&self, length: usize) -> usize {
        length.saturating_sub(Self::SIDE).div_ceil(self.step) + 1
    }

    /// By how many bits integer samples are shifted down to keys.
    pub fn key_shift(pixel: Pixel) -> u32 {
        u32::from(pixel.depth).saturating_sub(8)
    }

    /// Frames of the window, but the centre.
    pub fn others(&self) -> usize {
        2 * self.frames
    }

    /// When the other frame of that number is shown, counted in frames from the centre: frames are numbered as they are
    /// searched.
    pub fn time(&self, other: usize) -> isize {
        let far = (other % self.frames + 1) as isize;
        if other < self.frames { -far } else { far }
    }

    /// The first step, of the second.
    pub fn first(&self) -> Option<Self> {
        let Shrink::Wiener { threshold, .. } = self.shrink else { return None };
        Some(Self { shrink: Shrink::Threshold(threshold), finish: Finish::PLAIN, ..self.clone() })
    }

    /// Whether it is the second step.
    pub fn is_last(&self) -> bool {
        matches!(self.shrink, Shrink::Wiener { .. })
    }
}

impl Operation for Bm3d {
    fn kind(&self) -> &'static str {
        "bm3d"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let Self { shrink, sigma, group, range, frames, near, step, border, .. } = self;
        let (group_most, range_most) = (Self::MAX_GROUP, Self::MAX_RANGE);
        let power = group.is_power_of_two() && *group <= group_most;
        ensure!(power, "a group of {group} blocks is not a power of two up to {group_most}");
        ensure!(*range <= range_most, "a range of {range} samples is above {range_most}");
        ensure!(*frames <= Self::MAX_FRAMES, "{frames} frames on either side are more than {}", Self::MAX_FRAMES);
        ensure!(*near <= Self::MAX_NEAR, "{near} samples from frame to frame are more than {}", Self::MAX_NEAR);
        ensure!(*frames > 0 || *near == 0, "{near} samples from frame to frame where there are no other frames");
        ensure!((1..=Self::SIDE).contains(step), "a step of {step} samples is not 1 to {}", Self::SIDE);
        let usual = sigma.is_finite() && *sigma >= Self::LEAST_SIGMA;
        ensure!(usual, "a sigma of {sigma} is not a number from {} on", Self::LEAST_SIGMA);
        let (Shrink::Threshold(limit) | Shrink::Wiener { power: limit, .. }) = *shrink;
        ensure!(limit > 0.0 && limit.is_finite(), "a threshold or power of {limit} is not a number above 0");
        if format.pixel.sample == Sample::F32 { Ok(()) } else { border.check(format.pixel.peak()) }
    }

    fn least(&self, _: Sample, samples: u64) -> Operations {
        // For each reference block, of each byte that is compared a difference and a sum; of each sample of the group
        // 36 operations of 8 along two axes, there and back, of one image and perhaps of the estimate.
        let (each, images) = ((self.step * self.step) as u64, if self.is_last() { 3 } else { 2 });
        let compared = 2 * 64 * self.taps() as u64 * samples / each;
        let transformed = images * (64 * 9 + 64 * 5) * self.group as u64 * samples / each;
        Operations { dot8: compared, real: transformed, ..Operations::NONE }
    }

    fn reach(&self) -> Reach {
        let radius = self.range + self.range.max(self.frames * self.near) + 2 * (Self::SIDE - 1);
        Reach::of([2 * self.frames + 1, 2 * radius + 1, 2 * radius + 1], [self.frames, radius, radius])
    }

    fn second_input(&self) -> bool {
        self.is_last()
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    border_and_finish!();

    fn shape(&self) -> String {
        let Self { group, range, frames, step, .. } = self;
        let (side, kind) = (2 * range + 1, if self.is_last() { "Wiener" } else { "threshold" });
        let other = if *frames > 0 { format!(" and {} frames", self.others()) } else { String::new() };
        format!("{kind}, {group} of {side}x{side}{other}, every {step}")
    }

    fn taps(&self) -> usize {
        let square = |reach: usize| (2 * reach + 1) * (2 * reach + 1);
        square(self.range) + self.others() * square(self.near)
    }

    fn operations(&self, samples: u64) -> u64 {
        self.least(Sample::U8, samples).total()
    }
}
