//! What every machine of an architecture has, through `wide`: NEON on AArch64, SSE2 on x86-64, SIMD128 on WebAssembly
//! where a program is compiled for it, and plain arrays elsewhere.

use std::ops::{Add as _, Mul as _, Sub as _};

use bytemuck::cast;
use wide::{f32x8, i16x16, i32x8, u8x32, u16x16};

use super::shuffle::{fours, of_both, permute, running, zip};
use super::vector::{Simd, WithSimd};

/// What every machine has: 8 lanes, in two registers where they are of 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// Whether `wide` fuses a multiply-add.
const FUSED: bool = cfg!(any(all(target_arch = "aarch64", target_feature = "neon"), target_feature = "fma"));

/// An operation that a type of `wide` has, on the bits of other vectors.
macro_rules! of {
    ($($name:ident($vector:ident::$method:ident);)*) => {$(
        #[inline(always)]
        fn $name(self, a: i32x8, b: i32x8) -> i32x8 {
            cast(cast::<_, $vector>(a).$method(cast::<_, $vector>(b)))
        }
    )*};
}

impl Simd for Portable {
    const LANES: usize = 8;
    const REGISTERS: bool = cfg!(target_arch = "aarch64");
    type F32 = f32x8;
    type I32 = i32x8;
    type U16 = [u16; 8];
    type U8 = [u8; 8];

    #[inline(never)]
    fn run<W: WithSimd>(self, work: W) {
        work.work(self);
    }

    #[inline(always)]
    fn gather(self, table: &[f32], places: i32x8) -> f32x8 {
        let last = table.len().saturating_sub(1);
        let number = |place: i32| table.get((place as u32 as usize).min(last)).copied().unwrap_or_default();
        f32x8::from(places.to_array().map(number))
    }

    #[inline(always)]
    fn words(self, bytes: &[u8], places: i32x8) -> i32x8 {
        let last = bytes.len().saturating_sub(4);
        let four = |place: i32| bytes[(place as u32 as usize).min(last)..].first_chunk().copied().unwrap_or_default();
        i32x8::from(places.to_array().map(|place| i32::from_le_bytes(four(place))))
    }

    #[inline(always)]
    fn splat(self, value: f32) -> f32x8 {
        f32x8::splat(value)
    }

    #[inline(always)]
    fn mul_add(self, a: f32x8, b: f32x8, c: f32x8) -> f32x8 {
        if FUSED {
            return a.mul_add(b, c);
        }
        let (a, b, c) = (a.to_array(), b.to_array(), c.to_array());
        f32x8::from(std::array::from_fn(|i| a[i].mul_add(b[i], c[i])))
    }

    #[inline(always)]
    fn mul(self, a: f32x8, b: f32x8) -> f32x8 {
        a * b
    }

    #[inline(always)]
    fn add(self, a: f32x8, b: f32x8) -> f32x8 {
        a + b
    }

    #[inline(always)]
    fn sub(self, a: f32x8, b: f32x8) -> f32x8 {
        a - b
    }

    #[inline(always)]
    fn div(self, a: f32x8, b: f32x8) -> f32x8 {
        a / b
    }

    #[inline(always)]
    fn sqrt(self, a: f32x8) -> f32x8 {
        a.sqrt()
    }

    #[inline(always)]
    fn abs(self, a: f32x8) -> f32x8 {
        a.abs()
    }

    #[inline(always)]
    fn larger(self, a: f32x8, b: f32x8) -> f32x8 {
        a.simd_gt(b).select(a, b)
    }

    #[inline(always)]
    fn smaller(self, a: f32x8, b: f32x8) -> f32x8 {
        a.simd_lt(b).select(a, b)
    }

    #[inline(always)]
    fn where_nan(self, test: f32x8, then: f32x8, other: f32x8) -> f32x8 {
        test.simd_eq(test).select(other, then)
    }

    #[inline(always)]
    fn where_below(self, a: f32x8, b: f32x8, then: f32x8, other: f32x8) -> f32x8 {
        a.simd_lt(b).select(then, other)
    }

    #[inline(always)]
    fn nearest(self, a: f32x8) -> f32x8 {
        // From 2²³ on a float has no fraction.
        let whole = f32x8::splat(12_582_912.0);
        (a + whole) - whole
    }

    #[inline(always)]
    fn evens(self, a: f32x8, b: f32x8) -> f32x8 {
        of_both(a, b, [0, 2, 4, 6, 8, 10, 12, 14])
    }

    #[inline(always)]
    fn odds(self, a: f32x8, b: f32x8) -> f32x8 {
        of_both(a, b, [1, 3, 5, 7, 9, 11, 13, 15])
    }

    #[inline(always)]
    fn turns_low(self, a: f32x8, b: f32x8) -> f32x8 {
        of_both(a, b, [0, 8, 1, 9, 2, 10, 3, 11])
    }

