//! Rows of fields along edges, kept within the change over time.

use super::field::bound::Around;
use super::field::{FieldNumbers, FieldRow, Rebuild, staged};
use super::simd::{Sample, Simd};
use super::tail::Tail;
use crate::pass::{Deinterlacing, Yadif, beside};

staged!(Yadif);

/// Columns on each side without a search for edges.
const MARGIN: usize = Yadif::MARGIN;

impl Rebuild for Yadif {
    fn fields(&self) -> Deinterlacing {
        self.fields
    }

    #[inline(always)]
    fn row<T: Sample, S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, to: &mut [T]) {
        let (y, h) = (place.y, place.height);
        match self.spatial && y != 1 && y + 2 != h {
            true => row::<T, S, N, true>(place, to),
            false => row::<T, S, N, false>(place, to),
        }
    }
}

/// The rows of a block: above and below in the frame, before, and after, the place in the frame before and the frame, and two
/// rows away in both.
#[inline(always)]
fn rows<'a, T: Sample, S: Simd, N: FieldNumbers<T>>(place: &FieldRow<'a, T, S, N>) -> [&'a [T]; 12] {
    let (y, h) = (place.y as isize, place.height);
    let ([above, below], last) = ([y - 1, y + 1].map(|y| beside(y, h)), h as isize - 1);
    let [up, down] = [if y == 0 { y + 2 } else { y - 2 }, if y == last { y - 2 } else { y + 2 }];
    let [up, down] = [up, down].map(|y| y.clamp(0, last) as usize);
    let near = |t| [place.row(t, above), place.row(t, below)];
    let ([c, e], [pc, pe], [nc, ne]) = (near(0), near(-1), near(1));
    let far = |y| [place.row(-1, y), place.row(0, y)];
    let ([p, q], [pu, qu], [pd, qd]) = (far(place.y), far(up), far(down));
    [c, e, pc, pe, nc, ne, p, q, pu, qu, pd, qd]
}

/// Makes a row, with the spatial check or without.
#[inline(always)]
fn row<T: Sample, S: Simd, N: FieldNumbers<T>, const CHECKED: bool>(place: &FieldRow<T, S, N>, to: &mut [T]) {
    let (rows, columns) = (rows(place), N::columns::<S>());
    let (w, simd, n) = (to.len(), place.simd, place.numbers);
    let inner = w.saturating_sub(2 * MARGIN);
    if inner >= columns {
        let last = w - MARGIN - columns;
        let mut x = MARGIN;
        loop {
            let [c, e, rest @ ..] = &rows;
            let wide = [c, e].map(|row| &row[x - MARGIN..x + columns + MARGIN]);
            let made = block::<T, S, N, CHECKED, true>(simd, n, wide, rest.map(|row| &row[x..x + columns]));
            n.write(simd, made, &mut to[x..x + columns]);
            if x == last {
                break;
            }
            x = (x + columns).min(last);
        }
    } else if inner > 0 {
        let tails = rows.map(Tail::<T, 128>::of);
        let wide = [0, 1].map(|row: usize| &tails[row].0[..columns + 2 * MARGIN]);
        let rest = std::array::from_fn(|row| &tails[row + 2].0[MARGIN..MARGIN + columns]);
        let mut made = Tail::<T>::new();
        n.write(simd, block::<T, S, N, CHECKED, true>(simd, n, wide, rest), &mut made.0);
        made.put(&mut to[MARGIN..MARGIN + inner]);
    }
    // Both margins at once.
    let (left, right) = (w.min(MARGIN), w.saturating_sub(MARGIN).max(w.min(MARGIN)));
    let tails = rows.map(|row| {
        let mut tail = Tail::<T>::new();
        tail.0[..left].copy_from_slice(&row[..left]);
        tail.0[left..left + w - right].copy_from_slice(&row[right..]);
        tail
    });
    let wide = [0, 1].map(|row: usize| &tails[row].0[..columns]);
    let rest = std::array::from_fn(|row| &tails[row + 2].0[..columns]);
    let mut made = Tail::<T>::new();
    n.write(simd, block::<T, S, N, CHECKED, false>(simd, n, wide, rest), &mut made.0);
    to[..left].copy_from_slice(&made.0[..left]);
    to[right..].copy_from_slice(&made.0[left..left + w - right]);
}

