//! Means over one frame, by weights that two samples share: what the surroundings of `p` differ from those of `p + o`,
//! those of `p + o` differ from those of `p`. So weights are looked up for half of the offsets, those that lead down, or
//! to the right in their row.
//!
//! A strip of columns is gone down in groups of rows. For a group the weights of all those offsets are found first, and
//! kept for as many rows as the offset leads down. Then each sample meets all of its offsets in order: first those that
//! lead up, with what was found where they lead to, then those that lead down. Sums along x are kept for as many
//! rows as a patch and a group have, so that rows of a group share most of their sums along y.

use super::super::border::Columns;
use super::super::finish::VECTORS;
use super::super::operation::Setting;
use super::super::scratch::Scratch;
use super::super::simd::{Level, Simd};
use super::super::walk::{Band, Banded};
use super::super::window::PlaneWindow;
use super::alike::{Alike, Padded};
use super::comparable::{Comparable, Difference, Squared};
use super::offset::{MOST_REACH, MutualOffset, MutualOffsets};
use super::patch::{Along, ROWS, WIDEST, squares_of};

/// What columns of a strip are a multiple of, so that every set of instructions fills whole vectors.
const ROUND: usize = 32;
/// The most bytes that a strip keeps, so that they stay in a second cache of 1 MiB, or nearly; more where that would be too
/// few columns.
const ROOM: usize = 1100 << 10;
/// The fewest columns of a strip, and the most.
const LEAST: usize = 4 * ROUND;
const MOST: usize = 32 * ROUND;

/// A plane of a clip of which each frame is looked at alone.
pub struct Mutual<T> {
    alike: Alike<T, u16>,
    offsets: Vec<MutualOffset>,
    /// What a sample meets, in order.
    met: Vec<Met>,
    table: Box<[f32; 1 << 16]>,
    /// Columns of a strip whose weights are found.
    columns: usize,
    /// Offsets reach so far along y and x.
    reach: usize,
    /// Rows of weights, and of sums along x.
    rows: [usize; 2],
    band_rows: usize,
}

/// What a sample meets.
enum Met {
    /// The offset of that number.
    Forth(usize),
    /// The offset that leads the other way.
    Back(usize),
    /// Itself.
    Own,
}

/// What means are made of.
struct TapTables<'a> {
    /// What is summed, all lines of the plane.
    values: &'a [f32],
    weights: &'a [f32],
    /// Room for where the weights and the values of each offset start.
    taps: &'a mut Vec<usize>,
}

/// The same for a row.
struct TapRow<'a, T> {
    values: &'a [f32],
    weights: &'a [f32],
    taps: &'a [usize],
    /// The samples that stand in the middle.
    own: &'a [f32],
    centre: &'a [T],
    left: usize,
}

/// Some rows of a strip.
struct RowGroup<'a, K> {
    /// The first column whose weights are found; it may lie before the plane.
    left: isize,
    /// The first row; it may lie above the plane.
    y: isize,
    /// Lines of what is compared, from the first row that a patch meets to the last that an offset leads one to; empty
    /// where that is no patch around what lies in the plane.
    keys: [&'a [K]; WIDEST - 1 + ROWS + MOST_REACH],
    /// Where the sums along x of the first of those rows stand among those of an offset, in rows.
    sums: [usize; WIDEST - 1 + ROWS],
    /// Where the weights of the group stand among those of an offset that leads so far down, in rows.
    weights: [[usize; ROWS]; MOST_REACH + 1],
}

