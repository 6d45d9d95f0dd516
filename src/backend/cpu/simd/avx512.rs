//! AVX-512: 16 lanes, 32 registers, and dot products of bytes and 16-bit numbers (VNNI).

use std::arch::x86_64::*;

use super::{Simd, Work};

/// Proof that the machine has AVX-512 F, BW, DQ, VL and VNNI.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The proof, if it can be had.
    pub fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma");
        found.then_some(Self(()))
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")]
fn enter<W: Work>(simd: Avx512, work: W) {
    work.work(simd);
}

/// [`Simd::look_up`], 64 bytes at once: each half of the table is four registers of which one instruction looks up.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn look_up(table: &[u8; 256], from: &[u8], to: &mut [u8]) {
    let mut quarters = [_mm512_setzero_si512(); 4];
    for (quarter, bytes) in quarters.iter_mut().zip(table.as_chunks::<64>().0) {
        // SAFETY: the array holds 64 bytes.
        *quarter = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
    }
    let [a, b, c, d] = quarters;
    let (bytes, rest) = from.as_chunks::<64>();
    let (places, last) = to.as_chunks_mut::<64>();
    for (bytes, place) in bytes.iter().zip(places) {
        // SAFETY: both arrays hold 64 bytes.
        unsafe {
            let at = _mm512_loadu_si512(bytes.as_ptr().cast());
            // The instruction does not look at the highest bit, which tells the halves apart.
            let (low, high) = (_mm512_permutex2var_epi8(a, at, b), _mm512_permutex2var_epi8(c, at, d));
            let all = _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(at), high);
            _mm512_storeu_si512(place.as_mut_ptr().cast(), all);
        }
    }
    last.iter_mut().zip(rest).for_each(|(to, &from)| *to = table[usize::from(from)]);
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

impl Simd for Avx512 {
    const LANES: usize = 16;
    type F32 = __m512;
    type I32 = __m512i;

    fn run<W: Work>(self, work: W) {
        // SAFETY: a value of this type proves that the machine has the instructions.
        unsafe { enter(self, work) }
    }

