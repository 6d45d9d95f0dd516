//! The blocks that look like reference blocks, for as many of these at once as a vector has lanes.
//!
//! Lanes come in pairs: a sum of differences over the eight bytes of a row fills two. The first of each pair is of one half
//! of the reference blocks, the second of the other. Where the blocks of a half lie side by side, one vector holds a row of
//! them all.

use super::super::simd::Simd;
use crate::pass::Bm3d;

/// The lanes of the widest vector.
pub const MOST_LANES: usize = 16;
/// Where there is no block; larger than every rank.
pub const NONE: i32 = i32::MAX;
const SIDE: usize = Bm3d::SIDE;
/// Bits of a rank below the sum of differences, which has 14: the number of the candidate.
pub const NUMBER: u32 = 16;

/// For each place in a group, the rank of the block there, of each lane.
pub type Found = [[i32; MOST_LANES]; Bm3d::MAX_GROUP];

/// The ranks of the blocks of a group, in order.
pub type Ranks = [i32; Bm3d::MAX_GROUP];

/// Bytes from one row of keys to the next, where a row has so many and blocks are looked for so far away.
pub fn pitch(width: usize, range: usize) -> usize {
    // A vector is read from where a block begins.
    (width + 2 * range + 4 * MOST_LANES).next_multiple_of(64)
}

/// A reference block: its number among those that are searched for at once, and its lane.
pub struct Lane {
    /// The number.
    pub block: usize,
    /// The lane.
    pub lane: usize,
}

/// The lanes of the first `count` blocks: those of even and of odd numbers are the halves where that puts each side by
/// side, else the first and the last.
pub fn lanes<S: Simd>(step: usize, count: usize) -> impl Iterator<Item = Lane> {
    (0..count).map(move |block| Lane { block, lane: lane::<S>(step, block) })
}

#[inline(always)]
fn lane<S: Simd>(step: usize, block: usize) -> usize {
    let half = S::LANES / 2;
    if 2 * step == SIDE { block } else { block % half * 2 + block / half }
}

/// Where blocks are looked for.
pub struct BlockSearch<'a> {
    /// Rows of keys, each behind [`Bm3d::range`] bytes of no meaning.
    pub keys: &'a [u8],
    /// Bytes from one row to the next.
    pub pitch: usize,
    /// The row of the plane that is the first.
    pub top: usize,
    /// Keys in a row.
    pub width: usize,
    /// The last row that a block begins in.
    pub last: usize,
    /// The operation.
    pub op: &'a Bm3d,
}

/// The reference blocks of a half.
struct Half<S: Simd> {
    /// Where they begin in a row of keys.
    places: [usize; MOST_LANES / 2],
    /// Whether each begins where the one before ends.
    joined: bool,
    rows: [S::I32; SIDE],
}

impl<S: Simd> Half<S> {
    /// Those that begin at these places of rows of keys.
    #[inline(always)]
    fn new(simd: S, places: [usize; MOST_LANES / 2], keys: &[u8], pitch: usize) -> Self {
        let joined = places[..S::LANES / 2].windows(2).all(|pair| pair[0] + SIDE == pair[1]);
        let mut half = Self { places, joined, rows: [simd.splat_i32(0); SIDE] };
        for r in 0..SIDE {
            half.rows[r] = half.row(simd, &keys[r * pitch..]);
        }
        half
    }

    /// A row of all of them, or of the blocks as far away from each as the row `line` is displaced.
    #[inline(always)]
    fn row(&self, simd: S, line: &[u8]) -> S::I32 {
        if self.joined {
            return simd.load_integers(&line[self.places[0]..]);
        }
        let mut row = [[0u8; SIDE]; MOST_LANES / 2];
        for (row, &place) in row.iter_mut().zip(&self.places).take(S::LANES / 2) {
            row.copy_from_slice(&line[place..place + SIDE]);
        }
        simd.load_integers(&row)
    }

    /// The sums of differences, in the first of each two lanes.
    #[inline(always)]
    fn apart(&self, simd: S, keys: &[u8], pitch: usize) -> S::I32 {
        let mut sum = simd.splat_i32(0);
        for (r, &own) in self.rows.iter().enumerate() {
            sum = simd.add_i32(sum, simd.apart_u8(own, self.row(simd, &keys[r * pitch..])));
        }
        sum
    }
}

