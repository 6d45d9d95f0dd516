//! Integer taps that are all equal: sums that slide, so that a sample costs the same for any number of taps. Down the
//! plane a row of column sums takes one row in and gives one up; along it the differences of two column sums that are
//! a window apart are added up. Exact modulo 2³², and so are the results, which fit.

use crate::border::{Columns, Rows};
use crate::finish::{Finish, VECTORS};
use crate::pass::{self, Arithmetic, Taps};
use crate::simd::{Level, Sample, Simd};
use crate::walk::{Band, Banded, RowReach};
use crate::window::PlaneWindow;

/// Boxes of `width` by `height` taps.
pub struct Slide {
    width: usize,
    height: usize,
    /// What all taps along x times all along y are.
    factor: i32,
    constant: i32,
    columns: Columns,
    rows: Rows,
    band_rows: usize,
    level: Level,
    finish: Finish,
}

fn single(taps: &Taps) -> Option<f32> {
    let (&first, rest) = taps.weights.split_first()?;
    rest.iter().all(|&weight| weight == first).then_some(first)
}

impl Slide {
    /// From how many taps along x and y together on this is faster than taking tap by tap. Measured on a Zen 4: of
    /// 1080p frames of bytes, 1,640 a second by sums that slide, 1,470 by dot products of 5 + 5 taps, 2,460 of 3 + 3.
    const FEWEST: usize = 9;

    /// For the rows of a plane, `width` samples wide; `None` where taps differ, or are so few that they are
    /// better taken one by one.
    pub fn new(op: &pass::Separable, width: usize, row_reach: RowReach, level: Level, finish: Finish) -> Option<Self> {
        let taps = op.x.weights.len() + op.y.weights.len();
        if op.arithmetic != Arithmetic::Integer || !op.t.is_identity() || taps < Self::FEWEST {
            return None;
        }
        let factor = single(&op.x)? as i32 * single(&op.y)? as i32;
        let RowReach { border, height, top, bottom, threads } = row_reach;
        Some(Self {
            width: op.x.weights.len(),
            height: op.y.weights.len(),
            factor,
            constant: op.border.constant() as i32,
            columns: Columns::new(border, width, op.x.anchor, op.x.weights.len() - 1 - op.x.anchor),
            rows: Rows::new(border, height, top, bottom),
            // A band starts by adding up all rows of its first window.
            band_rows: height.div_ceil(4 * threads).max((top + bottom).min(height.div_ceil(threads))),
            level,
            finish,
        })
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

    /// Writes one row from padded column sums.
    #[inline(always)]
    fn row<S: Simd, T: Sample>(&self, simd: S, sums: &[i32], centre: &[T], out: &mut [T]) {
        let first = sums[..self.width].iter().fold(0i32, |sum, &column| sum.wrapping_add(column));
        let mut carry = simd.splat_i32(first);
        let factor = simd.splat_i32(self.factor);
        for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
            let mut values = [simd.splat(0.0); VECTORS];
            let leaving = &sums[x..x + VECTORS * S::LANES];
            let coming = &sums[x + self.width..][..VECTORS * S::LANES];
            for (n, value) in values.iter_mut().enumerate() {
                let (coming, leaving) =
                    (simd.load_integers(&coming[n * S::LANES..]), simd.load_integers(&leaving[n * S::LANES..]));
                let change = simd.sub_i32(coming, leaving);
                let changes = simd.running_sum(change);
                // The change that a lane brings holds from the next lane on.
                let sum = simd.add_i32(carry, simd.sub_i32(changes, change));
                carry = simd.add_i32(carry, simd.last(changes));
                *value = simd.float(if self.factor == 1 { sum } else { simd.mul_i32(sum, factor) });
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
        let line: &mut [i32] = scratch.spare.elements(columns.stride());
        let outside = self.constant.wrapping_mul(self.height as i32);
        line[columns.left..][..columns.width].fill(0);
        for place in first..first + self.height - 1 {
            self.turn(simd, window, place, None, &mut line[columns.left..]);
        }
        for y in first..first + out.height {
            let old = (y > first).then(|| y - 1);
            self.turn(simd, window, y + self.height - 1, old, &mut line[columns.left..]);
            columns.pad(line, outside);
            if y + 1 < first + out.height {
                window.prefetch(simd, self.rows.source(y + self.height));
            }
            self.row(simd, line, window.centre(y), out.row_mut(y - first));
        }
    }
}
