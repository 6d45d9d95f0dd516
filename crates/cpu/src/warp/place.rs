//! Where the samples of a row lie in the source.

use super::super::simd::Simd;

/// Columns whose places are found at once.
pub(super) const CHUNK: usize = 64;

/// Farther than any frame reaches.
const FAR: i64 = 1 << 24;

/// Places of some samples of a row: columns and rows, and parts of the next ones in 1/65536.
pub(super) struct WarpPlaces {
    pub(super) columns: [i32; CHUNK],
    pub(super) rows: [i32; CHUNK],
    pub(super) parts: [[u32; CHUNK]; 2],
}

impl WarpPlaces {
    pub(super) const NONE: Self = Self { columns: [0; CHUNK], rows: [0; CHUNK], parts: [[0; CHUNK]; 2] };

    /// Takes them from places in 1/65536 of a sample; those outside of all frames are as far as the farthest.
    #[inline(always)]
    pub(super) fn set(&mut self, [across, down]: &[[i64; CHUNK]; 2]) {
        let Self { columns, rows, parts: [right, lower] } = self;
        for (axis, whole, part) in [(across, columns, right), (down, rows, lower)] {
            for k in 0..CHUNK {
                whole[k] = (axis[k] >> 16).clamp(-FAR, FAR) as i32;
                part[k] = (axis[k] & 65535) as u32;
            }
        }
    }

    /// The first and the last column, and row.
    #[inline(always)]
    pub(super) fn ends<S: Simd>(&self, simd: S) -> [[i32; 2]; 2] {
        [ends(simd, &self.columns), ends(simd, &self.rows)]
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