impl BlockSearch<'_> {
    /// The blocks that look like those at `places` in row `y`, best first.
    #[inline(always)]
    pub fn blocks<S: Simd>(&self, simd: S, y: usize, places: [usize; MOST_LANES]) -> Found {
        let Bm3d { range, group, step, .. } = *self.op;
        let own = &self.keys[(y - self.top) * self.pitch + range..];
        let mut starts = [[0; MOST_LANES / 2]; 2];
        for (block, &place) in places.iter().enumerate().take(S::LANES) {
            let lane = lane::<S>(step, block);
            starts[lane % 2][lane / 2] = place;
        }
        let halves = [Half::new(simd, starts[0], own, self.pitch), Half::new(simd, starts[1], own, self.pitch)];
        // What each lane's rank is raised to where a block would reach out of the plane.
        let (side, lasting) = (2 * range + 1, self.width - SIDE);
        let free = places[0] >= range && places.iter().all(|place| place + range <= lasting);
        let mut edges = [simd.splat_i32(0); 2 * Bm3d::MAX_RANGE + 1];
        for (across, edge) in edges.iter_mut().enumerate().take(if free { 0 } else { side }) {
            let mut lanes = [0; MOST_LANES];
            for (block, &place) in places.iter().enumerate().take(S::LANES) {
                let inside = (place + across).checked_sub(range).is_some_and(|x| x <= lasting);
                lanes[lane::<S>(step, block)] = if inside { 0 } else { NONE };
            }
            *edge = simd.load_integers(&lanes);
        }

        let mut best = [simd.splat_i32(NONE); Bm3d::MAX_GROUP];
        let best = &mut best[..group];
        for down in 0..side {
            let Some(row) = (y + down).checked_sub(range).filter(|row| *row <= self.last) else { continue };
            let keys = &self.keys[(row - self.top) * self.pitch..];
            for (across, &edge) in edges.iter().enumerate().take(side) {
                let keys = &keys[across..];
                let (first, second) =
                    (halves[0].apart(simd, keys, self.pitch), halves[1].apart(simd, keys, self.pitch));
                // The reference block itself has number 0.
                let itself = down == range && across == range;
                let number = if itself { 0 } else { number(self.op, 0, [down, across]) };
                let sums = simd.up_by_16(simd.pair_i32(first, second));
                let rank = simd.max_i32(simd.or_i32(sums, simd.splat_i32(number as i32)), edge);
                let worst = best[group - 1];
                if !simd.is_zero(simd.sub_i32(worst, simd.min_i32(worst, rank))) {
                    insert(simd, best, rank);
                }
            }
        }
        let mut found = [[NONE; MOST_LANES]; Bm3d::MAX_GROUP];
        for (found, best) in found.iter_mut().zip(&*best) {
            simd.store_integers(*best, found);
        }
        found
    }
}

/// Puts a rank in its place in each lane.
#[inline(always)]
fn insert<S: Simd>(simd: S, best: &mut [S::I32], mut rank: S::I32) {
    for best in best {
        let (low, high) = (simd.min_i32(*best, rank), simd.max_i32(*best, rank));
        (*best, rank) = (low, high);
    }
}

/// The ranks of a lane, in order.
#[inline(always)]
pub fn ranks(found: &Found, lane: usize) -> Ranks {
    let mut ranks = [NONE; Bm3d::MAX_GROUP];
    ranks.iter_mut().zip(found).for_each(|(rank, lanes)| *rank = lanes[lane]);
    ranks
}

/// The number of a candidate of a frame, but the reference block itself, which has 0: they are counted frame by frame, the
/// centre first, row by row. It is so far down and across from the first that is looked at.
#[inline(always)]
pub fn number(op: &Bm3d, frame: usize, [down, across]: [usize; 2]) -> usize {
    let [centre, other] = [op.range, op.near].map(|reach| 2 * reach + 1);
    match frame.checked_sub(1) {
        None => 1 + down * centre + across,
        Some(index) => 1 + centre * centre + (index * other + down) * other + across,
    }
}
