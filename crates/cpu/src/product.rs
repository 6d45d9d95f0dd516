//! How a sum takes in products ([`Product`]): one tap after another, in the numbers that sums are formed in, or a group
//! of neighbouring taps with one instruction ([`DotProduct`]).

use std::marker::PhantomData;

use bytemuck::Pod;

use super::finish::{Finish, VECTORS};
use super::line;
use super::simd::{Dot, Number, Sample, Simd};

/// Products of what lines hold.
pub trait Product: Send + Sync {
    /// What lines hold.
    type Element: Pod + Send + Sync;
    /// The type of a sum, and of a group of weights.
    type Number: Copy + Send + Sync;
    /// A vector of sums, of groups of weights or of groups of elements.
    type Vector<S: Simd>: Copy;
    /// How many taps a sum takes at once. A row of sums is woven from as many vectors, each read one element further on.
    const GROUP: usize;

    /// The element of an integer or a real constant.
    fn element(value: f32) -> Self::Element;
    /// Up to [`Product::GROUP`] weights; those that are missing are 0.
    fn pack(weights: &[f32]) -> Self::Number;
    /// What the sum over a kernel's elements lacks to be that over its samples.
    fn start(weights: &[f32]) -> Self::Number;
    /// The same in all lanes.
    fn splat<S: Simd>(simd: S, value: Self::Number) -> Self::Vector<S>;
    /// Reads elements.
    fn load<S: Simd>(simd: S, from: &[Self::Element]) -> Self::Vector<S>;
    /// `sum + weights · elements`: rounded once, or modulo 2³².
    fn tap<S: Simd>(
        simd: S,
        weights: Self::Vector<S>,
        elements: Self::Vector<S>,
        sum: Self::Vector<S>,
    ) -> Self::Vector<S>;
    /// Sums as `f32`, to nearest, ties to even.
    fn float<S: Simd>(simd: S, sum: Self::Vector<S>) -> S::F32;
}

/// Products of samples of type `T`.
pub trait ProductOf<T>: Product {
    /// A row of samples as elements. May write up to one vector beyond the row's end.
    fn convert<S: Simd>(simd: S, row: &[T], line: &mut [Self::Element]);
    /// The last step of sums of one row from column `x` on. `centre` is the row of unfiltered samples.
    fn put<S: Simd>(simd: S, finish: &Finish, sums: [S::F32; VECTORS], centre: &[T], x: usize, row: &mut [T]);
}

impl<A: Number> Product for A {
    type Element = A;
    type Number = A;
    type Vector<S: Simd> = <A as Number>::Vector<S>;
    const GROUP: usize = 1;

    fn element(value: f32) -> A {
        A::of(value)
    }

    fn pack(weights: &[f32]) -> A {
        weights.first().map_or(A::zeroed(), |&weight| A::of(weight))
    }

    fn start(_: &[f32]) -> A {
        A::zeroed()
    }

    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: A) -> Self::Vector<S> {
        <A as Number>::splat(simd, value)
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[A]) -> Self::Vector<S> {
        <A as Number>::load(simd, from)
    }

    #[inline(always)]
    fn tap<S: Simd>(simd: S, weight: Self::Vector<S>, value: Self::Vector<S>, sum: Self::Vector<S>) -> Self::Vector<S> {
        <A as Number>::tap(simd, weight, value, sum)
    }

    #[inline(always)]
    fn float<S: Simd>(simd: S, sum: Self::Vector<S>) -> S::F32 {
        <A as Number>::float(simd, sum)
    }
}

impl<T: Sample, A: Number> ProductOf<T> for A {
    #[inline(always)]
    fn convert<S: Simd>(simd: S, row: &[T], line: &mut [A]) {
        line::convert(simd, row, line);
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, finish: &Finish, sums: [S::F32; VECTORS], centre: &[T], x: usize, row: &mut [T]) {
        finish.put(simd, sums, centre, x, row);
    }
}

/// Integer products by the dot products of the machine: lines are the samples themselves. Exact, so the order of the
/// taps does not matter and zeros fill up groups.
pub struct DotProduct<T>(PhantomData<T>);

impl<T: Dot> Product for DotProduct<T> {
    type Element = T::Element;
    type Number = i32;
    type Vector<S: Simd> = S::I32;
    const GROUP: usize = T::GROUP;

    fn element(value: f32) -> T::Element {
        T::of(value).element()
    }

    fn pack(weights: &[f32]) -> i32 {
        let mut group = [0; 4];
        group.iter_mut().zip(weights).for_each(|(integer, &weight)| *integer = weight as i32);
        T::pack(&group[..weights.len().min(4)])
    }

    fn start(weights: &[f32]) -> i32 {
        weights.iter().fold(0i32, |sum, &weight| sum.wrapping_add(weight as i32)).wrapping_mul(T::OFFSET)
    }

    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: i32) -> S::I32 {
        simd.splat_i32(value)
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[T::Element]) -> S::I32 {
        simd.load_integers(from)
    }

    #[inline(always)]
    fn tap<S: Simd>(simd: S, weights: S::I32, elements: S::I32, sum: S::I32) -> S::I32 {
        T::dot(simd, sum, elements, weights)
    }

    #[inline(always)]
    fn float<S: Simd>(simd: S, sum: S::I32) -> S::F32 {
        simd.float(sum)
    }
}

impl<T: Dot> ProductOf<T> for DotProduct<T> {
    #[inline(always)]
    fn convert<S: Simd>(_: S, row: &[T], line: &mut [T::Element]) {
        line.iter_mut().zip(row).for_each(|(element, &sample)| *element = sample.element());
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, finish: &Finish, sums: [S::F32; VECTORS], centre: &[T], x: usize, row: &mut [T]) {
        finish.weave(simd, sums, centre, x, row);
    }
}
