//! What samples are compared as, and what they are computed with.

use super::super::simd::Sample;
use crate::pass::Bm3d;

/// Samples of noisy planes.
pub trait NoisySample: Sample {
    /// What is compared.
    fn key(self, shift: u32) -> u8;
    /// What is transformed.
    #[inline(always)]
    fn value(self) -> f32 {
        self.finite()
    }
}

impl NoisySample for u8 {
    #[inline(always)]
    fn key(self, _: u32) -> u8 {
        self
    }
}

impl NoisySample for u16 {
    #[inline(always)]
    fn key(self, shift: u32) -> u8 {
        (self >> shift).min(255) as u8
    }
}

impl NoisySample for f32 {
    #[inline(always)]
    fn key(self, _: u32) -> u8 {
        (self.value() * 255.0 + 0.5).clamp(0.0, 255.0) as u8
    }

    #[inline(always)]
    fn value(self) -> f32 {
        self.finite().clamp(-Bm3d::MOST_FLOAT, Bm3d::MOST_FLOAT)
    }
}
