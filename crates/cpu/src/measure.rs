//! How bright rows are, and how much two frames' rows differ: sums of whole numbers, the same in any order.

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
