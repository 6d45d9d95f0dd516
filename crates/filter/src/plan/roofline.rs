//! How long a machine takes at the least for what a pass cannot do without.

use serde::Serialize;

use crate::pass::Operations;

/// How fast a machine can be at best; whoever asks has measured it. Operations are in 10⁹ a second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Roofline {
    /// Bytes that memory reads and writes in a second, both counted, in GB/s (10⁹).
    pub memory_gb_s: f64,
    /// The rate of [`Operations::dot8`].
    pub dot8_gop_s: f64,
    /// The rate of [`Operations::dot16`].
    pub dot16_gop_s: f64,
    /// The rate of [`Operations::word`].
    pub word_gop_s: f64,
    /// The rate of [`Operations::real`].
    pub real_gop_s: f64,
}

impl Roofline {
    /// The least milliseconds for moving so many bytes.
    pub fn memory_ms(&self, bytes: u64) -> f64 {
        ms(bytes, self.memory_gb_s)
    }

    /// The least milliseconds for operations, those of all kinds after each other.
    pub fn arithmetic_ms(&self, operations: &Operations) -> f64 {
        let Operations { dot8, dot16, word, real } = *operations;
        ms(dot8, self.dot8_gop_s) + ms(dot16, self.dot16_gop_s) + ms(word, self.word_gop_s) + ms(real, self.real_gop_s)
    }
}

/// Milliseconds at 10⁹ a second; nothing takes no time at any rate.
fn ms(count: u64, giga_s: f64) -> f64 {
    if count == 0 { 0.0 } else { count as f64 / (giga_s * 1e6) }
}
