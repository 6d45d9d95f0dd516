//! Samples of another depth, sample type or range, as zimg converts them (`src/zimg/depth` of
//! <https://github.com/sekrit-twc/zimg>), which VapourSynth's `resize` and FFmpeg's `zscale` run.

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::deband::Deband;
use super::operation::Operation;
use crate::frame::{Format, Pixel, Sample};

/// A sample of one depth, type and range as a sample of another.
///
/// `v = sample · scale + offset`, rounded once to `f32` (a fused multiply-add). With ordered dithering
/// `v = v + threshold`, rounded to `f32`; random dithering adds [`Dither::noise`] likewise. A float sample is `v`, with NaN written as `0x7fc0_0000`. An integer sample is
/// `v` clamped to 0 and the largest sample, rounded to nearest, ties to even; NaN becomes 0.
///
/// Error diffusion ([`Dither::Diffused`]) takes samples row by row, from the left: `v = v + e`, clamped as above, is rounded to the
/// sample `q`, and leaves the error `v − q`. `e` is a sum of the errors of four neighbours, of which those outside the plane have none: `l` of
/// the left one, `a`, `b` and `c` of those above to the left, above, and above to the right. It is
/// `(3/16 · c + 7/16 · l) + (1/16 · a + 5/16 · b)`, in which the products of `c` and `a` are not rounded (R. W. Floyd and L. Steinberg, An
/// adaptive algorithm for spatial greyscale, 1976).
///
/// From limited to limited range of more bits this is zimg's shift: the scale is a power of two, the offset 0, and all
/// is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Requantize {
    /// Pixels that go in; only sample type and depth count.
    pub from: Pixel,
    /// Pixels that come out, likewise.
    pub to: Pixel,
    /// Factor of a sample.
    pub scale: f32,
    /// Added to the product.
    pub offset: f32,
    /// What is added before an integer sample is rounded.
    pub dither: Dither,
}

/// What is added to a value before it is rounded to an integer sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dither {
    /// Nothing.
    #[default]
    None,
    /// A threshold from −0.5 to 0.5 of a 16x16 Bayer matrix, by the place of the sample.
    Ordered(BayerMatrix),
    /// Noise from −0.5 to 0.5 by the place of the sample, the same in each frame; the key tells planes apart.
    Random(u32),
    /// What samples before have lost by being rounded, in a plane that is made from its first sample to its last.
    Diffused,
}

impl Dither {
    /// Noise of a sample, of whole numbers and exact: of `h = Deband::hash(Deband::hash(x, y) XOR key, 0)` the upper 23 bits are `n`, and
    /// the noise is `(2 n + 1) / 2²⁴ − 0.5`. Its mean is 0, and all its values are as likely.
    #[inline]
    pub fn noise(key: u32, x: usize, y: usize) -> f32 {
        const STEP: f32 = 1.0 / (1u32 << 24) as f32;

        let hash = Deband::hash(Deband::hash(x as u32, y as u32) ^ key, 0);
        // Below 2²⁴ and odd, so that half a sample is never added.
        (hash >> 8 | 1) as f32 * STEP - 0.5
    }
}

/// Orientations of the matrix, so that planes differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BayerMatrix {
    /// As it is: luma, grey and red.
    Plain,
    /// Left and right exchanged: the first plane of chroma, and green.
    Mirrored,
    /// Top and bottom exchanged: the second plane of chroma, and blue.
    Flipped,
    /// Columns and rows exchanged: opacity.
    Transposed,
}

impl BayerMatrix {
    /// Columns and rows of the matrix, which repeats.
    pub const SIDE: usize = 16;

    /// The threshold of a sample: `(n + 1) / 257 − 0.5`, each operation rounded to `f32`, with the number `n` of the
    /// matrix at that place. Of column `x` and row `y`, modulo 16, bit `i` (0 to 3) adds
    /// `(2 (xᵢ ⊕ yᵢ) + xᵢ) · 4^(3 − i)` to `n`.
    pub fn threshold(self, x: usize, y: usize) -> f32 {
        let last = Self::SIDE - 1;
        let (x, y) = (x & last, y & last);
        let (x, y) = match self {
            Self::Plain => (x, y),
            Self::Mirrored => (last - x, y),
            Self::Flipped => (x, last - y),
            Self::Transposed => (y, x),
        };
        let number = (0..4).fold(0, |number, bit| {
            let (across, down) = ((x >> bit) & 1, (y >> bit) & 1);
            4 * number + 2 * (across ^ down) + across
        });
        (number + 1) as f32 / 257.0 - 0.5
    }
}

impl Requantize {
    /// Bound of scale and offset: `f32` holds all integers up to it.
    const MOST: f32 = 16_777_216.0;
}

impl Operation for Requantize {
    fn kind(&self) -> &'static str {
        "requantize"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let (from, pixel) = (self.from, format.pixel);
        let is_due = (from.sample, from.depth) == (pixel.sample, pixel.depth);
        ensure!(is_due, "it is for samples of {}, not of {}", from.name(), pixel.name());
        self.to.check()?;
        let fits = |number: f32| number.abs() <= Self::MOST;
        ensure!(
            fits(self.scale) && fits(self.offset),
            "its scale {} or offset {} is too large",
            self.scale,
            self.offset
        );
        let is_rounded = self.to.sample != Sample::F32;
        ensure!(is_rounded || self.dither == Dither::None, "float samples are not dithered");
        Ok(())
    }

    fn converts(&self) -> Option<Pixel> {
        Some(self.to)
    }

    /// A fused multiply-add, and a sum with dithering.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        let each = match self.dither {
            Dither::None => 2,
            Dither::Ordered(_) => 3,
            // And two hashes.
            Dither::Random(_) => 3 + 24,
            Dither::Diffused => 11,
        };
        Operations { real: each * samples, ..Operations::NONE }
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    fn shape(&self) -> String {
        let named = |pixel: Pixel| match pixel.sample {
            Sample::F32 => "float".to_owned(),
            _ => format!("{} bits", pixel.depth),
        };
        let dithered = match self.dither {
            Dither::None => "",
            Dither::Ordered(_) | Dither::Random(_) => ", dithered",
            Dither::Diffused => ", errors diffused",
        };
        format!("{} to {}{dithered}", named(self.from), named(self.to))
    }

    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        samples * (sample.bytes() + self.to.sample.bytes()) as u64
    }
}
