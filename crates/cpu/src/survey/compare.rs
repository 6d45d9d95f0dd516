//! How well the fields of two frames fit the other field of a frame. [`crate::pass::Fieldmatch`] defines the sums.
//!
//! Flags of columns are bytes, so that a vector has as many of them as it has bytes: two flags share one as its nibbles, and
//! nine of them are added up there. All rows of a band that are looked at again stay in a ring of rows.

use std::array;
use std::ops::Range;

use super::super::simd::{Simd, WithSimd};
use super::byte::CoarseRows;

/// The columns that are summed at once.
const COLUMNS: usize = 32;
/// So many sums of such columns fit into 16 bits: each is at most 6 · 255.
const MOST: usize = 42;
/// Columns beside a row of differences, where there are none.
const BESIDE: usize = 4;
/// Rows of differences that are kept: five are looked at.
const KEPT: usize = 8;
/// Rows of the map that are kept: two are looked at.
const MAPPED: usize = 2;
/// A difference of more than 3, and one of more than 19.
const ONE: u8 = 1;
const LARGE: u8 = 16;

/// Some rows of a plane of two frames, and of the one that they are compared for.
pub struct ComparedRows<'a> {
    /// The frames.
    pub pair: [CoarseRows<'a>; 2],
    /// The frame that the other field is of.
    pub own: CoarseRows<'a>,
    /// Width and height of the plane.
    pub size: [usize; 2],
    /// Columns on either side that do not count.
    pub edge: usize,
    /// 1 if the top field is matched: rows of that parity, those of the other field, are compared.
    pub top: usize,
    /// Halves of the rows `y` that are counted.
    pub rows: Range<usize>,
    /// Rows that do not count, from one to another.
    pub band: [usize; 2],
    /// Memory of [`ComparedRows::room`].
    pub room: &'a mut [u8],
    /// Where the six sums are added.
    pub sums: &'a mut [u64; 6],
}

impl ComparedRows<'_> {
    /// Halves of all rows `y` that count in a plane of so many rows.
    pub fn halves(height: usize) -> Range<usize> {
        1..height.saturating_sub(1) / 2
    }

    /// Rows of the plane that some of these halves look at.
    pub fn reach(halves: &Range<usize>, height: usize) -> [usize; 2] {
        [(2 * halves.start).saturating_sub(6), (2 * halves.end + 8).min(height)]
    }

    /// Bytes of memory for a plane of so many columns.
    pub fn room(width: usize) -> usize {
        (3 * KEPT + MAPPED) * width + 2 * BESIDE * KEPT
    }
}

/// Writes which samples of two rows differ, and beside them that none do.
#[inline(always)]
fn differ(a: &[u8], b: &[u8], to: &mut [u8]) {
    let (before, to) = to.split_at_mut(BESIDE);
    let (to, after) = to.split_at_mut(a.len());
    before.fill(0);
    after.fill(0);
    for ((to, &a), &b) in to.iter_mut().zip(a).zip(b) {
        let difference = a.abs_diff(b);
        *to = (u8::from(difference > 3) * ONE) | (u8::from(difference > 19) * LARGE);
    }
}

/// Writes sums of three columns, and whether one of nine differs by much. Columns near the edge stay as they are.
#[inline(always)]
fn spread(flags: &[u8], edge: usize, sums: &mut [u8], near: &mut [u8]) {
    let count = sums.len() - 2 * edge;
    let at: [&[u8]; 9] = array::from_fn(|k| &flags[edge + k..][..count]);
    let (sums, near) = (&mut sums[edge..][..count], &mut near[edge..][..count]);
    for x in 0..count {
        sums[x] = at[3][x] + at[4][x] + at[5][x];
        near[x] = at.iter().fold(0, |all, at| all | at[x]) & LARGE;
    }
}

/// Rows of differences, by their numbers.
struct RowRing<'a> {
    rows: &'a mut [u8],
    width: usize,
}

impl RowRing<'_> {
    #[inline(always)]
    fn row(&self, index: isize) -> &[u8] {
        &self.rows[index.rem_euclid(KEPT as isize) as usize * self.width..][..self.width]
    }

    #[inline(always)]
    fn row_mut(&mut self, index: isize) -> &mut [u8] {
        &mut self.rows[index.rem_euclid(KEPT as isize) as usize * self.width..][..self.width]
    }
}

/// The map of a row: 1 where samples differ, 2 where they differ by much and rows on both sides do, 4 in a spot.
#[inline(always)]
fn map(flags: &RowRing, sums: &RowRing, near: &RowRing, index: isize, edge: usize, to: &mut [u8]) {
    let count = to.len() - 2 * edge;
    let flags = &flags.row(index)[BESIDE + edge..][..count];
    let [above, own, below] = [-1, 0, 1].map(|k| &sums.row(index + k)[edge..][..count]);
    let [up2, up, down, down2] = [-2, -1, 1, 2].map(|k| &near.row(index + k)[edge..][..count]);
    let to = &mut to[edge..][..count];
    for x in 0..count {
        let sum = above[x] + own[x] + below[x];
        let one = flags[x] & ONE & u8::from(sum & 15 > 1);
        let large = one & (flags[x] >> 4) & u8::from(sum >> 4 > 3);
        let both = (up[x] & (down[x] | up2[x]) | down[x] & down2[x]) >> 4;
        let two = large & both;
        let four = large & !both & u8::from(sum >> 4 > 5);
        to[x] = one | two << 1 | four << 2;
    }
}

/// Sums of one vector of columns each.
struct ColumnSums([[u16; COLUMNS]; 6]);

