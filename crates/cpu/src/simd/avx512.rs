//! AVX-512: what takes several instructions. The functions are safe to call where their instructions are switched on.

use std::arch::x86_64::*;

use super::avx2;

#[target_feature(enable = "avx512f")]
#[inline]
pub fn permute(a: __m512i, b: __m512i, places: __m512i) -> __m512i {
    _mm512_permutex2var_epi32(a, places, b)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn follow(a: __m512i, b: __m512i) -> __m512i {
    _mm512_alignr_epi32::<1>(b, a)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn pair_i32(a: __m512i, b: __m512i) -> __m512i {
    _mm512_or_si512(a, _mm512_slli_epi64::<32>(b))
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn where_nan(test: __m512, then: __m512, other: __m512) -> __m512 {
    _mm512_mask_mov_ps(other, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(test, test), then)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn where_below(a: __m512, b: __m512, then: __m512, other: __m512) -> __m512 {
    _mm512_mask_mov_ps(other, _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b), then)
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub fn where_above_i16(a: __m512i, b: __m512i, then: __m512i, other: __m512i) -> __m512i {
    _mm512_mask_mov_epi16(other, _mm512_cmpgt_epi16_mask(a, b), then)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn where_above_i32(a: __m512i, b: __m512i, then: __m512i, other: __m512i) -> __m512i {
    _mm512_mask_mov_epi32(other, _mm512_cmpgt_epi32_mask(a, b), then)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn evens(a: __m512, b: __m512) -> __m512 {
    let places = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    _mm512_permutex2var_ps(a, places, b)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn odds(a: __m512, b: __m512) -> __m512 {
    let places = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    _mm512_permutex2var_ps(a, places, b)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn turns_low(a: __m512, b: __m512) -> __m512 {
    let places = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    _mm512_permutex2var_ps(a, places, b)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn turns_high(a: __m512, b: __m512) -> __m512 {
    let places = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    _mm512_permutex2var_ps(a, places, b)
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub fn zeros_u8(a: __m512i) -> __m512i {
    _mm512_movm_epi8(_mm512_testn_epi8_mask(a, a))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub fn zeros_u16(a: __m512i) -> __m512i {
    _mm512_movm_epi16(_mm512_testn_epi16_mask(a, a))
}

/// By sums of 2, 4, 8 and 16 neighbours.
#[target_feature(enable = "avx512f")]
#[inline]
pub fn running_sum(a: __m512i) -> __m512i {
    let zero = _mm512_setzero_si512();
    let a = _mm512_add_epi32(a, _mm512_alignr_epi32::<15>(a, zero));
    let a = _mm512_add_epi32(a, _mm512_alignr_epi32::<14>(a, zero));
    let a = _mm512_add_epi32(a, _mm512_alignr_epi32::<12>(a, zero));
    _mm512_add_epi32(a, _mm512_alignr_epi32::<8>(a, zero))
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn last(a: __m512i) -> __m512i {
    _mm512_permutexvar_epi32(_mm512_set1_epi32(15), a)
}

/// By sums of pairs, and running sums of those, which the second of each pair holds.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub fn running_sum_u16(a: __m512i) -> __m512i {
    let zero = _mm512_setzero_si512();
    let a = _mm512_add_epi16(a, _mm512_slli_epi32::<16>(a));
    let second = _mm_setr_epi8(2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15);
    let pairs = _mm512_shuffle_epi8(a, _mm512_broadcast_i32x4(second));
    let before = _mm512_alignr_epi32::<15>(pairs, zero);
    let sums = _mm512_add_epi16(before, _mm512_alignr_epi32::<15>(before, zero));
    let sums = _mm512_add_epi16(sums, _mm512_alignr_epi32::<14>(sums, zero));
    let sums = _mm512_add_epi16(sums, _mm512_alignr_epi32::<12>(sums, zero));
    _mm512_add_epi16(a, _mm512_add_epi16(sums, _mm512_alignr_epi32::<8>(sums, zero)))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub fn last_u16(a: __m512i) -> __m512i {
    _mm512_permutexvar_epi16(_mm512_set1_epi16(31), a)
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub fn clamped(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> __m512i {
    // Packing gives four bytes of each of the four; the order of a byte's place and its vector is turned about.
    let all = _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
    let order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_shuffle_epi8(all, _mm512_broadcast_i32x4(order))
}

/// By VBMI, which some machines that have the rest lack.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub fn look_up(table: &[u8; 256], from: &[u8], to: &mut [u8]) {
    if is_x86_feature_detected!("avx512vbmi") {
        // SAFETY: the machine has VBMI, and this function is only entered where it has the others.
        return unsafe { look_up_at_once(table, from, to) };
    }
    to.iter_mut().zip(from).for_each(|(to, &from)| *to = table[usize::from(from)]);
}

/// 64 bytes at once: each half of the table is two registers of which one instruction looks up.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn look_up_at_once(table: &[u8; 256], from: &[u8], to: &mut [u8]) {
    let [a, b, c, d]: [__m512i; 4] = bytemuck::pod_read_unaligned(table);
    let (bytes, rest) = from.as_chunks::<64>();
    let (places, last) = to.as_chunks_mut::<64>();
    for (bytes, place) in bytes.iter().zip(places) {
        let at = bytemuck::pod_read_unaligned(bytes);
        // The instruction does not look at the highest bit, which tells the halves apart.
        let (low, high) = (_mm512_permutex2var_epi8(a, at, b), _mm512_permutex2var_epi8(c, at, d));
        *place = bytemuck::cast(_mm512_mask_mov_epi8(low, _mm512_movepi8_mask(at), high));
    }
    last.iter_mut().zip(rest).for_each(|(to, &from)| *to = table[usize::from(from)]);
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn words(bytes: &[u8], places: __m512i) -> __m512i {
    let Some(last) = bytes.len().checked_sub(4) else { return _mm512_setzero_si512() };
    let last = i32::try_from(last).unwrap_or(i32::MAX);
    let places = _mm512_min_epu32(places, _mm512_set1_epi32(last));
    // SAFETY: four bytes from every place on are among these, and the function's instructions are switched on.
    unsafe { _mm512_i32gather_epi32::<1>(places, bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn gather(table: &[f32], places: __m512i) -> __m512 {
    let Some(last) = table.len().checked_sub(1) else { return _mm512_setzero_ps() };
    let last = i32::try_from(last).unwrap_or(i32::MAX);
    let places = _mm512_min_epu32(places, _mm512_set1_epi32(last));
    // SAFETY: every place is one of the table's, and the function's instructions are switched on.
    unsafe { _mm512_i32gather_ps::<4>(places, table.as_ptr()) }
}

#[target_feature(enable = "avx512f,avx512dq,avx2")]
#[inline]
pub fn pick(table: &[f32; 1 << 16], places: &[u16; 16]) -> __m512 {
    let [low, high]: &[[u16; 8]; 2] = bytemuck::cast_ref(places);
    _mm512_insertf32x8::<1>(_mm512_castps256_ps512(avx2::pick(table, low)), avx2::pick(table, high))
}

#[target_feature(enable = "avx512f")]
#[inline]
pub fn is_zero(a: __m512i) -> bool {
    _mm512_test_epi32_mask(a, a) == 0
}
