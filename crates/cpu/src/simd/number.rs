//! What sums are formed in ([`Number`]: `f32`, `i32`) and what frames hold ([`Sample`]: `u8`, `u16`, `f32`).

use bytemuck::Pod;

use super::vector::Simd;

/// The type of a sum.
pub trait Number: Pod + Send + Sync {
    /// A vector of them.
    type Vector<S: Simd>: Copy;

    /// A weight or a constant, exact where it is an integer below 2²⁴.
    fn of(value: f32) -> Self;
    /// The same value in all lanes.
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Vector<S>;
    /// Reads numbers.
    fn load<S: Simd>(simd: S, from: &[Self]) -> Self::Vector<S>;
    /// Writes numbers.
    fn store<S: Simd>(simd: S, value: Self::Vector<S>, to: &mut [Self]);
    /// Reads samples.
    fn read<S: Simd, T: Sample>(simd: S, from: &[T]) -> Self::Vector<S>;
    /// `sum + weight · value`: rounded once, or modulo 2³².
    fn tap<S: Simd>(simd: S, weight: Self::Vector<S>, value: Self::Vector<S>, sum: Self::Vector<S>) -> Self::Vector<S>;
    /// The same of single numbers.
    fn scalar_tap(weight: Self, value: Self, sum: Self) -> Self;
    /// As `f32`, to nearest, ties to even.
    fn float<S: Simd>(simd: S, value: Self::Vector<S>) -> S::F32;
}

impl Number for f32 {
    type Vector<S: Simd> = S::F32;

    fn of(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: f32) -> S::F32 {
        simd.splat(value)
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[f32]) -> S::F32 {
        simd.load(from)
    }

    #[inline(always)]
    fn store<S: Simd>(simd: S, value: S::F32, to: &mut [f32]) {
        simd.store(value, to);
    }

    #[inline(always)]
    fn read<S: Simd, T: Sample>(simd: S, from: &[T]) -> S::F32 {
        T::read(simd, from)
    }

    #[inline(always)]
    fn tap<S: Simd>(simd: S, weight: S::F32, value: S::F32, sum: S::F32) -> S::F32 {
        simd.mul_add(weight, value, sum)
    }

    fn scalar_tap(weight: f32, value: f32, sum: f32) -> f32 {
        weight.mul_add(value, sum)
    }

    #[inline(always)]
    fn float<S: Simd>(_: S, value: S::F32) -> S::F32 {
        value
    }
}

impl Number for i32 {
    type Vector<S: Simd> = S::I32;

    fn of(value: f32) -> Self {
        value as i32
    }

    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: i32) -> S::I32 {
        simd.splat_i32(value)
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[i32]) -> S::I32 {
        simd.load_integers(from)
    }

    #[inline(always)]
    fn store<S: Simd>(simd: S, value: S::I32, to: &mut [i32]) {
        simd.store_integers(value, to);
    }

    #[inline(always)]
    fn read<S: Simd, T: Sample>(simd: S, from: &[T]) -> S::I32 {
        T::widen(simd, from)
    }

    #[inline(always)]
    fn tap<S: Simd>(simd: S, weight: S::I32, value: S::I32, sum: S::I32) -> S::I32 {
        simd.add_i32(sum, simd.mul_i32(weight, value))
    }

    fn scalar_tap(weight: i32, value: i32, sum: i32) -> i32 {
        sum.wrapping_add(weight.wrapping_mul(value))
    }

    #[inline(always)]
    fn float<S: Simd>(simd: S, value: S::I32) -> S::F32 {
        simd.float(value)
    }
}

