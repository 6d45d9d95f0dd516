//! Floats, each operation rounded.

use super::super::simd::Simd;
use super::FieldNumbers;

/// Floats.
#[derive(Clone, Copy)]
pub struct Reals;

impl FieldNumbers<f32> for Reals {
    type Vector<S: Simd> = S::F32;
    type Sum<S: Simd> = S::F32;

    #[inline(always)]
    fn columns<S: Simd>() -> usize {
        S::LANES
    }

    #[inline(always)]
    fn read<S: Simd>(self, simd: S, from: &[f32]) -> S::F32 {
        simd.load(from)
    }

    #[inline(always)]
    fn write<S: Simd>(self, simd: S, value: S::F32, to: &mut [f32]) {
        simd.store(simd.quiet(value), to);
    }

    #[inline(always)]
    fn zero<S: Simd>(self, simd: S) -> S::F32 {
        simd.splat(0.0)
    }

    #[inline(always)]
    fn step<S: Simd>(self, simd: S) -> S::F32 {
        simd.splat(0.0)
    }

    #[inline(always)]
    fn add<S: Simd>(self, simd: S, a: S::F32, b: S::F32) -> S::F32 {
        simd.add(a, b)
    }

    #[inline(always)]
    fn sub<S: Simd>(self, simd: S, a: S::F32, b: S::F32) -> S::F32 {
        simd.sub(a, b)
    }

    #[inline(always)]
    fn apart<S: Simd>(self, simd: S, a: S::F32, b: S::F32) -> S::F32 {
        simd.abs(simd.sub(a, b))
    }

    #[inline(always)]
    fn half<S: Simd>(self, simd: S, a: S::F32) -> S::F32 {
        simd.mul(a, simd.splat(0.5))
    }

    #[inline(always)]
    fn smaller<S: Simd>(self, simd: S, a: S::F32, b: S::F32) -> S::F32 {
        simd.smaller(a, b)
    }

    #[inline(always)]
    fn larger<S: Simd>(self, simd: S, a: S::F32, b: S::F32) -> S::F32 {
        simd.larger(a, b)
    }

    #[inline(always)]
    fn where_above<S: Simd>(self, simd: S, [a, b]: [S::F32; 2], then: S::F32, other: S::F32) -> S::F32 {
        simd.where_below(b, a, then, other)
    }

    #[inline(always)]
    fn pair<S: Simd>(self, simd: S, [a, b]: [S::F32; 2], [first, second]: [i32; 2]) -> S::F32 {
        self.more(simd, simd.mul(a, simd.splat(first as f32)), b, second)
    }

    #[inline(always)]
    fn more<S: Simd>(self, simd: S, sum: S::F32, a: S::F32, weight: i32) -> S::F32 {
        simd.add(sum, simd.mul(a, simd.splat(weight as f32)))
    }

    #[inline(always)]
    fn sum<S: Simd>(self, simd: S, a: S::F32, b: S::F32) -> S::F32 {
        simd.add(a, b)
    }

    #[inline(always)]
    fn quarter<S: Simd>(self, simd: S, a: S::F32) -> S::F32 {
        simd.mul(a, simd.splat(0.25))
    }

    #[inline(always)]
    fn scaled<S: Simd>(self, simd: S, a: S::F32) -> S::F32 {
        simd.mul(a, simd.splat(1.0 / 8192.0))
    }

    #[inline(always)]
    fn joined<S: Simd>(self, simd: S, low: S::F32, high: S::F32) -> S::F32 {
        simd.mul(simd.add(low, high), simd.splat(1.0 / 32768.0))
    }
}