    op! {
        mul_add(a: F32, b: F32, c: F32) -> F32 = _mm512_fmadd_ps(a, b, c);
        mul(a: F32, b: F32) -> F32 = _mm512_mul_ps(a, b);
        add(a: F32, b: F32) -> F32 = _mm512_add_ps(a, b);
        sqrt(a: F32) -> F32 = _mm512_sqrt_ps(a);
        abs(a: F32) -> F32 = _mm512_abs_ps(a);
        // The instruction gives its second operand where one is NaN, so a NaN there is replaced.
        max(a: F32, b: F32) -> F32 = _mm512_mask_mov_ps(_mm512_max_ps(a, b), _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(b, b), a);
        quiet(a: F32) -> F32 =
            _mm512_mask_mov_ps(a, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(a, a), _mm512_set1_ps(f32::from_bits(0x7fc0_0000)));
        // Where the operand is NaN the maximum is its second operand, 0; from there on cutting off is rounding down.
        round(a: F32, peak: F32) -> I32 = _mm512_cvttps_epi32(_mm512_min_ps(
            _mm512_max_ps(_mm512_add_ps(a, _mm512_set1_ps(0.5)), _mm512_setzero_ps()),
            peak,
        ));
        whole(a: F32) -> I32 = _mm512_cvttps_epi32(a);
        add_i32(a: I32, b: I32) -> I32 = _mm512_add_epi32(a, b);
        sub_i32(a: I32, b: I32) -> I32 = _mm512_sub_epi32(a, b);
        mul_i32(a: I32, b: I32) -> I32 = _mm512_mullo_epi32(a, b);
        last(a: I32) -> I32 = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), a);
        float(a: I32) -> F32 = _mm512_cvtepi32_ps(a);
        min_u8(a: I32, b: I32) -> I32 = _mm512_min_epu8(a, b);
        max_u8(a: I32, b: I32) -> I32 = _mm512_max_epu8(a, b);
        min_u16(a: I32, b: I32) -> I32 = _mm512_min_epu16(a, b);
        max_u16(a: I32, b: I32) -> I32 = _mm512_max_epu16(a, b);
        min_i32(a: I32, b: I32) -> I32 = _mm512_min_epi32(a, b);
        max_i32(a: I32, b: I32) -> I32 = _mm512_max_epi32(a, b);
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
        // Some machines that have the rest lack it.
        if is_x86_feature_detected!("avx512vbmi") {
            let count = from.len().min(to.len());
            // SAFETY: the machine has VBMI, and a value of this type proves that it has the others.
            return unsafe { look_up(table, &from[..count], &mut to[..count]) };
        }
        to.iter_mut().zip(from).for_each(|(to, &from)| *to = table[usize::from(from)]);
    }

    #[inline(always)]
    fn splat(self, value: f32) -> __m512 {
        // SAFETY: a value of this type proves that the machine has the instructions.
        unsafe { _mm512_set1_ps(value) }
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> __m512 {
        let from = &from[..Self::LANES];
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe { _mm512_loadu_ps(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, value: __m512, to: &mut [f32]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), value) }
    }

    #[inline(always)]
    fn running_sum(self, a: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe {
            let zero = _mm512_setzero_si512();
            let a = _mm512_add_epi32(a, _mm512_alignr_epi32::<15>(a, zero));
            let a = _mm512_add_epi32(a, _mm512_alignr_epi32::<14>(a, zero));
            let a = _mm512_add_epi32(a, _mm512_alignr_epi32::<12>(a, zero));
            _mm512_add_epi32(a, _mm512_alignr_epi32::<8>(a, zero))
        }
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> __m512i {
        // SAFETY: a value of this type proves that the machine has the instructions.
        unsafe { _mm512_set1_epi32(value) }
    }

    #[inline(always)]
    fn load_i32(self, from: &[i32]) -> __m512i {
        let from = &from[..Self::LANES];
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe { _mm512_loadu_epi32(from.as_ptr()) }
    }

    #[inline(always)]
    fn store_i32(self, value: __m512i, to: &mut [i32]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe { _mm512_storeu_epi32(to.as_mut_ptr(), value) }
    }

    #[inline(always)]
    fn dot_u8(self, sum: __m512i, from: &[u8], weights: __m512i) -> __m512i {
        let from = &from[..64];
        // SAFETY: as above, and the slice holds 64 bytes.
        unsafe { _mm512_dpbusd_epi32(sum, _mm512_loadu_si512(from.as_ptr().cast()), weights) }
    }

    #[inline(always)]
    fn dot_i16(self, sum: __m512i, from: &[i16], weights: __m512i) -> __m512i {
        let from = &from[..32];
        // SAFETY: as above, and the slice holds 32 numbers.
        unsafe { _mm512_dpwssd_epi32(sum, _mm512_loadu_si512(from.as_ptr().cast()), weights) }
    }

    #[inline(always)]
    fn weave_u8(self, values: [__m512i; 4], to: &mut [u8]) {
        let (to, [a, b, c, d]) = (&mut to[..64], values);
        // SAFETY: as above, and the slice holds 64 bytes.
        unsafe {
            let low = _mm512_or_si512(a, _mm512_slli_epi32::<8>(b));
            let high = _mm512_or_si512(c, _mm512_slli_epi32::<8>(d));
            let all = _mm512_or_si512(low, _mm512_slli_epi32::<16>(high));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), all);
        }
    }

    #[inline(always)]
    fn weave_clamped(self, values: [__m512i; 4], to: &mut [u8]) {
        let (to, [a, b, c, d]) = (&mut to[..64], values);
        // SAFETY: as above, and the slice holds 64 bytes.
        unsafe {
            // Packing gives four bytes of each of the four; the order of a byte's place and its vector is turned about.
            let all = _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
            let order = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), _mm512_shuffle_epi8(all, order));
        }
    }

    #[inline(always)]
    fn weave_u16(self, values: [__m512i; 2], to: &mut [u16]) {
        let (to, [a, b]) = (&mut to[..32], values);
        // SAFETY: as above, and the slice holds 32 numbers.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), _mm512_or_si512(a, _mm512_slli_epi32::<16>(b))) }
    }

    #[inline(always)]
    fn load_bytes(self, from: &[u8]) -> __m512i {
        let from = &from[..64];
        // SAFETY: as above, and the slice holds 64 bytes.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_bytes(self, value: __m512i, to: &mut [u8]) {
        let to = &mut to[..64];
        // SAFETY: as above, and the slice holds 64 bytes.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value) }
    }

    #[inline(always)]
    fn widen_u8(self, from: &[u8]) -> __m512i {
        let from = &from[..Self::LANES];
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(from.as_ptr().cast())) }
    }

    #[inline(always)]
    fn widen_u16(self, from: &[u16]) -> __m512i {
        let from = &from[..Self::LANES];
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe { _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.as_ptr().cast())) }
    }

    #[inline(always)]
    fn narrow_u8(self, value: __m512i, to: &mut [u8]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(value)) }
    }

    #[inline(always)]
    fn narrow_u16(self, value: __m512i, to: &mut [u16]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: as above, and the slice holds 16 numbers.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm512_cvtepi32_epi16(value)) }
    }
}