/// The type of a sample in a frame.
pub trait Sample: Pod + Send + Sync {
    /// The value that a frame stores for `value`, which it can store exactly.
    fn of(value: f32) -> Self;
    /// An integer sample. Floats, which no integer sum is ever formed of, read as 0.
    fn integer(self) -> i32;
    /// The sample of an integer that it can store exactly.
    fn whole(value: i32) -> Self;
    /// The sample as a number: 0 for floats that are infinite, or no number.
    fn finite(self) -> f32;
    /// The same of a vector of samples.
    fn widen<S: Simd>(simd: S, from: &[Self]) -> S::I32;
    /// Reads samples as `f32`; exact.
    fn read<S: Simd>(simd: S, from: &[Self]) -> S::F32;
    /// Writes the last value: rounded and clamped to `0 ..= peak`, or with its NaNs made one.
    fn write<S: Simd>(simd: S, value: S::F32, peak: S::F32, to: &mut [Self]);
    /// Writes 16-bit numbers, which it can store exactly, twice as many as there are lanes. Floats stay as they are.
    fn put_short<S: Simd>(simd: S, numbers: S::I32, to: &mut [Self]);
}

impl Sample for u8 {
    fn of(value: f32) -> Self {
        value as u8
    }

    #[inline(always)]
    fn whole(value: i32) -> Self {
        value as u8
    }

    #[inline(always)]
    fn integer(self) -> i32 {
        i32::from(self)
    }

    #[inline(always)]
    fn finite(self) -> f32 {
        self.into()
    }

    #[inline(always)]
    fn read<S: Simd>(simd: S, from: &[u8]) -> S::F32 {
        simd.float(simd.widen_u8(from))
    }

    #[inline(always)]
    fn widen<S: Simd>(simd: S, from: &[u8]) -> S::I32 {
        simd.widen_u8(from)
    }

    #[inline(always)]
    fn write<S: Simd>(simd: S, value: S::F32, peak: S::F32, to: &mut [u8]) {
        simd.narrow_u8(simd.round(value, peak), to);
    }

    #[inline(always)]
    fn put_short<S: Simd>(simd: S, numbers: S::I32, to: &mut [u8]) {
        simd.narrow_halves_u8(numbers, to);
    }
}

impl Sample for u16 {
    fn of(value: f32) -> Self {
        value as u16
    }

    #[inline(always)]
    fn whole(value: i32) -> Self {
        value as u16
    }

    #[inline(always)]
    fn integer(self) -> i32 {
        i32::from(self)
    }

    #[inline(always)]
    fn finite(self) -> f32 {
        self.into()
    }

    #[inline(always)]
    fn read<S: Simd>(simd: S, from: &[u16]) -> S::F32 {
        simd.float(simd.widen_u16(from))
    }

    #[inline(always)]
    fn widen<S: Simd>(simd: S, from: &[u16]) -> S::I32 {
        simd.widen_u16(from)
    }

    #[inline(always)]
    fn write<S: Simd>(simd: S, value: S::F32, peak: S::F32, to: &mut [u16]) {
        simd.narrow_u16(simd.round(value, peak), to);
    }

    #[inline(always)]
    fn put_short<S: Simd>(simd: S, numbers: S::I32, to: &mut [u16]) {
        simd.store_integers(numbers, to);
    }
}

impl Sample for f32 {
    fn of(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn whole(value: i32) -> Self {
        value as f32
    }

    fn integer(self) -> i32 {
        0
    }

    #[inline(always)]
    fn finite(self) -> f32 {
        if self.is_finite() { self } else { 0.0 }
    }

    #[inline(always)]
    fn read<S: Simd>(simd: S, from: &[f32]) -> S::F32 {
        simd.load(from)
    }

    #[inline(always)]
    fn widen<S: Simd>(simd: S, _: &[f32]) -> S::I32 {
        simd.splat_i32(0)
    }

    #[inline(always)]
    fn write<S: Simd>(simd: S, value: S::F32, _: S::F32, to: &mut [f32]) {
        simd.store(simd.quiet(value), to);
    }

    #[inline(always)]
    fn put_short<S: Simd>(_: S, _: S::I32, _: &mut [f32]) {}
}
