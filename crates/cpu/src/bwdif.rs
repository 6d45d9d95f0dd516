//! Rows of fields from weights of three fields, kept within the change over time.

use super::field::bound::{Around, ChangeBound};
use super::field::{FieldBlock, FieldNumbers, FieldRow, Rebuild, staged};
use super::simd::{Sample, Simd};
use crate::pass::{Bwdif, Deinterlacing, beside};

staged!(Bwdif);

impl Rebuild for Bwdif {
    fn fields(&self) -> Deinterlacing {
        self.fields
    }

    #[inline(always)]
    fn row<T: Sample, S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, to: &mut [T]) {
        let (y, h) = (place.y, place.height);
        match () {
            () if place.task.opens => alone(place, to),
            () if y >= 4 && y + 5 <= h => inside(place, to),
            () if y >= 2 && y + 3 <= h => edge::<T, S, N, true>(place, to),
            () => edge::<T, S, N, false>(place, to),
        }
    }
}

/// Without fields before.
struct BwdifAlone;

impl<T: Sample> FieldBlock<T, 4> for BwdifAlone {
    #[inline(always)]
    fn make<S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, rows: [&[T]; 4], to: &mut [T]) {
        let (simd, n) = (place.simd, place.numbers);
        let [c, e, c3, e3] = n.read_all(simd, rows);
        let sum = n.pair(simd, [n.add(simd, c, e), n.add(simd, c3, e3)], Bwdif::SPATIAL);
        n.write(simd, n.scaled(simd, sum), to);
    }
}

#[inline(always)]
fn alone<T: Sample, S: Simd, N: FieldNumbers<T>>(place: &FieldRow<T, S, N>, to: &mut [T]) {
    let y = place.y as isize;
    let own = |y: isize| place.row(0, beside(y, place.height));
    let far = [if y > 2 { y - 3 } else { y + 1 }, if y + 3 < place.height as isize { y + 3 } else { y - 1 }];
    place.across(&BwdifAlone, [own(y - 1), own(y + 1), own(far[0]), own(far[1])], to);
}

/// The bound of a row: its samples above and below, and the bound itself.
#[inline(always)]
fn bound<T: Sample, S: Simd, N: FieldNumbers<T>>(
    simd: S,
    n: N,
    rows: [&[T]; 8],
) -> ([N::Vector<S>; 2], ChangeBound<T, S, N>) {
    let [c, e, pc, pe, nc, ne, p, q] = n.read_all(simd, rows);
    let around = Around { own: [c, e], before: [pc, pe], after: [nc, ne], there: [p, q] };
    (around.own, around.bound(simd, n))
}

/// The rows that [`bound`] takes.
#[inline(always)]
fn rows<'a, T: Sample, S: Simd, N: FieldNumbers<T>>(place: &FieldRow<'a, T, S, N>) -> [&'a [T]; 8] {
    let y = place.y as isize;
    let [above, below] = [y - 1, y + 1].map(|y| beside(y, place.height));
    let near = |t| [place.row(t, above), place.row(t, below)];
    let ([c, e], [pc, pe], [nc, ne]) = (near(0), near(-1), near(1));
    [c, e, pc, pe, nc, ne, place.row(-1, place.y), place.row(0, place.y)]
}

/// A prediction within the bound, or the mean where nothing changes.
#[inline(always)]
fn put<T: Sample, S: Simd, N: FieldNumbers<T>>(
    (simd, n): (S, N),
    bound: &ChangeBound<T, S, N>,
    predicted: N::Vector<S>,
    width: N::Vector<S>,
    to: &mut [T],
) {
    let kept = bound.within(simd, n, predicted, width);
    n.write(simd, n.where_above(simd, [bound.width, n.zero(simd)], kept, bound.mean), to);
}

/// Near the upper and lower edge; checked against rows two away where there are such.
struct BwdifEdge<const CHECKED: bool>;

impl<T: Sample, const CHECKED: bool> FieldBlock<T, 12> for BwdifEdge<CHECKED> {
    #[inline(always)]
    fn make<S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, rows: [&[T]; 12], to: &mut [T]) {
        let (simd, n) = (place.simd, place.numbers);
        let [a, b, c, d, e, f, g, h, far @ ..] = rows;
        let (own, bound) = bound(simd, n, [a, b, c, d, e, f, g, h]);
        let mut width = bound.width;
        if CHECKED {
            let [pu, pd, qu, qd] = n.read_all(simd, far);
            width = bound.checked(simd, n, own, [n.add(simd, pu, qu), n.add(simd, pd, qd)]);
        }
        let predicted = n.half(simd, n.add(simd, own[0], own[1]));
        put((simd, n), &bound, predicted, width, to);
    }
}

#[inline(always)]
fn edge<T: Sample, S: Simd, N: FieldNumbers<T>, const CHECKED: bool>(place: &FieldRow<T, S, N>, to: &mut [T]) {
    let [a, b, c, d, e, f, g, h] = rows(place);
    let two = |t: isize, up: bool| match CHECKED {
        true => place.row(t, if up { place.y - 2 } else { place.y + 2 }),
        false => g,
    };
    let rows = [a, b, c, d, e, f, g, h, two(-1, true), two(-1, false), two(0, true), two(0, false)];
    place.across(&BwdifEdge::<CHECKED>, rows, to);
}

/// Elsewhere.
struct BwdifInside;

impl<T: Sample> FieldBlock<T, 18> for BwdifInside {
    #[inline(always)]
    fn make<S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, rows: [&[T]; 18], to: &mut [T]) {
        let (simd, n) = (place.simd, place.numbers);
        let [a, b, c, d, e, f, g, h, p2, q2, p_2, q_2, p4, q4, p_4, q_4, c3, e3] = rows;
        let (own, bound) = bound(simd, n, [a, b, c, d, e, f, g, h]);
        let (above, below) = (n.read_sum(simd, p2, q2), n.read_sum(simd, p_2, q_2));
        let width = bound.checked(simd, n, own, [above, below]);
        let four = n.add(simd, n.read_sum(simd, p4, q4), n.read_sum(simd, p_4, q_4));
        let (near, three) = (n.add(simd, own[0], own[1]), n.read_sum(simd, c3, e3));
        let fine = n.pair(simd, [bound.sum, n.add(simd, above, below)], [Bwdif::FINE[0], Bwdif::FINE[1]]);
        let fine = n.quarter(simd, n.more(simd, fine, four, Bwdif::FINE[2]));
        let fine = n.scaled(simd, n.sum(simd, fine, n.pair(simd, [near, three], Bwdif::COARSE)));
        let spatial = n.scaled(simd, n.pair(simd, [near, three], Bwdif::SPATIAL));
        let steep = n.apart(simd, own[0], own[1]);
        let predicted = n.where_above(simd, [steep, bound.change], fine, spatial);
        put((simd, n), &bound, predicted, width, to);
    }
}

#[inline(always)]
fn inside<T: Sample, S: Simd, N: FieldNumbers<T>>(place: &FieldRow<T, S, N>, to: &mut [T]) {
    let y = place.y;
    let [a, b, c, d, e, f, g, h] = rows(place);
    let far = |y: usize| [place.row(-1, y), place.row(0, y)];
    let ([p2, q2], [p_2, q_2], [p4, q4], [p_4, q_4]) = (far(y - 2), far(y + 2), far(y - 4), far(y + 4));
    let three = [place.row(0, y - 3), place.row(0, y + 3)];
    let rows = [a, b, c, d, e, f, g, h, p2, q2, p_2, q_2, p4, q4, p_4, q_4, three[0], three[1]];
    place.across(&BwdifInside, rows, to);
}
