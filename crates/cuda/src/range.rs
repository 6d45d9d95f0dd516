//! What sums can be, which decides what is exact and what need not be clamped.

use crate::frame::Pixel;
use crate::pass::{Combine, Finish};

/// Σ|tap|.
pub(super) fn magnitude(taps: &[f32]) -> f64 {
    taps.iter().map(|tap| f64::from(tap.abs())).sum()
}

/// What a sum of `taps` can be where the samples lie in `low ..= high`.
pub(super) fn sum_range(taps: &[f32], [low, high]: [f64; 2]) -> [f64; 2] {
    taps.iter().map(|&tap| f64::from(tap)).fold([0.0, 0.0], |[least, most], tap| {
        let (a, b) = (tap * low, tap * high);
        [least + a.min(b), most + a.max(b)]
    })
}

/// What several sums can be when they have become one.
pub(super) fn combined_range(combine: Combine, sums: impl Iterator<Item = [f64; 2]>) -> [f64; 2] {
    let largest = |[low, high]: [f64; 2]| low.abs().max(high.abs());
    match combine {
        Combine::Sum => sums.fold([0.0, 0.0], |[low, high], [a, b]| [low + a, high + b]),
        Combine::Magnitude => [0.0, sums.map(|sum| largest(sum).powi(2)).sum::<f64>().sqrt()],
        Combine::Max => [0.0, sums.map(largest).fold(0.0, f64::max)],
        Combine::Largest => sums.fold([f64::NEG_INFINITY; 2], |[low, high], [a, b]| [low.max(a), high.max(b)]),
    }
}

/// What is known of the sums of an op.
#[derive(Clone, Copy, Debug)]
pub(super) struct SumBounds {
    /// Between which values they lie.
    pub(super) range: [f64; 2],
    /// The largest magnitude that anything on the way to them can have.
    pub(super) bound: f64,
    /// How many products they are made of.
    pub(super) taps: usize,
}

/// Whether the last step for such sums, and biases between two, can give less than 0 or more than the peak.
pub(super) fn clamps(finish: Finish, biases: [f32; 2], pixel: Pixel, sums: SumBounds) -> [bool; 2] {
    let SumBounds { range, bound, taps } = sums;
    let [sum_low, sum_high] = sum_range(&[finish.scale], range);
    let [dry_low, dry_high] = sum_range(&[finish.dry], [0.0, pixel.highest().into()]);
    let [bias_low, bias_high] = biases.map(f64::from);
    // Twice what all roundings together can do, each at most 2⁻²⁴ of the largest value there is.
    let values = [sum_low, sum_high, dry_low, dry_high, bias_low, bias_high];
    let largest = values.iter().map(|value| value.abs()).sum::<f64>();
    let slack = 0.001 + (taps + 8) as f64 * largest / f64::from(1 << 23);
    // Far from where floats, or their squares, become infinite and then perhaps no numbers.
    let finite = bound < 1e18;
    let stays_above = finite && sum_low + dry_low + bias_low - slack > -0.5;
    let stays_below = finite && sum_high + dry_high + bias_high + slack < f64::from(pixel.peak()) + 0.5;
    [!stays_above, !stays_below]
}
