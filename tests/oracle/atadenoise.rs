//! Means of a sample and those at its place in other frames, one side after the other whatever the order, but for what
//! ends both.

use warpreel::frame::Sample;
use warpreel::pass::Atadenoise;

use super::{Place, UNIT, Value, finish};

/// What one sample is.
pub fn sample(op: &Atadenoise, place: &Place) -> f32 {
    let taken = taken(op, place);
    let centre = place.centre();
    let mean = if place.format.pixel.sample == Sample::F32 { float(centre, &taken) } else { whole(op, centre, &taken) };
    finish(op.finish, place.format, mean, centre)
}

/// How many of a side are taken.
fn length(op: &Atadenoise, place: &Place, side: isize) -> usize {
    let centre = place.centre();
    let mut far = 0f32;
    (1..=op.radius as isize)
        .take_while(|k| {
            let distance = (place.stack.inside(side * k, place.y, place.x) - centre).abs();
            far += distance;
            distance < op.single && far < op.total
        })
        .count()
}

/// The samples that are taken and their weights, in the order in which they are summed.
fn taken(op: &Atadenoise, place: &Place) -> Vec<(f32, f32)> {
    let [mut before, mut after] = [-1, 1].map(|side| length(op, place, side));
    let of = |side: isize, k: usize| {
        let weight = if op.weights.is_empty() { 1.0 } else { op.weights[k - 1] };
        (weight, place.stack.inside(side * k as isize, place.y, place.x))
    };
    if !op.together {
        return (1..=before).map(|k| of(-1, k)).chain((1..=after).map(|k| of(1, k))).collect();
    }
    // The side before is met first, so it may be one longer than the other when that ends.
    before = before.min(after + 1);
    after = after.min(before);
    (1..=before).flat_map(|k| [Some(of(-1, k)), (k <= after).then(|| of(1, k))]).flatten().collect()
}

fn float(centre: f32, taken: &[(f32, f32)]) -> Value {
    let (mut sum, mut weighed, mut ideal, mut absolute, mut ideal_weighed) = (0f32, 1f32, 0f64, 0f64, 1f64);
    for &(weight, sample) in taken {
        let away = sample - centre;
        sum += weight * away;
        weighed += weight;
        ideal += f64::from(weight) * (f64::from(sample) - f64::from(centre));
        absolute += f64::from(weight) * f64::from(sample.abs() + centre.abs());
        ideal_weighed += f64::from(weight);
    }
    let error = 2.0 * (taken.len() + 4) as f64 * UNIT * (absolute / ideal_weighed + f64::from(centre.abs()));
    Value { exact: centre + sum / weighed, ideal: f64::from(centre) + ideal / ideal_weighed, error: error * 1.01 }
}

fn whole(op: &Atadenoise, centre: f32, taken: &[(f32, f32)]) -> Value {
    let (mut sum, mut weighed, mut ideal, mut ideal_weighed) = (centre, 1f32, f64::from(centre), 1f64);
    for &(weight, sample) in taken {
        sum += weight * sample;
        weighed += weight;
        ideal += f64::from(weight) * f64::from(sample);
        ideal_weighed += f64::from(weight);
    }
    let mean = ideal / ideal_weighed;
    let error = 2.0 * (taken.len() + 2) as f64 * UNIT * mean * 1.01;
    if op.weights.is_empty() {
        // As FFmpeg has it, in whole numbers.
        let count = taken.len() as u32 + 1;
        let rounded = (sum as u32 + count / 2) / count;
        assert_eq!(rounded, ((sum / weighed) + 0.5).floor() as u32, "{sum} / {count}");
        return Value { exact: sum / weighed, ideal: mean, error };
    }
    let exact = (sum / weighed).round_ties_even();
    assert!((f64::from(exact) - mean).abs() <= 0.5 + error, "{exact} is not {mean} rounded");
    Value { exact, ideal: exact.into(), error: 0.0 }
}
