//! One frame on its way to the next.

use warpreel::frame::Sample;
use warpreel::pass::Crossfade;

use super::Place;

/// What one sample is.
pub fn sample(_: &Crossfade, place: &Place) -> f32 {
    let [a, b] = [0, 1].map(|t| place.stack.inside(t, place.y, place.x));
    let weight = place.factor;
    match place.format.pixel.sample {
        Sample::F32 => {
            let share = weight / 32768.0;
            let (kept, new) = (a * (1.0 - share), b * share);
            let sum = kept + new;
            if sum.is_nan() { f32::from_bits(0x7fc0_0000) } else { sum }
        }
        sample => {
            let whole = if sample == Sample::U8 { 128.0 } else { 32768.0 };
            // To the nearest, halves up; exact in f64.
            let [a, b, weight] = [a, b, weight].map(f64::from);
            ((a * (whole - weight) + b * weight) / whole + 0.5).floor() as f32
        }
    }
}