impl<T: Comparable> Mutual<T>
where
    T::Key: Squared<u16>,
{
    /// The same plane, by such offsets.
    pub fn new(mut alike: Alike<T, u16>, offsets: MutualOffsets, setting: &Setting) -> Self {
        let (width, reach) = (setting.width(), alike.search / 2);
        let MutualOffsets { offsets, rows } = offsets;
        let column = rows[0] * size_of::<f32>() + rows[1] * size_of::<u16>();
        let most = (ROOM / column / ROUND * ROUND).clamp(LEAST, MOST);
        // Strips of about the same width.
        let strips = width.div_ceil(most - 2 * reach);
        let columns = (width.div_ceil(strips) + 2 * reach).next_multiple_of(ROUND);
        let mut table = Box::new([0.0; 1 << 16]);
        table.iter_mut().zip(alike.table.iter()).for_each(|(to, from)| *to = *from);
        let padding = 2 * reach + alike.patch / 2;
        alike.columns = Columns::new(alike.border, width, padding, padding);
        alike.beyond = columns + 4 * ROUND;
        let band_rows = setting.band_rows().max(64).min(setting.height().div_ceil(setting.threads)).max(1);
        let place = |y: isize, x: isize| offsets.iter().position(|o| (o.down as isize, o.across) == (y, x));
        let met = |&[_, y, x]: &[isize; 3]| match (place(y, x), place(-y, -x)) {
            (Some(index), _) => Met::Forth(index),
            (_, Some(index)) => Met::Back(index),
            _ => Met::Own,
        };
        let met = alike.offsets.iter().map(met).collect();
        Self { alike, offsets, met, table, columns, reach, rows, band_rows }
    }

    #[inline(always)]
    fn strips<S: Simd, const PATCH: usize>(&self, simd: S, band: Band<T>) {
        let Band { window, ahead, first, mut out, scratch: Scratch { ring, spare, starts, .. } } = band;
        let lines = self.alike.lines(ahead, window.planes.len());
        let Self { columns, reach, rows: [weight_rows, sum_rows], .. } = *self;
        // Behind the weights of offsets those of the sample itself.
        let weights = ring.elements::<f32>((weight_rows + 1) * columns + VECTORS * S::LANES);
        weights[weight_rows * columns..].fill(1.0);
        let (places, sums) = spare.elements::<u16>((ROWS + sum_rows) * columns).split_at_mut(ROWS * columns);
        let (top, bottom) = (first as isize, (first + out.height) as isize);
        for left in (0..self.alike.columns.width).step_by(columns - 2 * reach) {
            let mut y = top - reach.next_multiple_of(ROWS) as isize;
            while y < bottom {
                let group = self.group::<PATCH>([y, left as isize - reach as isize], &lines);
                for offset in &self.offsets {
                    let needed = top - offset.down as isize;
                    if y + ROWS as isize > needed {
                        // All of them where there are none yet.
                        let known = if y <= needed { 0 } else { PATCH - 1 };
                        self.sum_along::<S, PATCH>(simd, offset, &group, known, sums);
                        self.weigh::<S, PATCH>(simd, offset, &group, sums, places, weights);
                    }
                }
                for y in y.max(top)..(y + ROWS as isize).min(bottom) {
                    let y = y as usize;
                    let tables = TapTables { values: bytemuck::cast_slice(ahead), weights, taps: starts };
                    self.means(simd, [y, left], tables, window.centre(y), out.row_mut(y - first));
                }
                y += ROWS as isize;
            }
        }
    }

    /// The rows from `y` on, and columns from `left` on.
    #[inline(always)]
    fn group<'a, const PATCH: usize>(&self, [y, left]: [isize; 2], lines: &Padded<'a, T::Key>) -> RowGroup<'a, T::Key> {
        let (alike, radius) = (&self.alike, (PATCH / 2) as isize);
        let mut keys = [&[][..]; WIDEST - 1 + ROWS + MOST_REACH];
        for (i, keys) in keys[..PATCH - 1 + ROWS + self.reach].iter_mut().enumerate() {
            // Places of rows count from the topmost that a patch meets.
            let place = usize::try_from(y + i as isize).ok().filter(|place| *place < alike.height + PATCH - 1);
            if let Some(place) = place {
                *keys = lines.keys(0, alike.rows.source(place).unwrap_or(alike.height));
            }
        }
        let slot = |i: usize| (y - radius + i as isize).rem_euclid((PATCH - 1 + ROWS) as isize) as usize;
        let weights = |down| std::array::from_fn(|row| MutualOffset::slot(down, y + row as isize));
        RowGroup { left, y, keys, sums: std::array::from_fn(slot), weights: std::array::from_fn(weights) }
    }

    /// Sums squares of differences along x, of the rows that patches of a group meet, those left out that are `known`.
    #[inline(always)]
    fn sum_along<S: Simd, const PATCH: usize>(
        &self,
        simd: S,
        offset: &MutualOffset,
        group: &RowGroup<T::Key>,
        known: usize,
        sums: &mut [u16],
    ) {
        let (vector, columns) = (2 * S::LANES, self.columns);
        let start = self.alike.columns.left.wrapping_add_signed(group.left - (PATCH / 2) as isize);
        let there = start.wrapping_add_signed(offset.across);
        for i in known..PATCH - 1 + ROWS {
            let (a, b) = (group.keys[i], group.keys[i + offset.down]);
            if a.is_empty() || b.is_empty() {
                continue;
            }
            let (a, b) = (&a[start..][..columns + vector], &b[there..][..columns + vector]);
            let to = &mut sums[(offset.sums + group.sums[i]) * columns..][..columns];
            let mut along = Along { sums: [simd.splat_i32(0); WIDEST / 2 + 1] };
            along = along.before::<S, PATCH>(simd, T::Key::squared(simd, &a[columns..], &b[columns..]));
            let mut x = columns;
            while x >= vector {
                x -= vector;
                let squared = T::Key::squared(simd, &a[x..x + vector], &b[x..x + vector]);
                along = along.before::<S, PATCH>(simd, squared);
                simd.store_integers(along.sums[PATCH / 2], &mut to[x..x + vector]);
            }
        }
    }

    /// Finds the weights of a group; 0 where either sample lies outside the plane.
    #[inline(always)]
    fn weigh<S: Simd, const PATCH: usize>(
        &self,
        simd: S,
        offset: &MutualOffset,
        group: &RowGroup<T::Key>,
        sums: &[u16],
        places: &mut [u16],
        weights: &mut [f32],
    ) {
        let (alike, vector, columns) = (&self.alike, 2 * S::LANES, self.columns);
        let starts = group.weights[offset.down].map(|slot| (offset.weights + slot) * columns);
        let inside = |y: isize| y >= 0 && y + (offset.down as isize) < alike.height as isize;
        let rows: [bool; ROWS] = std::array::from_fn(|row| inside(group.y + row as isize));
        if rows.contains(&true) {
            let mut lines = [&[][..]; WIDEST + ROWS - 1];
            for (line, slot) in lines[..PATCH + ROWS - 1].iter_mut().zip(group.sums) {
                *line = &sums[(offset.sums + slot) * columns..][..columns];
            }
            // Of each row, which vectors have weights.
            let mut weighty = [0u64; ROWS];
            let weightless = u16::splat(simd, alike.weightless);
            for x in (0..columns).step_by(vector) {
                let found = squares_of::<S, PATCH>(simd, &lines, x);
                for (row, found) in found.into_iter().enumerate() {
                    let below = simd.min_u16(found, weightless);
                    weighty[row] |= u64::from(!simd.is_zero(simd.sub_u16(weightless, below))) << (x / vector);
                    simd.store_integers(self.place(simd, below), &mut places[row * columns + x..][..vector]);
                }
            }
            for (row, places) in places.chunks_exact(columns).enumerate() {
                let to = &mut weights[starts[row]..][..columns];
                for (n, (places, to)) in places.chunks_exact(vector).zip(to.chunks_exact_mut(vector)).enumerate() {
                    if weighty[row] >> n & 1 == 0 {
                        to.fill(0.0);
                        continue;
                    }
                    simd.store(simd.pick(&self.table, places), to);
                    simd.store(simd.pick(&self.table, &places[S::LANES..]), &mut to[S::LANES..]);
                }
            }
        }
        let (width, across) = (alike.columns.width as isize, offset.across);
        let begin = (-group.left).max(-group.left - across).clamp(0, columns as isize) as usize;
        let end =
            (width - group.left).min(width - group.left - across).clamp(begin as isize, columns as isize) as usize;
        for (start, is_inside) in starts.into_iter().zip(rows) {
            let row = &mut weights[start..][..columns];
            if is_inside {
                row[..begin].fill(0.0);
                row[end..].fill(0.0);
            } else {
                row.fill(0.0);
            }
        }
    }

    /// The places of sums in the table of weights.
    #[inline(always)]
    fn place<S: Simd>(&self, simd: S, sums: S::I32) -> S::I32 {
        if T::SHIFT == 0 {
            return sums;
        }
        let shifted = simd.down_i32(sums, simd.splat_i32(T::SHIFT as i32));
        simd.and_i32(shifted, u16::splat(simd, u16::MAX >> T::SHIFT))
    }

    /// Makes the means of a row of a strip.
    #[inline(always)]
    fn means<S: Simd>(&self, simd: S, [y, left]: [usize; 2], tables: TapTables, centre: &[T], to: &mut [T]) {
        let TapTables { values, weights, taps } = tables;
        let (alike, columns) = (&self.alike, self.columns);
        // Where a row's values start.
        let stride = alike.stride();
        let keys = stride * size_of::<T::Key>() / size_of::<f32>();
        let line = |y: isize| y.clamp(0, alike.height as isize - 1) as usize * (keys + stride) + keys;
        let place = alike.columns.left + left;
        let mut rows = [[0; 4]; MOST_REACH + 1];
        for (down, rows) in rows[..self.reach + 1].iter_mut().enumerate() {
            let [above, below] = [y as isize - down as isize, y as isize + down as isize];
            let slot = |y: isize| MutualOffset::slot(down, y) * columns + self.reach;
            *rows = [slot(above), line(above) + place, slot(y as isize), line(below) + place];
        }
        taps.clear();
        for met in &self.met {
            taps.extend(match *met {
                Met::Forth(index) => {
                    let (offset, [.., weights, values]) = (&self.offsets[index], rows[self.offsets[index].down]);
                    [offset.weights * columns + weights, values.wrapping_add_signed(offset.across)]
                }
                Met::Back(index) => {
                    let (offset, [weights, values, ..]) = (&self.offsets[index], rows[self.offsets[index].down]);
                    let back = |place: usize| place.wrapping_add_signed(-offset.across);
                    [back(offset.weights * columns + weights), back(values)]
                }
                Met::Own => [self.rows[0] * columns, line(y as isize) + place],
            });
        }
        let row = TapRow { values, weights, taps, own: &values[line(y as isize) + place..], centre, left };
        let last = (columns - 2 * self.reach).min(to.len() - left);
        let mut x = 0;
        while x < last {
            // As many sums as there are registers for.
            if S::LANES == 16 && x + VECTORS * S::LANES < last {
                x += self.block::<S, { 2 * VECTORS }>(simd, &row, x, to);
            } else {
                x += self.block::<S, VECTORS>(simd, &row, x, to);
            }
        }
    }

    /// Makes the means of some vectors of a row from column `x` on; tells how many columns those are.
    #[inline(always)]
    fn block<S: Simd, const N: usize>(&self, simd: S, row: &TapRow<T>, x: usize, to: &mut [T]) -> usize {
        let TapRow { values, weights, taps, own, centre, left } = *row;
        let columns = N * S::LANES;
        let (mut total, mut sum) = ([simd.splat(0.0); N], [simd.splat(0.0); N]);
        for tap in taps.chunks_exact(2) {
            let (weights, values) = (&weights[tap[0] + x..][..columns], &values[tap[1] + x..][..columns]);
            for n in 0..N {
                let weight = simd.load(&weights[n * S::LANES..]);
                total[n] = simd.add(total[n], weight);
                sum[n] = simd.add(sum[n], simd.mul(weight, simd.load(&values[n * S::LANES..])));
            }
        }
        for (i, (total, sum)) in total.as_chunks::<VECTORS>().0.iter().zip(sum.as_chunks().0).enumerate() {
            let x = x + i * VECTORS * S::LANES;
            if left + x < to.len() {
                self.alike.finish.put(simd, self.alike.means(simd, *total, *sum, &own[x..]), centre, left + x, to);
            }
        }
        columns
    }
}

impl<T: Comparable> Banded<T> for Mutual<T>
where
    T::Key: Squared<u16>,
{
    fn level(&self) -> Level {
        self.alike.level()
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        Banded::ahead(&self.alike)
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, window: &PlaneWindow<T>, row: usize, lines: &mut [u8], scratch: &mut Scratch) {
        Banded::prepare(&self.alike, simd, window, row, lines, scratch);
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        match self.alike.patch {
            1 => self.strips::<S, 1>(simd, band),
            3 => self.strips::<S, 3>(simd, band),
            5 => self.strips::<S, 5>(simd, band),
            _ => self.strips::<S, 7>(simd, band),
        }
    }
}
