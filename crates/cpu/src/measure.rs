//! How bright rows are, how much two frames' rows differ, and frames made small: sums of whole numbers, the same in any order.

use super::simd::{Level, Sample, Simd, WithSimd};
use crate::frame::{Measured, Plane};

/// Some rows of a plane, and the same ones of the frame before.
struct Sum<'a, T> {
    plane: Plane<'a, T>,
    before: Option<Plane<'a, T>>,
    first: usize,
    count: usize,
    sum: &'a mut u64,
}

impl<T: Measured + Sample> WithSimd for Sum<'_, T> {
    // Plain loops, which the compiler turns into the sums of absolute differences that every set of instructions has.
    #[inline(always)]
    fn work<S: Simd>(self, _: S) {
        for y in self.first..self.first + self.count {
            let row = self.plane.row(y);
            // At most 2¹⁴ samples below 2¹⁶ each.
            let sum: u32 = match &self.before {
                Some(before) => row.iter().zip(before.row(y)).map(|(a, b)| a.measured().abs_diff(b.measured())).sum(),
                None => row.iter().map(|a| a.measured()).sum(),
            };
            *self.sum += u64::from(sum);
        }
    }
}

/// The sum over `count` rows from `first` on: of all samples, or of the differences from `before`.
pub fn sum<T: Measured + Sample>(
    level: Level,
    plane: Plane<'_, T>,
    before: Option<Plane<'_, T>>,
    first: usize,
    count: usize,
) -> u64 {
    let mut sum = 0;
    level.run(Sum { plane, before, first, count, sum: &mut sum });
    sum
}

/// The sums over a row of cells whose side is a power of two, from row `first` of the plane on, added to what is there.
struct CellSum<'a, T> {
    plane: Plane<'a, T>,
    first: usize,
    log2_side: u32,
    /// One sum for each column.
    line: &'a mut [u32],
    cells: &'a mut [u32],
}

impl<T: Measured + Sample> WithSimd for CellSum<'_, T> {
    // As above; columns are added up first, which vectors do.
    #[inline(always)]
    fn work<S: Simd>(self, _: S) {
        self.line.fill(0);
        for y in self.first..self.first + (1 << self.log2_side) {
            self.line.iter_mut().zip(self.plane.row(y)).for_each(|(sum, sample)| *sum += sample.measured());
        }
        for (cell, columns) in self.cells.iter_mut().zip(self.line.chunks_exact(1 << self.log2_side)) {
            *cell += columns.iter().sum::<u32>();
        }
    }
}

/// Adds the sums over some rows of cells of a plane, from row `first` on, to `cells`, which has `columns` a row.
pub fn add_cells<T: Measured + Sample>(
    level: Level,
    plane: Plane<'_, T>,
    first: usize,
    (log2_side, columns): (u32, usize),
    cells: &mut [u32],
) {
    let mut line = vec![0; plane.width];
    for (row, cells) in cells.chunks_exact_mut(columns).enumerate() {
        level.run(CellSum { plane, first: (first + row) << log2_side, log2_side, line: &mut line, cells });
    }
}
