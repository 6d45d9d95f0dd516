//! 32-bit numbers, of samples of up to 16 bits.

use super::super::simd::Simd;
use super::FieldNumbers;
use crate::frame::Pixel;

/// 32-bit numbers.
#[derive(Clone, Copy)]
pub struct Word {
    peak: i32,
}

impl Word {
    /// For samples of such pixels.
    pub fn of(pixel: Pixel) -> Self {
        Self { peak: pixel.peak() as i32 }
    }
}

impl FieldNumbers<u16> for Word {
    type Vector<S: Simd> = S::I32;
    type Sum<S: Simd> = S::I32;

    #[inline(always)]
    fn columns<S: Simd>() -> usize {
        S::LANES
    }

    #[inline(always)]
    fn read<S: Simd>(self, simd: S, from: &[u16]) -> S::I32 {
        simd.min_i32(simd.widen_u16(from), simd.splat_i32(self.peak))
    }

    #[inline(always)]
    fn write<S: Simd>(self, simd: S, value: S::I32, to: &mut [u16]) {
        let above = simd.max_i32(value, simd.splat_i32(0));
        simd.narrow_u16(simd.min_i32(above, simd.splat_i32(self.peak)), to);
    }

    #[inline(always)]
    fn zero<S: Simd>(self, simd: S) -> S::I32 {
        simd.splat_i32(0)
    }

    #[inline(always)]
    fn step<S: Simd>(self, simd: S) -> S::I32 {
        simd.splat_i32(1)
    }

    #[inline(always)]
    fn add<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.add_i32(a, b)
    }

    #[inline(always)]
    fn sub<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.sub_i32(a, b)
    }

    #[inline(always)]
    fn apart<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.abs_i32(simd.sub_i32(a, b))
    }

    #[inline(always)]
    fn half<S: Simd>(self, simd: S, a: S::I32) -> S::I32 {
        simd.signed_down_i32(a, simd.splat_i32(1))
    }

    #[inline(always)]
    fn smaller<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.min_i32(a, b)
    }

    #[inline(always)]
    fn larger<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.max_i32(a, b)
    }

    #[inline(always)]
    fn where_above<S: Simd>(self, simd: S, [a, b]: [S::I32; 2], then: S::I32, other: S::I32) -> S::I32 {
        simd.where_above_i32(a, b, then, other)
    }

    #[inline(always)]
    fn pair<S: Simd>(self, simd: S, [a, b]: [S::I32; 2], [first, second]: [i32; 2]) -> S::I32 {
        self.more(simd, simd.mul_i32(a, simd.splat_i32(first)), b, second)
    }

    #[inline(always)]
    fn more<S: Simd>(self, simd: S, sum: S::I32, a: S::I32, weight: i32) -> S::I32 {
        simd.add_i32(sum, simd.mul_i32(a, simd.splat_i32(weight)))
    }

    #[inline(always)]
    fn sum<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.add_i32(a, b)
    }

    #[inline(always)]
    fn quarter<S: Simd>(self, simd: S, a: S::I32) -> S::I32 {
        simd.signed_down_i32(a, simd.splat_i32(2))
    }

    #[inline(always)]
    fn scaled<S: Simd>(self, simd: S, a: S::I32) -> S::I32 {
        simd.signed_down_i32(a, simd.splat_i32(13))
    }

    /// Low frequencies, modulo 2³², lie within 2³¹ of 2³⁰; their mean with high ones has room, and 2³⁰ is 2¹⁵ times 2¹⁵.
    #[inline(always)]
    fn joined<S: Simd>(self, simd: S, low: S::I32, high: S::I32) -> S::I32 {
        let (one, low) = (simd.splat_i32(1), simd.sub_i32(low, simd.splat_i32(1 << 30)));
        let halves = simd.add_i32(simd.signed_down_i32(low, one), simd.signed_down_i32(high, one));
        let mean = simd.add_i32(halves, simd.and_i32(simd.and_i32(low, high), one));
        simd.add_i32(simd.signed_down_i32(mean, simd.splat_i32(14)), simd.splat_i32(1 << 15))
    }
}
