//! What samples are compared as, and the squares of their differences.

use bytemuck::Pod;

use super::super::simd::{Sample, Simd};
use crate::pass::GuideSteps;

/// Sums of squares below this are exact in 16 bits, and larger ones stay above it or equal.
pub const LARGEST_SQUARE: u16 = 255 * 255;

/// Samples that are compared.
pub trait Comparable: Sample {
    /// What they are compared as.
    type Key: Pod + Send + Sync;
    /// By how many bits a sum of squares is shifted down before its weight is looked up.
    const SHIFT: u32;

    /// The sample as it is compared.
    fn key(self, steps: Option<&GuideSteps>) -> Self::Key;
}

impl Comparable for u8 {
    type Key = u8;
    const SHIFT: u32 = 0;

    #[inline(always)]
    fn key(self, _: Option<&GuideSteps>) -> u8 {
        self
    }
}

impl Comparable for u16 {
    type Key = u16;
    const SHIFT: u32 = GuideSteps::SHIFT;

    #[inline(always)]
    fn key(self, steps: Option<&GuideSteps>) -> u16 {
        stepped(self.into(), steps)
    }
}

impl Comparable for f32 {
    type Key = u16;
    const SHIFT: u32 = GuideSteps::SHIFT;

    #[inline(always)]
    fn key(self, steps: Option<&GuideSteps>) -> u16 {
        stepped(self.finite(), steps)
    }
}

/// A sample in whole steps.
#[inline(always)]
fn stepped(value: f32, steps: Option<&GuideSteps>) -> u16 {
    // From 2²³ to 2²⁴ floats are whole numbers, and their bits count them.
    const WHOLE: f32 = 12_582_912.0;
    let Some(steps) = steps else { return 0 };
    let place = (value * steps.scale + steps.origin).clamp(0.0, GuideSteps::LARGEST);
    (place + WHOLE).to_bits() as u16
}

/// A sum of squares, or as much of it as has a weight.
pub trait Difference: Pod + Send + Sync {
    /// One that has no weight.
    const MOST: Self;
    /// How many of them a lane holds.
    const IN_LANE: usize;

    /// The same in all places.
    fn splat<S: Simd>(simd: S, value: Self) -> S::I32;
    /// Both, or the largest that there is.
    fn plus<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32;
    /// What each lacks to `most`; nothing of larger ones.
    fn below<S: Simd>(simd: S, a: S::I32, most: S::I32) -> S::I32;
    /// Some of them, one a lane.
    fn lanes<S: Simd>(simd: S, from: &[Self]) -> S::I32;
}

impl Difference for u16 {
    const MOST: Self = Self::MAX;
    const IN_LANE: usize = 2;

    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: Self) -> S::I32 {
        simd.splat_u16(value)
    }

    #[inline(always)]
    fn plus<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.add_u16(a, b)
    }

    #[inline(always)]
    fn below<S: Simd>(simd: S, a: S::I32, most: S::I32) -> S::I32 {
        simd.sub_u16(most, simd.min_u16(a, most))
    }

    #[inline(always)]
    fn lanes<S: Simd>(simd: S, from: &[Self]) -> S::I32 {
        simd.widen_u16(from)
    }
}

impl Difference for u32 {
    const MOST: Self = Self::MAX >> 1;
    const IN_LANE: usize = 1;

    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: Self) -> S::I32 {
        simd.splat_i32(value as i32)
    }

    /// Sums stay below 2³¹; what is beyond a row's end may be anything.
    #[inline(always)]
    fn plus<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.add_i32(a, b)
    }

    #[inline(always)]
    fn below<S: Simd>(simd: S, a: S::I32, most: S::I32) -> S::I32 {
        simd.sub_i32(most, simd.min_i32(a, most))
    }

    #[inline(always)]
    fn lanes<S: Simd>(simd: S, from: &[Self]) -> S::I32 {
        simd.load_integers(from)
    }
}

/// What is compared, and squares of differences as a kind of sums takes them in.
pub trait Squared<U>: Pod + Send + Sync {
    /// Of a vector of samples each.
    fn squared<S: Simd>(simd: S, a: &[Self], b: &[Self]) -> S::I32;
}

impl Squared<u16> for u8 {
    #[inline(always)]
    fn squared<S: Simd>(simd: S, a: &[Self], b: &[Self]) -> S::I32 {
        let difference = simd.sub_u16(simd.halves_u8(a), simd.halves_u8(b));
        simd.mul_u16(difference, difference)
    }
}

impl Squared<u32> for u8 {
    #[inline(always)]
    fn squared<S: Simd>(simd: S, a: &[Self], b: &[Self]) -> S::I32 {
        let difference = simd.sub_i32(simd.widen_u8(a), simd.widen_u8(b));
        simd.mul_i32(difference, difference)
    }
}

impl Squared<u16> for u16 {
    #[inline(always)]
    fn squared<S: Simd>(simd: S, a: &[Self], b: &[Self]) -> S::I32 {
        let (a, b) = (simd.load_integers(a), simd.load_integers(b));
        let difference = simd.sub_u16(simd.max_u16(a, b), simd.min_u16(a, b));
        let difference = simd.min_u16(difference, <u16 as Difference>::splat(simd, GuideSteps::MOST));
        simd.mul_u16(difference, difference)
    }
}
