//! One sample of a field from weights of three fields, within what changes.

use warpreel::pass::Bwdif;

use super::field::{Number, Rows, bound, checked};
use super::{Place, field};

/// What one sample is.
pub fn sample(op: &Bwdif, place: &Place) -> f32 {
    field::sample(op.fields, place, real::<f32>, real::<i64>)
}

fn real<N: Number>(rows: &Rows<N>, opens: bool) -> N {
    let (y, h) = (rows.y, rows.height);
    let n = |number: i64| N::of(number);
    let both = |k: isize| rows.at(-1, k) + rows.at(0, k);
    let (c, e) = (rows.at(0, -1), rows.at(0, 1));
    if opens {
        let up = if y - 3 < 0 { 1 } else { -3 };
        let down = if y + 3 >= h { -1 } else { 3 };
        return (n(5077) * (c + e) + n(-981) * (rows.at(0, up) + rows.at(0, down))).over(1 << 13);
    }
    let (d, t, mut w) = bound(rows);
    let changes = w > n(0);
    if !changes {
        return d;
    }
    if y >= 2 && y + 3 <= h {
        w = checked(w, d, [c, e], [both(-2), both(2)]);
    }
    let predicted = if y < 4 || y + 5 > h {
        (c + e).over(2)
    } else {
        let three = rows.at(0, -3) + rows.at(0, 3);
        if (c - e).size() > t {
            let fine = n(5570) * both(0) + n(-3801) * (both(-2) + both(2)) + n(1016) * (both(-4) + both(4));
            (fine.over(4) + (n(4309) * (c + e) + n(-213) * three)).over(1 << 13)
        } else {
            (n(5077) * (c + e) + n(-981) * three).over(1 << 13)
        }
    };
    field::within(predicted, d, w)
}
