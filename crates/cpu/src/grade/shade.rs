//! Samples as numbers, and numbers as samples: cut off, clamped.

use super::super::simd::{Sample, Simd};

/// A sample that is made of a number.
pub trait Shaded: Sample {
    /// True for floats.
    const IS_REAL: bool = false;
    /// Writes numbers as samples, the sum with `half` cut off and clamped.
    fn put<S: Simd>(simd: S, number: S::F32, half: S::F32, peak: S::F32, to: &mut [Self]);
}

/// Conversion to whole numbers.
#[inline(always)]
fn cut<S: Simd>(simd: S, number: S::F32, half: S::F32, peak: S::F32) -> S::I32 {
    simd.whole(simd.smaller(simd.larger(simd.add(number, half), simd.splat(0.0)), peak))
}

impl Shaded for u8 {
    #[inline(always)]
    fn put<S: Simd>(simd: S, number: S::F32, half: S::F32, peak: S::F32, to: &mut [u8]) {
        simd.narrow_u8(cut(simd, number, half, peak), to);
    }
}

impl Shaded for u16 {
    #[inline(always)]
    fn put<S: Simd>(simd: S, number: S::F32, half: S::F32, peak: S::F32, to: &mut [u16]) {
        simd.narrow_u16(cut(simd, number, half, peak), to);
    }
}

impl Shaded for f32 {
    const IS_REAL: bool = true;

    #[inline(always)]
    fn put<S: Simd>(simd: S, number: S::F32, _: S::F32, _: S::F32, to: &mut [f32]) {
        simd.store(simd.quiet(number), to);
    }
}

/// Samples as numbers, without those that are infinite or none.
#[inline(always)]
pub fn read<S: Simd, T: Shaded>(simd: S, from: &[T]) -> S::F32 {
    let number = T::read(simd, from);
    if T::IS_REAL { finite(simd, number) } else { number }
}

/// Numbers, 0 for those that are infinite or none.
#[inline(always)]
pub fn finite<S: Simd>(simd: S, number: S::F32) -> S::F32 {
    simd.where_below(simd.abs(number), simd.splat(f32::INFINITY), number, simd.splat(0.0))
}
