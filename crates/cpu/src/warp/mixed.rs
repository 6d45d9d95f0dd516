//! Samples as they are mixed.

use super::super::simd::{self, Sample};

/// A sample that is made of those around a place.
pub trait Mixed: Sample {
    /// The four samples around a place.
    type Around: Copy;
    /// Four samples beside each other.
    fn around(samples: [[Self; 2]; 2]) -> Self::Around;
    /// The same again.
    fn each(around: Self::Around) -> [[Self; 2]; 2];
    /// Of four, by the parts of the right ones and of the lower ones, in 1/65536; `half` is what rounds whole numbers.
    fn mix(samples: [[Self; 2]; 2], parts: [u32; 2], half: u64) -> Self;
    /// The same where parts are whole numbers of 1/256, and halves are rounded up.
    fn mix_coarse(samples: [[Self; 2]; 2], parts: [u32; 2]) -> Self;
    /// As a float.
    fn float(self) -> f32;
    /// A sum that becomes a sample.
    fn of_sum(sum: f32, peak: f32) -> Self;
}

/// The four of whole numbers.
#[inline(always)]
fn mix_whole(samples: [[u32; 2]; 2], [x, y]: [u32; 2], half: u64) -> u64 {
    // Below 2³², so that products of 32 bits are enough.
    let [[left, right], [lower_left, lower_right]] = samples;
    let (top, bottom) = (left * (65536 - x) + right * x, lower_left * (65536 - x) + lower_right * x);
    (u64::from(top) * u64::from(65536 - y) + u64::from(bottom) * u64::from(y) + half) >> 32
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
    ($($sample:ty, $around:ty)*) => {
        $(impl Mixed for $sample {
            // One number, which is stored at once.
            type Around = $around;

            #[inline(always)]
            fn around(samples: [[Self; 2]; 2]) -> $around {
                bytemuck::cast(samples)
            }

            #[inline(always)]
            fn each(around: $around) -> [[Self; 2]; 2] {
                bytemuck::cast(around)
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
mixed_whole!(u8, u32 u16, u64);

impl Mixed for f32 {
    type Around = [[Self; 2]; 2];

    #[inline(always)]
    fn around(samples: [[Self; 2]; 2]) -> [[Self; 2]; 2] {
        samples
    }

    #[inline(always)]
    fn each(around: [[Self; 2]; 2]) -> [[Self; 2]; 2] {
        around
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
