//! PSNR, as FFmpeg's filter of that name has it: the mean of squared differences of each plane, the planes weighted by their
//! samples, as decibels below the square of the largest sample.

use super::worker::MetricThreads;
use crate::frame::{Format, Host, Plane};
use crate::simd::{Sample, Simd, WithSimd};

/// Decibels of a mean squared error below the square of the largest sample: infinite where there is no error.
pub fn decibels(mean_squared_error: f64, peak: f64) -> f64 {
    10.0 * (peak * peak / mean_squared_error).log10()
}

/// Samples whose differences are squared.
pub trait SquaredError: Sample {
    /// The sum over a row of at most 2¹⁴ samples: exact for integers; for floats eight sums of every eighth sample each, added
    /// in their order.
    fn squares(a: &[Self], b: &[Self]) -> f64;
}

// Plain loops, which the compiler turns into the vectors of every set of instructions.
impl SquaredError for u8 {
    #[inline(always)]
    fn squares(a: &[u8], b: &[u8]) -> f64 {
        let mut sum = 0;
        for (a, b) in a.iter().zip(b) {
            let difference = i32::from(*a) - i32::from(*b);
            sum += difference * difference;
        }
        f64::from(sum)
    }
}

impl SquaredError for u16 {
    #[inline(always)]
    fn squares(a: &[u16], b: &[u16]) -> f64 {
        let mut sum = 0;
        for (a, b) in a.iter().zip(b) {
            let difference = u32::from(a.abs_diff(*b));
            sum += u64::from(difference * difference);
        }
        sum as f64
    }
}

impl SquaredError for f32 {
    #[inline(always)]
    fn squares(a: &[f32], b: &[f32]) -> f64 {
        let mut sums = [0.0; 8];
        for (a, b) in a.chunks(8).zip(b.chunks(8)) {
            for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
                let difference = f64::from(a.finite()) - f64::from(b.finite());
                *sum += difference * difference;
            }
        }
        sums.iter().sum()
    }
}

struct ErrorRows<'a, T> {
    planes: [Plane<'a, T>; 2],
    first: usize,
    sums: &'a mut [f64],
}

impl<T: SquaredError> WithSimd for ErrorRows<'_, T> {
    #[inline(always)]
    fn work<S: Simd>(self, _: S) {
        let [a, b] = self.planes;
        for (y, sum) in (self.first..).zip(self.sums) {
            *sum = T::squares(a.row(y), b.row(y));
        }
    }
}

/// The mean squared error of each plane.
pub fn errors<T: SquaredError>(threads: &MetricThreads, format: &Format, hosts: [Host<'_>; 2]) -> Vec<Option<f64>> {
    /// Fewest rows a piece: fewer take less time than handing them out.
    const FEWEST: usize = 16;
    let rows: Vec<usize> = (0..format.pixel.planes()).map(|plane| format.plane_size(plane).1).collect();
    let sums = threads.row_sums(&rows, FEWEST, |plane, first, sums| {
        threads.level.run(ErrorRows { planes: hosts.map(|host| host.plane::<T>(plane)), first, sums });
    });
    means(format, &sums)
}

/// The mean squared error of each plane, of the sums of its rows.
pub fn means(format: &Format, rows: &[Vec<f64>]) -> Vec<Option<f64>> {
    let mean = |(plane, rows): (usize, &Vec<f64>)| {
        let (width, height) = format.plane_size(plane);
        Some(rows.iter().sum::<f64>() / (width * height) as f64)
    };
    rows.iter().enumerate().map(mean).collect()
}
