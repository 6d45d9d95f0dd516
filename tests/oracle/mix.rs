//! Sums over planes: whole ones in `i64`, real ones in the prescribed `f32`, which `f64` bounds.

use warpreel::frame::Sample;
use warpreel::pass::{Mix, MixSums};

use super::Place;

/// What one sample is.
pub fn sample(op: &Mix, place: &Place) -> f32 {
    let pixel = place.format.pixel;
    let peak = pixel.peak();
    let p = place.plane - op.first;
    let read = |q: usize| place.planes[op.first + q].inside(0, place.y, place.x);
    let planes = 0..3 - op.first;
    match &op.sums {
        MixSums::Whole { weights, bias } => {
            let term = |q: usize| i64::from(weights[p][q]) * (read(q).min(peak) as i64 - op.centre as i64);
            let sum = planes.map(term).sum::<i64>() + i64::from(bias[p]);
            assert!(i32::try_from(sum).is_ok(), "a sum of {sum}");
            (sum.div_euclid(1 << 16) as f32).clamp(0.0, peak)
        }
        MixSums::Terms(terms) => {
            let sum: i64 = planes.map(|q| i64::from(terms[p][q][read(q) as usize])).sum();
            (sum as f32).clamp(0.0, peak)
        }
        MixSums::Real { weights, bias } => {
            let (mut sum, mut ideal, mut size) = (0.0f32, f64::from(bias[p]), f64::from(bias[p]).abs());
            for q in planes {
                let product = (read(q) - op.centre) * weights[p][q];
                sum = if q == 0 { product } else { sum + product };
                let exact = (f64::from(read(q)) - f64::from(op.centre)) * f64::from(weights[p][q]);
                (ideal, size) = (ideal + exact, size + exact.abs());
            }
            sum += bias[p];
            let error = 8.0 * super::UNIT * size + f64::from(f32::MIN_POSITIVE);
            assert!(
                !sum.is_finite() || (f64::from(sum) - ideal).abs() <= error,
                "{sum} is more than {error:e} from {ideal}"
            );
            match pixel.sample {
                Sample::F32 if sum.is_nan() => f32::from_bits(0x7fc0_0000),
                Sample::F32 => sum,
                _ if sum.is_nan() => 0.0,
                _ => (sum + 0.5).floor().clamp(0.0, peak),
            }
        }
    }
}
