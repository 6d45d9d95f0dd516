//! Rows of fields from weights of three fields.

use super::field::{FieldNumbers, FieldRow, Rebuild, staged};
use super::simd::{Sample, Simd};
use crate::pass::{Deinterlacing, W3fdif};

staged!(W3fdif);

impl Rebuild for W3fdif {
    fn fields(&self) -> Deinterlacing {
        self.fields
    }

    #[inline(always)]
    fn row<T: Sample, S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, to: &mut [T]) {
        let (simd, n, weights) = (place.simd, place.numbers, self.weights());
        let at = |t: isize, k: isize| place.row(t, W3fdif::row(place.y as isize + k, place.height));
        let (own, before) = (|k: isize| at(0, k), |k: isize| at(-1, k));
        let near = [own(-1), own(1), own(0), before(0), own(-2), before(-2), own(2), before(2)];
        let both = |a: &[T], b: &[T]| n.add(simd, n.read(simd, a), n.read(simd, b));
        if !self.complex {
            return place.across(near, to, |[a, b, q, p, qu, pu, qd, pd], to| {
                let two = n.add(simd, both(qu, pu), both(qd, pd));
                let low = n.pair(simd, [both(a, b), n.zero(simd)], [weights[0], 0]);
                let high = n.pair(simd, [both(q, p), two], [weights[2], weights[3]]);
                n.write(simd, n.joined(simd, low, high), to);
            });
        }
        let [a, b, c, d, e, f, g, h] = near;
        let rows = [a, b, c, d, e, f, g, h, own(-3), own(3), own(-4), before(-4), own(4), before(4)];
        place.across(rows, to, |[a, b, q, p, qu, pu, qd, pd, c, d, qv, pv, qe, pe], to| {
            let two = n.add(simd, both(qu, pu), both(qd, pd));
            let four = n.add(simd, both(qv, pv), both(qe, pe));
            let low = n.pair(simd, [both(a, b), both(c, d)], [weights[0], weights[1]]);
            let high = n.pair(simd, [both(q, p), two], [weights[2], weights[3]]);
            let high = n.more(simd, high, four, weights[4]);
            n.write(simd, n.joined(simd, low, high), to);
        });
    }
}
