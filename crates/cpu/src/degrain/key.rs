//! Samples as they are compared: bytes, whatever they are.

use super::super::simd::Sample;

/// Samples that become bytes.
pub trait Keyed: Sample {
    /// The byte of a sample of so many bits.
    fn key(self, depth: u32) -> u8;
}

impl Keyed for u8 {
    #[inline(always)]
    fn key(self, _: u32) -> u8 {
        self
    }
}

impl Keyed for u16 {
    #[inline(always)]
    fn key(self, depth: u32) -> u8 {
        (self >> (depth - 8)).min(255) as u8
    }
}

impl Keyed for f32 {
    #[inline(always)]
    fn key(self, _: u32) -> u8 {
        // A NaN is not above 0. From 2²³ on floats are whole numbers.
        let clamped = if self > 0.0 { self.min(1.0) } else { 0.0 };
        ((clamped * 255.0 + 8_388_608.0) - 8_388_608.0) as u8
    }
}
