//! Lines of numbers: made from rows of samples, and read again, two rows and a few vectors at once.

use super::finish::VECTORS;
use super::simd::{Number, Sample, Simd};
use super::tail::Tail;
use super::walk::Lines;

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
        let last = Tail::<T, 16>::of(rest);
        A::store(simd, A::read(simd, &last.0[..S::LANES]), &mut line[row.len() - rest.len()..]);
    }
}

/// The lines of two rows from column `x` on.
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
