//! AVX2: what takes several instructions. The functions are safe to call where AVX2 is switched on.

use std::arch::x86_64::*;

#[target_feature(enable = "avx2")]
#[inline]
pub fn permute(a: __m256i, b: __m256i, places: __m256i) -> __m256i {
    // The bit that tells the vectors apart becomes the sign.
    let is_second = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(places));
    let (a, b) = (_mm256_permutevar8x32_epi32(a, places), _mm256_permutevar8x32_epi32(b, places));
    _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), is_second))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn follow(a: __m256i, b: __m256i) -> __m256i {
    // Of each half, what comes behind it.
    _mm256_alignr_epi8::<4>(_mm256_permute2x128_si256::<0x21>(a, b), a)
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn pair_i32(a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(a, _mm256_slli_epi64::<32>(b))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn abs(a: __m256) -> __m256 {
    _mm256_andnot_ps(_mm256_set1_ps(-0.0), a)
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn where_nan(test: __m256, then: __m256, other: __m256) -> __m256 {
    _mm256_blendv_ps(other, then, _mm256_cmp_ps::<_CMP_UNORD_Q>(test, test))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn where_below(a: __m256, b: __m256, then: __m256, other: __m256) -> __m256 {
    _mm256_blendv_ps(other, then, _mm256_cmp_ps::<_CMP_LT_OQ>(a, b))
}

/// Of each half of both; then quarters in order.
#[target_feature(enable = "avx2")]
#[inline]
pub fn evens(a: __m256, b: __m256) -> __m256 {
    let mixed = _mm256_castps_pd(_mm256_shuffle_ps::<0x88>(a, b));
    _mm256_castpd_ps(_mm256_permute4x64_pd::<0xd8>(mixed))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn odds(a: __m256, b: __m256) -> __m256 {
    let mixed = _mm256_castps_pd(_mm256_shuffle_ps::<0xdd>(a, b));
    _mm256_castpd_ps(_mm256_permute4x64_pd::<0xd8>(mixed))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn turns_low(a: __m256, b: __m256) -> __m256 {
    _mm256_permute2f128_ps::<0x20>(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn turns_high(a: __m256, b: __m256) -> __m256 {
    _mm256_permute2f128_ps::<0x31>(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn zeros_u8(a: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(a, _mm256_setzero_si256())
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn zeros_u16(a: __m256i) -> __m256i {
    _mm256_cmpeq_epi16(a, _mm256_setzero_si256())
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn running_sum(a: __m256i) -> __m256i {
    // Within each half first; then the upper half takes the last sum of the lower one.
    let a = _mm256_add_epi32(a, _mm256_slli_si256::<4>(a));
    let a = _mm256_add_epi32(a, _mm256_slli_si256::<8>(a));
    let lower = _mm256_shuffle_epi32::<0xff>(_mm256_permute2x128_si256::<0x08>(a, a));
    _mm256_add_epi32(a, lower)
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn last(a: __m256i) -> __m256i {
    _mm256_permutevar8x32_epi32(a, _mm256_set1_epi32(7))
}

/// The last of each eight 16-bit numbers in all of them.
#[target_feature(enable = "avx2")]
#[inline]
fn last_of_eight(a: __m256i) -> __m256i {
    _mm256_shuffle_epi8(a, _mm256_set1_epi16(0x0f0e))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn running_sum_u16(a: __m256i) -> __m256i {
    let a = _mm256_add_epi16(a, _mm256_slli_si256::<2>(a));
    let a = _mm256_add_epi16(a, _mm256_slli_si256::<4>(a));
    let a = _mm256_add_epi16(a, _mm256_slli_si256::<8>(a));
    _mm256_add_epi16(a, last_of_eight(_mm256_permute2x128_si256::<0x08>(a, a)))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn last_u16(a: __m256i) -> __m256i {
    last_of_eight(_mm256_permute2x128_si256::<0x11>(a, a))
}

/// By bytes and weights of even and of odd places as 16-bit numbers: their products and sums cannot saturate.
#[target_feature(enable = "avx2")]
#[inline]
pub fn dot_u8(sum: __m256i, bytes: __m256i, weights: __m256i) -> __m256i {
    let even = _mm256_madd_epi16(
        _mm256_and_si256(bytes, _mm256_set1_epi16(0xff)),
        _mm256_srai_epi16::<8>(_mm256_slli_epi16::<8>(weights)),
    );
    let odd = _mm256_madd_epi16(_mm256_srli_epi16::<8>(bytes), _mm256_srai_epi16::<8>(weights));
    _mm256_add_epi32(sum, _mm256_add_epi32(even, odd))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn dot_i16(sum: __m256i, numbers: __m256i, weights: __m256i) -> __m256i {
    _mm256_add_epi32(sum, _mm256_madd_epi16(numbers, weights))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn clamped(a: __m256i, b: __m256i, c: __m256i, d: __m256i) -> __m256i {
    // Packing gives four bytes of each of the four; the order of a byte's place and its vector is turned about.
    let all = _mm256_packus_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    let order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm256_shuffle_epi8(all, _mm256_broadcastsi128_si256(order))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn lanes_of_u8(bytes: [u8; 8]) -> __m256i {
    _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(i64::from_le_bytes(bytes)))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn to_u8(a: __m256i) -> [u8; 8] {
    let halves = to_u16(a);
    _mm_cvtsi128_si64(_mm_packus_epi16(halves, halves)).to_le_bytes()
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn bytes_of_u16(a: __m256i) -> __m128i {
    _mm_packus_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn where_above_i16(a: __m256i, b: __m256i, then: __m256i, other: __m256i) -> __m256i {
    _mm256_blendv_epi8(other, then, _mm256_cmpgt_epi16(a, b))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn where_above_i32(a: __m256i, b: __m256i, then: __m256i, other: __m256i) -> __m256i {
    _mm256_blendv_epi8(other, then, _mm256_cmpgt_epi32(a, b))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn to_u16(a: __m256i) -> __m128i {
    _mm_packus_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a))
}

/// Sixteen pieces of the table, and of each two the one that the next higher bit of the place says.
#[target_feature(enable = "avx2")]
#[inline]
pub fn look_up(table: &[u8; 256], from: &[u8], to: &mut [u8]) {
    let (bytes, rest) = from.as_chunks::<32>();
    let (places, last) = to.as_chunks_mut::<32>();
    for (bytes, place) in bytes.iter().zip(places) {
        let at: __m256i = bytemuck::pod_read_unaligned(bytes);
        // Of a place the instruction looks at the lowest four bits, and at the highest, which must not be set.
        let low = _mm256_and_si256(at, _mm256_set1_epi8(127));
        let mut found = [at; 16];
        for (found, piece) in found.iter_mut().zip(table.as_chunks::<16>().0) {
            let piece = _mm256_broadcastsi128_si256(bytemuck::pod_read_unaligned(piece));
            *found = _mm256_shuffle_epi8(piece, low);
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
        *place = bytemuck::cast(found[0]);
    }
    last.iter_mut().zip(rest).for_each(|(to, &from)| *to = table[usize::from(from)]);
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn words(bytes: &[u8], places: __m256i) -> __m256i {
    let Some(last) = bytes.len().checked_sub(4) else { return _mm256_setzero_si256() };
    let last = i32::try_from(last).unwrap_or(i32::MAX);
    let places = _mm256_min_epu32(places, _mm256_set1_epi32(last));
    // SAFETY: four bytes from every place on are among these, and the function's instructions are switched on.
    unsafe { _mm256_i32gather_epi32::<1>(bytes.as_ptr().cast(), places) }
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn gather(table: &[f32], places: __m256i) -> __m256 {
    let Some(last) = table.len().checked_sub(1) else { return _mm256_setzero_ps() };
    let last = i32::try_from(last).unwrap_or(i32::MAX);
    let places = _mm256_min_epu32(places, _mm256_set1_epi32(last));
    // SAFETY: every place is one of the table's, and the function's instructions are switched on.
    unsafe { _mm256_i32gather_ps::<4>(table.as_ptr(), places) }
}

/// One after the other: on a Zen 4 that takes half the time of a gather. Places come from memory four at a time.
#[target_feature(enable = "avx2")]
#[inline]
pub fn pick(table: &[f32; 1 << 16], places: &[u16; 8]) -> __m256 {
    let [low, high]: [u64; 2] = bytemuck::cast(*places);
    _mm256_set_m128(pick_four(table, high), pick_four(table, low))
}

#[target_feature(enable = "avx2")]
#[inline]
fn pick_four(table: &[f32; 1 << 16], places: u64) -> __m128 {
    let [a, b, c, d] = [places as u16, (places >> 16) as u16, (places >> 32) as u16, (places >> 48) as u16];
    _mm_setr_ps(table[usize::from(a)], table[usize::from(b)], table[usize::from(c)], table[usize::from(d)])
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn is_zero(a: __m256i) -> bool {
    _mm256_testz_si256(a, a) != 0
}

/// Pairs of rows, then pairs of those, then halves.
#[target_feature(enable = "avx2")]
#[inline]
pub fn transpose(from: &[i32], from_stride: usize, to: &mut [i32], to_stride: usize) {
    let row = |i: usize| bytemuck::pod_read_unaligned(bytemuck::cast_slice(&from[i * from_stride..][..8]));
    let pairs = |i: usize| {
        let (a, b): (__m256i, __m256i) = (row(2 * i), row(2 * i + 1));
        [_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)]
    };
    let fours = |[a, b]: [__m256i; 2], [c, d]: [__m256i; 2]| {
        let (low, high) = (_mm256_unpacklo_epi64, _mm256_unpackhi_epi64);
        [low(a, c), high(a, c), low(b, d), high(b, d)]
    };
    let (upper, lower) = (fours(pairs(0), pairs(1)), fours(pairs(2), pairs(3)));
    for i in 0..4 {
        let first = _mm256_permute2x128_si256::<0x20>(upper[i], lower[i]);
        let second = _mm256_permute2x128_si256::<0x31>(upper[i], lower[i]);
        to[i * to_stride..][..8].copy_from_slice(&bytemuck::cast::<_, [i32; 8]>(first));
        to[(i + 4) * to_stride..][..8].copy_from_slice(&bytemuck::cast::<_, [i32; 8]>(second));
    }
}
