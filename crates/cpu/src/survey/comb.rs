//! How combed a frame is: the most combed samples in a box. [`crate::pass::Fieldmatch`] defines the mask and the boxes.
//!
//! Boxes of four grids, half a box apart, are all squares of four half boxes; so half boxes are counted.

use std::ops::Range;

use super::super::simd::{Simd, WithSimd};
use super::byte::CoarseRows;

/// Rows of the mask that are kept: three are looked at.
const KEPT: usize = 4;

/// A plane of rows of two frames, as bytes.
#[derive(Clone, Copy)]
pub struct WovenRows<'a> {
    /// The frame in the middle.
    pub own: CoarseRows<'a>,
    /// The other frame, and which rows are its own.
    pub other: Option<(CoarseRows<'a>, usize)>,
    /// Rows of the plane.
    pub height: usize,
}

impl<'a> WovenRows<'a> {
    /// A row that may lie outside, where it is the one as far on the other side of row `y`.
    #[inline(always)]
    fn row(&self, y: usize, offset: isize) -> &'a [u8] {
        let at = |offset: isize| y.checked_add_signed(offset).filter(|row| *row < self.height);
        let row = at(offset).or_else(|| at(-offset)).unwrap_or(y);
        match self.other {
            Some((other, rows)) if row % 2 == rows => other.row(row),
            _ => self.own.row(row),
        }
    }
}

/// Another plane, combed samples of which mark those of the first.
#[derive(Clone, Copy)]
pub struct BesideRows<'a> {
    /// Its rows.
    pub rows: WovenRows<'a>,
    /// Columns.
    pub width: usize,
    /// How much smaller it is than the first, in powers of two across and down.
    pub smaller: [u32; 2],
}

/// Some rows of half boxes.
pub struct Combed<'a> {
    /// The first plane.
    pub rows: WovenRows<'a>,
    /// Planes beside it that count too.
    pub beside: &'a [BesideRows<'a>],
    /// Width of the first plane.
    pub width: usize,
    /// The threshold.
    pub threshold: i32,
    /// Width and height of half a box.
    pub half: [usize; 2],
    /// Rows of half boxes whose boxes with the row above are counted.
    pub cells: Range<usize>,
    /// Memory of [`Combed::room`].
    pub room: &'a mut [u8],
    /// Counts of two rows of half boxes, as many as are in a row and one more each.
    pub counts: &'a mut [u32],
    /// The most samples in a box.
    pub most: &'a mut u64,
}

impl Combed<'_> {
    /// Bytes of memory for a plane of so many columns.
    pub fn room(width: usize) -> usize {
        (KEPT + 4) * width
    }

    /// Rows of the first plane that are looked at for some rows of half boxes.
    pub fn reach(cells: &Range<usize>, half: usize, height: usize) -> [usize; 2] {
        let start = (cells.start.saturating_sub(1) * half).saturating_sub(5);
        [start.min(height), (cells.end * half + 5).min(height)]
    }
}

/// Writes the mask of a row: 1 for a combed sample.
#[inline(always)]
fn mask(plane: &WovenRows, y: usize, threshold: i32, to: &mut [u8]) {
    let Ok(threshold) = u8::try_from(threshold) else {
        to.fill(1);
        return;
    };
    let count = to.len();
    let [up2, up, own, down, down2] = [-2, -1, 0, 1, 2].map(|offset| &plane.row(y, offset)[..count]);
    let six = 6 * i16::from(threshold);
    for x in 0..count {
        let [a2, a, v, b, b2] = [up2[x], up[x], own[x], down[x], down2[x]].map(i16::from);
        let bent = (4 * v - 3 * (a + b) + a2 + b2).abs() > six;
        let apart = own[x].abs_diff(up[x]) > threshold && own[x].abs_diff(down[x]) > threshold;
        to[x] = u8::from(bent & apart);
    }
}

