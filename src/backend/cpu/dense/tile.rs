//! The inner loop: the sums of two rows of a few vectors of columns, which stay in registers while all taps go by.

use crate::backend::cpu::finish::VECTORS;
use crate::backend::cpu::simd::{Number, Sample, Simd};
use crate::backend::cpu::walk::Lines;
use crate::pass::{Kernel, Reach, Taps};

/// One kernel among those of a plane.
pub struct Part<A> {
    size: [usize; 3],
    /// Where its first tap lies within the span of all kernels.
    shift: [usize; 3],
    weights: Vec<A>,
}

impl<A: Number> Part<A> {
    /// A kernel within what all of them reach.
    pub fn new(kernel: &Kernel, reached: &Reach) -> Self {
        let shift = [0, 1, 2].map(|axis| reached.before[axis] - kernel.anchor[axis]);
        Self { size: kernel.size, shift, weights: kernel.weights.iter().map(|&w| A::of(w)).collect() }
    }

    /// A column of taps on lines that reach as far as it does.
    pub fn column(taps: &Taps) -> Self {
        let weights: Vec<A> = taps.weights.iter().map(|&w| A::of(w)).collect();
        Self { size: [1, weights.len(), 1], shift: [0; 3], weights }
    }

    /// What a row of taps meets for the sums from column `x` on.
    #[inline(always)]
    fn line<'a, S: Simd>(&self, _: S, lines: &Lines<'a, A>, t: usize, r: usize, x: usize) -> &'a [A] {
        let line = lines.line(self.shift[0] + t, self.shift[1] + r);
        &line[self.shift[2] + x..][..self.size[2] - 1 + VECTORS * S::LANES]
    }
}

/// Adds the taps of a row of weights to one row of sums.
#[inline(always)]
fn one<S: Simd, A: Number>(simd: S, line: &[A], weights: &[A], sums: &mut [A::Vector<S>; VECTORS]) {
    for (values, &weight) in line.windows(VECTORS * S::LANES).zip(weights) {
        let weight = A::splat(simd, weight);
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum = A::tap(simd, weight, A::load(simd, &values[n * S::LANES..]), *sum);
        }
    }
}

/// The sums of two rows from column `x` on. Every sum takes its taps in ascending t, then y, then x.
#[inline(always)]
pub fn sums<S: Simd, A: Number>(simd: S, part: &Part<A>, lines: &Lines<A>, x: usize) -> [[A::Vector<S>; VECTORS]; 2] {
    let zero = A::splat(simd, A::zeroed());
    let (mut upper, mut lower) = ([zero; VECTORS], [zero; VECTORS]);
    let [depth, height, width] = part.size;
    for t in 0..depth {
        let weights = &part.weights[t * height * width..][..height * width];
        one(simd, part.line(simd, lines, t, 0, x), &weights[..width], &mut upper);
        for r in 1..height {
            let above = weights[(r - 1) * width..].iter();
            let here = weights[r * width..][..width].iter();
            for ((values, &here), &above) in
                part.line(simd, lines, t, r, x).windows(VECTORS * S::LANES).zip(here).zip(above)
            {
                let (here, above) = (A::splat(simd, here), A::splat(simd, above));
                for n in 0..VECTORS {
                    let value = A::load(simd, &values[n * S::LANES..]);
                    upper[n] = A::tap(simd, here, value, upper[n]);
                    lower[n] = A::tap(simd, above, value, lower[n]);
                }
            }
        }
        one(simd, part.line(simd, lines, t, height, x), &weights[(height - 1) * width..], &mut lower);
    }
    [upper, lower]
}

/// The lines themselves, of two rows from column `x` on.
#[inline(always)]
pub fn values<S: Simd, A: Number>(simd: S, lines: &Lines<A>, x: usize) -> [[A::Vector<S>; VECTORS]; 2] {
    let mut values = [[A::splat(simd, A::zeroed()); VECTORS]; 2];
    for (r, values) in values.iter_mut().enumerate() {
        let line = &lines.line(0, r)[x..x + VECTORS * S::LANES];
        for (n, value) in values.iter_mut().enumerate() {
            *value = A::load(simd, &line[n * S::LANES..]);
        }
    }
    values
}

/// Reads a row of samples as numbers. Writes whole vectors, so up to one vector beyond the row's end.
#[inline(always)]
pub fn convert<S: Simd, T: Sample, A: Number>(simd: S, row: &[T], line: &mut [A]) {
    let mut whole = row.chunks_exact(S::LANES);
    let mut places = line.chunks_exact_mut(S::LANES);
    for (values, place) in (&mut whole).zip(&mut places) {
        A::store(simd, A::read(simd, values), place);
    }
    let rest = whole.remainder();
    if !rest.is_empty() {
        let mut last = [T::zeroed(); 16];
        last[..rest.len()].copy_from_slice(rest);
        A::store(simd, A::read(simd, &last[..S::LANES]), &mut line[row.len() - rest.len()..]);
    }
}
