//! Products of taps: along t first, then x, then y, what stands between unrounded.

use warpreel::pass::{Separable, Taps};

use super::{Place, Stack, Value, finish, outside, sum};

/// The four sums that are formed side by side: in `f32` and in order, of integers, in `f64`, and of absolute values.
#[derive(Clone, Copy)]
struct Sums {
    real: f32,
    integer: i64,
    ideal: f64,
    absolute: f64,
}

/// Taps over what `value` gives at each tap's place; an axis of the single tap of 1 is left alone.
fn along(taps: &Taps, value: impl Fn(isize) -> Sums) -> Sums {
    if taps.weights == [1.0] {
        return value(0);
    }
    let mut sums = Sums { real: 0.0, integer: 0, ideal: 0.0, absolute: 0.0 };
    for (i, &weight) in taps.weights.iter().enumerate() {
        let value = value(i as isize - taps.anchor as isize);
        sums.real = weight.mul_add(value.real, sums.real);
        // Of real taps this may overflow, and is not read.
        sums.integer = sums.integer.wrapping_add((weight as i64).wrapping_mul(value.integer));
        sums.ideal += f64::from(weight) * value.ideal;
        sums.absolute += f64::from(weight).abs() * value.absolute;
    }
    sums
}

fn single(sample: f32) -> Sums {
    let ideal = f64::from(sample);
    Sums { real: sample, integer: sample as i64, ideal, absolute: ideal.abs() }
}

/// What one sample is.
pub fn sample(op: &Separable, place: &Place) -> f32 {
    finish(op.finish, place.format, value(place.stack, op, place.y, place.x), place.centre())
}

/// The sum of one sample.
fn value(stack: &Stack, op: &Separable, y: isize, x: isize) -> Value {
    let constant = || along(&op.t, |_| single(op.border.constant()));
    let sums = along(&op.y, |dy| {
        let row = outside(op.border, y + dy, stack.height);
        along(&op.x, |dx| match (row, outside(op.border, x + dx, stack.width)) {
            (Some(y), Some(x)) => along(&op.t, |dt| single(stack.inside(dt, y, x))),
            _ => constant(),
        })
    });
    let taps = op.t.weights.len() + op.x.weights.len() + op.y.weights.len();
    sum(op.arithmetic, sums.real, sums.integer, sums.ideal, sums.absolute, taps)
}
