//! Integer taps that are all equal, but for those at both ends, as of boxes on subsampled chroma: sums that slide, so that a sample costs
//! the same for any number of taps. Down the plane a row of column sums takes one row in and gives one up; along it the
//! differences of two column sums that are a window apart are added up. Samples under the ends, times the differences of those taps, are added to
//! each sum. Exact modulo 2³², and so are the results, which fit.

use crate::border::{Columns, Rows};
use crate::even::EvenTaps;
use crate::finish::{Finish, VECTORS};
use crate::pass;
use crate::simd::{Level, Sample, Simd};
use crate::walk::{Band, Banded, RowReach};
use crate::window::PlaneWindow;

/// Boxes.
pub struct Slide {
    x: EvenTaps,
    y: EvenTaps,
    constant: i32,
    columns: Columns,
    rows: Rows,
    band_rows: usize,
    level: Level,
    finish: Finish,
}

impl Slide {
    /// For the rows of a plane, `width` samples wide; `None` where taps between the ends differ, or are so few that they are
    /// better taken one by one.
    pub fn new(op: &pass::Separable, width: usize, row_reach: RowReach, level: Level, finish: Finish) -> Option<Self> {
        let [mut x, mut y] = EvenTaps::axes(op)?;
        if y.has_no_ends() {
            // Columns are plain sums then.
            x = x.times(y.middle);
            (y.first, y.middle, y.last) = (1, 1, 1);
        }
        let RowReach { border, height, top, bottom, threads } = row_reach;
        Some(Self {
            x,
            y,
            constant: op.border.constant() as i32,
            columns: Columns::new(border, width, op.x.anchor, op.x.weights.len() - 1 - op.x.anchor),
            rows: Rows::new(border, height, top, bottom),
            // A band starts by adding up all rows of its first window.
            band_rows: height.div_ceil(4 * threads).max((top + bottom).min(height.div_ceil(threads))),
            level,
            finish,
        })
    }

    /// True if all taps are equal. Where the ends differ, dot products of few taps are faster. On two cores with AVX-512, 1080p frames of
    /// bytes in 4:2:0 a second, by taps of chroma, beside sums that slide: 5 + 5 1,860 and 1,360; by `f32` 9 + 9 1,030 and 1,300, 15 + 15 310
    /// and 1,100.
    pub fn is_even(&self) -> bool {
        self.x.has_no_ends() && self.y.has_no_ends()
    }

