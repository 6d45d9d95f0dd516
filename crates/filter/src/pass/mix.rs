//! Sums over the planes of a pixel: each sample is made of all colours at its place.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::operation::Operation;
use crate::frame::{Family, Format, Sample};

/// Each sample becomes a sum over the samples at its place of all planes that are read: green, blue and red of RGB, or the two
/// planes of chroma. `p` counts the planes that are made and `q` those that are read, both from [`Mix::first`] on; `in_q` is a
/// sample, and `c` the centre.
///
/// - [`MixSums::Whole`]: `⌊(Σ_q weights[p][q] · (min(in_q, peak) − c) + bias[p]) / 2¹⁶⌋`, exact in `i32` in any order, clamped to
///   `0 ..= peak`. The bias holds the half for rounding. A matrix of 16 binary places is FFmpeg's `hue`.
/// - [`MixSums::Terms`]: `Σ_q terms[p][q][in_q]` of bytes, exact, clamped to `0 ..= peak`. Terms that are rounded one by one are
///   FFmpeg's `colorchannelmixer`.
/// - [`MixSums::Real`]: `f32`, each operation rounded, none fused: `v = (in_0 − c) · weights[p][0]`, then for each further plane
///   `v = v + (in_q − c) · weights[p][q]`, and last `v = v + bias[p]`. Whole samples are `⌊v + ½⌋`, clamped to `0 ..= peak`, and NaN
///   gives 0; floats keep `v`, and every NaN is the quiet one.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// The first plane that is read and made: 0 of RGB, 1 for the two planes of chroma.
    pub first: usize,
    /// Subtracted from each sample that is read.
    pub centre: f32,
    /// Weights and what they are summed in.
    pub sums: MixSums,
}

/// Weights of planes, a row for each plane that is made. What a row has for a third plane means nothing where two are read.
#[derive(Clone, Debug, PartialEq)]
pub enum MixSums {
    /// 65536ths in whole numbers, for up to [`Mix::WHOLE_DEPTH`] bits.
    Whole {
        /// Of each plane that is read.
        weights: [[i32; 3]; 3],
        /// Added to the sum, with the half for rounding.
        bias: [i32; 3],
    },
    /// A whole number for each byte of each plane that is read, as 16 bits.
    Terms(Arc<[[[i16; 256]; 3]; 3]>),
    /// Floats, for any depth.
    Real {
        /// Of each plane that is read.
        weights: [[f32; 3]; 3],
        /// Added last, in the units of the samples.
        bias: [f32; 3],
    },
}

impl Mix {
    /// The deepest samples that are mixed in whole numbers: FFmpeg's `hue` has bytes for these.
    pub const WHOLE_DEPTH: u8 = 10;
    /// Bound of the magnitude of weights and biases of floats, exclusive.
    pub const LIMIT: f32 = 1e9;

    /// How many planes are read.
    pub fn planes(&self) -> usize {
        3 - self.first
    }

    /// Whether whole numbers have room for a sum: samples from `-centre` to `peak - centre`.
    pub fn has_room(weights: &[i32], bias: i32, centre: f32, peak: f32) -> bool {
        let farthest = f64::from(centre).max(f64::from(peak - centre));
        let sum: f64 = weights.iter().map(|weight| f64::from(*weight).abs()).sum();
        sum * farthest + f64::from(bias).abs() < 2f64.powi(31)
    }
}

impl Operation for Mix {
    fn kind(&self) -> &'static str {
        "mix"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let (pixel, planes) = (format.pixel, self.planes());
        let first = if pixel.family == Family::Rgb { 0 } else { 1 };
        ensure!(pixel.family != Family::Gray, "grey has no colours to mix");
        ensure!(!pixel.is_alpha(plane), "opacity is no colour");
        ensure!(self.first == first && plane >= first, "it mixes planes from {} on, not plane {plane}", self.first);
        ensure!(self.centre.is_finite() && self.centre.abs() <= pixel.peak(), "its centre is out of range");
        let is_whole = pixel.sample != Sample::F32 && pixel.depth <= Self::WHOLE_DEPTH;
        match &self.sums {
            MixSums::Whole { weights, bias } => {
                ensure!(is_whole && self.centre.fract() == 0.0, "whole numbers for {}", pixel.name());
                let fits = |row: usize| Self::has_room(&weights[row][..planes], bias[row], self.centre, pixel.peak());
                ensure!((0..planes).all(fits), "a sum of its weights has no room in 32 bits");
            }
            MixSums::Terms(_) => ensure!(pixel.sample == Sample::U8, "terms of bytes for {}", pixel.name()),
            MixSums::Real { weights, bias } => {
                let numbers = weights.iter().flatten().chain(bias);
                ensure!(numbers.clone().all(|number| number.abs() < Self::LIMIT), "a weight is out of range");
            }
        }
        Ok(())
    }

    fn couples(&self) -> bool {
        true
    }

    fn least(&self, _: Sample, samples: u64) -> Operations {
        let count = 2 * self.planes() as u64 * samples;
        match self.sums {
            MixSums::Real { .. } => Operations { real: count, ..Operations::NONE },
            MixSums::Whole { .. } | MixSums::Terms(_) => Operations { dot16: count, ..Operations::NONE },
        }
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        match self.sums {
            MixSums::Real { .. } => Some(Arithmetic::Real),
            MixSums::Whole { .. } | MixSums::Terms(_) => Some(Arithmetic::Integer),
        }
    }

    fn shape(&self) -> String {
        format!("{0}x{0}", self.planes())
    }

    fn taps(&self) -> usize {
        self.planes()
    }
}
