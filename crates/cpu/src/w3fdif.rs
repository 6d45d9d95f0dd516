//! Rows of fields from weights of three fields.

use super::field::{FieldBlock, FieldNumbers, FieldRow, Rebuild, staged};
use super::simd::{Sample, Simd};
use crate::pass::{Deinterlacing, W3fdif};

staged!(W3fdif);

impl Rebuild for W3fdif {
    fn fields(&self) -> Deinterlacing {
        self.fields
    }

    #[inline(always)]
    fn row<T: Sample, S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, to: &mut [T]) {
        let at = |t: isize, k: isize| place.row(t, W3fdif::row(place.y as isize + k, place.height));
        let (own, before) = (|k: isize| at(0, k), |k: isize| at(-1, k));
        let weights = self.weights();
        let near = [own(-1), own(1), own(0), before(0), own(-2), before(-2), own(2), before(2)];
        if !self.complex {
            return place.across(&W3fdifSimple(weights), near, to);
        }
        let [a, b, c, d, e, f, g, h] = near;
        let rows = [a, b, c, d, e, f, g, h, own(-3), own(3), own(-4), before(-4), own(4), before(4)];
        place.across(&W3fdifComplex(weights), rows, to);
    }
}

/// Four rows of the frame and four of the frame before.
struct W3fdifSimple([i32; 5]);

impl<T: Sample> FieldBlock<T, 8> for W3fdifSimple {
    #[inline(always)]
    fn make<S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, rows: [&[T]; 8], to: &mut [T]) {
        let (simd, n, weights) = (place.simd, place.numbers, self.0);
        let [a, b, q, p, qu, pu, qd, pd] = rows;
        let two = n.add(simd, n.read_sum(simd, qu, pu), n.read_sum(simd, qd, pd));
        let low = n.pair(simd, [n.read_sum(simd, a, b), n.zero(simd)], [weights[0], 0]);
        let high = n.pair(simd, [n.read_sum(simd, q, p), two], [weights[2], weights[3]]);
        n.write(simd, n.joined(simd, low, high), to);
    }
}

/// Seven of each.
struct W3fdifComplex([i32; 5]);

impl<T: Sample> FieldBlock<T, 14> for W3fdifComplex {
    #[inline(always)]
    fn make<S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, rows: [&[T]; 14], to: &mut [T]) {
        let (simd, n, weights) = (place.simd, place.numbers, self.0);
        let [a, b, q, p, qu, pu, qd, pd, c, d, qv, pv, qe, pe] = rows;
        let two = n.add(simd, n.read_sum(simd, qu, pu), n.read_sum(simd, qd, pd));
        let four = n.add(simd, n.read_sum(simd, qv, pv), n.read_sum(simd, qe, pe));
        let low = n.pair(simd, [n.read_sum(simd, a, b), n.read_sum(simd, c, d)], [weights[0], weights[1]]);
        let high = n.pair(simd, [n.read_sum(simd, q, p), two], [weights[2], weights[3]]);
        let high = n.more(simd, high, four, weights[4]);
        n.write(simd, n.joined(simd, low, high), to);
    }
}
