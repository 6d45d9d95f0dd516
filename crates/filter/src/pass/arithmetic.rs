//! In which numbers sums are formed, and whether they fit.

use anyhow::{Result, bail, ensure};

use super::border::Border;
use crate::frame::{Pixel, Sample};

/// In which numbers a sum is formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// All taps are integers and Σ|tap| times what a sample's type holds is below 2³¹: exact in `i32`. Never for float
    /// samples.
    Integer,
    /// `f32` with fused multiply-adds in a fixed order.
    Real,
}

impl Arithmetic {
    /// Fails unless sums over such samples are exact where they are to be: integer weights over integer samples.
    ///
    /// # Errors
    /// If a weight, the border or the samples are none of those integers.
    pub(super) fn check<'a>(
        self,
        border: Border,
        pixel: Pixel,
        mut weights: impl Iterator<Item = &'a [f32]>,
    ) -> Result<()> {
        if self == Self::Real {
            ensure!(weights.all(|weights| weights.iter().all(|w| w.is_finite())), "a weight is no finite number");
            return Ok(());
        }
        ensure!(pixel.sample != Sample::F32, "integer sums cannot hold float samples");
        let integer = |value: f32| value.fract() == 0.0 && value.abs() < (1 << 24) as f32;
        ensure!(weights.all(|weights| weights.iter().all(|&w| integer(w))), "a weight is not an integer below 2^24");
        border.check(pixel.peak())
    }

    /// What sums up to `bound` need.
    ///
    /// # Errors
    /// If they need more than there is.
    pub(super) fn sums(self, bound: f64) -> Result<Sums> {
        Ok(match self {
            Self::Real => Sums::Real,
            Self::Integer if bound < f64::from(1 << 24) => Sums::Small,
            Self::Integer if bound < 2f64.powi(31) => Sums::Wide,
            Self::Integer => bail!("integer sums may reach {bound}; the limit is 2^31"),
        })
    }
}

/// What the sums of an op need to be held in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sums {
    /// Integers whose sums stay below 2²⁴ at every step, so that `f32` holds them exactly.
    Small,
    /// Integers that need `i32`.
    Wide,
    /// Real numbers.
    Real,
}

/// Σ|weight|.
pub(super) fn magnitude(weights: &[f32]) -> f64 {
    weights.iter().map(|&w| f64::from(w).abs()).sum()
}

/// Whether samples and taps are bytes, as dot products of four take them.
pub(super) fn is_bytes(sample: Sample, taps: &[f32]) -> bool {
    sample == Sample::U8 && taps.iter().all(|tap| (-128.0..=127.0).contains(tap))
}
