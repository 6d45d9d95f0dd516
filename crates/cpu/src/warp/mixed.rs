//! Samples as they are mixed.

use super::super::simd::{self, Sample, Simd};

/// A sample that is made of those around a place.
pub trait Mixed: Sample {
    /// The bits of some samples, each in a lane.
    fn lanes<S: Simd>(simd: S, from: &[Self]) -> S::I32;
    /// How many numbers of 32 bits hold four samples.
    const WORDS: usize;
    /// Two samples of the row above and two below as so many numbers of 32 bits; no more of the four are read.
    fn pack(above: [Self; 2], below: [Self; 2]) -> [u32; 4];
    /// The same of a vector of each.
    fn pack_lanes<S: Simd>(simd: S, samples: [[S::I32; 2]; 2]) -> [S::I32; 4];
    /// The four that were packed.
    fn unpack(words: [u32; 4]) -> [[Self; 2]; 2];
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

/// Four bytes in one number: left and right of the row above, and of that below.
#[inline(always)]
fn pack_bytes(above: [u8; 2], below: [u8; 2]) -> [u32; 4] {
    let [above, below] = [above, below].map(|pair| u32::from(u16::from_le_bytes(pair)));
    [above | below << 16, 0, 0, 0]
}

#[inline(always)]
fn pack_byte_lanes<S: Simd>(simd: S, samples: [[S::I32; 2]; 2]) -> [S::I32; 4] {
    let [[a, b], [c, d]] = samples;
    let (above, below) = (simd.or_i32(a, simd.up_by_8(b)), simd.or_i32(c, simd.up_by_8(d)));
    let zero = simd.splat_i32(0);
    [simd.or_i32(above, simd.up_by_16(below)), zero, zero, zero]
}

#[inline(always)]
fn unpack_bytes([word, ..]: [u32; 4]) -> [[u8; 2]; 2] {
    [[word as u8, (word >> 8) as u8], [(word >> 16) as u8, (word >> 24) as u8]]
}

/// Two numbers of 16 bits in one, for each of two rows.
#[inline(always)]
fn pack_pairs(above: [u16; 2], below: [u16; 2]) -> [u32; 4] {
    let [above, below] = [above, below].map(|[left, right]| u32::from(left) | u32::from(right) << 16);
    [above, below, 0, 0]
}

#[inline(always)]
fn pack_pair_lanes<S: Simd>(simd: S, samples: [[S::I32; 2]; 2]) -> [S::I32; 4] {
    let ([[a, b], [c, d]], zero) = (samples, simd.splat_i32(0));
    [simd.or_i32(a, simd.up_by_16(b)), simd.or_i32(c, simd.up_by_16(d)), zero, zero]
}

#[inline(always)]
fn unpack_pairs([above, below, ..]: [u32; 4]) -> [[u16; 2]; 2] {
    [above, below].map(|pair| [pair as u16, (pair >> 16) as u16])
}

macro_rules! mixed_whole {
    ($($sample:ty, $words:literal, [$pack:path, $pack_lanes:path, $unpack:path];)*) => {
        $(impl Mixed for $sample {
            const WORDS: usize = $words;

            #[inline(always)]
            fn lanes<S: Simd>(simd: S, from: &[Self]) -> S::I32 {
                Self::widen(simd, from)
            }

            #[inline(always)]
            fn pack(above: [Self; 2], below: [Self; 2]) -> [u32; 4] {
                $pack(above, below)
            }

            #[inline(always)]
            fn pack_lanes<S: Simd>(simd: S, samples: [[S::I32; 2]; 2]) -> [S::I32; 4] {
                $pack_lanes(simd, samples)
            }

            #[inline(always)]
            fn unpack(words: [u32; 4]) -> [[Self; 2]; 2] {
                $unpack(words)
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
mixed_whole! {
    u8, 1, [pack_bytes, pack_byte_lanes, unpack_bytes];
    u16, 2, [pack_pairs, pack_pair_lanes, unpack_pairs];
}

impl Mixed for f32 {
    const WORDS: usize = 4;

    #[inline(always)]
    fn lanes<S: Simd>(simd: S, from: &[Self]) -> S::I32 {
        simd.load_integers(from)
    }

    #[inline(always)]
    fn pack([a, b]: [Self; 2], [c, d]: [Self; 2]) -> [u32; 4] {
        [a.to_bits(), b.to_bits(), c.to_bits(), d.to_bits()]
    }

    #[inline(always)]
    fn pack_lanes<S: Simd>(_: S, [[a, b], [c, d]]: [[S::I32; 2]; 2]) -> [S::I32; 4] {
        [a, b, c, d]
    }

    #[inline(always)]
    fn unpack([a, b, c, d]: [u32; 4]) -> [[Self; 2]; 2] {
        [[Self::from_bits(a), Self::from_bits(b)], [Self::from_bits(c), Self::from_bits(d)]]
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
