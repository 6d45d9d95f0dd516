//! Numbers that rebuilt rows are computed in ([`FieldNumbers`]): vectors of columns, and sums of their products with weights.

use super::super::simd::{Sample, Simd};

/// A kind of numbers, and what samples of type `T` are in it.
pub trait FieldNumbers<T: Sample>: Copy + Send + Sync + 'static {
    /// A number for each of some columns.
    type Vector<S: Simd>: Copy;
    /// A sum of products for each of them.
    type Sum<S: Simd>: Copy;

    /// How many columns that are.
    fn columns<S: Simd>() -> usize;
    /// Reads samples; those above the format's largest as the largest.
    fn read<S: Simd>(self, simd: S, from: &[T]) -> Self::Vector<S>;
    /// Reads several rows. A loop: a closure would not be compiled with the instructions of the level.
    #[inline(always)]
    fn read_all<S: Simd, const R: usize>(self, simd: S, rows: [&[T]; R]) -> [Self::Vector<S>; R] {
        let mut read = [self.zero(simd); R];
        for (read, row) in read.iter_mut().zip(&rows) {
            *read = self.read(simd, row);
        }
        read
    }
    /// Reads two rows, and adds them.
    #[inline(always)]
    fn read_sum<S: Simd>(self, simd: S, a: &[T], b: &[T]) -> Self::Vector<S> {
        self.add(simd, self.read(simd, a), self.read(simd, b))
    }
    /// Writes samples; integers clamped to the format, NaNs made one.
    fn write<S: Simd>(self, simd: S, value: Self::Vector<S>, to: &mut [T]);

    /// 0.
    fn zero<S: Simd>(self, simd: S) -> Self::Vector<S>;
    /// The smallest step between integers; 0 for floats.
    fn step<S: Simd>(self, simd: S) -> Self::Vector<S>;
    /// `a + b`.
    fn add<S: Simd>(self, simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// `a − b`.
    fn sub<S: Simd>(self, simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// `|a − b|`.
    fn apart<S: Simd>(self, simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// `a / 2`, of integers rounded down.
    fn half<S: Simd>(self, simd: S, a: Self::Vector<S>) -> Self::Vector<S>;
    /// `a` if it is smaller, else `b`.
    fn smaller<S: Simd>(self, simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// `a` if it is larger, else `b`.
    fn larger<S: Simd>(self, simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// `then` where `a` is larger than `b`, and `other` elsewhere.
    fn where_above<S: Simd>(
        self,
        simd: S,
        ab: [Self::Vector<S>; 2],
        then: Self::Vector<S>,
        other: Self::Vector<S>,
    ) -> Self::Vector<S>;

    /// `a · weights[0] + b · weights[1]`.
    fn pair<S: Simd>(self, simd: S, ab: [Self::Vector<S>; 2], weights: [i32; 2]) -> Self::Sum<S>;
    /// `sum + a · weight`.
    fn more<S: Simd>(self, simd: S, sum: Self::Sum<S>, a: Self::Vector<S>, weight: i32) -> Self::Sum<S>;
    /// `a + b`.
    fn sum<S: Simd>(self, simd: S, a: Self::Sum<S>, b: Self::Sum<S>) -> Self::Sum<S>;
    /// `a / 4`, of integers rounded down.
    fn quarter<S: Simd>(self, simd: S, a: Self::Sum<S>) -> Self::Sum<S>;
    /// `a / 2¹³`, of integers rounded down.
    fn scaled<S: Simd>(self, simd: S, a: Self::Sum<S>) -> Self::Vector<S>;
    /// `(low + high) / 2¹⁵`, of integers rounded down; with the weights of [`crate::pass::W3fdif`].
    fn joined<S: Simd>(self, simd: S, low: Self::Sum<S>, high: Self::Sum<S>) -> Self::Vector<S>;
}
