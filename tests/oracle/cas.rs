//! Contrast-adaptive sharpening: the words of the pass, one operation after another.

use warpreel::frame::Sample;
use warpreel::pass::Cas;

use super::{Place, UNIT, Value, finish};

/// What one sample is.
pub fn sample(op: &Cas, place: &Place) -> f32 {
    finish(op.finish, place.format, value(op, place), place.centre())
}

fn value(op: &Cas, place: &Place) -> Value {
    let pixel = place.format.pixel;
    let is_float = pixel.sample == Sample::F32;
    let at = |dy: isize, dx: isize| {
        let sample = place.stack.sample(op.border, 0, place.y + dy, place.x + dx);
        if is_float { sample } else { sample.min(pixel.peak()) }
    };
    let [a, b, c] = [-1, 0, 1].map(|dx| at(-1, dx));
    let [d, e, f] = [-1, 0, 1].map(|dx| at(0, dx));
    let [g, h, i] = [-1, 0, 1].map(|dx| at(1, dx));
    let pick = |take: &dyn Fn(f32, f32) -> bool| {
        let better = |x: f32, y: f32| if take(x, y) { x } else { y };
        let near = [d, e, f, h].into_iter().fold(b, better);
        near + [a, c, g, i].into_iter().fold(near, better)
    };
    let (low, high) = (pick(&|x, y| x < y), pick(&|x, y| x > y));
    let limit = if is_float { 2.0 } else { 2.0 * pixel.peak() + 1.0 };
    let left = limit - high;
    let room = if low < left { low } else { left };
    let room = if room > 0.0 { room } else { 0.0 };
    let share = room / high;
    let share = if share > 0.0 { share } else { 0.0 };
    let share = if share < 1.0 { share } else { 1.0 };
    let weight = share.sqrt() / op.divisor;
    let beside = b + d + f + h;
    let exact = (beside * weight + e) / (1.0 + 4.0 * weight);

    let weight = f64::from(share).sqrt() / f64::from(op.divisor);
    let beside = [b, d, f, h].map(f64::from);
    let under = 1.0 + 4.0 * weight;
    let ideal = (beside.iter().sum::<f64>() * weight + f64::from(e)) / under;
    // Roundings of the sums and of the weight, which the quotient makes larger, and of what lies under it.
    let size = beside.iter().map(|sample| sample.abs()).sum::<f64>() * weight.abs() + f64::from(e.abs());
    let error = 8.0 * UNIT * (size + ideal.abs()) / under;
    if is_float {
        return Value { exact, ideal, error };
    }
    let cut = |value: f64| value.trunc().clamp(0.0, f64::from(pixel.peak()));
    let exact = exact.trunc().clamp(0.0, pixel.peak());
    let between = cut(ideal - error)..=cut(ideal + error);
    assert!(between.contains(&f64::from(exact)), "{exact} is not {ideal} within {error:e}, cut off");
    Value { exact, ideal: exact.into(), error: 0.0 }
}
