//! Rows of numbers on their way between colour spaces.

use super::super::simd::{Sample, Simd};
use super::super::tail::Tail;
use crate::pass::Weights3;

/// Whole numbers of a row: less the middle, at most the peak.
#[inline(always)]
pub fn number<T: Sample>(sample: T, peak: i32, middle: i32) -> i32 {
    sample.integer().min(peak) - middle
}

/// Each sum of chroma for all columns of its block.
#[inline(always)]
pub fn spread_sums(sums: &[i32], across: u8, to: &mut [i32]) {
    if across == 0 {
        to.copy_from_slice(sums);
        return;
    }
    for (to, sum) in to.chunks_exact_mut(2).zip(sums) {
        to[0] = *sum;
        to[1] = *sum;
    }
}

/// Each sample of chroma for all columns of its block, less the middle.
#[inline(always)]
pub fn spread<T: Sample>(row: &[T], (peak, middle): (i32, i32), across: u8, to: &mut [i16]) {
    if across == 0 {
        for (to, sample) in to.iter_mut().zip(row) {
            *to = number(*sample, peak, middle) as i16;
        }
        return;
    }
    for (to, sample) in to.chunks_exact_mut(2).zip(row) {
        to.fill(number(*sample, peak, middle) as i16);
    }
}

/// A row of 16-bit numbers through a table. A function of its own, compiled for no set of vectors: with one, compilers take places
/// out of vectors and put results into them one by one, which takes three times as long.
#[inline(never)]
pub fn look_up(curve: &[i16; 1 << 16], row: &mut [i16]) {
    for colour in row {
        *colour = curve[usize::from(*colour as u16)];
    }
}

/// The part of chroma in sums of weights, with what is added.
#[inline(always)]
pub fn chroma_sums<T: Sample>(
    [u, v]: [&[T]; 2],
    (peak, middle): (i32, i32),
    weights: [i32; 2],
    added: i32,
    sums: &mut [i32],
) {
    let [from_u, from_v] = weights;
    for (sum, (u, v)) in sums.iter_mut().zip(u.iter().zip(v)) {
        *sum = from_u * number(*u, peak, middle) + from_v * number(*v, peak, middle) + added;
    }
}

/// Two weights, for pairs of 16-bit numbers.
#[inline(always)]
fn pair<S: Simd>(simd: S, [first, second]: [i16; 2]) -> S::I32 {
    simd.splat_i32(i32::from(first) & 0xffff | i32::from(second) << 16)
}

/// Weights of four 16-bit numbers, and the rounding, shift and limits of their sum.
struct ColourSum<S: Simd> {
    weights: [S::I32; 2],
    added: S::I32,
    places: S::I32,
    base: S::I32,
}

impl<S: Simd> ColourSum<S> {
    /// `⌊(added + weights · numbers) / 2^places⌋ + base`, the last weight that of a 1.
    #[inline(always)]
    fn new(simd: S, [a, b, c, one]: [i16; 4], added: i32, places: u32, base: i32) -> Self {
        let weights = [pair(simd, [a, b]), pair(simd, [c, one])];
        let (added, places, base) = (simd.splat_i32(added), simd.splat_i32(places as i32), simd.splat_i32(base));
        Self { weights, added, places, base }
    }

    /// Of vectors of numbers, cut to 16 bits.
    #[inline(always)]
    fn of(&self, simd: S, [a, b, c]: [S::I32; 3]) -> S::I32 {
        let one = simd.splat_i32(0x1_0001);
        let low = simd.dot_i16(self.added, simd.zip_low_u16(a, b), self.weights[0]);
        let low = simd.dot_i16(low, simd.zip_low_u16(c, one), self.weights[1]);
        let high = simd.dot_i16(self.added, simd.zip_high_u16(a, b), self.weights[0]);
        let high = simd.dot_i16(high, simd.zip_high_u16(c, one), self.weights[1]);
        let low = simd.add_i32(simd.signed_down_i32(low, self.places), self.base);
        let high = simd.add_i32(simd.signed_down_i32(high, self.places), self.base);
        simd.pack_i16(low, high)
    }
}

/// Three rows of 16-bit numbers as three others: `⌊(w · c + 2^(places − 1)) / 2^places⌋`, cut to 16 bits. They have room behind `width`.
#[inline(always)]
pub fn turned<S: Simd>(simd: S, weights: &Weights3, places: u32, from: [&[i16]; 3], to: &mut [i16], width: usize) {
    let [r, g, b] = from;
    let half = 1 << (places - 1);
    let row = |n: usize| [weights[n][0], weights[n][1], weights[n][2], half];
    let stride = to.len() / 3;
    let sums = [
        ColourSum::new(simd, row(0), 0, places, 0),
        ColourSum::new(simd, row(1), 0, places, 0),
        ColourSum::new(simd, row(2), 0, places, 0),
    ];
    for x in (0..width).step_by(2 * S::LANES) {
        let numbers = [simd.load_integers(&r[x..]), simd.load_integers(&g[x..]), simd.load_integers(&b[x..])];
        for (n, sum) in sums.iter().enumerate() {
            simd.store_integers(sum.of(simd, numbers), &mut to[n * stride + x..]);
        }
    }
}

/// A row of samples: sums of three rows of colours, which have room behind it.
#[inline(always)]
pub fn sums_of<S: Simd, U: Sample>(
    simd: S,
    [r, g, b]: [&[i16]; 3],
    [wr, wg, wb]: [i16; 3],
    (base, places, peak): (i32, u32, i32),
    to: &mut [U],
) {
    let sum = ColourSum::new(simd, [wr, wg, wb, 0], 1 << (places - 1), places, base);
    let (zero, peak) = (simd.splat_i32(0), simd.splat_u16(peak as u16));
    let whole = to.len() - to.len() % (2 * S::LANES);
    for x in (0..whole).step_by(2 * S::LANES) {
        let numbers = [simd.load_integers(&r[x..]), simd.load_integers(&g[x..]), simd.load_integers(&b[x..])];
        U::put_short(simd, simd.min_i16(simd.max_i16(sum.of(simd, numbers), zero), peak), &mut to[x..]);
    }
    if whole < to.len() {
        let numbers =
            [simd.load_integers(&r[whole..]), simd.load_integers(&g[whole..]), simd.load_integers(&b[whole..])];
        let mut last = Tail::<U>::new();
        U::put_short(simd, simd.min_i16(simd.max_i16(sum.of(simd, numbers), zero), peak), &mut last.0);
        last.put(&mut to[whole..]);
    }
}

/// Means of blocks of two rows of colours, which may be the same.
#[inline(always)]
pub fn means([above, below]: [&[i16]; 2], (across, down): (u8, u8), to: &mut [i16]) {
    match (across, down) {
        (0, _) => to.copy_from_slice(&above[..to.len()]),
        (_, 0) => {
            for (to, row) in to.iter_mut().zip(above.chunks_exact(2)) {
                *to = ((i32::from(row[0]) + i32::from(row[1]) + 1) >> 1) as i16;
            }
        }
        _ => {
            for (to, (above, below)) in to.iter_mut().zip(above.chunks_exact(2).zip(below.chunks_exact(2))) {
                let sum = i32::from(above[0]) + i32::from(above[1]) + i32::from(below[0]) + i32::from(below[1]);
                *to = ((sum + 2) >> 2) as i16;
            }
        }
    }
}
