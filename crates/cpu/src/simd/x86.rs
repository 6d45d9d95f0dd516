//! AVX2 and AVX-512: a proof that the machine has them, and a table of which instruction each does an operation with.
//! What takes several instructions, and other ones in each set, stands in `avx2` and `avx512`.

use std::arch::x86_64::*;

use super::vector::{Simd, WithSimd};
use super::{avx2, avx512};

/// Asks for memory that is read soon.
#[inline(always)]
fn prefetch(bytes: &[u8]) {
    for line in bytes.chunks(64) {
        // SAFETY: every x86-64 has the instruction, and asking for memory has no effect that could be seen.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

/// A set of instructions: its proof, and a [`Simd`] of which each operation is one function of its column.
macro_rules! set {
    (
        $(#[$doc:meta])*
        $set:ident, $lanes:literal lanes: $F32:ty, $I32:ty, $U16:ty, $U8:ty;
        features: [$($feature:tt)*];
        splat: $splat:path, $splat_i32:path;
        look_up: $look_up:path;
        gather: $gather:path;
        words: $words:path;
        pick: $pick:path;
        is_zero: $is_zero:path;
        transpose: $transpose:path;
        $($name:ident($($arg:ident: $from:ident),*) -> $to:ident: $function:path;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $set(());

        impl $set {
            /// The proof, if it can be had.
            pub fn detect() -> Option<Self> {
                ($(is_x86_feature_detected!($feature))&&*).then_some(Self(()))
            }

            /// The proof, of a program that is compiled for machines that have it.
            #[cfg(all($(target_feature = $feature),*))]
            pub const fn known() -> Self {
                Self(())
            }
        }

        impl Simd for $set {
            const LANES: usize = $lanes;
            type F32 = $F32;
            type I32 = $I32;
            type U16 = $U16;
            type U8 = $U8;

            fn run<W: WithSimd>(self, work: W) {
                $(#[target_feature(enable = $feature)])*
                #[inline(never)]
                fn enter<W: WithSimd>(simd: $set, work: W) {
                    work.work(simd);
                }
                // SAFETY: a value of this type is only made where all of these instructions were found.
                unsafe { enter(self, work) }
            }

            #[inline(always)]
            fn prefetch(self, bytes: &[u8]) {
                prefetch(bytes);
            }

            #[inline(always)]
            fn look_up(self, table: &[u8; 256], from: &[u8], to: &mut [u8]) {
                let count = from.len().min(to.len());
                // SAFETY: a value of this type is only made where the function's instructions were found.
                unsafe { $look_up(table, &from[..count], &mut to[..count]) }
            }

            #[inline(always)]
            fn gather(self, table: &[f32], places: Self::I32) -> Self::F32 {
                // SAFETY: as above.
                unsafe { $gather(table, places) }
            }

            #[inline(always)]
            fn words(self, bytes: &[u8], places: Self::I32) -> Self::I32 {
                // SAFETY: as above.
                unsafe { $words(bytes, places) }
            }

            #[inline(always)]
            fn pick(self, table: &[f32; 1 << 16], places: &[u16]) -> Self::F32 {
                let Some(places) = places.first_chunk() else { return self.splat(0.0) };
                // SAFETY: as above.
                unsafe { $pick(table, places) }
            }

            #[inline(always)]
            fn is_zero(self, a: Self::I32) -> bool {
                // SAFETY: as above.
                unsafe { $is_zero(a) }
            }

            #[inline(always)]
            fn transpose(self, from: &[i32], from_stride: usize, to: &mut [i32], to_stride: usize) {
                // SAFETY: as above.
                unsafe { $transpose(from, from_stride, to, to_stride) }
            }

            #[inline(always)]
            fn splat(self, value: f32) -> Self::F32 {
                // SAFETY: as above.
                unsafe { $splat(value) }
            }

            #[inline(always)]
            fn splat_i32(self, value: i32) -> Self::I32 {
                // SAFETY: as above.
                unsafe { $splat_i32(value) }
            }

            $(
                #[inline(always)]
                fn $name(self, $($arg: Self::$from),*) -> Self::$to {
                    // SAFETY: a value of this type is only made where the function's instructions were found, and it
                    // asks for nothing else.
                    unsafe { $function($($arg),*) }
                }
            )*
        }
    };
}

/// Both sets, of a table with a row for each operation and a column for each set.
macro_rules! sets {
    ($($name:ident $args:tt -> $to:ident: $avx2:path, $avx512:path;)*) => {
        set! {
            /// Proof that the machine has AVX2 and FMA: 8 lanes, 16 registers.
            Avx2, 8 lanes: __m256, __m256i, __m128i, [u8; 8];
            features: ["avx2" "fma"];
            splat: _mm256_set1_ps, _mm256_set1_epi32;
            look_up: avx2::look_up;
            gather: avx2::gather;
            words: avx2::words;
            pick: avx2::pick;
            is_zero: avx2::is_zero;
            transpose: avx2::transpose;
            $($name $args -> $to: $avx2;)*
        }
        set! {
            /// Proof that the machine has AVX-512 F, BW, DQ, VL and VNNI: 16 lanes, 32 registers, and dot products of
            /// bytes and of 16-bit numbers.
            Avx512, 16 lanes: __m512, __m512i, __m256i, __m128i;
            features: ["avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vnni" "avx2" "fma"];
            splat: _mm512_set1_ps, _mm512_set1_epi32;
            look_up: avx512::look_up;
            gather: avx512::gather;
            words: avx512::words;
            pick: avx512::pick;
            is_zero: avx512::is_zero;
            transpose: avx2::transpose;
            $($name $args -> $to: $avx512;)*
        }
    };
}

sets! {
    mul_add(a: F32, b: F32, c: F32) -> F32: _mm256_fmadd_ps, _mm512_fmadd_ps;
    mul(a: F32, b: F32) -> F32: _mm256_mul_ps, _mm512_mul_ps;
    add(a: F32, b: F32) -> F32: _mm256_add_ps, _mm512_add_ps;
    sub(a: F32, b: F32) -> F32: _mm256_sub_ps, _mm512_sub_ps;
    div(a: F32, b: F32) -> F32: _mm256_div_ps, _mm512_div_ps;
    sqrt(a: F32) -> F32: _mm256_sqrt_ps, _mm512_sqrt_ps;
    abs(a: F32) -> F32: avx2::abs, _mm512_abs_ps;
    larger(a: F32, b: F32) -> F32: _mm256_max_ps, _mm512_max_ps;
    smaller(a: F32, b: F32) -> F32: _mm256_min_ps, _mm512_min_ps;
    where_nan(test: F32, then: F32, other: F32) -> F32: avx2::where_nan, avx512::where_nan;
    where_below(a: F32, b: F32, then: F32, other: F32) -> F32: avx2::where_below, avx512::where_below;
    nearest(a: F32) -> F32: _mm256_round_ps::<_MM_FROUND_NO_EXC>, _mm512_roundscale_ps::<_MM_FROUND_NO_EXC>;
    evens(a: F32, b: F32) -> F32: avx2::evens, avx512::evens;
    odds(a: F32, b: F32) -> F32: avx2::odds, avx512::odds;
    turns_low(a: F32, b: F32) -> F32: avx2::turns_low, avx512::turns_low;
    turns_high(a: F32, b: F32) -> F32: avx2::turns_high, avx512::turns_high;
    whole(a: F32) -> I32: _mm256_cvttps_epi32, _mm512_cvttps_epi32;

    add_i32(a: I32, b: I32) -> I32: _mm256_add_epi32, _mm512_add_epi32;
    sub_i32(a: I32, b: I32) -> I32: _mm256_sub_epi32, _mm512_sub_epi32;
    mul_i32(a: I32, b: I32) -> I32: _mm256_mullo_epi32, _mm512_mullo_epi32;
    or_i32(a: I32, b: I32) -> I32: _mm256_or_si256, _mm512_or_si512;
    and_i32(a: I32, b: I32) -> I32: _mm256_and_si256, _mm512_and_si512;
    up_by_8(a: I32) -> I32: _mm256_slli_epi32::<8>, _mm512_slli_epi32::<8>;
    up_by_16(a: I32) -> I32: _mm256_slli_epi32::<16>, _mm512_slli_epi32::<16>;
    down_i32(a: I32, bits: I32) -> I32: _mm256_srlv_epi32, _mm512_srlv_epi32;
    running_sum(a: I32) -> I32: avx2::running_sum, avx512::running_sum;
    last(a: I32) -> I32: avx2::last, avx512::last;
    running_sum_u16(a: I32) -> I32: avx2::running_sum_u16, avx512::running_sum_u16;
    last_u16(a: I32) -> I32: avx2::last_u16, avx512::last_u16;
    float(a: I32) -> F32: _mm256_cvtepi32_ps, _mm512_cvtepi32_ps;

    min_u8(a: I32, b: I32) -> I32: _mm256_min_epu8, _mm512_min_epu8;
    max_u8(a: I32, b: I32) -> I32: _mm256_max_epu8, _mm512_max_epu8;
    add_u8(a: I32, b: I32) -> I32: _mm256_adds_epu8, _mm512_adds_epu8;
    above_u8(a: I32, b: I32) -> I32: _mm256_subs_epu8, _mm512_subs_epu8;
    zeros_u8(a: I32) -> I32: avx2::zeros_u8, avx512::zeros_u8;
    high_u8(a: I32) -> I32: _mm256_srli_epi16::<8>, _mm512_srli_epi16::<8>;
    add_u16(a: I32, b: I32) -> I32: _mm256_adds_epu16, _mm512_adds_epu16;
    sub_u16(a: I32, b: I32) -> I32: _mm256_sub_epi16, _mm512_sub_epi16;
    above_u16(a: I32, b: I32) -> I32: _mm256_subs_epu16, _mm512_subs_epu16;
    zeros_u16(a: I32) -> I32: avx2::zeros_u16, avx512::zeros_u16;
    mul_u16(a: I32, b: I32) -> I32: _mm256_mullo_epi16, _mm512_mullo_epi16;
    min_u16(a: I32, b: I32) -> I32: _mm256_min_epu16, _mm512_min_epu16;
    max_u16(a: I32, b: I32) -> I32: _mm256_max_epu16, _mm512_max_epu16;
    min_i32(a: I32, b: I32) -> I32: _mm256_min_epi32, _mm512_min_epi32;
    max_i32(a: I32, b: I32) -> I32: _mm256_max_epi32, _mm512_max_epi32;

    sum_u16(a: I32, b: I32) -> I32: _mm256_add_epi16, _mm512_add_epi16;
    min_i16(a: I32, b: I32) -> I32: _mm256_min_epi16, _mm512_min_epi16;
    max_i16(a: I32, b: I32) -> I32: _mm256_max_epi16, _mm512_max_epi16;
    abs_i16(a: I32) -> I32: _mm256_abs_epi16, _mm512_abs_epi16;
    half_i16(a: I32) -> I32: _mm256_srai_epi16::<1>, _mm512_srai_epi16::<1>;
    where_above_i16(a: I32, b: I32, then: I32, other: I32) -> I32: avx2::where_above_i16, avx512::where_above_i16;
    abs_i32(a: I32) -> I32: _mm256_abs_epi32, _mm512_abs_epi32;
    where_above_i32(a: I32, b: I32, then: I32, other: I32) -> I32: avx2::where_above_i32, avx512::where_above_i32;
    signed_down_i32(a: I32, bits: I32) -> I32: _mm256_srav_epi32, _mm512_srav_epi32;
    pack_i16(a: I32, b: I32) -> I32: _mm256_packs_epi32, _mm512_packs_epi32;

    apart_u8(a: I32, b: I32) -> I32: _mm256_sad_epu8, _mm512_sad_epu8;
    permute(a: I32, b: I32, places: I32) -> I32: avx2::permute, avx512::permute;
    follow(a: I32, b: I32) -> I32: avx2::follow, avx512::follow;
    pair_i32(a: I32, b: I32) -> I32: avx2::pair_i32, avx512::pair_i32;
    dot_u8(sum: I32, bytes: I32, weights: I32) -> I32: avx2::dot_u8, _mm512_dpbusd_epi32;
    dot_i16(sum: I32, numbers: I32, weights: I32) -> I32: avx2::dot_i16, _mm512_dpwssd_epi32;
    pairs_u8(bytes: I32, weights: I32) -> I32: _mm256_maddubs_epi16, _mm512_maddubs_epi16;
    zip_low_u8(a: I32, b: I32) -> I32: _mm256_unpacklo_epi8, _mm512_unpacklo_epi8;
    zip_high_u8(a: I32, b: I32) -> I32: _mm256_unpackhi_epi8, _mm512_unpackhi_epi8;
    zip_low_u16(a: I32, b: I32) -> I32: _mm256_unpacklo_epi16, _mm512_unpacklo_epi16;
    zip_high_u16(a: I32, b: I32) -> I32: _mm256_unpackhi_epi16, _mm512_unpackhi_epi16;
    pack_u16(a: I32, b: I32) -> I32: _mm256_packus_epi32, _mm512_packus_epi32;
    clamped(a: I32, b: I32, c: I32, d: I32) -> I32: avx2::clamped, avx512::clamped;
    lanes_of_u8(bytes: U8) -> I32: avx2::lanes_of_u8, _mm512_cvtepu8_epi32;
    halves_of_u8(bytes: U16) -> I32: _mm256_cvtepu8_epi16, _mm512_cvtepu8_epi16;
    lanes_of_u16(numbers: U16) -> I32: _mm256_cvtepu16_epi32, _mm512_cvtepu16_epi32;
    to_u8(a: I32) -> U8: avx2::to_u8, _mm512_cvtepi32_epi8;
    bytes_of_u16(a: I32) -> U16: avx2::bytes_of_u16, _mm512_cvtepi16_epi8;
    to_u16(a: I32) -> U16: avx2::to_u16, _mm512_cvtepi32_epi16;
}

impl Avx512 {
    /// The same machine's shorter vectors.
    pub fn narrow(self) -> Avx2 {
        // What this set is made of has AVX2 and FMA.
        Avx2(())
    }
}
