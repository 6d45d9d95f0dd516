//! AVX2 and FMA: 8 lanes, 16 registers.

use std::arch::x86_64::*;

use super::{Simd, Work};

/// Proof that the machine has AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The proof, if it can be had.
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }
}

#[target_feature(enable = "avx2,fma")]
fn enter<W: Work>(simd: Avx2, work: W) {
    work.work(simd);
}

/// One intrinsic on values alone.
macro_rules! op {
    ($($name:ident($($arg:ident: $from:ident),*) -> $to:ident = $value:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: Self::$from),*) -> Self::$to {
            // SAFETY: a value of this type proves that the machine has the instructions.
            unsafe { $value }
        }
    )*};
}

impl Simd for Avx2 {
    const LANES: usize = 8;
    type F32 = __m256;
    type I32 = __m256i;

    fn run<W: Work>(self, work: W) {
        // SAFETY: a value of this type proves that the machine has the instructions.
        unsafe { enter(self, work) }
    }

    op! {
        mul_add(a: F32, b: F32, c: F32) -> F32 = _mm256_fmadd_ps(a, b, c);
        mul(a: F32, b: F32) -> F32 = _mm256_mul_ps(a, b);
        add(a: F32, b: F32) -> F32 = _mm256_add_ps(a, b);
        sqrt(a: F32) -> F32 = _mm256_sqrt_ps(a);
        abs(a: F32) -> F32 = _mm256_andnot_ps(_mm256_set1_ps(-0.0), a);
        // The instruction gives its second operand where one is NaN, so a NaN there is replaced.
        max(a: F32, b: F32) -> F32 = _mm256_blendv_ps(_mm256_max_ps(a, b), a, _mm256_cmp_ps::<_CMP_UNORD_Q>(b, b));
        quiet(a: F32) -> F32 =
            _mm256_blendv_ps(a, _mm256_set1_ps(f32::from_bits(0x7fc0_0000)), _mm256_cmp_ps::<_CMP_UNORD_Q>(a, a));
        // Where the operand is NaN the maximum is its second operand, 0; from there on cutting off is rounding down.
        round(a: F32, peak: F32) -> I32 = _mm256_cvttps_epi32(_mm256_min_ps(
            _mm256_max_ps(_mm256_add_ps(a, _mm256_set1_ps(0.5)), _mm256_setzero_ps()),
            peak,
        ));
        whole(a: F32) -> I32 = _mm256_cvttps_epi32(a);
        add_i32(a: I32, b: I32) -> I32 = _mm256_add_epi32(a, b);
        sub_i32(a: I32, b: I32) -> I32 = _mm256_sub_epi32(a, b);
        mul_i32(a: I32, b: I32) -> I32 = _mm256_mullo_epi32(a, b);
        last(a: I32) -> I32 = _mm256_permutevar8x32_epi32(a, _mm256_set1_epi32(7));
        float(a: I32) -> F32 = _mm256_cvtepi32_ps(a);
        min_u8(a: I32, b: I32) -> I32 = _mm256_min_epu8(a, b);
        max_u8(a: I32, b: I32) -> I32 = _mm256_max_epu8(a, b);
        min_u16(a: I32, b: I32) -> I32 = _mm256_min_epu16(a, b);
        max_u16(a: I32, b: I32) -> I32 = _mm256_max_epu16(a, b);
        min_i32(a: I32, b: I32) -> I32 = _mm256_min_epi32(a, b);
        max_i32(a: I32, b: I32) -> I32 = _mm256_max_epi32(a, b);
    }