    /// Adds row `place` to the column sums, and takes `old` away.
    #[inline(always)]
    fn turn<S: Simd, T: Sample>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        place: usize,
        old: Option<usize>,
        sums: &mut [i32],
    ) {
        let row = |place: usize| self.rows.source(place).map(|y| window.centre(y));
        let (new, old) = (row(place), old.map(row));
        let width = self.columns.width;
        let vectors = width / S::LANES * S::LANES;
        let constant = simd.splat_i32(self.constant);
        for (x, sums) in sums[..vectors].chunks_exact_mut(S::LANES).enumerate() {
            let mut sum = simd.add_i32(simd.load_integers(sums), read(simd, new, x * S::LANES, constant));
            if let Some(old) = old {
                sum = simd.sub_i32(sum, read(simd, old, x * S::LANES, constant));
            }
            simd.store_integers(sum, sums);
        }
        let single = |row: Option<&[T]>, x: usize| row.map_or(self.constant, |row| row[x].integer());
        for (x, sum) in sums[..width].iter_mut().enumerate().skip(vectors) {
            *sum = sum.wrapping_add(single(new, x)).wrapping_sub(old.map_or(0, |old| single(old, x)));
        }
    }

    /// Columns of the window that begins with row `y`, weighed, from their plain sums.
    #[inline(always)]
    fn weigh<S: Simd, T: Sample>(&self, simd: S, window: &PlaneWindow<T>, y: usize, sums: &[i32], weighed: &mut [i32]) {
        let (EvenTaps { length, middle, .. }, ends) = (self.y, self.y.ends());
        let rows = [y, y + length - 1].map(|place| self.rows.source(place).map(|y| window.centre(y)));
        let width = self.columns.width;
        let vectors = width / S::LANES * S::LANES;
        let (factor, constant) = (simd.splat_i32(middle), simd.splat_i32(self.constant));
        for x in (0..vectors).step_by(S::LANES) {
            let mut sum = simd.mul_i32(simd.load_integers(&sums[x..x + S::LANES]), factor);
            for (row, end) in rows.into_iter().zip(ends) {
                sum = simd.add_i32(sum, simd.mul_i32(read(simd, row, x, constant), simd.splat_i32(end)));
            }
            simd.store_integers(sum, &mut weighed[x..x + S::LANES]);
        }
        for x in vectors..width {
            let single = |row: Option<&[T]>| row.map_or(self.constant, |row| row[x].integer());
            let both = rows.into_iter().zip(ends);
            weighed[x] = both
                .fold(sums[x].wrapping_mul(middle), |sum, (row, end)| sum.wrapping_add(single(row).wrapping_mul(end)));
        }
    }

    /// Writes one row from padded column sums.
    #[inline(always)]
    fn row<S: Simd, T: Sample>(&self, simd: S, sums: &[i32], centre: &[T], out: &mut [T]) {
        let (EvenTaps { length, middle, .. }, ends) = (self.x, self.x.ends());
        let first = sums[..length].iter().fold(0i32, |sum, &column| sum.wrapping_add(column));
        let mut carry = simd.splat_i32(first);
        let factor = simd.splat_i32(middle);
        let has_no_ends = self.x.has_no_ends();
        let ends = [simd.splat_i32(ends[0]), simd.splat_i32(ends[1])];
        for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
            let mut values = [simd.splat(0.0); VECTORS];
            let leaving = &sums[x..x + VECTORS * S::LANES];
            let coming = &sums[x + length..][..VECTORS * S::LANES];
            let last = &sums[x + length - 1..][..VECTORS * S::LANES];
            for (n, value) in values.iter_mut().enumerate() {
                let (coming, leaving) =
                    (simd.load_integers(&coming[n * S::LANES..]), simd.load_integers(&leaving[n * S::LANES..]));
                let change = simd.sub_i32(coming, leaving);
                let changes = simd.running_sum(change);
                // The change that a lane brings holds from the next lane on.
                let sum = simd.add_i32(carry, simd.sub_i32(changes, change));
                carry = simd.add_i32(carry, simd.last(changes));
                let mut total = if middle == 1 { sum } else { simd.mul_i32(sum, factor) };
                if !has_no_ends {
                    let last = simd.load_integers(&last[n * S::LANES..]);
                    total = simd.add_i32(total, simd.mul_i32(leaving, ends[0]));
                    total = simd.add_i32(total, simd.mul_i32(last, ends[1]));
                }
                *value = simd.float(total);
            }
            self.finish.put(simd, values, centre, x, out);
        }
    }
}

#[inline(always)]
fn read<S: Simd, T: Sample>(simd: S, row: Option<&[T]>, x: usize, constant: S::I32) -> S::I32 {
    match row {
        Some(row) => T::widen(simd, &row[x..x + S::LANES]),
        None => constant,
    }
}

impl<T: Sample> Banded<T> for Slide {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let columns = &self.columns;
        let (height, has_no_ends) = (self.y.length, self.y.has_no_ends());
        let (line, weighed) = scratch.spare.elements::<i32>(2 * columns.stride()).split_at_mut(columns.stride());
        let outside = self.constant.wrapping_mul(self.y.sum());
        line[columns.left..][..columns.width].fill(0);
        for place in first..first + height - 1 {
            self.turn(simd, window, place, None, &mut line[columns.left..]);
        }
        for y in first..first + out.height {
            let old = (y > first).then(|| y - 1);
            self.turn(simd, window, y + height - 1, old, &mut line[columns.left..]);
            if !has_no_ends {
                self.weigh(simd, window, y, &line[columns.left..], &mut weighed[columns.left..]);
            }
            let line = if has_no_ends { &mut *line } else { &mut *weighed };
            columns.pad(line, outside);
            if y + 1 < first + out.height {
                window.prefetch(simd, self.rows.source(y + height));
            }
            self.row(simd, line, window.centre(y), out.row_mut(y - first));
        }
    }
}
