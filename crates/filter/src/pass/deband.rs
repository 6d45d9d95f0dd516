//! Steps of smooth areas made smooth: a sample becomes the mean of four that lie around it, at random, if they are like it, as
//! FFmpeg's `deband` does it.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::border::Border;
use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use crate::frame::{Format, Sample};

/// A sample `p` at `x`, `y`, and four around it: with the place `dx`, `dy` they are `a` at `x + dx, y + dy`, `b` at
/// `x + dx, y − dy`, `c` at `x − dx, y − dy`, and `d` at `x − dx, y + dy`.
///
/// - `mean = (a + b + c + d) / 4`: of integer samples exact and rounded down, of float samples `(((a + b) + c) + d) · 0.25`, each
///   operation rounded to `f32`.
/// - The sample becomes the mean if `|p − mean| < threshold`, where it `blurs`; otherwise if `|p − q| < threshold` of all four.
///   Else it stays. A distance that is no number is not below the threshold. NaN becomes `0x7fc0_0000`.
/// - Where planes are `coupled`, a sample becomes the mean only if the samples of all planes of that size at that place would,
///   each with the threshold of its plane.
///
/// The place is number `h / 2¹⁶ mod n` of the `n` places, rounded down, with [`Deband::hash`]. It is the same in all frames and
/// planes.
#[derive(Clone, Debug, PartialEq)]
pub struct Deband {
    /// Below which distances lie, in the units of samples: that of the plane, or those of all planes where they are coupled. Of
    /// integer samples whole numbers.
    pub thresholds: Arc<[f32]>,
    /// Across and down; a power of two of them, at most [`Deband::MAX_PLACES`].
    pub places: Arc<[[i16; 2]]>,
    /// True to compare the mean with the sample; false to compare each of the four.
    pub blurs: bool,
    /// True to change a pixel only if all planes of one size would change.
    pub coupled: bool,
    /// Outside the plane; for integer samples a constant is one that a sample can have.
    pub border: Border,
}

impl Deband {
    /// The most places.
    pub const MAX_PLACES: usize = 1 << 12;
    /// How far away they may be.
    pub const MAX_RANGE: i16 = 1024;
    /// What a row adds to the column before both are mixed.
    pub const ROW: u32 = 0x9e37_79b9;
    /// The factors that mix them.
    pub const MIX: [u32; 2] = [0x7feb_352d, 0x846c_a68b];

    /// A number for each sample, modulo 2³²: `h = x + y · ROW; h ^= h / 2¹⁶; h *= MIX[0]; h ^= h / 2¹⁵; h *= MIX[1];
    /// h ^= h / 2¹⁶`, divisions rounded down.
    #[inline]
    pub fn hash(x: u32, y: u32) -> u32 {
        let mut h = x.wrapping_add(y.wrapping_mul(Self::ROW));
        h = (h ^ h >> 16).wrapping_mul(Self::MIX[0]);
        h = (h ^ h >> 15).wrapping_mul(Self::MIX[1]);
        h ^ h >> 16
    }

    /// How far the places are away at most, down and across.
    pub fn range(&self) -> [usize; 2] {
        let most = |axis: usize| self.places.iter().map(|place| place[axis].unsigned_abs()).max().unwrap_or(0);
        [most(1), most(0)].map(usize::from)
    }
}

impl Operation for Deband {
    fn kind(&self) -> &'static str {
        "deband"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let Self { thresholds, places, coupled, border, .. } = self;
        let (pixel, count) = (format.pixel, thresholds.len());
        let wanted = if *coupled { pixel.planes() } else { 1 };
        ensure!(count == wanted, "{count} thresholds for {wanted} planes");
        let is_whole = pixel.sample != Sample::F32;
        for threshold in &**thresholds {
            let fits = (0.0..(1 << 24) as f32).contains(threshold) && !(is_whole && threshold.fract() != 0.0);
            ensure!(fits, "the threshold {threshold} is not from 0 to 2^24, or not whole where samples are");
        }
        let count = places.len();
        let most = Self::MAX_PLACES;
        ensure!(count.is_power_of_two() && count <= most, "{count} places are no power of two up to {most}");
        let range = self.range();
        ensure!(range.iter().all(|far| *far <= Self::MAX_RANGE as usize), "places {range:?} away are too far");
        if is_whole { border.check(pixel.peak()) } else { Ok(()) }
    }

    /// Four samples summed and compared.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        let work = 8 * samples;
        match sample {
            Sample::F32 => Operations { real: work, ..Operations::NONE },
            Sample::U8 | Sample::U16 => Operations { dot16: work, ..Operations::NONE },
        }
    }

    fn reach(&self) -> Reach {
        let [down, across] = self.range();
        Reach { before: [0, down, across], after: [0, down, across] }
    }

    fn couples(&self) -> bool {
        self.coupled
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    fn border(&self) -> Option<Border> {
        Some(self.border)
    }

    fn border_mut(&mut self) -> Option<&mut Border> {
        Some(&mut self.border)
    }

    fn shape(&self) -> String {
        let [down, across] = self.range();
        format!("4 of {}x{}", 2 * across + 1, 2 * down + 1)
    }

    fn taps(&self) -> usize {
        5
    }

    /// Each sample once or so, and the result.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        2 * samples * sample.bytes() as u64
    }
}
