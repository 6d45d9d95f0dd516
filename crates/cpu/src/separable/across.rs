//! The lines of a product of taps: rows filtered along t and x.

use crate::border::Columns;
use crate::finish::VECTORS;
use crate::line;
use crate::pass::{self, Taps};
use crate::scratch::Buffer;
use crate::simd::{Number, Sample, Simd};
use crate::tail::Tail;
use crate::window::PlaneWindow;

/// How many vectors of a line are filtered along x at once.
const ROW: usize = 8;

/// Taps along t and x with sums in `A`.
pub struct Across<A: Number> {
    /// The place in the window of the first frame that is met.
    first: usize,
    /// Empty where nothing is done along t.
    pub t: Vec<A>,
    /// Empty where nothing is done along x.
    pub x: Vec<A>,
    /// A row, and what the taps meet beside it.
    pub columns: Columns,
    /// What lies to the left and right of a row that was filtered along t.
    beside: A,
    /// What a row above or below the plane holds when it was filtered along t and x.
    pub outside: A,
}

/// Taps as numbers; none where nothing is done.
pub fn weights<A: Number>(taps: &Taps) -> Vec<A> {
    if taps.is_identity() { Vec::new() } else { taps.weights.iter().map(|&w| A::of(w)).collect() }
}

/// The sum where all samples are the same.
fn uniform<A: Number>(weights: &[A], value: A) -> A {
    if weights.is_empty() { value } else { weights.iter().fold(A::zeroed(), |sum, &w| A::scalar_tap(w, value, sum)) }
}

impl<A: Number> Across<A> {
    /// For a window that reaches `reach` frames to either side.
    pub fn new(op: &pass::Separable, width: usize, reach: usize) -> Self {
        let (t, x) = (weights(&op.t), weights(&op.x));
        let beside = uniform(&t, A::of(op.border.constant()));
        let outside = uniform(&x, beside);
        let columns = Columns::new(op.border, width, op.x.anchor, op.x.weights.len() - 1 - op.x.anchor);
        Self { first: reach - op.t.anchor, t, x, columns, beside, outside }
    }

    /// A row filtered along t and x, up to one block beyond the row's end.
    #[inline(always)]
    pub fn line<S: Simd, T: Sample>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        line: &mut [A],
        spare: &mut Buffer,
    ) {
        if self.x.is_empty() {
            return self.along_t(simd, window, y, line);
        }
        let padded = spare.elements(self.columns.stride());
        self.padded(simd, window, y, padded);
        along_x(simd, padded, &self.x, self.columns.width, line);
    }

    /// A row filtered along t alone, with what the taps along x meet beside it.
    #[inline(always)]
    pub fn padded<S: Simd, T: Sample>(&self, simd: S, window: &PlaneWindow<T>, y: usize, padded: &mut [A]) {
        self.along_t(simd, window, y, &mut padded[self.columns.left..]);
        self.columns.pad(padded, self.beside);
    }

    /// A row filtered along t, up to one block beyond the row's end.
    #[inline(always)]
    fn along_t<S: Simd, T: Sample>(&self, simd: S, window: &PlaneWindow<T>, y: usize, line: &mut [A]) {
        if self.t.is_empty() {
            return line::convert(simd, window.row(self.first, y), line);
        }
        for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
            for (n, sum) in self.time(simd, window, y, x).into_iter().enumerate() {
                A::store(simd, sum, &mut line[x + n * S::LANES..]);
            }
        }
    }

    /// The sums along t of one row from column `x` on.
    #[inline(always)]
    pub fn time<S: Simd, T: Sample>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        x: usize,
    ) -> [A::Vector<S>; VECTORS] {
        let columns = VECTORS * S::LANES;
        let mut sums = [A::splat(simd, A::zeroed()); VECTORS];
        for (frame, &weight) in self.t.iter().enumerate() {
            let row = &window.row(self.first + frame, y)[x..];
            let weight = A::splat(simd, weight);
            let last: Tail<T>;
            let values = if row.len() >= columns {
                &row[..columns]
            } else {
                last = Tail::of(row);
                &last.0[..columns]
            };
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum = A::tap(simd, weight, A::read(simd, &values[n * S::LANES..]), *sum);
            }
        }
        sums
    }
}

/// A padded line filtered along x.
#[inline(always)]
fn along_x<S: Simd, A: Number>(simd: S, from: &[A], weights: &[A], width: usize, to: &mut [A]) {
    let columns = ROW * S::LANES;
    for x in (0..width).step_by(columns) {
        let mut sums = [A::splat(simd, A::zeroed()); ROW];
        for (values, &weight) in from[x..].windows(columns).zip(weights) {
            let weight = A::splat(simd, weight);
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum = A::tap(simd, weight, A::load(simd, &values[n * S::LANES..]), *sum);
            }
        }
        let to = &mut to[x..x + columns];
        for (n, sum) in sums.into_iter().enumerate() {
            A::store(simd, sum, &mut to[n * S::LANES..]);
        }
    }
}
