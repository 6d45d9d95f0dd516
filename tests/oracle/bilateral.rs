//! Means over the samples around: every offset in turn, of bytes in 64 bits.

use warpreel::frame::Sample;
use warpreel::pass::Bilateral;

use super::{Place, UNIT, Value, finish, guide};

/// What one sample is.
pub fn sample(op: &Bilateral, place: &Place) -> f32 {
    let mean = if place.format.pixel.sample == Sample::U8 { whole(op, place) } else { real(op, place) };
    finish(op.finish, place.format, mean, place.centre())
}

/// A sample as it is weighed.
fn known(sample: f32) -> f32 {
    let most = 2f32.powi(102);
    if sample.is_finite() { sample.clamp(-most, most) } else { 0.0 }
}

/// The step that a sample is in.
fn step(op: &Bilateral, sample: f32) -> i64 {
    let most = 2f64.powi(22) - 1.0;
    f64::from(known(sample) * op.fineness).clamp(-most, most).round_ties_even() as i64
}

/// The sample at an offset as it is compared, and as it is.
fn both(op: &Bilateral, place: &Place, [t, y, x]: [isize; 3]) -> [f32; 2] {
    let (y, x) = (place.y + y, place.x + x);
    let own = place.stack.sample(op.border, t, y, x);
    [op.guide.map_or(own, |guide| guide::sample(guide, op.border, place, t, y, x)), own]
}

/// The weight of an offset.
fn space(op: &Bilateral, [t, y, x]: [isize; 3]) -> f32 {
    let side = op.radius + 1;
    op.space[(t.unsigned_abs() * side + y.unsigned_abs()) * side + x.unsigned_abs()]
}

fn whole(op: &Bilateral, place: &Place) -> Value {
    let [compared, own] = both(op, place, [0; 3]).map(|sample| sample as i64);
    let (mut total, mut sum) = (0i64, 0i64);
    let (frames, radius) = (op.frames as isize, op.radius as isize);
    for t in -frames..=frames {
        for y in -radius..=radius {
            for x in -radius..=radius {
                let [like, there] = both(op, place, [t, y, x]).map(|sample| sample as i64);
                let index = (like - compared).unsigned_abs() as usize;
                let weight = space(op, [t, y, x]) as i64 * op.range[index.min(op.range.len() - 1)] as i64;
                total += weight;
                sum += weight * (there - own);
            }
        }
    }
    let limit = 1 << 31;
    assert!(total > 0 && total < limit && sum.abs() < limit, "{sum} of {total} does not fit");
    let rounded = (sum as f32 / total as f32 + 98304.0) - 98304.0;
    let ideal = sum as f64 / total as f64;
    // Half a step of 1/128, and above 32768 of 1/64.
    Value { exact: own as f32 + rounded, ideal: own as f64 + ideal, error: 0.008 + 4.0 * UNIT * ideal.abs() }
}

fn real(op: &Bilateral, place: &Place) -> Value {
    let own = step(op, both(op, place, [0; 3])[0]);
    let (mut total, mut sum) = (0f32, 0f32);
    let (mut ideal_total, mut ideal, mut absolute, mut taps) = (0f64, 0f64, 0f64, 0.0);
    let (frames, radius) = (op.frames as isize, op.radius as isize);
    for t in -frames..=frames {
        for x in 0..=radius {
            for y in -radius..=radius {
                let space = space(op, [t, y, x]);
                // Left, and right of the middle column right.
                let sides = if x == 0 { vec![0] } else { vec![-x, x] };
                let (mut by, mut weighed) = (0f32, 0f32);
                for x in sides {
                    let [like, there] = both(op, place, [t, y, x]);
                    let (index, there) = ((step(op, like) - own).unsigned_abs() as usize, known(there));
                    let weight = op.range[index.min(op.range.len() - 1)];
                    by += weight;
                    weighed = weight.mul_add(there, weighed);
                    let product = f64::from(space) * f64::from(weight);
                    ideal_total += product;
                    ideal += product * f64::from(there);
                    absolute += (product * f64::from(there)).abs();
                    taps += 1.0;
                }
                total = space.mul_add(by, total);
                sum = space.mul_add(weighed, sum);
            }
        }
    }
    // Each of as many products and sums is off by a unit at most, above and below the line.
    let error = 2.0 * (taps + 2.0) * UNIT * absolute / ideal_total;
    let ideal = ideal / ideal_total;
    Value { exact: sum / total, ideal, error: error * 1.01 + f64::from(f32::MIN_POSITIVE) }
}
