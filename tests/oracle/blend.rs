//! Two samples as one.

use warpreel::frame::Sample;
use warpreel::pass::Blend;

use super::{Place, UNIT};

/// The weight of the second frame at one place.
fn weight(op: &Blend, y: usize, x: usize) -> f32 {
    match op {
        Blend::Even(weight) => *weight,
        Blend::Inside { columns, rows, weight } if columns.contains(&x) && rows.contains(&y) => *weight,
        Blend::Inside { .. } => 0.0,
        Blend::Each { width, weights } => weights[y * width + x],
    }
}

/// What one sample is. The window's first frame stands before its centre.
pub fn sample(op: &Blend, &Place { stack, format, y, x, .. }: &Place) -> f32 {
    let (a, b) = (stack.inside(-1, y, x), stack.inside(0, y, x));
    let weight = weight(op, y as usize, x as usize);
    let value = match weight {
        0.0 => return a,
        1.0 => return b,
        weight => weight.mul_add(b - a, a),
    };
    let [first, second] = [a, b].map(f64::from);
    let ideal = first + f64::from(weight) * (second - first);
    let error = 3.0 * UNIT * (first.abs() + second.abs() + 1.0) + f64::from(f32::MIN_POSITIVE);
    if value.is_finite() && (b - a).is_finite() {
        assert!((f64::from(value) - ideal).abs() <= error, "{value} is more than {error:e} from {ideal}");
    }
    match format.pixel.sample {
        Sample::F32 if value.is_nan() => f32::from_bits(0x7fc0_0000),
        Sample::F32 => value,
        _ => {
            let result = (value + 0.5).floor();
            assert!(a.min(b) <= result && result <= a.max(b), "{result} lies outside {a} and {b}");
            assert!((f64::from(result) - ideal).abs() <= 0.5 + error, "{result} is not {ideal}");
            result
        }
    }
}
