//! Strengths that follow the noise of a clip: how much noise counts.

/// Noise below this, in steps of 8 bits, is left alone: rounding alone makes 0.3.
pub(super) const LEAST: f64 = 0.5;

/// The most noise that is reckoned with.
pub(super) const MOST: f64 = 50.0;

/// A multiple of the noise; 0, which does nothing, for less than [`LEAST`].
pub(super) fn times(factor: f64, noise: f64) -> Option<f64> {
    Some(if noise < LEAST { 0.0 } else { factor * noise })
}
