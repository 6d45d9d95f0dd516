//! One sample of a field from weights of three fields.

use warpreel::pass::W3fdif;

use super::field::{Number, Rows};
use super::{Place, field};

/// What one sample is.
pub fn sample(op: &W3fdif, place: &Place) -> f32 {
    let complex = op.complex;
    field::sample(op.fields, place, |rows, _| one::<f32>(rows, complex), |rows, _| one::<i64>(rows, complex))
}

fn one<N: Number>(rows: &Rows<N>, complex: bool) -> N {
    let n = |number: i64| N::of(number);
    let inside = |k: isize| {
        let mut y = rows.y + k;
        while y < 0 {
            y += 2;
        }
        while y >= rows.height && y >= 2 {
            y -= 2;
        }
        y.min(rows.height - 1) - rows.y
    };
    let own = |k: isize| rows.at(0, inside(k));
    let both = |k: isize| own(k) + rows.at(-1, inside(k));
    let (low, high) = match complex {
        true => (
            n(17236) * (own(-1) + own(1)) + n(-852) * (own(-3) + own(3)),
            n(5570) * both(0) + n(-3801) * (both(-2) + both(2)) + n(1016) * (both(-4) + both(4)),
        ),
        false => (n(16384) * (own(-1) + own(1)), n(4096) * both(0) + n(-2048) * (both(-2) + both(2))),
    };
    (low + high).over(1 << 15)
}
