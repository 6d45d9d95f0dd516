//! Signed 16-bit numbers, of samples of at most [`super::SHORT_BITS`] bits: sums of four of them have room.

use super::super::simd::{Sample, Simd};
use super::FieldNumbers;
use crate::frame::Pixel;

/// Signed 16-bit numbers.
#[derive(Clone, Copy)]
pub struct Short {
    peak: i32,
}

impl Short {
    /// For samples of such pixels.
    pub fn of(pixel: Pixel) -> Self {
        Self { peak: pixel.peak() as i32 }
    }

    /// The largest sample, everywhere.
    #[inline(always)]
    fn most<S: Simd>(self, simd: S) -> S::I32 {
        twice(simd, self.peak, self.peak)
    }
}

/// Two 16-bit numbers in each lane.
#[inline(always)]
fn twice<S: Simd>(simd: S, low: i32, high: i32) -> S::I32 {
    simd.splat_i32(low & 0xffff | high << 16)
}

/// Sums, divided by a power of two and rounded down.
#[inline(always)]
fn down<S: Simd>(simd: S, [low, high]: [S::I32; 2], bits: i32) -> [S::I32; 2] {
    let bits = simd.splat_i32(bits);
    [simd.signed_down_i32(low, bits), simd.signed_down_i32(high, bits)]
}

/// Samples that are read and written as 16-bit numbers.
pub trait Halves: Sample {
    /// Reads twice as many as there are lanes.
    fn halves<S: Simd>(simd: S, from: &[Self], most: S::I32) -> S::I32;
    /// Writes them; they are samples of the format.
    fn put<S: Simd>(simd: S, value: S::I32, to: &mut [Self]);
}

impl Halves for u8 {
    #[inline(always)]
    fn halves<S: Simd>(simd: S, from: &[u8], _: S::I32) -> S::I32 {
        simd.halves_u8(from)
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, value: S::I32, to: &mut [u8]) {
        simd.narrow_halves_u8(value, to);
    }
}

impl Halves for u16 {
    #[inline(always)]
    fn halves<S: Simd>(simd: S, from: &[u16], most: S::I32) -> S::I32 {
        simd.min_u16(simd.load_integers(from), most)
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, value: S::I32, to: &mut [u16]) {
        simd.store_integers(value, to);
    }
}

impl<T: Halves> FieldNumbers<T> for Short {
    type Vector<S: Simd> = S::I32;
    /// Of the columns that [`Simd::zip_low_u16`] takes, and of the others.
    type Sum<S: Simd> = [S::I32; 2];

    #[inline(always)]
    fn columns<S: Simd>() -> usize {
        2 * S::LANES
    }

    #[inline(always)]
    fn read<S: Simd>(self, simd: S, from: &[T]) -> S::I32 {
        T::halves(simd, from, self.most(simd))
    }

    #[inline(always)]
    fn write<S: Simd>(self, simd: S, value: S::I32, to: &mut [T]) {
        T::put(simd, simd.min_i16(simd.max_i16(value, simd.splat_i32(0)), self.most(simd)), to);
    }

    #[inline(always)]
    fn zero<S: Simd>(self, simd: S) -> S::I32 {
        simd.splat_i32(0)
    }

    #[inline(always)]
    fn step<S: Simd>(self, simd: S) -> S::I32 {
        twice(simd, 1, 1)
    }

    #[inline(always)]
    fn add<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.sum_u16(a, b)
    }

    #[inline(always)]
    fn sub<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.sub_u16(a, b)
    }

    #[inline(always)]
    fn apart<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.abs_i16(simd.sub_u16(a, b))
    }

    #[inline(always)]
    fn half<S: Simd>(self, simd: S, a: S::I32) -> S::I32 {
        simd.half_i16(a)
    }

    #[inline(always)]
    fn smaller<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.min_i16(a, b)
    }

    #[inline(always)]
    fn larger<S: Simd>(self, simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.max_i16(a, b)
    }

    #[inline(always)]
    fn where_above<S: Simd>(self, simd: S, [a, b]: [S::I32; 2], then: S::I32, other: S::I32) -> S::I32 {
        simd.where_above_i16(a, b, then, other)
    }

    #[inline(always)]
    fn pair<S: Simd>(self, simd: S, [a, b]: [S::I32; 2], [first, second]: [i32; 2]) -> [S::I32; 2] {
        let (weights, zero) = (twice(simd, first, second), simd.splat_i32(0));
        let (low, high) = (simd.zip_low_u16(a, b), simd.zip_high_u16(a, b));
        [simd.dot_i16(zero, low, weights), simd.dot_i16(zero, high, weights)]
    }

    #[inline(always)]
    fn more<S: Simd>(self, simd: S, [low, high]: [S::I32; 2], a: S::I32, weight: i32) -> [S::I32; 2] {
        let (weights, zero) = (twice(simd, weight, 0), simd.splat_i32(0));
        [simd.dot_i16(low, simd.zip_low_u16(a, zero), weights), simd.dot_i16(high, simd.zip_high_u16(a, zero), weights)]
    }

    #[inline(always)]
    fn sum<S: Simd>(self, simd: S, a: [S::I32; 2], b: [S::I32; 2]) -> [S::I32; 2] {
        [simd.add_i32(a[0], b[0]), simd.add_i32(a[1], b[1])]
    }

    #[inline(always)]
    fn quarter<S: Simd>(self, simd: S, a: [S::I32; 2]) -> [S::I32; 2] {
        down(simd, a, 2)
    }

    #[inline(always)]
    fn scaled<S: Simd>(self, simd: S, a: [S::I32; 2]) -> S::I32 {
        let [low, high] = down(simd, a, 13);
        simd.pack_i16(low, high)
    }

    #[inline(always)]
    fn joined<S: Simd>(self, simd: S, low: [S::I32; 2], high: [S::I32; 2]) -> S::I32 {
        let sum = <Self as FieldNumbers<T>>::sum(self, simd, low, high);
        let [low, high] = down(simd, sum, 15);
        simd.pack_i16(low, high)
    }
}
