//! Plain Rust over arrays: the definition of what the other sets do.

use std::array::from_fn;

use super::{Simd, Work};

/// What every machine has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

const LANES: usize = 8;

#[inline(always)]
fn map<A: Copy, B: Copy, R>(a: [A; LANES], b: [B; LANES], f: impl Fn(A, B) -> R) -> [R; LANES] {
    from_fn(|i| f(a[i], b[i]))
}

/// The same of the numbers of another type that fill the lanes.
#[inline(always)]
fn lanes<A: bytemuck::Pod, const N: usize>(a: [i32; LANES], b: [i32; LANES], f: impl Fn(A, A) -> A) -> [i32; LANES]
where
    [A; N]: bytemuck::Pod,
{
    let (a, b): ([A; N], [A; N]) = (bytemuck::cast(a), bytemuck::cast(b));
    bytemuck::cast::<[A; N], _>(from_fn(|i| f(a[i], b[i])))
}

impl Simd for Portable {
    const LANES: usize = LANES;
    const REGISTERS: bool = false;
    type F32 = [f32; LANES];
    type I32 = [i32; LANES];

    fn run<W: Work>(self, work: W) {
        work.work(self);
    }

    #[inline(always)]
    fn splat(self, value: f32) -> Self::F32 {
        [value; LANES]
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> Self::F32 {
        from_fn(|i| from[i])
    }

    #[inline(always)]
    fn store(self, value: Self::F32, to: &mut [f32]) {
        to[..LANES].copy_from_slice(&value);
    }

    #[inline(always)]
    fn mul_add(self, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32 {
        from_fn(|i| a[i].mul_add(b[i], c[i]))
    }

    #[inline(always)]
    fn mul(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        map(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn add(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        map(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sqrt(self, a: Self::F32) -> Self::F32 {
        a.map(f32::sqrt)
    }

    #[inline(always)]
    fn abs(self, a: Self::F32) -> Self::F32 {
        a.map(f32::abs)
    }

    #[inline(always)]
    fn max(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        map(a, b, f32::max)
    }

    #[inline(always)]
    fn quiet(self, a: Self::F32) -> Self::F32 {
        a.map(|a| if a.is_nan() { f32::from_bits(0x7fc0_0000) } else { a })
    }

    #[inline(always)]
    fn round(self, a: Self::F32, peak: Self::F32) -> Self::I32 {
        // A cast gives 0 for NaN.
        map(a, peak, |a, peak| (a + 0.5).floor().clamp(0.0, peak) as i32)
    }

    #[inline(always)]
    fn whole(self, a: Self::F32) -> Self::I32 {
        a.map(|a| a as i32)
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> Self::I32 {
        [value; LANES]
    }

    #[inline(always)]
    fn load_i32(self, from: &[i32]) -> Self::I32 {
        from_fn(|i| from[i])
    }

    #[inline(always)]
    fn store_i32(self, value: Self::I32, to: &mut [i32]) {
        to[..LANES].copy_from_slice(&value);
    }

    #[inline(always)]
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        map(a, b, i32::wrapping_add)
    }

    #[inline(always)]
    fn sub_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        map(a, b, i32::wrapping_sub)
    }

    #[inline(always)]
    fn mul_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        map(a, b, i32::wrapping_mul)
    }

    #[inline(always)]
    fn running_sum(self, mut a: Self::I32) -> Self::I32 {
        for i in 1..LANES {
            a[i] = a[i].wrapping_add(a[i - 1]);
        }
        a
    }

    #[inline(always)]
    fn last(self, a: Self::I32) -> Self::I32 {
        [a[LANES - 1]; LANES]
    }

    #[inline(always)]
    fn float(self, a: Self::I32) -> Self::F32 {
        a.map(|a| a as f32)
    }

    #[inline(always)]
    fn dot_u8(self, sum: Self::I32, from: &[u8], weights: Self::I32) -> Self::I32 {
        let from = &from[..4 * LANES];
        from_fn(|i| {
            let weights = weights[i].to_le_bytes();
            (0..4).fold(sum[i], |sum, j| sum.wrapping_add(i32::from(from[4 * i + j]) * i32::from(weights[j] as i8)))
        })
    }

    #[inline(always)]
    fn dot_i16(self, sum: Self::I32, from: &[i16], weights: Self::I32) -> Self::I32 {
        let from = &from[..2 * LANES];
        from_fn(|i| {
            let weights = [weights[i] as i16, (weights[i] >> 16) as i16];
            (0..2).fold(sum[i], |sum, j| sum.wrapping_add(i32::from(from[2 * i + j]) * i32::from(weights[j])))
        })
    }

    #[inline(always)]
    fn weave_u8(self, values: [Self::I32; 4], to: &mut [u8]) {
        for (i, four) in to[..4 * LANES].chunks_exact_mut(4).enumerate() {
            four.copy_from_slice(&values.map(|v| v[i] as u8));
        }
    }

    #[inline(always)]
    fn weave_clamped(self, values: [Self::I32; 4], to: &mut [u8]) {
        self.weave_u8(values.map(|v| v.map(|v| v.clamp(0, 255))), to);
    }

    #[inline(always)]
    fn weave_u16(self, values: [Self::I32; 2], to: &mut [u16]) {
        for (i, two) in to[..2 * LANES].chunks_exact_mut(2).enumerate() {
            two.copy_from_slice(&values.map(|v| v[i] as u16));
        }
    }

    #[inline(always)]
    fn load_bytes(self, from: &[u8]) -> Self::I32 {
        bytemuck::pod_read_unaligned(&from[..4 * LANES])
    }

    #[inline(always)]
    fn store_bytes(self, value: Self::I32, to: &mut [u8]) {
        to[..4 * LANES].copy_from_slice(bytemuck::bytes_of(&value));
    }

    #[inline(always)]
    fn min_u8(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lanes::<u8, { 4 * LANES }>(a, b, u8::min)
    }

    #[inline(always)]
    fn max_u8(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lanes::<u8, { 4 * LANES }>(a, b, u8::max)
    }

    #[inline(always)]
    fn min_u16(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lanes::<u16, { 2 * LANES }>(a, b, u16::min)
    }

    #[inline(always)]
    fn max_u16(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lanes::<u16, { 2 * LANES }>(a, b, u16::max)
    }

    #[inline(always)]
    fn min_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        map(a, b, i32::min)
    }

    #[inline(always)]
    fn max_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        map(a, b, i32::max)
    }

    #[inline(always)]
    fn widen_u8(self, from: &[u8]) -> Self::I32 {
        from_fn(|i| i32::from(from[i]))
    }

    #[inline(always)]
    fn widen_u16(self, from: &[u16]) -> Self::I32 {
        from_fn(|i| i32::from(from[i]))
    }

    #[inline(always)]
    fn narrow_u8(self, value: Self::I32, to: &mut [u8]) {
        to[..LANES].copy_from_slice(&value.map(|v| v as u8));
    }

    #[inline(always)]
    fn narrow_u16(self, value: Self::I32, to: &mut [u16]) {
        to[..LANES].copy_from_slice(&value.map(|v| v as u16));
    }
}
