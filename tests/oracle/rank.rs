//! The sample of a rank: all samples of the box, sorted.

use warpreel::pass::Rank;

use super::{Place, Value, finish};

/// What one sample is.
pub fn sample(op: &Rank, place: &Place) -> f32 {
    let ideal = value(op, place);
    let exact = Value { exact: ideal, ideal: ideal.into(), error: 0.0 };
    finish(op.finish, place.format, exact, place.centre())
}

/// The sample that is picked for one place.
fn value(op: &Rank, &Place { stack, y, x, .. }: &Place) -> f32 {
    let [frames, rows, columns] = op.size.map(|size| size as isize);
    let [at, ay, ax] = op.anchor.map(|anchor| anchor as isize);
    let mut samples = Vec::new();
    for t in -at..frames - at {
        for dy in -ay..rows - ay {
            samples.extend((-ax..columns - ax).map(|dx| stack.sample(op.border, t, y + dy, x + dx)));
        }
    }
    // NaN stands behind all numbers.
    samples.sort_by(|a, b| a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())));
    samples[op.rank]
}
