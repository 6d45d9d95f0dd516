//! Means over the samples around: every offset in turn, integers in 64 bits.

use warpreel::frame::Sample;
use warpreel::pass::Bilateral;

use super::{Place, UNIT, Value, finish, guide};

/// What one sample is.
pub fn sample(op: &Bilateral, place: &Place) -> f32 {
    let mean = if place.format.pixel.sample == Sample::F32 { real(op, place) } else { whole(op, place) };
    finish(op.finish, place.format, mean, place.centre())
}

/// A float as it is weighed.
fn known(sample: f32) -> f32 {
    if sample.is_finite() { sample } else { 0.0 }
}

/// The sample at an offset as it is compared, and as it is.
fn both(op: &Bilateral, place: &Place, [t, y, x]: [isize; 3]) -> [f32; 2] {
    let (y, x) = (place.y + y, place.x + x);
    let own = place.stack.sample(op.border, t, y, x);
    [op.guide.map_or(own, |guide| guide::sample(guide, op.border, place, t, y, x)), own]
}

/// Every offset, in order, its weight and the samples there.
fn around(op: &Bilateral, place: &Place, mut each: impl FnMut(f32, [f32; 2])) {
    let (frames, radius) = (op.frames as isize, op.radius as isize);
    for t in -frames..=frames {
        for y in -radius..=radius {
            for x in -radius..=radius {
                let side = op.radius + 1;
                let index = (t.unsigned_abs() * side + y.unsigned_abs()) * side + x.unsigned_abs();
                each(op.space[index], both(op, place, [t, y, x]));
            }
        }
    }
}

fn whole(op: &Bilateral, place: &Place) -> Value {
    let cut = if place.format.pixel.depth == 8 { 0 } else { 16 };
    let [compared, own] = both(op, place, [0; 3]).map(|sample| sample as i64);
    let (mut total, mut sum) = (0i64, 0i64);
    around(op, place, |space, [like, there]| {
        let difference = there as i64 - own;
        let index = ((like as i64 - compared).abs() as f64 * f64::from(op.fineness)).floor() as usize;
        let weight = (space as i64 * op.range[index.min(op.range.len() - 1)] as i64) >> cut;
        total += weight;
        sum += weight * difference;
    });
    let limit = 1 << 31;
    assert!(total > 0 && total < limit && sum.abs() < limit, "{sum} of {total} does not fit");
    let rounded = (sum as f32 / total as f32 + 98304.0) - 98304.0;
    let ideal = sum as f64 / total as f64;
    // Half a step of 1/128, and above 32768 of 1/64.
    Value { exact: own as f32 + rounded, ideal: own as f64 + ideal, error: 0.008 + 4.0 * UNIT * ideal.abs() }
}

fn real(op: &Bilateral, place: &Place) -> Value {
    let [compared, own] = both(op, place, [0; 3]).map(known);
    let (mut total, mut sum) = (0f32, 0f32);
    let (mut ideal_total, mut ideal, mut absolute, mut taps) = (0f64, 0f64, 0f64, 0.0);
    around(op, place, |space, [like, there]| {
        if space == 0.0 {
            return;
        }
        let [difference, by] =
            [known(there) - own, known(like) - compared].map(|difference| difference.clamp(-f32::MAX, f32::MAX));
        let last = op.range.len() - 1;
        let index = (by.abs() * op.fineness).min(last as f32) as usize;
        let weight = space * op.range[index];
        total += weight;
        sum = weight.mul_add(difference, sum);
        ideal_total += f64::from(weight);
        ideal += f64::from(weight) * f64::from(difference);
        absolute += (f64::from(weight) * f64::from(difference)).abs();
        taps += 1.0;
    });
    let ideal = ideal / ideal_total;
    let error = (2.0 * taps + 4.0) * UNIT * absolute / ideal_total + UNIT * (f64::from(own) + ideal).abs();
    Value {
        exact: own + sum / total,
        ideal: f64::from(own) + ideal,
        error: error * 1.01 + f64::from(f32::MIN_POSITIVE),
    }
}
