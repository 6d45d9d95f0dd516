//! Where the samples of a row lie in the source.

use super::super::simd::Simd;

/// Columns whose places are found at once.
pub(super) const CHUNK: usize = 64;

/// Farther than any frame reaches.
const FAR: i64 = 1 << 24;

/// Places of some samples of a row: columns and rows, and parts of the next ones in 1/65536. Vectors of them do not lie across the
/// cache's lines.
#[derive(Debug, PartialEq)]
#[repr(align(64))]
pub(super) struct WarpPlaces {
    pub(super) columns: [i32; CHUNK],
    pub(super) rows: [i32; CHUNK],
    pub(super) parts: [[u32; CHUNK]; 2],
    /// True if columns do not both rise and fall, and rows neither.
    pub(super) is_monotonic: bool,
}

impl WarpPlaces {
    pub(super) const NONE: Self =
        Self { columns: [0; CHUNK], rows: [0; CHUNK], parts: [[0; CHUNK]; 2], is_monotonic: true };

    /// Takes columns or rows from places along a line, in 1/65536 of a sample, from `start` on; those outside of all frames are as far
    /// as the farthest.
    #[inline(always)]
    pub(super) fn set(&mut self, axis: usize, start: i64, step: i64) {
        let (whole, part) = (if axis == 0 { &mut self.columns } else { &mut self.rows }, &mut self.parts[axis]);
        let (first, rest) = (start >> 16, (start & 65535) as i32);
        // By numbers of 32 bits, which all frames' places are.
        if first.abs() < FAR / 2 && step.abs() < FAR {
            let (first, step) = (first as i32, step as i32);
            for k in 0..CHUNK {
                let place = rest + k as i32 * step;
                (whole[k], part[k]) = (first + (place >> 16), (place & 65535) as u32);
            }
            return;
        }
        for k in 0..CHUNK {
            let place = start + k as i64 * step;
            whole[k] = (place >> 16).clamp(-FAR, FAR) as i32;
            part[k] = (place & 65535) as u32;
        }
    }

    /// Takes place `k` from whole numbers of 1/256 of a pixel, where a plane has fewer columns and rows than the picture by powers of
    /// two.
    #[inline(always)]
    pub(super) fn put(&mut self, k: usize, [across, down]: [i32; 2], finer: [u8; 2]) {
        let (x, y) = (across >> finer[0], down >> finer[1]);
        (self.columns[k], self.rows[k]) = (x >> 8, y >> 8);
        (self.parts[0][k], self.parts[1][k]) = (((x & 255) as u32) << 8, ((y & 255) as u32) << 8);
    }

    /// The first and the last column, and row.
    #[inline(always)]
    pub(super) fn ends<S: Simd>(&self, simd: S) -> [[i32; 2]; 2] {
        if self.is_monotonic {
            return [Self::between(&self.columns), Self::between(&self.rows)];
        }
        [ends(simd, &self.columns), ends(simd, &self.rows)]
    }

    /// The least and the largest of places that do not both rise and fall.
    #[inline(always)]
    pub(super) fn between(places: &[i32]) -> [i32; 2] {
        let (first, last) = (places[0], places[places.len() - 1]);
        [first.min(last), first.max(last)]
    }
}

/// The least and the largest, by vectors: left to the compiler it becomes a chain of branches.
#[inline(always)]
fn ends<S: Simd>(simd: S, places: &[i32; CHUNK]) -> [i32; 2] {
    let first = simd.load_integers(places);
    let (mut low, mut high) = (first, first);
    let mut at = S::LANES;
    while at < CHUNK {
        let next = simd.load_integers(&places[at..]);
        (low, high) = (simd.min_i32(low, next), simd.max_i32(high, next));
        at += S::LANES;
    }
    let (mut lows, mut highs) = ([0; CHUNK], [0; CHUNK]);
    simd.store_integers(low, &mut lows);
    simd.store_integers(high, &mut highs);
    let (mut least, mut most) = (lows[0], highs[0]);
    for k in 1..S::LANES {
        least = least.min(lows[k]);
        most = most.max(highs[k]);
    }
    [least, most]
}