impl ColumnSums {
    const ZERO: Self = Self([[0; COLUMNS]; 6]);

    /// Adds columns: rows of the own frame, of both frames, and of the map.
    #[inline(always)]
    fn add(&mut self, own: [&[u8; COLUMNS]; 3], pair: [[&[u8; COLUMNS]; 2]; 2], maps: &[u8; COLUMNS]) {
        let Self(sums) = self;
        let mut middle = [0i16; COLUMNS];
        for x in 0..COLUMNS {
            middle[x] = i16::from(own[0][x]) + 4 * i16::from(own[1][x]) + i16::from(own[2][x]);
        }
        for (frame, [above, below]) in pair.into_iter().enumerate() {
            let [plain, moving, spot] = [3 * frame, 3 * frame + 1, 3 * frame + 2];
            for x in 0..COLUMNS {
                let v = (3 * (i16::from(above[x]) + i16::from(below[x])) - middle[x]).unsigned_abs();
                let flag = u16::from(maps[x]);
                let (far, farther) = (if v > 23 { v } else { 0 }, if v > 42 { v } else { 0 });
                sums[plain][x] += far & 0u16.wrapping_sub(flag & 1);
                sums[moving][x] += farther & 0u16.wrapping_sub(flag >> 1 & 1);
                sums[spot][x] += farther & 0u16.wrapping_sub(flag >> 2 & 1);
            }
        }
    }

    #[inline(always)]
    fn give(&mut self, to: &mut [u64; 6]) {
        for (to, lanes) in to.iter_mut().zip(&mut self.0) {
            *to += u64::from(lanes.iter().map(|lane| u32::from(*lane)).sum::<u32>());
            *lanes = [0; COLUMNS];
        }
    }
}

/// Some columns of a row; 0 beyond its end.
#[inline(always)]
fn some<'a>(row: &'a [u8], x: usize, spare: &'a mut [u8; COLUMNS]) -> &'a [u8; COLUMNS] {
    let rest = &row[x..];
    if let Some(columns) = rest.first_chunk() {
        return columns;
    }
    spare[..rest.len()].copy_from_slice(rest);
    spare
}

impl WithSimd for ComparedRows<'_> {
    #[inline(always)]
    fn work<S: Simd>(self, _: S) {
        let Self { pair: [a, b], own, size: [width, height], edge, top, rows, band, room, sums } = self;
        let last = Self::halves(height).end as isize;
        if rows.is_empty() || width <= 2 * edge {
            return;
        }
        let (flags, room) = room.split_at_mut(KEPT * (width + 2 * BESIDE));
        let (kept, maps) = room.split_at_mut(2 * KEPT * width);
        let (added, near) = kept.split_at_mut(KEPT * width);
        let mut flags = RowRing { rows: flags, width: width + 2 * BESIDE };
        let [mut added, mut near] = [added, near].map(|rows| RowRing { rows, width });
        let mut lanes = ColumnSums::ZERO;
        // The first row of the map that is looked at, and rows of differences around it.
        let begin = rows.start as isize - top as isize;
        let mut made = begin - 2;
        let mut mapped = begin;
        for half in rows {
            let first = half as isize - top as isize;
            while mapped <= first + 1 {
                while made <= mapped + 2 {
                    match usize::try_from(made).ok().filter(|row| *row < height / 2) {
                        Some(row) => {
                            let y = 2 * row + top;
                            differ(a.row(y), b.row(y), flags.row_mut(made));
                            spread(flags.row(made), edge, added.row_mut(made), near.row_mut(made));
                        }
                        None => {
                            [&mut flags, &mut added, &mut near].into_iter().for_each(|ring| ring.row_mut(made).fill(0))
                        }
                    }
                    made += 1;
                }
                let to = &mut maps[mapped.rem_euclid(MAPPED as isize) as usize * width..][..width];
                match (1..last).contains(&mapped) {
                    true => map(&flags, &added, &near, mapped, edge, to),
                    false => to.fill(0),
                }
                mapped += 1;
            }
            let y = 2 * half;
            if band[0] != band[1] && (band[0]..=band[1]).contains(&y) {
                continue;
            }
            let s = y + 1 - top;
            let after = if s + 2 < height { s + 2 } else { s };
            let own = [own.row(s - 2), own.row(s), own.row(after)];
            let pair = [a, b].map(|frame| [frame.row(s - 1), frame.row(s + 1)]);
            let (even, odd) = maps.split_at(width);
            let mut count = 0;
            for x in (edge..width - edge).step_by(COLUMNS) {
                let end = width - edge;
                let mut spare = [[0; COLUMNS]; 2];
                let [one, other] = &mut spare;
                let (one, other) = (some(&even[..end], x, one), some(&odd[..end], x, other));
                let map: [u8; COLUMNS] = array::from_fn(|k| one[k] | other[k]);
                if map == [0; COLUMNS] {
                    continue;
                }
                let mut spare = [[0; COLUMNS]; 7];
                let [s0, s1, s2, s3, s4, s5, s6] = &mut spare;
                let own = [some(own[0], x, s0), some(own[1], x, s1), some(own[2], x, s2)];
                let first = [some(pair[0][0], x, s3), some(pair[0][1], x, s4)];
                let second = [some(pair[1][0], x, s5), some(pair[1][1], x, s6)];
                lanes.add(own, [first, second], &map);
                count += 1;
                if count == MOST {
                    lanes.give(sums);
                    count = 0;
                }
            }
            lanes.give(sums);
        }
    }
}