    #[inline(always)]
    fn prefetch(self, bytes: &[u8]) {
        for line in bytes.chunks(64) {
            // SAFETY: as above, and asking for memory has no effect that could be seen.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
        }
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 256], from: &[u8], to: &mut [u8]) {
        let bytes = from.as_chunks::<32>().0;
        let whole = (32 * bytes.len()).min(to.len() / 32 * 32);
        let (places, last) = to.split_at_mut(whole);
        for (bytes, place) in bytes.iter().zip(places.as_chunks_mut::<32>().0) {
            // SAFETY: as above, and both arrays, and each piece of the table, hold what is read and written.
            unsafe {
                let at = _mm256_loadu_si256(bytes.as_ptr().cast());
                // Sixteen pieces of the table, and of each two the one that the next higher bit of the place says.
                let mut found = [at; 16];
                for (found, piece) in found.iter_mut().zip(table.as_chunks::<16>().0) {
                    let piece = _mm256_broadcastsi128_si256(_mm_loadu_si128(piece.as_ptr().cast()));
                    *found = _mm256_shuffle_epi8(piece, _mm256_and_si256(at, _mm256_set1_epi8(15)));
                }
                for half in [8, 4, 2, 1] {
                    // The bit that tells the first half from the second becomes the highest.
                    let bit = match half {
                        8 => at,
                        4 => _mm256_slli_epi16::<1>(at),
                        2 => _mm256_slli_epi16::<2>(at),
                        _ => _mm256_slli_epi16::<3>(at),
                    };
                    for i in 0..half {
                        found[i] = _mm256_blendv_epi8(found[i], found[i + half], bit);
                    }
                }
                _mm256_storeu_si256(place.as_mut_ptr().cast(), found[0]);
            }
        }
        last.iter_mut().zip(&from[whole..]).for_each(|(to, &from)| *to = table[usize::from(from)]);
    }

    #[inline(always)]
    fn splat(self, value: f32) -> __m256 {
        // SAFETY: a value of this type proves that the machine has the instructions.
        unsafe { _mm256_set1_ps(value) }
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> __m256 {
        let from = &from[..Self::LANES];
        // SAFETY: as above, and the slice holds 8 numbers.
        unsafe { _mm256_loadu_ps(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, value: __m256, to: &mut [f32]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: as above, and the slice holds 8 numbers.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), value) }
    }

    #[inline(always)]
    fn running_sum(self, a: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe {
            // Within each half first; then the upper half takes the last sum of the lower one.
            let a = _mm256_add_epi32(a, _mm256_slli_si256::<4>(a));
            let a = _mm256_add_epi32(a, _mm256_slli_si256::<8>(a));
            let lower = _mm256_shuffle_epi32::<0xff>(_mm256_permute2x128_si256::<0x08>(a, a));
            _mm256_add_epi32(a, lower)
        }
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> __m256i {
        // SAFETY: a value of this type proves that the machine has the instructions.
        unsafe { _mm256_set1_epi32(value) }
    }

    #[inline(always)]
    fn load_i32(self, from: &[i32]) -> __m256i {
        let from = &from[..Self::LANES];
        // SAFETY: as above, and the slice holds 8 numbers.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_i32(self, value: __m256i, to: &mut [i32]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: as above, and the slice holds 8 numbers.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value) }
    }

    #[inline(always)]
    fn dot_u8(self, sum: __m256i, from: &[u8], weights: __m256i) -> __m256i {
        let from = &from[..32];
        // SAFETY: as above, and the slice holds 32 bytes.
        unsafe {
            let bytes = _mm256_loadu_si256(from.as_ptr().cast());
            // Bytes and weights of even and of odd places as 16-bit numbers: their products and sums cannot saturate.
            let even = _mm256_madd_epi16(
                _mm256_and_si256(bytes, _mm256_set1_epi16(0xff)),
                _mm256_srai_epi16::<8>(_mm256_slli_epi16::<8>(weights)),
            );
            let odd = _mm256_madd_epi16(_mm256_srli_epi16::<8>(bytes), _mm256_srai_epi16::<8>(weights));
            _mm256_add_epi32(sum, _mm256_add_epi32(even, odd))
        }
    }

    #[inline(always)]
    fn dot_i16(self, sum: __m256i, from: &[i16], weights: __m256i) -> __m256i {
        let from = &from[..16];
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe {
            let numbers = _mm256_loadu_si256(from.as_ptr().cast());
            _mm256_add_epi32(sum, _mm256_madd_epi16(numbers, weights))
        }
    }

    #[inline(always)]
    fn weave_u8(self, values: [__m256i; 4], to: &mut [u8]) {
        let (to, [a, b, c, d]) = (&mut to[..32], values);
        // SAFETY: as above, and the slice holds 32 bytes.
        unsafe {
            let low = _mm256_or_si256(a, _mm256_slli_epi32::<8>(b));
            let high = _mm256_or_si256(c, _mm256_slli_epi32::<8>(d));
            let all = _mm256_or_si256(low, _mm256_slli_epi32::<16>(high));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), all);
        }
    }

    #[inline(always)]
    fn weave_clamped(self, values: [__m256i; 4], to: &mut [u8]) {
        let (to, [a, b, c, d]) = (&mut to[..32], values);
        // SAFETY: as above, and the slice holds 32 bytes.
        unsafe {
            // Packing gives four bytes of each of the four; the order of a byte's place and its vector is turned about.
            let all = _mm256_packus_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
            let order =
                _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm256_shuffle_epi8(all, order));
        }
    }

    #[inline(always)]
    fn weave_u16(self, values: [__m256i; 2], to: &mut [u16]) {
        let (to, [a, b]) = (&mut to[..16], values);
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm256_or_si256(a, _mm256_slli_epi32::<16>(b))) }
    }

    #[inline(always)]
    fn load_bytes(self, from: &[u8]) -> __m256i {
        let from = &from[..32];
        // SAFETY: as above, and the slice holds 32 bytes.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_bytes(self, value: __m256i, to: &mut [u8]) {
        let to = &mut to[..32];
        // SAFETY: as above, and the slice holds 32 bytes.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value) }
    }

    #[inline(always)]
    fn widen_u8(self, from: &[u8]) -> __m256i {
        let from = &from[..Self::LANES];
        // SAFETY: as above, and the slice holds 8 numbers.
        unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(from.as_ptr().cast())) }
    }

    #[inline(always)]
    fn widen_u16(self, from: &[u16]) -> __m256i {
        let from = &from[..Self::LANES];
        // SAFETY: as above, and the slice holds 8 numbers.
        unsafe { _mm256_cvtepu16_epi32(_mm_loadu_si128(from.as_ptr().cast())) }
    }

    #[inline(always)]
    fn narrow_u8(self, value: __m256i, to: &mut [u8]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: as above, and the slice holds 8 numbers.
        unsafe {
            let halves = _mm_packus_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256::<1>(value));
            _mm_storel_epi64(to.as_mut_ptr().cast(), _mm_packus_epi16(halves, halves));
        }
    }

    #[inline(always)]
    fn narrow_u16(self, value: __m256i, to: &mut [u16]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: as above, and the slice holds 8 numbers.
        unsafe {
            let halves = _mm_packus_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256::<1>(value));
            _mm_storeu_si128(to.as_mut_ptr().cast(), halves);
        }
    }
}
