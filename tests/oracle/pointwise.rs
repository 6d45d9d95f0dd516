//! Samples one by one.

use warpreel::frame::{Format, Sample};
use warpreel::pass::{PointStep, Pointwise, power};

use super::Place;

/// What one sample is.
pub fn sample(op: &Pointwise, place: &Place) -> f32 {
    value(op, place.format, place.centre())
}

/// What one sample becomes.
pub fn value(op: &Pointwise, format: &Format, sample: f32) -> f32 {
    let (steps, wet, dry) = match op {
        Pointwise::Table(table) => return f32::from(table[sample.min(format.pixel.peak()) as usize]),
        Pointwise::Steps { steps, wet, dry } => (steps, *wet, *dry),
    };
    assert_eq!(format.pixel.sample, Sample::F32);
    let mut v = steps.iter().fold(sample, |v, step| step_value(step, v)) * wet;
    if dry != 0.0 {
        v += sample * dry;
    }
    if v.is_nan() { f32::from_bits(0x7fc0_0000) } else { v }
}

fn step_value(step: &PointStep, v: f32) -> f32 {
    match step {
        PointStep::Multiply(factor) => v * factor,
        PointStep::Add(term) => v + term,
        PointStep::Absolute => f32::from_bits(v.to_bits() & 0x7fff_ffff),
        PointStep::Clamp { low, high } => match () {
            () if v < *low => *low,
            () if v > *high => *high,
            () => v,
        },
        PointStep::Threshold { level, above, .. } if v >= *level => *above,
        PointStep::Threshold { below, .. } => *below,
        PointStep::Power(exponent) => {
            let result = power(v, *exponent);
            let ideal = f64::from(v).max(0.0).powf(*exponent);
            let near = (f64::from(result) - ideal).abs() <= ideal * 6e-8 + 1e-45;
            assert!(
                near || !v.is_finite() || ideal > f32::MAX.into(),
                "{v} to the power of {exponent} is not {result}"
            );
            result
        }
        PointStep::Lookup(values) if v.is_nan() || values.is_empty() => v,
        PointStep::Lookup(values) => {
            let last = values.len() - 1;
            let place = (v * last as f32).max(0.0).min(last as f32);
            let i = (place.floor() as usize).min(last - 1);
            (place - i as f32).mul_add(values[i + 1] - values[i], values[i])
        }
    }
}
