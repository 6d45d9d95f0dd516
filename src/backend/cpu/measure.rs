//! How bright rows are, and how much two frames' rows differ: sums of whole numbers, the same in any order.

use super::simd::{Level, Sample, Simd, WithSimd};
use crate::frame::Plane;

/// Samples as they are measured.
pub trait Measured: Sample {
    /// The whole number that a sample counts as, below 2¹⁶.
    fn measured(self) -> u32;
}

impl Measured for u8 {
    #[inline(always)]
    fn measured(self) -> u32 {
        u32::from(self)
    }
}

impl Measured for u16 {
    #[inline(always)]
    fn measured(self) -> u32 {
        u32::from(self)
    }
}

impl Measured for f32 {
    #[expect(clippy::manual_clamp, reason = "of a NaN and a number the number is meant")]
    #[inline(always)]
    fn measured(self) -> u32 {
        // From 2²³ to 2²⁴ floats are whole numbers, and their bits count them. A cast would be done one by one.
        const WHOLE: f32 = 8_388_608.0;
        (self.max(0.0).min(1.0) * 65535.0 + WHOLE).to_bits() - WHOLE.to_bits()
    }
}

/// Some rows of a plane, and the same ones of the frame before.
struct Sum<'a, T> {
    plane: Plane<'a, T>,
    before: Option<Plane<'a, T>>,
    first: usize,
    count: usize,
    sum: &'a mut u64,
}

impl<T: Measured> WithSimd for Sum<'_, T> {
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
pub fn sum<T: Measured>(
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
