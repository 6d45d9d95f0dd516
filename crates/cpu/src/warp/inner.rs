//! The plane that is shown, where samples all of whose neighbours are inside are read.
//!
//! The places of a vector lie close to each other and in two rows, unless a picture is turned further or made much smaller. Two
//! vectors of each of three rows are read, their samples are brought to the lanes of the places by permutations, and each lane takes
//! those of its own rows. Places in more rows are read one by one: with rows that are 3840 bytes long, vectors of four rows and more took
//! longer than that, waiting for memory.

use super::super::simd::Simd;
use super::mixed::Mixed;
use super::place::{CHUNK, WarpPlaces};
use crate::pass::Interpolation;

/// The four samples around each place, packed: as many of these numbers as [`Mixed::WORDS`].
pub(super) type Corners = [[u32; CHUNK]; 4];

/// The four of one place.
#[inline(always)]
pub(super) fn around<T: Mixed>([a, b, c, d]: &Corners, k: usize) -> [[T; 2]; 2] {
    T::unpack([a[k], b[k], c[k], d[k]])
}

/// A plane as it is shown.
pub(super) struct InnerPlane<'a, T> {
    pub(super) samples: &'a [T],
    pub(super) stride: usize,
    pub(super) size: (usize, usize),
    /// True if parts are whole numbers of 1/256.
    pub(super) is_coarse: bool,
    /// Added to the sum of whole numbers, in 1/2³², before it is cut off.
    pub(super) half: u64,
    /// The largest whole number.
    pub(super) peak: f32,
}

impl<T: Mixed> InnerPlane<'_, T> {
    /// True if every tap is inside the plane, for places between these first and last columns and rows.
    #[inline(always)]
    pub(super) fn holds(&self, interpolation: &Interpolation, ends: [[i32; 2]; 2]) -> bool {
        let [before, after] = match interpolation {
            Interpolation::Nearest => [0, 0],
            Interpolation::Linear => [0, 1],
            Interpolation::Weighted { taps, .. } => [*taps as i32 / 2 - 1, *taps as i32 / 2],
        };
        let is = |[low, high]: [i32; 2], length: usize| low >= before && high < length as i32 - after;
        is(ends[0], self.size.0) && is(ends[1], self.size.1)
    }

    /// Where the samples of places are. A plane has fewer than 2³² samples.
    #[inline(always)]
    pub(super) fn offsets(&self, places: &WarpPlaces) -> [u32; CHUNK] {
        let (mut offsets, stride) = ([0; CHUNK], self.stride as u32);
        for ((offset, row), column) in offsets.iter_mut().zip(&places.rows).zip(&places.columns) {
            *offset = (*row as u32).wrapping_mul(stride).wrapping_add(*column as u32);
        }
        offsets
    }

    /// Reads the four of all places, which are inside; false where those of a vector are too far apart.
    #[inline(always)]
    pub(super) fn corners<S: Simd>(&self, simd: S, places: &WarpPlaces, corners: &mut Corners) -> bool {
        let length = 2 * S::LANES;
        if !S::REGISTERS || !places.is_monotonic || self.size.0 < length {
            return false;
        }
        for first in (0..CHUNK).step_by(S::LANES) {
            let [left, right] = WarpPlaces::between(&places.columns[first..][..S::LANES]);
            let [top, bottom] = WarpPlaces::between(&places.rows[first..][..S::LANES]);
            if right as usize + 1 - (left as usize).min(self.size.0 - length) >= length || bottom - top > 1 {
                return false;
            }
        }
        let last = self.size.1 as i32 - 1;
        for first in (0..CHUNK).step_by(S::LANES) {
            let (columns, rows) = (&places.columns[first..][..S::LANES], &places.rows[first..][..S::LANES]);
            let ([left, _], [top, _]) = (WarpPlaces::between(columns), WarpPlaces::between(rows));
            let start = (left as usize).min(self.size.0 - length);
            let places = simd.sub_i32(simd.load_integers(columns), simd.splat_i32(start as i32));
            let places = [places, simd.add_i32(places, simd.splat_i32(1))];
            let (rows, first_row) = (simd.load_integers(rows), simd.splat_i32(top));
            // Which the next row of the result reads first.
            let ahead = (top + 3).min(last) as usize * self.stride + start;
            simd.prefetch(bytemuck::cast_slice(&self.samples[ahead..][..length]));
            let [above, middle] = [self.pair(simd, start, top, places), self.pair(simd, start, top + 1, places)];
            // No place lies so far down that there is no such row, unless none is in the second.
            let below = self.pair(simd, start, (top + 2).min(last), places);
            let mut made = [above, middle];
            for side in 0..2 {
                made[0][side] = simd.where_above_i32(rows, first_row, middle[side], above[side]);
                made[1][side] = simd.where_above_i32(rows, first_row, below[side], middle[side]);
            }
            for (word, corners) in T::pack_lanes(simd, made).into_iter().zip(&mut *corners).take(T::WORDS) {
                simd.store_integers(word, &mut corners[first..]);
            }
        }
        true
    }

    /// Reads the four of all places, which are inside, one place after the other.
    #[inline(always)]
    pub(super) fn read(&self, places: &WarpPlaces, corners: &mut Corners) {
        // Of one length, so that one test tells that a place is inside of both.
        let below = &self.samples[self.stride..];
        let above = &self.samples[..below.len()];
        let [a, b, c, d] = corners;
        for (k, offset) in self.offsets(places).into_iter().enumerate() {
            // Read as one number each, where two numbers' bytes lie beside each other.
            let (above, below) = (&above[offset as usize..][..2], &below[offset as usize..][..2]);
            let words = T::pack([above[0], above[1]], [below[0], below[1]]);
            a[k] = words[0];
            if T::WORDS > 1 {
                b[k] = words[1];
            }
            if T::WORDS > 2 {
                (c[k], d[k]) = (words[2], words[3]);
            }
        }
    }

    /// Samples of a row at two places for each lane, counted from a column on.
    #[inline(always)]
    fn pair<S: Simd>(&self, simd: S, start: usize, row: i32, [left, right]: [S::I32; 2]) -> [S::I32; 2] {
        let samples = &self.samples[row as usize * self.stride + start..][..2 * S::LANES];
        let (low, high) = (T::lanes(simd, samples), T::lanes(simd, &samples[S::LANES..]));
        [simd.permute(low, high, left), simd.permute(low, high, right)]
    }
}
