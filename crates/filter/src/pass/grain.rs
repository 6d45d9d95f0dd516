//! Film grain: noise that is the same on every machine, added to each sample.

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::deband::Deband;
use super::finish::Finish;
use super::operation::{Operation, finish};
use crate::frame::{Format, Sample};

/// Noise of whole numbers, times a weight, is added to the sample.
///
/// - `mix(h) = Deband::hash(h, 0)`. The frame has the number `f` among the frames at this place of the chain, modulo 2³², or 0 if
///   `still`; its key is `k = Deband::hash(key, f)`. A cell of the lattice at column `i` and row `j` has `h = mix(Deband::hash(i, j) XOR k)` and
///   the value `g(i, j)`: the sum of the four bytes of `h`, less 510. Its mean is 0 and its variance 21845.
/// - With `size = s`, the taps of an axis are `1, 2 … s … 2, 1`. The noise at `x`, `y` is the sum over all `i`, `j` from 0 to `2 s − 2` of
///   `tap(i) · tap(j) · g(x + i, y + j)`: exact, and below 2²⁴. Its standard deviation is `√21845 · Σ tap²`
///   ([`Grain::deviation`]).
/// - The weight of a sample `v`: `p = (v − black) · scale`, at least 0 and at most 1, and 0 if it is no number; `w = dark + p · rise` if
///   `p < 0.5`, else `w = bright + p · fall`.
/// - `v + noise · w` goes into the last step in place of a sum.
///
/// Each operation of `f32` is rounded, none fused.
#[derive(Clone, Debug, PartialEq)]
pub struct Grain {
    /// What tells planes and seeds apart.
    pub key: u32,
    /// True for the same noise in all frames.
    pub still: bool,
    /// Size of grains in samples, from 1 to [`Grain::MAX_SIZE`].
    pub size: usize,
    /// The sample at which `p` is 0.
    pub black: f32,
    /// Factor of the distance from there.
    pub scale: f32,
    /// Weight at black, and how it rises with `p`.
    pub dark: [f32; 2],
    /// Weight where the upper half of `p` would have 0, and how it rises with `p`.
    pub bright: [f32; 2],
    /// The last step.
    pub finish: Finish,
}

impl Grain {
    /// The largest grains.
    pub const MAX_SIZE: usize = 8;

    /// The tap of place `i` of an axis.
    pub fn tap(size: usize, i: usize) -> i32 {
        size.min(i + 1).min(2 * size - 1 - i) as i32
    }

    /// Standard deviation of the noise before it is weighted.
    pub fn deviation(size: usize) -> f64 {
        let squares = |i: usize| f64::from(Self::tap(size, i)).powi(2);
        21845f64.sqrt() * (0..2 * size - 1).map(squares).sum::<f64>()
    }

    /// The key of a frame.
    #[inline]
    pub fn frame_key(&self, number: u64) -> u32 {
        Deband::hash(self.key, if self.still { 0 } else { number as u32 })
    }
}

impl Operation for Grain {
    fn kind(&self) -> &'static str {
        "grain"
    }

    fn check(&self, _: &Format, _: usize) -> Result<()> {
        let Self { size, black, scale, dark, bright, .. } = self;
        let most = Self::MAX_SIZE;
        ensure!((1..=most).contains(size), "a grain of {size} samples is not from 1 to {most}");
        let numbers = [*black, *scale, dark[0], dark[1], bright[0], bright[1]];
        let fits = |number: &f32| number.abs() < 2f32.powi(24);
        ensure!(*scale > 0.0, "the scale of brightness, {scale}, is not above 0");
        ensure!(numbers.iter().all(fits), "a weight of grain is not below 2^24: {numbers:?}");
        Ok(())
    }

    fn counts(&self) -> bool {
        !self.still
    }

    /// A hash for each sample, taps along both axes, and six operations on real numbers.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { real: (6 + 24 + 4 * self.size as u64) * samples, ..Operations::NONE }
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    finish!();

    fn shape(&self) -> String {
        format!("of {0}x{0}", self.size)
    }

    fn operations(&self, samples: u64) -> u64 {
        (6 + 24 + 4 * self.size as u64) * samples
    }
}
