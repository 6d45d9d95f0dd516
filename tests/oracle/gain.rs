//! Samples times the factor of their frame.

use warpreel::pass::Gain;

use super::{Place, UNIT, Value, finish};

/// What one sample is.
pub fn sample(op: &Gain, place: &Place) -> f32 {
    let centre = place.centre();
    finish(op.finish, place.format, gain(op, place.factor, centre), centre)
}

/// A sample times the factor of its frame.
fn gain(op: &Gain, factor: f32, sample: f32) -> Value {
    let above = f64::from(sample) - f64::from(op.black);
    let (product, black) = (above * f64::from(factor), f64::from(op.black));
    // Three operations, each off by a unit of its own result, the first two of them then multiplied.
    let error = UNIT * (3.0 * product.abs() + black.abs() + f64::from(sample).abs() * f64::from(factor).abs());
    Value { exact: (sample - op.black) * factor + op.black, ideal: product + black, error }
}
