//! The vector instructions that the CPU stage is written in: one trait, and one file for each set of instructions.
//!
//! A [`Simd`] value is a proof that the machine has the instructions: it can only be had from [`Level::best`] or
//! [`Level::available`], which look. Loops are written once, as a [`Work`], and compiled once for each set. Every set
//! gives the same bits: there is no approximate instruction here, and a fused multiply-add is always fused.

mod dot;
mod number;
mod portable;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use dot::Dot;
pub use number::{Number, Sample};
pub use portable::Portable;

use std::fmt;

/// A loop that is compiled for every set of instructions. Everything it calls on its hot path is
/// `#[inline(always)]`, so that it becomes part of the function that has the instructions switched on.
pub trait Work {
    /// The loop.
    fn work<S: Simd>(self, simd: S);
}

/// One set of vector instructions. Slices that are read or written hold at least [`Simd::LANES`] elements.
pub trait Simd: Copy + Send + Sync {
    /// How many 32-bit numbers one vector holds.
    const LANES: usize;
    /// Whether a vector is one register of the machine, so that loops that keep many of them pay.
    const REGISTERS: bool = true;
    /// A vector of `f32`.
    type F32: Copy;
    /// A vector of `i32`.
    type I32: Copy;

    /// Runs `work` where these instructions are switched on.
    fn run<W: Work>(self, work: W);

    /// Asks for memory that is read soon.
    #[inline(always)]
    fn prefetch(self, _: &[u8]) {}

    /// Writes `table[from[i]]` to `to[i]`, as far as there are both.
    #[inline(always)]
    fn look_up(self, table: &[u8; 256], from: &[u8], to: &mut [u8]) {
        to.iter_mut().zip(from).for_each(|(to, &from)| *to = table[usize::from(from)]);
    }

    /// The same value in all lanes.
    fn splat(self, value: f32) -> Self::F32;
    /// Reads, at any alignment.
    fn load(self, from: &[f32]) -> Self::F32;
    /// Writes, at any alignment.
    fn store(self, value: Self::F32, to: &mut [f32]);
    /// `a · b + c`, rounded once.
    fn mul_add(self, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32;
    /// `a · b`.
    fn mul(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a + b`.
    fn add(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The correctly rounded root.
    fn sqrt(self, a: Self::F32) -> Self::F32;
    /// Without the sign.
    fn abs(self, a: Self::F32) -> Self::F32;
    /// The larger; of a number and a NaN the number.
    fn max(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// Any NaN becomes the quiet NaN `0x7fc0_0000`.
    fn quiet(self, a: Self::F32) -> Self::F32;
    /// `floor(a + 0.5)` clamped to `0 ..= peak`, NaN giving 0. `peak` is an integer below 2²⁴.
    fn round(self, a: Self::F32, peak: Self::F32) -> Self::I32;
    /// Without what stands behind the point, of a number whose magnitude is below 2³¹.
    fn whole(self, a: Self::F32) -> Self::I32;

    /// The same value in all lanes.
    fn splat_i32(self, value: i32) -> Self::I32;
    /// Reads, at any alignment.
    fn load_i32(self, from: &[i32]) -> Self::I32;
    /// Writes, at any alignment.
    fn store_i32(self, value: Self::I32, to: &mut [i32]);
    /// `a + b`, modulo 2³².
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a − b`, modulo 2³².
    fn sub_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a · b`, modulo 2³².
    fn mul_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// In each lane the sum of all lanes up to it, modulo 2³².
    fn running_sum(self, a: Self::I32) -> Self::I32;
    /// The last lane in all lanes.
    fn last(self, a: Self::I32) -> Self::I32;
    /// To `f32`, to nearest, ties to even.
    fn float(self, a: Self::I32) -> Self::F32;

    /// Adds to each lane the products of four bytes that follow each other and four signed bytes of `weights`.
    /// `from` holds 4·[`Simd::LANES`].
    fn dot_u8(self, sum: Self::I32, from: &[u8], weights: Self::I32) -> Self::I32;
    /// The same of two 16-bit numbers and two weights, modulo 2³². `from` holds 2·[`Simd::LANES`].
    fn dot_i16(self, sum: Self::I32, from: &[i16], weights: Self::I32) -> Self::I32;
    /// Writes four times as many bytes as there are lanes, from vectors of the first, second, third and fourth of each
    /// four. Values are 0 to 255.
    fn weave_u8(self, values: [Self::I32; 4], to: &mut [u8]);
    /// The same of any values, which are clamped to 0 to 255.
    fn weave_clamped(self, values: [Self::I32; 4], to: &mut [u8]);
    /// Writes twice as many 16-bit numbers as there are lanes, from vectors of the first and second of each two.
    /// Values are 0 to 65535.
    fn weave_u16(self, values: [Self::I32; 2], to: &mut [u16]);

    /// Reads a whole vector of bytes, 4·[`Simd::LANES`], at any alignment.
    fn load_bytes(self, from: &[u8]) -> Self::I32;
    /// Writes such a vector.
    fn store_bytes(self, value: Self::I32, to: &mut [u8]);
    /// The smaller of each two bytes.
    fn min_u8(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The larger of each two bytes.
    fn max_u8(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The smaller of each two 16-bit numbers.
    fn min_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The larger of each two 16-bit numbers.
    fn max_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The smaller of each two lanes.
    fn min_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The larger of each two lanes.
    fn max_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;

    /// Reads bytes.
    fn widen_u8(self, from: &[u8]) -> Self::I32;
    /// Reads 16-bit numbers.
    fn widen_u16(self, from: &[u16]) -> Self::I32;
    /// Writes the low bytes.
    fn narrow_u8(self, value: Self::I32, to: &mut [u8]);
    /// Writes the low halves.
    fn narrow_u16(self, value: Self::I32, to: &mut [u16]);
}

/// Which set of instructions the loops run with.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// What every machine has; without fused multiply-add in hardware it is slow.
    Portable,
    /// AVX2 and FMA: Haswell, Zen and later.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 F, BW, DQ, VL and VNNI: Ice Lake, Zen 4 and later.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "AVX-512",
        })
    }
}

impl Level {
    /// Every level that this machine has, the fastest last.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        levels.extend(Avx2::detect().map(Self::Avx2));
        #[cfg(target_arch = "x86_64")]
        levels.extend(Avx512::detect().map(Self::Avx512));
        levels
    }

    /// The fastest that this machine has.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
    }

    /// What it is called: `portable`, `AVX2`, `AVX-512`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "AVX-512",
        }
    }

    /// Runs `work` at this level.
    pub fn run<W: Work>(self, work: W) {
        match self {
            Self::Portable => Portable.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => simd.run(work),
        }
    }
}