/// A block of columns. With a search for edges `c` and `e` begin [`MARGIN`] columns earlier than the other rows.
#[inline(always)]
fn block<T: Sample, S: Simd, N: FieldNumbers<T>, const CHECKED: bool, const EDGES: bool>(
    simd: S,
    n: N,
    [c, e]: [&[T]; 2],
    rest: [&[T]; 10],
) -> N::Vector<S> {
    let start = if EDGES { MARGIN } else { 0 };
    let own = n.read_all(simd, [&c[start..], &e[start..]]);
    let [pc, pe, nc, ne, p, q, far @ ..] = rest;
    let [pc, pe, nc, ne, p, q] = n.read_all(simd, [pc, pe, nc, ne, p, q]);
    let bound = Around { own, before: [pc, pe], after: [nc, ne], there: [p, q] }.bound(simd, n);
    let mut width = bound.width;
    if CHECKED {
        let [pu, qu, pd, qd] = n.read_all(simd, far);
        width = bound.checked(simd, n, own, [n.add(simd, pu, qu), n.add(simd, pd, qd)]);
    }
    let mut predicted = n.half(simd, n.add(simd, own[0], own[1]));
    if EDGES {
        predicted = along(simd, n, c, e, predicted);
    }
    bound.within(simd, n, predicted, width)
}

/// The columns up to [`MARGIN`] beside those of a block.
#[inline(always)]
fn beside_all<T: Sample, S: Simd, N: FieldNumbers<T>>(simd: S, n: N, row: &[T]) -> [N::Vector<S>; 2 * MARGIN + 1] {
    let mut columns = [n.zero(simd); 2 * MARGIN + 1];
    for (k, column) in columns.iter_mut().enumerate() {
        *column = n.read(simd, &row[k..]);
    }
    columns
}

/// The prediction along the edge that is found.
#[inline(always)]
fn along<T: Sample, S: Simd, N: FieldNumbers<T>>(
    simd: S,
    n: N,
    c: &[T],
    e: &[T],
    straight: N::Vector<S>,
) -> N::Vector<S> {
    let above = beside_all::<T, S, N>(simd, n, c);
    let below = beside_all::<T, S, N>(simd, n, e);
    // Macros, because closures would not be compiled with the instructions of the level.
    macro_rules! at {
        ($row:ident, $offset:expr) => {
            $row[(MARGIN as isize + $offset) as usize]
        };
    }
    // Of a column above, as seen from the column at hand, and its counterpart of the edge that leans by `j`.
    macro_rules! apart {
        ($j:expr, $k:expr) => {
            n.apart(simd, at!(above, $k + $j), at!(below, $k - $j))
        };
    }
    macro_rules! score {
        ($j:expr) => {
            n.add(simd, n.add(simd, apart!($j, -1), apart!($j, 0)), apart!($j, 1))
        };
    }
    macro_rules! mean {
        ($j:expr) => {
            n.half(simd, n.add(simd, at!(above, $j), at!(below, -$j)))
        };
    }
    let mut best = n.sub(simd, score!(0), n.step(simd));
    let mut predicted = straight;
    for side in [-1, 1] {
        let (near, far) = (score!(side), score!(2 * side));
        // Twice as far is only tried where the nearer edge is the best so far.
        let farther = n.where_above(simd, [near, far], mean!(2 * side), mean!(side));
        predicted = n.where_above(simd, [best, near], farther, predicted);
        best = n.where_above(simd, [best, near], n.where_above(simd, [near, far], far, near), best);
    }
    predicted
}
