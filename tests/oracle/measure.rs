//! How bright frames are: sums over the planes that are brightness, sample by sample.

use warpreel::frame::{Family, Frame, Sample};

use super::samples;

/// What a sample counts as.
fn whole(sample: f32, kind: Sample) -> u64 {
    if kind != Sample::F32 {
        return sample as u64;
    }
    let inside = if sample.is_nan() { 0.0 } else { sample.clamp(0.0, 1.0) };
    let value = (inside * 65535.0).round_ties_even();
    assert!((f64::from(value) - f64::from(inside) * 65535.0).abs() < 0.51, "{sample} is not {value}");
    value as u64
}

/// The sum of all samples, or of how much they differ from those of another frame.
pub fn sum(frame: &Frame, before: Option<&Frame>) -> u64 {
    let pixel = frame.format().pixel;
    let planes = if pixel.family == Family::Rgb { 0..3 } else { 0..1 };
    let mut sum = 0;
    for plane in planes {
        let mine = samples(frame, plane);
        let others = before.map_or_else(|| vec![0.0; mine.len()], |before| samples(before, plane));
        for (a, b) in mine.into_iter().zip(others) {
            sum += whole(a, pixel.sample).abs_diff(whole(b, pixel.sample));
        }
    }
    sum
}
