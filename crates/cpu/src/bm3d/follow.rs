//! The blocks of other frames that look like a reference block, along its way through time.

use super::super::simd::Simd;
use super::grid::ReferenceGrid;
use super::search::{NONE, NUMBER, Ranks, number};
use super::strip::{FrameRows, StripRows};
use crate::pass::Bm3d;

const SIDE: usize = Bm3d::SIDE;
/// The lanes of the widest vector.
const WIDEST: usize = 16;
/// Candidates along an axis, and as many more as a vector may hold.
const MOST: usize = 2 * Bm3d::MAX_NEAR + 1 + WIDEST / 2;

/// A row of a block.
type Bytes = [u8; SIDE];

/// The way of a reference block through time, by which the blocks of its group are found again.
pub struct BlockWay {
    place: [usize; 2],
    /// Where in other frames the best block of the frame before begins, down and across, by their number.
    starts: [[usize; 2]; 2 * Bm3d::MAX_FRAMES],
}

impl BlockWay {
    /// Of the reference block at `place`: puts the blocks of other frames into their places among those of its own.
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, grid: &ReferenceGrid, rows: &StripRows, place: [usize; 2], ranks: &mut Ranks) -> Self {
        let mut way = Self { place, starts: [place; 2 * Bm3d::MAX_FRAMES] };
        let Some(centre) = rows.frames[0].as_ref().filter(|_| grid.op.frames > 0) else { return way };
        let [y, x] = place;
        let mut own = [simd.splat_i32(0); SIDE];
        for (r, own) in own.iter_mut().enumerate() {
            let at = (y - centre.top + r) * grid.key_pitch(0) + grid.op.range + x;
            let mut row: Bytes = [0; SIDE];
            row.copy_from_slice(&centre.keys[at..at + SIDE]);
            *own = simd.load_integers(&[row; WIDEST / 2]);
        }
        let mut start = place;
        for other in 0..grid.op.others() {
            if other == grid.op.frames {
                start = place;
            }
            way.starts[other] = start;
            if let Some(frame) = &rows.frames[1 + other] {
                let best = near(simd, grid, &own, frame, [other, start[0], start[1]], ranks);
                start = way.found(&grid.op, best).1;
            }
        }
        way
    }

    /// Where the candidate of a rank begins, down and across, and before that in which frame, as in [`StripRows`].
    #[inline(always)]
    pub fn found(&self, op: &Bm3d, rank: i32) -> (usize, [usize; 2]) {
        let at = |[y, x]: [usize; 2], reach: usize, number: usize| {
            let side = 2 * reach + 1;
            [y + number / side - reach, x + number % side - reach]
        };
        let Some(number) = (rank as usize & ((1 << NUMBER) - 1)).checked_sub(1) else { return (0, self.place) };
        let [centre, other] = [op.range, op.near].map(|reach| (2 * reach + 1) * (2 * reach + 1));
        match number.checked_sub(centre) {
            None => (0, at(self.place, op.range, number)),
            Some(number) => (1 + number / other, at(self.starts[number / other], op.near, number % other)),
        }
    }
}

/// Puts the blocks of one other frame into their places, those around where the best of the frame before begins; gives the
/// rank of the best here.
#[inline(always)]
fn near<S: Simd>(
    simd: S,
    grid: &ReferenceGrid,
    own: &[S::I32; SIDE],
    frame: &FrameRows,
    [other, y, x]: [usize; 3],
    ranks: &mut Ranks,
) -> i32 {
    let (near, half) = (grid.op.near, S::LANES / 2);
    let (top, left) = (y.saturating_sub(near), x.saturating_sub(near));
    let high = (y + near).min(grid.high - SIDE) + 1 - top;
    let wide = (x + near).min(grid.wide - SIDE) + 1 - left;
    // For each place across, the rows of all blocks there, one below the other, so that a vector holds the same row of
    // some of them.
    let mut column = [[0u8; SIDE]; MOST + SIDE];
    let (pitch, mut best) = (grid.key_pitch(1), NONE);
    for across in 0..wide {
        let keys = &frame.keys[(top - frame.top) * pitch + left + across..];
        for (row, to) in column.iter_mut().enumerate().take(high + SIDE - 1) {
            to.copy_from_slice(&keys[row * pitch..][..SIDE]);
        }
        for first in (0..high).step_by(half) {
            let mut sum = simd.splat_i32(0);
            for (r, &own) in own.iter().enumerate() {
                sum = simd.add_i32(sum, simd.apart_u8(own, simd.load_integers(&column[first + r..])));
            }
            let mut sums = [0i32; WIDEST];
            simd.store_integers(sum, &mut sums);
            for down in first..high.min(first + half) {
                let offset = [top + down + near - y, left + across + near - x];
                let rank = sums[2 * (down - first)] << 16 | number(&grid.op, 1 + other, offset) as i32;
                best = best.min(rank);
                if rank < ranks[grid.op.group - 1] {
                    insert(&mut ranks[..grid.op.group], rank);
                }
            }
        }
    }
    best
}

/// Puts a rank in its place; the last is gone.
#[inline(always)]
fn insert(ranks: &mut [i32], rank: i32) {
    let mut place = ranks.len() - 1;
    while place > 0 && ranks[place - 1] > rank {
        ranks[place] = ranks[place - 1];
        place -= 1;
    }
    ranks[place] = rank;
}
