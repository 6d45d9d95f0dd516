//! Strengths that follow the noise of a clip: how much noise counts.

/// Noise below this, in steps of 8 bits, is left alone: rounding alone makes 0.3.
pub(super) const LEAST: f64 = 0.5;

/// The most noise that is reckoned with.
pub(super) const MOST: f64 = 50.0;

/// Standard deviation of a clip's noise, in steps of 8 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Noise {
    /// The noisiest plane of luma, grey or colours.
    pub luma: f64,
    /// The noisier plane of chroma; `None` for pixels without chroma.
    pub chroma: Option<f64>,
}

impl Noise {
    /// The noise that is assumed for a clip that nobody measures.
    pub const ASSUMED: Self = Self { luma: 5.0, chroma: Some(5.0) };

    /// That of chroma, or of all planes where there is no chroma.
    pub fn of_chroma(self) -> f64 {
        self.chroma.unwrap_or(self.luma)
    }
}

/// A multiple of the noise; 0, which does nothing, for less than [`LEAST`].
pub(super) fn times(factor: f64, noise: f64) -> Option<f64> {
    Some(if noise < LEAST { 0.0 } else { factor * noise })
}
