//! One sample of a field along an edge, within what changes.

use warpreel::pass::Yadif;

use super::field::{Number, Rows, bound, checked};
use super::{Place, field};

/// What one sample is.
pub fn sample(op: &Yadif, place: &Place) -> f32 {
    let spatial = op.spatial;
    field::sample(op.fields, place, |rows, _| one::<f32>(rows, spatial), |rows, _| one::<i64>(rows, spatial))
}

fn one<N: Number>(rows: &Rows<N>, spatial: bool) -> N {
    let (y, h, x, w) = (rows.y, rows.height, rows.x, rows.width);
    let (c, e) = (|i: isize| rows.beside(-1, i), |i: isize| rows.beside(1, i));
    let (d, _, mut reach) = bound(rows);
    let mut predicted = (c(0) + e(0)).over(2);
    if x >= 3 && x < w - 3 {
        let score = |j: isize| [-1, 0, 1].map(|i| (c(i + j) - e(i - j)).size());
        let score = |j: isize| score(j).into_iter().reduce(|a, b| a + b).expect("three");
        let mut best = score(0) - N::of(1) * N::INTEGER;
        for side in [-1, 1] {
            for j in [side, 2 * side] {
                // NaNs are not below anything.
                let fits = score(j) < best;
                if !fits {
                    break;
                }
                (best, predicted) = (score(j), (c(j) + e(-j)).over(2));
            }
        }
    }
    if spatial && y != 1 && y + 2 != h {
        let (up, down) = (if y == 0 { 2 } else { -2 }, if y == h - 1 { -2 } else { 2 });
        let both = |k: isize| {
            let k = (y + k).clamp(0, h - 1) - y;
            rows.at(-1, k) + rows.at(0, k)
        };
        reach = checked(reach, d, [c(0), e(0)], [both(up), both(down)]);
    }
    field::within(predicted, d, reach)
}
