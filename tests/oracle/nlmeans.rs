//! Means over samples whose surroundings look alike: every square compared anew.

use warpreel::frame::{Format, Sample};
use warpreel::pass::{Nlmeans, Shown};

use super::{Place, UNIT, Value, finish};

/// What one sample is.
pub fn sample(op: &Nlmeans, place: &Place) -> f32 {
    finish(op.finish, place.format, mean(op, place), place.centre())
}

/// A sample as it is summed.
fn known(sample: f32) -> f32 {
    if sample.is_finite() { sample } else { 0.0 }
}

/// A sample as it is compared.
fn whole(sample: f32, format: &Format) -> i64 {
    if format.pixel.sample != Sample::F32 {
        return sample as i64;
    }
    let limit = f64::from(1 << 22);
    f64::from(known(sample) * 65280.0).clamp(-limit, limit).round_ties_even() as i64
}

/// The weight of an offset.
fn weight(op: &Nlmeans, &Place { stack, format, y, x, .. }: &Place, [t, dy, dx]: [isize; 3]) -> f32 {
    let depth = if format.pixel.sample == Sample::F32 { 16 } else { u64::from(format.pixel.depth) };
    let largest = (1i64 << depth) - 1;
    let places = (op.patch * op.patch) as u128;
    let cut = (0..).find(|cut| places * ((largest * largest) as u128 >> cut) < 1 << 31).expect("some cut");
    let radius = op.patch as isize / 2;
    let mut sum = 0u64;
    for i in -radius..=radius {
        for j in -radius..=radius {
            let here = whole(stack.sample(op.border, 0, y + i, x + j), format);
            let there = whole(stack.sample(op.border, t, y + dy + i, x + dx + j), format);
            let difference = (here - there).abs().min(largest) as u64;
            sum += (difference * difference) >> cut;
        }
    }
    let index = (sum >> (2 * (depth - 8) - cut)) as usize;
    op.table[index.min(op.table.len() - 1)]
}

fn mean(op: &Nlmeans, place: &Place) -> Value {
    let &Place { stack, y, x, .. } = place;
    let (frames, radius) = (op.frames as isize, op.search as isize / 2);
    let (mut total, mut sum, mut ideal_total, mut ideal, mut absolute) = (0f32, 0f32, 0f64, 0f64, 0f64);
    let mut add = |weight: f32, value: f32| {
        total += weight;
        sum += weight * value;
        ideal_total += f64::from(weight);
        ideal += f64::from(weight) * f64::from(value);
        absolute += (f64::from(weight) * f64::from(value)).abs();
    };
    for t in -frames..=frames {
        for dy in -radius..=radius {
            for dx in -radius..=radius {
                let inside = (0..stack.height).contains(&(y + dy)) && (0..stack.width).contains(&(x + dx));
                if inside && [t, dy, dx] != [0; 3] {
                    add(weight(op, place, [t, dy, dx]), known(stack.inside(t, y + dy, x + dx)));
                }
            }
        }
    }
    add(1.0, known(place.centre()));
    if op.shown == Shown::Weights {
        let looked_at = (2 * op.frames + 1) * op.search * op.search;
        let peak = f64::from(place.format.pixel.peak());
        let ideal = ideal_total * peak / looked_at as f64;
        let exact = total * (peak / looked_at as f64) as f32;
        return Value { exact, ideal, error: (looked_at as f64 + 4.0) * UNIT * ideal };
    }
    // Each of as many products and sums is off by a unit at most, above and below the line.
    let taps = ((2 * op.frames + 1) * op.search * op.search) as f64;
    let error = 2.0 * (taps + 2.0) * UNIT * absolute / ideal_total;
    Value { exact: sum / total, ideal: ideal / ideal_total, error: error * 1.01 }
}
