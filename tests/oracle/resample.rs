//! Planes of another size.

use warpreel::frame::Sample;
use warpreel::pass::{Phases, Resample};

use super::Place;

/// What one sample is.
pub fn sample(op: &Resample, place: &Place) -> f32 {
    let Place { stack, format, x, y, .. } = *place;
    let (x, y) = (x as usize, y as usize);
    let pixel = format.pixel;
    let inside = |x: usize, y: usize| stack.inside(0, y as isize, x as isize);
    let axis = |phases: &Phases, index: usize| -> Met {
        let start = phases.starts[index] as usize;
        (0..phases.taps).map(|tap| (start + tap, phases.weights[index * phases.taps + tap])).collect()
    };
    if pixel.sample == Sample::F32 {
        let sum = |taps: Met, read: Read<'_>| {
            let sum = taps.into_iter().fold(0f32, |sum, (at, weight)| weight.mul_add(read(at), sum));
            if sum.is_nan() { f32::from_bits(0x7fc0_0000) } else { sum }
        };
        return twice(op, x, y, &axis, &sum, &inside);
    }
    let (factor, peak) = if pixel.sample == Sample::U8 { (256.0, 65535) } else { (1.0, (1i64 << pixel.depth) - 1) };
    let sum = |taps: Met, read: Read<'_>| {
        let sum: i64 = taps.into_iter().map(|(at, weight)| weight as i64 * (read(at) as i64 - 32768)).sum();
        ((sum + 8192).div_euclid(16384) + 32768).clamp(0, peak) as f32
    };
    let value = twice(op, x, y, &axis, &sum, &|x, y| inside(x, y) * factor);
    (value / factor).round_ties_even().min(if factor == 1.0 { f32::INFINITY } else { 255.0 })
}

/// The samples that a new one is made of, and their weights.
type Met = Vec<(usize, f32)>;
/// What is at a place of an axis.
type Read<'a> = &'a dyn Fn(usize) -> f32;

/// Sums along one axis of sums along the other.
fn twice(
    op: &Resample,
    x: usize,
    y: usize,
    axis: &dyn Fn(&Phases, usize) -> Met,
    sum: &dyn Fn(Met, Read<'_>) -> f32,
    inside: &dyn Fn(usize, usize) -> f32,
) -> f32 {
    match (&op.x, &op.y) {
        (Some(across), Some(down)) if op.x_first => {
            sum(axis(down, y), &|row| sum(axis(across, x), &|column| inside(column, row)))
        }
        (Some(across), Some(down)) => sum(axis(across, x), &|column| sum(axis(down, y), &|row| inside(column, row))),
        (Some(across), None) => sum(axis(across, x), &|column| inside(column, y)),
        (None, Some(down)) => sum(axis(down, y), &|row| inside(x, row)),
        (None, None) => inside(x, y),
    }
}