/// Marks the samples of row `y` of the first plane that lie at those of row `at` of another which are combed beside another.
#[inline(always)]
fn mark(plane: &BesideRows, at: usize, threshold: i32, room: &mut [u8], to: &mut [u8]) {
    let (width, height) = (plane.width, plane.rows.height);
    if at == 0 || at + 1 >= height || width < 3 {
        return;
    }
    let (up, rest) = room.split_at_mut(width);
    let (own, rest) = rest.split_at_mut(width);
    let (down, _) = rest.split_at_mut(width);
    mask(&plane.rows, at - 1, threshold, up);
    mask(&plane.rows, at, threshold, own);
    mask(&plane.rows, at + 1, threshold, down);
    for x in 1..width - 1 {
        let beside = own[x - 1] | own[x + 1];
        let around = [&*up, &*down].into_iter().fold(beside, |all, row| all | row[x - 1] | row[x] | row[x + 1]);
        if own[x] & around != 0 {
            let columns = x << plane.smaller[0]..((x + 1) << plane.smaller[0]).min(to.len());
            to[columns].fill(1);
        }
    }
}

impl Combed<'_> {
    /// The mask of a row of the first plane, with what other planes mark.
    #[inline(always)]
    fn masked(&self, y: usize, room: &mut [u8], to: &mut [u8]) {
        mask(&self.rows, y, self.threshold, to);
        if self.threshold < 0 {
            return;
        }
        for plane in self.beside {
            let down = plane.smaller[1];
            let at = y >> down;
            mark(plane, at, self.threshold, room, to);
            if down > 0 {
                // The row above an odd one, and the row below an even one.
                let above = (y + 1) >> down;
                if above != at && above % 2 == 1 {
                    mark(plane, above, self.threshold, room, to);
                }
                let below = y.checked_sub(1).map(|y| y >> down);
                if let Some(below) = below.filter(|below| *below != at && below % 2 == 0) {
                    mark(plane, below, self.threshold, room, to);
                }
            }
        }
    }
}

impl WithSimd for Combed<'_> {
    #[inline(always)]
    fn work<S: Simd>(mut self, _: S) {
        let (width, height) = (self.width, self.rows.height);
        let ([across, down], counts) = (self.half, std::mem::take(&mut self.counts));
        let room = std::mem::take(&mut self.room);
        let (masks, spare) = room.split_at_mut(KEPT * width);
        let (all, spare) = spare.split_at_mut(width);
        let cells = width.div_ceil(across);
        let (mut before, mut own) = counts.split_at_mut(cells + 1);
        before.fill(0);
        // The row of half boxes before is counted too, as the upper half of boxes.
        let first = self.cells.start.saturating_sub(1);
        let slot = |y: usize| y % KEPT * width;
        let mut made = (first * down).saturating_sub(1);
        for cell in first..self.cells.end {
            own.fill(0);
            for y in (cell * down).max(1)..((cell + 1) * down).min(height.saturating_sub(1)) {
                while made <= y + 1 {
                    self.masked(made, spare, &mut masks[slot(made)..][..width]);
                    made += 1;
                }
                let [up, middle, below] = [y - 1, y, y + 1].map(|y| &masks[slot(y)..][..width]);
                let mut any = 0;
                for x in 0..width {
                    let three = up[x] & middle[x] & below[x];
                    all[x] = three;
                    any |= three;
                }
                if any == 0 {
                    continue;
                }
                for (count, columns) in own.iter_mut().zip(all.chunks(across)) {
                    *count += columns.iter().map(|column| u32::from(*column)).sum::<u32>();
                }
            }
            // The last of a row has no half box behind it, and the first none before it.
            if self.cells.contains(&cell) {
                let columns = before.iter().zip(own.iter()).map(|(above, below)| above + below);
                let mut left = 0;
                for column in columns {
                    *self.most = (*self.most).max(u64::from(left + column));
                    left = column;
                }
            }
            std::mem::swap(&mut before, &mut own);
        }
    }
}
