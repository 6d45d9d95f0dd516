//! The inner loops of many taps: sums that stay in registers while all taps go by, so many that every vector that is
//! read goes into several of them. Each sum takes its taps in ascending order, as everywhere.
//!
//! AVX2 has sixteen registers, and a multiply-add takes four clocks of which each begins two: with eight to twelve sums
//! none waits for another, and what is read still finds a place.

use std::hint::black_box;
use std::ops::Range;

use crate::finish::VECTORS;
use crate::simd::{Number, Simd};

/// How many lines are filtered along x at once.
pub const LINES: usize = 4;
/// How many vectors of them.
pub const BREADTH: usize = 2;
/// How many rows are filtered along y at once.
pub const ROWS: usize = 3;

/// Sums along x.
pub type SumsAcross<S, A> = [[<A as Number>::Vector<S>; BREADTH]; LINES];
/// Sums along y.
pub type SumsDown<S, A> = [[<A as Number>::Vector<S>; VECTORS]; ROWS];

/// The sums along padded lines, from the lines' beginning on, of at least a vector of taps. What is read meets both
/// sums of its line, a vector of taps apart.
#[inline(always)]
pub fn across<S: Simd, A: Number>(simd: S, lines: [&[A]; LINES], weights: &[A]) -> SumsAcross<S, A> {
    const { assert!(BREADTH == 2) };
    let mut sums = [[A::splat(simd, A::zeroed()); BREADTH]; LINES];
    // A loop whose number of turns is known would be unrolled, and run out of registers.
    let (lanes, count) = (black_box(S::LANES), weights.len());
    slant::<S, A, 0, 1>(simd, lines, weights, 0..lanes, &mut sums);
    slant::<S, A, 0, 2>(simd, lines, weights, lanes..count, &mut sums);
    slant::<S, A, 1, 2>(simd, lines, weights, count..count + lanes, &mut sums);
    sums
}

/// Takes what is read at some places of the lines into the sums of vectors `FIRST..LAST`, which all have a tap there.
#[inline(always)]
fn slant<S: Simd, A: Number, const FIRST: usize, const LAST: usize>(
    simd: S,
    lines: [&[A]; LINES],
    weights: &[A],
    places: Range<usize>,
    sums: &mut SumsAcross<S, A>,
) {
    let met = &weights[places.start - (LAST - 1) * S::LANES..places.end - FIRST * S::LANES];
    let vectors = |n: usize| lines[n][places.start..places.end + S::LANES - 1].windows(S::LANES);
    let weights = met.windows((LAST - 1 - FIRST) * S::LANES + 1);
    for ((((weights, a), b), c), d) in weights.zip(vectors(0)).zip(vectors(1)).zip(vectors(2)).zip(vectors(3)) {
        for (sums, values) in sums.iter_mut().zip([a, b, c, d]) {
            let values = A::load(simd, values);
            for n in FIRST..LAST {
                let weight = A::splat(simd, weights[(LAST - 1 - n) * S::LANES]);
                sums[n] = A::tap(simd, weight, values, sums[n]);
            }
        }
    }
}

/// The sums of neighbouring rows, of at least two taps. A strip is [`VECTORS`] vectors wide and holds, one behind the
/// other, the lines that the taps of all these rows meet. A line meets all rows, a tap apart.
#[inline(always)]
pub fn down<S: Simd, A: Number>(simd: S, strip: &[A], weights: &[A]) -> SumsDown<S, A> {
    const { assert!(ROWS == 3) };
    let mut sums = [[A::splat(simd, A::zeroed()); VECTORS]; ROWS];
    let (columns, count) = (VECTORS * S::LANES, weights.len());
    let (first, strip) = strip.split_at(columns);
    let (second, strip) = strip.split_at(columns);
    let (strip, last) = strip.split_at((count - 2) * columns);
    steep::<S, A, 0, 1>(simd, first, &weights[..1], &mut sums);
    steep::<S, A, 0, 2>(simd, second, &weights[..2], &mut sums);
    steep::<S, A, 0, 3>(simd, strip, weights, &mut sums);
    steep::<S, A, 1, 3>(simd, &last[..columns], &weights[count - 2..], &mut sums);
    steep::<S, A, 2, 3>(simd, &last[columns..], &weights[count - 1..], &mut sums);
    sums
}

/// Takes lines into the sums of rows `FIRST..LAST`, which all have a tap there.
#[inline(always)]
fn steep<S: Simd, A: Number, const FIRST: usize, const LAST: usize>(
    simd: S,
    lines: &[A],
    weights: &[A],
    sums: &mut SumsDown<S, A>,
) {
    for (line, weights) in lines.chunks_exact(VECTORS * S::LANES).zip(weights.windows(LAST - FIRST)) {
        for n in 0..VECTORS {
            let values = A::load(simd, &line[n * S::LANES..]);
            for r in FIRST..LAST {
                sums[r][n] = A::tap(simd, A::splat(simd, weights[LAST - 1 - r]), values, sums[r][n]);
            }
        }
    }
}
