//! SSIM, as FFmpeg's filter of that name has it: the mean over windows of 8×8 samples whose corners are multiples of four.
//!
//! With `s1`, `s2` the sums of the samples of a window, `ss` the sum of all their squares, `s12` that of their products, and `L` the
//! largest sample:
//!
//! ```text
//! c1 = 0.01² L² 64, c2 = 0.03² L² 64·63, both rounded to whole numbers where samples are
//! v = 64 ss − s1² − s2², c = 64 s12 − s1 s2
//! (2 s1 s2 + c1) (2 c + c2) / ((s1² + s2² + c1) (v + c2))
//! ```
//!
//! Each of the four factors is exact (of floats, in f64) and rounded to f32; products and the ratio are f32. Rows of windows are
//! summed in f64, every eighth window by itself, then those eight in their order; above 8 bits in f32, as FFmpeg does; rows from the top. What is left of a plane at the
//! right and at the bottom beyond multiples of four is not seen. A plane with a side below 8 has no windows.

use warpreel_filter::backend::SimilarityPlan;

use super::block::{BlockRow, BlockSummed, SIDE, Total};
use super::worker::MetricThreads;
use crate::frame::{Format, Host, Pixel, Plane, Sample as SampleType};
use crate::simd::{Simd, WithSimd};

/// `c1` and `c2`.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    of_means: f64,
    of_variances: f64,
}

impl Constants {
    /// Of a kind of samples.
    fn of(pixel: Pixel) -> Self {
        let peak = f64::from(pixel.peak());
        let [of_means, of_variances] = [0.01 * 0.01 * peak * peak * 64.0, 0.03 * 0.03 * peak * peak * 64.0 * 63.0];
        match pixel.sample {
            SampleType::F32 => Self { of_means, of_variances },
            _ => Self { of_means: (of_means + 0.5).floor(), of_variances: (of_variances + 0.5).floor() },
        }
    }
}

/// Sums from which the similarity of a window follows.
pub trait SimilaritySum: Total {
    /// The similarity of a window with these sums, in the order of [`BlockRow`].
    fn similarity(sums: [Self; 4], constants: Constants) -> f32;
}

impl SimilaritySum for i32 {
    #[inline(always)]
    fn similarity([first, second, squares, products]: [i32; 4], constants: Constants) -> f32 {
        let [c1, c2] = [constants.of_means as i32, constants.of_variances as i32];
        // Bytes: the largest of these is 64 · 128 · 255², below 2³⁰.
        let variance = 64 * squares - first * first - second * second;
        let covariance = 64 * products - first * second;
        let same = (2 * first * second + c1) as f32 * (2 * covariance + c2) as f32;
        same / ((first * first + second * second + c1) as f32 * (variance + c2) as f32)
    }
}

impl SimilaritySum for f64 {
    #[inline(always)]
    fn similarity([first, second, squares, products]: [f64; 4], constants: Constants) -> f32 {
        let Constants { of_means: c1, of_variances: c2 } = constants;
        let variance = 64.0 * squares - first * first - second * second;
        let covariance = 64.0 * products - first * second;
        let same = (2.0 * first * second + c1) as f32 * (2.0 * covariance + c2) as f32;
        same / ((first * first + second * second + c1) as f32 * (variance + c2) as f32)
    }
}

struct SimilarityRows<'a, T> {
    planes: [Plane<'a, T>; 2],
    constants: Constants,
    first: usize,
    sums: &'a mut [f64],
}

impl<T: BlockSummed<Total: SimilaritySum>> WithSimd for SimilarityRows<'_, T> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        let Self { planes, constants, first, sums } = self;
        let blocks = planes[0].width / SIDE;
        let [mut upper, mut lower] = [BlockRow::new(blocks), BlockRow::new(blocks)];
        let mut similarities = vec![0.0; blocks - 1];
        T::blocks(simd, &planes, first, &mut lower);
        for (y, sum) in (first..).zip(sums) {
            std::mem::swap(&mut upper, &mut lower);
            T::blocks(simd, &planes, y + 1, &mut lower);
            similar(&upper, &lower, constants, &mut similarities);
            *sum = T::total(&similarities);
        }
    }
}

/// The similarities of a row of windows.
#[inline(always)]
fn similar<'a, N: SimilaritySum>(upper: &'a BlockRow<N>, lower: &'a BlockRow<N>, constants: Constants, to: &mut [f32]) {
    // Of lengths that the compiler sees are enough.
    let row = |sums: &'a BlockRow<N>| {
        let blocks = ..=to.len();
        [&sums.first[blocks], &sums.second[blocks], &sums.squares[blocks], &sums.products[blocks]]
    };
    let (upper, lower) = (row(upper), row(lower));
    for (x, to) in to.iter_mut().enumerate() {
        let four = |sum: usize| (upper[sum][x] + upper[sum][x + 1]) + (lower[sum][x] + lower[sum][x + 1]);
        let sums = [four(0), four(1), four(2), four(3)];
        *to = N::similarity(sums, constants);
    }
}

/// The mean similarity of each plane; none of planes without a window.
pub fn similarities<T: BlockSummed<Total: SimilaritySum>>(
    threads: &MetricThreads,
    format: &Format,
    hosts: [Host<'_>; 2],
) -> Vec<Option<f64>> {
    /// Fewest rows of windows a piece: the row of blocks above the first is summed twice.
    const FEWEST: usize = 16;
    let constants = Constants::of(format.pixel);
    let rows: Vec<usize> = (0..format.pixel.planes()).map(|plane| windows(format, plane)[0]).collect();
    let sums = threads.row_sums(&rows, FEWEST, |plane, first, sums| {
        threads.level.run(SimilarityRows { planes: hosts.map(|host| host.plane::<T>(plane)), constants, first, sums });
    });
    means(format, &sums)
}

/// The mean similarity of each plane, of the sums of its rows of windows; none of planes without a window.
pub fn means(format: &Format, rows: &[Vec<f64>]) -> Vec<Option<f64>> {
    let mean = |(plane, sums): (usize, &Vec<f64>)| {
        let [rows, columns] = windows(format, plane);
        (rows > 0).then(|| sums.iter().sum::<f64>() / (rows * columns) as f64)
    };
    rows.iter().enumerate().map(mean).collect()
}

/// Sums wanted of frames of a format, for another machine.
pub fn plan(format: &Format) -> SimilarityPlan {
    let Constants { of_means, of_variances } = Constants::of(format.pixel);
    let windows = (0..format.pixel.planes()).map(|plane| windows(format, plane)).collect();
    SimilarityPlan { constants: [of_means, of_variances], windows }
}

/// Rows and columns of windows of a plane.
fn windows(format: &Format, plane: usize) -> [usize; 2] {
    let (width, height) = format.plane_size(plane);
    match [height, width].map(|side| (side / SIDE).saturating_sub(1)) {
        [_, 0] => [0, 0],
        windows => windows,
    }
}
