//! Samples as the dot products of the machine take them ([`Dot`]): four bytes at once, or two 16-bit numbers.
//!
//! A lane of a vector then stands for a group of samples that follow each other, and a row of sums is woven from several
//! vectors: the first holds the sums of columns 0, 4, 8 …, the next, read one sample further on, those of 1, 5, 9 ….

use bytemuck::Pod;

use super::number::Sample;
use super::vector::Simd;

/// Samples that dot products are formed of.
pub trait Dot: Sample {
    /// What the machine multiplies.
    type Element: Pod + Send + Sync;
    /// How many products are summed into one lane.
    const GROUP: usize;
    /// What a sample is more than its element.
    const OFFSET: i32;
    /// The largest weight; the smallest is one more below 0.
    const LARGEST: i32;

    /// The element of a sample.
    fn element(self) -> Self::Element;
    /// Up to [`Dot::GROUP`] weights in one lane; those that are missing are 0.
    fn pack(weights: &[i32]) -> i32;
    /// Adds products to the sums. A lane of `elements` is a group of them.
    fn dot<S: Simd>(simd: S, sum: S::I32, elements: S::I32, weights: S::I32) -> S::I32;
    /// Writes 4·[`Simd::LANES`] samples from vectors of every [`Dot::GROUP`]th.
    fn weave<S: Simd>(simd: S, values: [S::I32; 4], to: &mut [Self]);
    /// The same of values, below 2³¹ in magnitude, that are rounded (`floor(v + 0.5)`) and clamped to `0 ..= peak`.
    fn weave_rounded<S: Simd>(simd: S, values: [S::F32; 4], peak: S::F32, to: &mut [Self]);
}

impl Dot for u8 {
    type Element = u8;
    const GROUP: usize = 4;
    const OFFSET: i32 = 0;
    const LARGEST: i32 = 127;

    #[inline(always)]
    fn element(self) -> u8 {
        self
    }

    fn pack(weights: &[i32]) -> i32 {
        let mut bytes = [0; 4];
        bytes.iter_mut().zip(weights).for_each(|(byte, &weight)| *byte = weight as u8);
        i32::from_le_bytes(bytes)
    }

    #[inline(always)]
    fn dot<S: Simd>(simd: S, sum: S::I32, elements: S::I32, weights: S::I32) -> S::I32 {
        simd.dot_u8(sum, elements, weights)
    }

    #[inline(always)]
    fn weave<S: Simd>(simd: S, values: [S::I32; 4], to: &mut [u8]) {
        simd.weave_u8(values, to);
    }

    #[inline(always)]
    fn weave_rounded<S: Simd>(simd: S, [a, b, c, d]: [S::F32; 4], _: S::F32, to: &mut [u8]) {
        // Cutting off is rounding down from 0 on, and what lies below becomes 0. Bytes have one peak.
        let half = simd.splat(0.5);
        let (a, b) = (simd.whole(simd.add(a, half)), simd.whole(simd.add(b, half)));
        let (c, d) = (simd.whole(simd.add(c, half)), simd.whole(simd.add(d, half)));
        simd.weave_clamped([a, b, c, d], to);
    }
}

impl Dot for u16 {
    type Element = i16;
    const GROUP: usize = 2;
    const OFFSET: i32 = 1 << 15;
    const LARGEST: i32 = (1 << 15) - 1;

    #[inline(always)]
    fn element(self) -> i16 {
        (self ^ 0x8000) as i16
    }

    fn pack(weights: &[i32]) -> i32 {
        let [low, high] = [0, 1].map(|i| weights.get(i).map_or(0, |&weight| weight as u16));
        i32::from(low) | i32::from(high) << 16
    }

    #[inline(always)]
    fn dot<S: Simd>(simd: S, sum: S::I32, elements: S::I32, weights: S::I32) -> S::I32 {
        simd.dot_i16(sum, elements, weights)
    }

    #[inline(always)]
    fn weave<S: Simd>(simd: S, [a, b, c, d]: [S::I32; 4], to: &mut [u16]) {
        let (first, second) = to.split_at_mut(2 * S::LANES);
        simd.weave_u16([a, b], first);
        simd.weave_u16([c, d], second);
    }

    #[inline(always)]
    fn weave_rounded<S: Simd>(simd: S, [a, b, c, d]: [S::F32; 4], peak: S::F32, to: &mut [u16]) {
        let (a, b) = (simd.round(a, peak), simd.round(b, peak));
        let (c, d) = (simd.round(c, peak), simd.round(d, peak));
        Self::weave(simd, [a, b, c, d], to);
    }
}
