//! Offsets of which weights are found, and where those of rows are kept.

use super::patch::{ROWS, WIDEST};

/// The most rows that an offset leads down.
pub const MOST_REACH: usize = 15;

/// An offset that leads down, or to the right in its row.
pub struct MutualOffset {
    pub down: usize,
    pub across: isize,
    /// Where its weights start, in rows of them, and how many there are.
    pub weights: usize,
    /// The same of its sums along x.
    pub sums: usize,
}

impl MutualOffset {
    /// Rows of weights that are kept.
    pub fn rows(down: usize) -> usize {
        down + ROWS
    }

    /// Where the weights of a row stand among those of an offset that leads so far down, in rows.
    #[inline(always)]
    pub fn slot(down: usize, y: isize) -> usize {
        y.rem_euclid(Self::rows(down) as isize) as usize
    }
}

/// The offsets of a search.
pub struct MutualOffsets {
    pub offsets: Vec<MutualOffset>,
    /// Rows of weights, and of sums along x, that are kept for all of them.
    pub rows: [usize; 2],
}

impl MutualOffsets {
    /// In their order; `None` where they are not taken so: there are none, or too many, or the patch is too large.
    pub fn of(patch: usize, search: usize) -> Option<Self> {
        let reach = search / 2;
        if patch > WIDEST || !(1..=MOST_REACH).contains(&reach) {
            return None;
        }
        let (mut offsets, mut rows) = (Vec::new(), [0, 0]);
        for down in 0..=reach {
            for across in -(reach as isize)..=reach as isize {
                if down > 0 || across > 0 {
                    offsets.push(MutualOffset { down, across, weights: rows[0], sums: rows[1] });
                    rows = [rows[0] + MutualOffset::rows(down), rows[1] + patch + ROWS - 1];
                }
            }
        }
        Some(Self { offsets, rows })
    }
}