    #[inline(always)]
    fn turns_high(self, a: f32x8, b: f32x8) -> f32x8 {
        of_both(a, b, [4, 12, 5, 13, 6, 14, 7, 15])
    }

    #[inline(always)]
    fn whole(self, a: f32x8) -> i32x8 {
        a.fast_trunc_int()
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> i32x8 {
        i32x8::splat(value)
    }

    #[inline(always)]
    fn add_i32(self, a: i32x8, b: i32x8) -> i32x8 {
        a + b
    }

    #[inline(always)]
    fn sub_i32(self, a: i32x8, b: i32x8) -> i32x8 {
        a - b
    }

    #[inline(always)]
    fn mul_i32(self, a: i32x8, b: i32x8) -> i32x8 {
        a * b
    }

    #[inline(always)]
    fn or_i32(self, a: i32x8, b: i32x8) -> i32x8 {
        a | b
    }

    #[inline(always)]
    fn and_i32(self, a: i32x8, b: i32x8) -> i32x8 {
        a & b
    }

    #[inline(always)]
    fn up_by_8(self, a: i32x8) -> i32x8 {
        a << 8
    }

    #[inline(always)]
    fn up_by_16(self, a: i32x8) -> i32x8 {
        a << 16
    }

    #[inline(always)]
    fn down_i32(self, a: i32x8, bits: i32x8) -> i32x8 {
        let (a, bits) = (a.to_array(), bits.to_array());
        i32x8::from(std::array::from_fn(|i| (a[i] as u32).wrapping_shr(bits[i] as u32) as i32))
    }

    #[inline(always)]
    fn zeros_u8(self, a: i32x8) -> i32x8 {
        cast(cast::<_, u8x32>(a).simd_eq(u8x32::ZERO))
    }

    #[inline(always)]
    fn zeros_u16(self, a: i32x8) -> i32x8 {
        cast(cast::<_, u16x16>(a).simd_eq(u16x16::ZERO))
    }

    #[inline(always)]
    fn high_u8(self, a: i32x8) -> i32x8 {
        cast(cast::<_, u16x16>(a) >> 8)
    }

    #[inline(always)]
    fn is_zero(self, a: i32x8) -> bool {
        a.to_array() == [0; 8]
    }

    #[inline(always)]
    fn apart_u8(self, a: i32x8, b: i32x8) -> i32x8 {
        let (a, b): ([[u8; 8]; 4], [[u8; 8]; 4]) = (cast(a), cast(b));
        let sum = |i: usize| a[i].iter().zip(b[i]).map(|(a, b)| i32::from(a.abs_diff(b))).sum::<i32>();
        i32x8::from(std::array::from_fn(|i| if i % 2 == 0 { sum(i / 2) } else { 0 }))
    }

    #[inline(always)]
    fn permute(self, a: i32x8, b: i32x8, places: i32x8) -> i32x8 {
        permute(a, b, places)
    }

    #[inline(always)]
    fn follow(self, a: i32x8, b: i32x8) -> i32x8 {
        let (a, b) = (a.to_array(), b.to_array());
        i32x8::from(std::array::from_fn(|i| if i < 7 { a[i + 1] } else { b[0] }))
    }

    #[inline(always)]
    fn pair_i32(self, a: i32x8, b: i32x8) -> i32x8 {
        let (a, b) = (a.to_array(), b.to_array());
        i32x8::from(std::array::from_fn(|i| if i % 2 == 0 { a[i] } else { b[i - 1] }))
    }

    #[inline(always)]
    fn running_sum(self, a: i32x8) -> i32x8 {
        i32x8::from(running(a.to_array(), i32::wrapping_add))
    }

    #[inline(always)]
    fn last(self, a: i32x8) -> i32x8 {
        i32x8::splat(a.to_array()[7])
    }

    #[inline(always)]
    fn running_sum_u16(self, a: i32x8) -> i32x8 {
        cast(running::<u16, 16>(cast(a), u16::wrapping_add))
    }

    #[inline(always)]
    fn last_u16(self, a: i32x8) -> i32x8 {
        cast([cast::<_, [u16; 16]>(a)[15]; 16])
    }

    #[inline(always)]
    fn float(self, a: i32x8) -> f32x8 {
        a.round_float()
    }

    of! {
        min_u8(u8x32::min);
        max_u8(u8x32::max);
        add_u8(u8x32::saturating_add);
        above_u8(u8x32::saturating_sub);
        sum_u16(u16x16::add);
        sub_u16(u16x16::sub);
        mul_u16(u16x16::mul);
        add_u16(u16x16::saturating_add);
        above_u16(u16x16::saturating_sub);
        min_u16(u16x16::min);
        max_u16(u16x16::max);
        min_i16(i16x16::min);
        max_i16(i16x16::max);
        min_i32(i32x8::min);
        max_i32(i32x8::max);
    }

    #[inline(always)]
    fn abs_i16(self, a: i32x8) -> i32x8 {
        cast(cast::<_, i16x16>(a).abs())
    }

    #[inline(always)]
    fn half_i16(self, a: i32x8) -> i32x8 {
        cast(cast::<_, i16x16>(a) >> 1)
    }

    #[inline(always)]
    fn where_above_i16(self, a: i32x8, b: i32x8, then: i32x8, other: i32x8) -> i32x8 {
        let above: i32x8 = cast(cast::<_, i16x16>(a).simd_gt(cast::<_, i16x16>(b)));
        (above & then) | (!above & other)
    }

    #[inline(always)]
    fn abs_i32(self, a: i32x8) -> i32x8 {
        a.abs()
    }

    #[inline(always)]
    fn where_above_i32(self, a: i32x8, b: i32x8, then: i32x8, other: i32x8) -> i32x8 {
        let above = a.simd_gt(b);
        (above & then) | (!above & other)
    }

    #[inline(always)]
    fn signed_down_i32(self, a: i32x8, bits: i32x8) -> i32x8 {
        let (a, bits) = (a.to_array(), bits.to_array());
        i32x8::from(std::array::from_fn(|i| a[i] >> (bits[i] & 31)))
    }

    #[inline(always)]
    fn pack_i16(self, a: i32x8, b: i32x8) -> i32x8 {
        cast(fours(a, b).map(|lane| lane.clamp(i16::MIN.into(), i16::MAX.into()) as i16))
    }

    #[inline(always)]
    fn bytes_of_u16(self, a: i32x8) -> [u16; 8] {
        cast(cast::<_, [u16; 16]>(a).map(|number| number as u8))
    }

    #[inline(always)]
    fn dot_u8(self, sum: i32x8, bytes: i32x8, weights: i32x8) -> i32x8 {
        // Bytes and weights of even and of odd places as 16-bit numbers: their products and sums cannot overflow.
        let (bytes, weights): (i16x16, i16x16) = (cast(bytes), cast(weights));
        let even = (bytes & i16x16::splat(0xff)).dot((weights << 8) >> 8);
        let odd = cast::<_, i16x16>(cast::<_, u16x16>(bytes) >> 8).dot(weights >> 8);
        sum + even + odd
    }

    #[inline(always)]
    fn dot_i16(self, sum: i32x8, numbers: i32x8, weights: i32x8) -> i32x8 {
        sum + cast::<_, i16x16>(numbers).dot(cast(weights))
    }

    #[inline(always)]
    fn pairs_u8(self, bytes: i32x8, weights: i32x8) -> i32x8 {
        let (bytes, weights): (i16x16, i16x16) = (cast(bytes), cast(weights));
        let even = (bytes & i16x16::splat(0xff)) * ((weights << 8) >> 8);
        cast(even + cast::<_, i16x16>(cast::<_, u16x16>(bytes) >> 8) * (weights >> 8))
    }

    #[inline(always)]
    fn zip_low_u8(self, a: i32x8, b: i32x8) -> i32x8 {
        cast(zip::<u8, 32>(cast(a), cast(b), 0))
    }

    #[inline(always)]
    fn zip_high_u8(self, a: i32x8, b: i32x8) -> i32x8 {
        cast(zip::<u8, 32>(cast(a), cast(b), 8))
    }

    #[inline(always)]
    fn zip_low_u16(self, a: i32x8, b: i32x8) -> i32x8 {
        cast(zip::<u16, 16>(cast(a), cast(b), 0))
    }

    #[inline(always)]
    fn zip_high_u16(self, a: i32x8, b: i32x8) -> i32x8 {
        cast(zip::<u16, 16>(cast(a), cast(b), 4))
    }

    #[inline(always)]
    fn pack_u16(self, a: i32x8, b: i32x8) -> i32x8 {
        cast(fours(a, b).map(|lane| lane.clamp(0, 65535) as u16))
    }

    #[inline(always)]
    fn clamped(self, a: i32x8, b: i32x8, c: i32x8, d: i32x8) -> i32x8 {
        let [a, b, c, d] = [a, b, c, d].map(|value| value.max(i32x8::ZERO).min(i32x8::splat(255)));
        a | b << 8 | c << 16 | d << 24
    }

    #[inline(always)]
    fn lanes_of_u8(self, bytes: [u8; 8]) -> i32x8 {
        i32x8::from(bytes.map(i32::from))
    }

    #[inline(always)]
    fn halves_of_u8(self, bytes: [u16; 8]) -> i32x8 {
        cast(cast::<_, [u8; 16]>(bytes).map(u16::from))
    }

    #[inline(always)]
    fn lanes_of_u16(self, numbers: [u16; 8]) -> i32x8 {
        i32x8::from(numbers.map(i32::from))
    }

    #[inline(always)]
    fn to_u8(self, a: i32x8) -> [u8; 8] {
        a.to_array().map(|lane| lane as u8)
    }

    #[inline(always)]
    fn to_u16(self, a: i32x8) -> [u16; 8] {
        a.to_array().map(|lane| lane as u16)
    }
}
