//! Samples as they are mixed.

use super::super::simd::{self, Sample, Simd};

/// A sample that is made of those around a place.
pub trait Mixed: Sample {
    /// The bits of some samples, each in a lane.
    fn lanes<S: Simd>(simd: S, from: &[Self]) -> S::I32;
    /// The bits of one sample.
    fn bits(self) -> u32;
    /// The sample of these bits.
    fn of_bits(bits: u32) -> Self;
    /// Of four, by the parts of the right ones and of the lower ones, in 1/65536; `half` is what rounds whole numbers.
    fn mix(samples: [[Self; 2]; 2], parts: [u32; 2], half: u64) -> Self;
    /// The same where parts are whole numbers of 1/256, and halves are rounded up.
    fn mix_coarse(samples: [[Self; 2]; 2], parts: [u32; 2]) -> Self;
    /// As a float.
    fn float(self) -> f32;
    /// A sum that becomes a sample.
    fn of_sum(sum: f32, peak: f32) -> Self;
}

/// The four of whole numbers by 32 bits: a sum of two is below 2³², and is split into two halves for the second sum. What is divided by
/// 2¹⁶ twice is what is divided by 2³² at once.
#[inline(always)]
fn mix_whole([[left, right], [lower_left, lower_right]]: [[u32; 2]; 2], [x, y]: [u32; 2], half: u64) -> u32 {
    let (top, bottom) = (mix_pair(left, right, x), mix_pair(lower_left, lower_right, x));
    let (high, low) = (mix_pair(top >> 16, bottom >> 16, y), mix_pair(top & 65535, bottom & 65535, y));
    high.wrapping_add(low >> 16).wrapping_add((half >> 16) as u32) >> 16
}

/// Two of up to 16 bits, by the part of the second in 1/65536.
#[inline(always)]
fn mix_pair(a: u32, b: u32, part: u32) -> u32 {
    (a << 16).wrapping_add(b.wrapping_sub(a).wrapping_mul(part))
}

/// The same by parts of whole numbers of 1/256. What is left of the lower 32 bits of a number below 2³² is that number.
#[inline(always)]
fn mix_coarse([[left, right], [lower_left, lower_right]]: [[u32; 2]; 2], [x, y]: [u32; 2]) -> u32 {
    let (x, y) = (x >> 8, y >> 8);
    let top = (left << 8).wrapping_add(right.wrapping_sub(left).wrapping_mul(x));
    let bottom = (lower_left << 8).wrapping_add(lower_right.wrapping_sub(lower_left).wrapping_mul(x));
    (top << 8).wrapping_add(bottom.wrapping_sub(top).wrapping_mul(y)).wrapping_add(1 << 15) >> 16
}

/// Two floats.
#[inline(always)]
fn mix_real(a: f32, b: f32, part: f32) -> f32 {
    part.mul_add(b, (1.0 - part) * a)
}

/// A sum as a whole number.
#[inline(always)]
fn whole(sum: f32, peak: f32) -> f32 {
    (sum + 0.5).floor().max(0.0).min(peak)
}

macro_rules! mixed_whole {
    ($($sample:ty)*) => {
        $(impl Mixed for $sample {
            #[inline(always)]
            fn lanes<S: Simd>(simd: S, from: &[Self]) -> S::I32 {
                Self::widen(simd, from)
            }

            #[inline(always)]
            fn bits(self) -> u32 {
                self.into()
            }

            #[inline(always)]
            fn of_bits(bits: u32) -> Self {
                bits as $sample
            }

            #[inline(always)]
            fn mix(samples: [[Self; 2]; 2], parts: [u32; 2], half: u64) -> Self {
                let [[a, b], [c, d]] = samples;
                mix_whole([[a.into(), b.into()], [c.into(), d.into()]], parts, half) as $sample
            }

            #[inline(always)]
            fn mix_coarse(samples: [[Self; 2]; 2], parts: [u32; 2]) -> Self {
                let [[a, b], [c, d]] = samples;
                mix_coarse([[a.into(), b.into()], [c.into(), d.into()]], parts) as $sample
            }

            #[inline(always)]
            fn float(self) -> f32 {
                self.into()
            }

            #[inline(always)]
            fn of_sum(sum: f32, peak: f32) -> Self {
                whole(sum, peak) as $sample
            }
        })*
    };
}
mixed_whole!(u8 u16);

impl Mixed for f32 {
    #[inline(always)]
    fn lanes<S: Simd>(simd: S, from: &[Self]) -> S::I32 {
        simd.load_integers(from)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bits()
    }

    #[inline(always)]
    fn of_bits(bits: u32) -> Self {
        Self::from_bits(bits)
    }

    #[inline(always)]
    fn mix(samples: [[Self; 2]; 2], parts: [u32; 2], _: u64) -> Self {
        let (x, y) = (parts[0] as f32 * (1.0 / 65536.0), parts[1] as f32 * (1.0 / 65536.0));
        let [[left, right], [lower_left, lower_right]] = samples;
        simd::quiet(mix_real(mix_real(left, right, x), mix_real(lower_left, lower_right, x), y))
    }

    #[inline(always)]
    fn mix_coarse(samples: [[Self; 2]; 2], parts: [u32; 2]) -> Self {
        Self::mix(samples, parts, 0)
    }

    #[inline(always)]
    fn float(self) -> f32 {
        self
    }

    #[inline(always)]
    fn of_sum(sum: f32, _: f32) -> Self {
        simd::quiet(sum)
    }
}
