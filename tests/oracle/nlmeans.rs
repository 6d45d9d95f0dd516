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

/// The last of the weights above 8 bits, which is 0.
const LAST: usize = 126;

/// How many of the steps in which samples above 8 bits are compared a unit of 8 bits has, and what rounding to them adds to a sum.
fn steps(op: &Nlmeans, format: &Format) -> (f64, f64) {
    let weighty = op.table.len().max(2) as f64 - 1.0;
    let added = (op.patch * op.patch) as f64 / 6.0;
    let steps = (((LAST * 128) as f64 - added) / weighty).sqrt();
    if format.pixel.sample == Sample::F32 {
        return (steps, added);
    }
    let samples = 2f64.powi(i32::from(format.pixel.depth) - 8);
    let each = steps / samples;
    if each < 1.0 { (steps, added) } else { (each.trunc() * samples, 0.0) }
}

/// A sample as it is compared; `steps` as above.
fn whole(steps: f64, sample: f32, format: &Format) -> i64 {
    let (scale, origin) = match format.pixel.sample {
        Sample::U8 => return sample as i64,
        Sample::U16 => (steps / 2f64.powi(i32::from(format.pixel.depth) - 8), 0.0),
        Sample::F32 => (steps * 255.0, 16384.0),
    };
    let place = known(sample) * scale as f32;
    f64::from(place + origin).clamp(0.0, 32767.0).round_ties_even() as i64
}

/// A number with as many bits as a byte has.
fn eight_bits(value: f32) -> f32 {
    if value == 0.0 {
        return 0.0;
    }
    let unit = 2f64.powi(f64::from(value).log2().floor() as i32 - 7);
    ((f64::from(value) / unit).round_ties_even() * unit) as f32
}

/// The weight of so large a sum of squares.
fn looked_up(op: &Nlmeans, sum: u64, format: &Format) -> f32 {
    if format.pixel.sample == Sample::U8 {
        return op.table[(sum as usize).min(op.table.len() - 1)];
    }
    let index = ((sum / 128) as usize).min(LAST);
    if index == 0 || index == LAST {
        return if index == 0 { 1.0 } else { 0.0 };
    }
    let (steps, added) = steps(op, format);
    let place = (128.0 * index as f64 + 64.0 - added).max(0.0) / (steps * steps);
    let before = place.floor() as usize;
    let weight = |place: usize| f64::from(op.table.get(place).copied().unwrap_or(0.0));
    let part = place - place.floor();
    eight_bits((weight(before) * (1.0 - part) + weight(before + 1) * part) as f32)
}

/// The weight of an offset.
fn weight(op: &Nlmeans, &Place { stack, format, y, x, .. }: &Place, [t, dy, dx]: [isize; 3]) -> f32 {
    let largest = if format.pixel.sample == Sample::U8 { 255 } else { 127 };
    let radius = op.patch as isize / 2;
    let (steps, _) = steps(op, format);
    let mut sum = 0u64;
    for i in -radius..=radius {
        for j in -radius..=radius {
            let here = whole(steps, stack.sample(op.border, 0, y + i, x + j), format);
            let there = whole(steps, stack.sample(op.border, t, y + dy + i, x + dx + j), format);
            let difference = (here - there).abs().min(largest) as u64;
            sum += difference * difference;
        }
    }
    looked_up(op, sum, format)
}

/// Offsets in their order, as it was written down.
fn offsets(op: &Nlmeans, format: &Format) -> Vec<[isize; 3]> {
    let (frames, radius) = (op.frames as isize, op.search as isize / 2);
    let mut offsets = Vec::new();
    for t in -frames..=frames {
        for dy in -radius..=radius {
            offsets.extend((-radius..=radius).map(|dx| [t, dy, dx]));
        }
    }
    if format.pixel.sample != Sample::U8 {
        // Two rows, column by column.
        offsets.sort_by_key(|&[t, dy, dx]| [t, (dy + radius) / 2, dx, dy]);
    }
    offsets
}

fn mean(op: &Nlmeans, place: &Place) -> Value {
    let &Place { stack, y, x, .. } = place;
    let (mut total, mut sum, mut ideal_total, mut ideal, mut absolute) = (0f32, 0f32, 0f64, 0f64, 0f64);
    let mut add = |weight: f32, value: f32| {
        total += weight;
        sum += weight * value;
        ideal_total += f64::from(weight);
        ideal += f64::from(weight) * f64::from(value);
        absolute += (f64::from(weight) * f64::from(value)).abs();
    };
    // At 8 bits the sample itself comes last.
    let own_is_last = place.format.pixel.sample == Sample::U8;
    for [t, dy, dx] in offsets(op, place.format) {
        let inside = (0..stack.height).contains(&(y + dy)) && (0..stack.width).contains(&(x + dx));
        if [t, dy, dx] == [0; 3] && !own_is_last {
            add(1.0, known(place.centre()));
        } else if inside && [t, dy, dx] != [0; 3] {
            add(weight(op, place, [t, dy, dx]), known(stack.inside(t, y + dy, x + dx)));
        }
    }
    if own_is_last {
        add(1.0, known(place.centre()));
    }
    let looked_at = (2 * op.frames + 1) * op.search * op.search;
    if op.shown == Shown::Weights {
        let peak = f64::from(place.format.pixel.peak());
        let ideal = ideal_total * peak / looked_at as f64;
        let exact = total * (peak / looked_at as f64) as f32;
        return Value { exact, ideal, error: (looked_at as f64 + 4.0) * UNIT * ideal };
    }
    // Each of as many products and sums is off by a unit at most, above and below the line.
    let error = 2.0 * (looked_at as f64 + 2.0) * UNIT * absolute / ideal_total;
    Value { exact: sum / total, ideal: ideal / ideal_total, error: error * 1.01 }
}
