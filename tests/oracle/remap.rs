//! Samples at other places.

use warpreel::pass::{Course, Remap};

use super::Place;

/// What one sample is.
pub fn sample(op: &Remap, place: &Place) -> f32 {
    let step = |course: Course, index: isize| course.first + if course.backwards { -index } else { index };
    let (x, y) = if op.transposed { (place.y, place.x) } else { (place.x, place.y) };
    place.stack.sample(op.border, 0, step(op.rows, y), step(op.columns, x))
}
