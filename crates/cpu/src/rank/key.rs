//! Samples as they are compared ([`Ordered`]), and vectors of what is compared ([`Key`]).

use bytemuck::Pod;

use super::super::simd::{Sample, Simd, quiet};

/// A number that orders as its sample does.
pub trait Key: Pod + Ord + Send + Sync + std::ops::Not<Output = Self> {
    /// The smaller of each two keys of two vectors.
    fn lower<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32;
    /// The larger of each two.
    fn higher<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32;

    /// How many keys a vector holds.
    #[inline(always)]
    fn lanes<S: Simd>(_: S) -> usize {
        4 * S::LANES / size_of::<Self>()
    }

    /// Reads a vector of keys.
    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[Self]) -> S::I32 {
        simd.load_integers(from)
    }

    /// Writes a vector of keys.
    #[inline(always)]
    fn store<S: Simd>(simd: S, value: S::I32, to: &mut [Self]) {
        simd.store_integers(value, to);
    }
}

impl Key for u8 {
    #[inline(always)]
    fn lower<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.min_u8(a, b)
    }

    #[inline(always)]
    fn higher<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.max_u8(a, b)
    }
}

impl Key for u16 {
    #[inline(always)]
    fn lower<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.min_u16(a, b)
    }

    #[inline(always)]
    fn higher<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.max_u16(a, b)
    }
}

impl Key for i32 {
    #[inline(always)]
    fn lower<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.min_i32(a, b)
    }

    #[inline(always)]
    fn higher<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.max_i32(a, b)
    }
}

/// Samples with an order.
pub trait Ordered: Sample {
    /// What is compared.
    type Key: Key;
    /// The key of a sample.
    fn key(self) -> Self::Key;
    /// Reads a vector of the keys of samples, those above `most` as that.
    fn load<S: Simd>(simd: S, from: &[Self], most: u16) -> S::I32;
    /// The key of a sample above `most`, where a type holds such, as that of `most`.
    #[inline(always)]
    fn key_within(self, _most: u16) -> Self::Key {
        self.key()
    }
    /// Samples as keys, where those are the same bits.
    fn keys_mut(samples: &mut [Self]) -> Option<&mut [Self::Key]>;
    /// The sample of a key; floats that are equal may come back as one another.
    fn sample(key: Self::Key) -> Self;
}

impl Ordered for u8 {
    type Key = u8;

    #[inline(always)]
    fn key(self) -> u8 {
        self
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[u8], _: u16) -> S::I32 {
        simd.load_integers(from)
    }

    #[inline(always)]
    fn keys_mut(samples: &mut [u8]) -> Option<&mut [u8]> {
        Some(samples)
    }

    #[inline(always)]
    fn sample(key: u8) -> u8 {
        key
    }
}

impl Ordered for u16 {
    type Key = u16;

    #[inline(always)]
    fn key(self) -> u16 {
        self
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[u16], most: u16) -> S::I32 {
        simd.min_u16(simd.load_integers(from), simd.splat_i32((u32::from(most) * 0x1_0001) as i32))
    }

    #[inline(always)]
    fn key_within(self, most: u16) -> u16 {
        self.min(most)
    }

    #[inline(always)]
    fn keys_mut(samples: &mut [u16]) -> Option<&mut [u16]> {
        Some(samples)
    }

    #[inline(always)]
    fn sample(key: u16) -> u16 {
        key
    }
}

impl Ordered for f32 {
    type Key = i32;

    /// Ascending with the number; every NaN is the same one, above all numbers.
    #[inline(always)]
    fn key(self) -> i32 {
        let bits = quiet(self).to_bits() as i32;
        bits ^ ((bits >> 31) as u32 >> 1) as i32
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[f32], _: u16) -> S::I32 {
        let bits: S::I32 = bytemuck::cast(simd.quiet(simd.load(from)));
        // Without the sign, which stays, all bits of negative numbers are turned about.
        let turned = simd.sub_i32(simd.splat_i32(i32::MAX), bits);
        simd.where_above_i32(simd.splat_i32(0), bits, turned, bits)
    }

    #[inline(always)]
    fn keys_mut(_: &mut [f32]) -> Option<&mut [i32]> {
        None
    }

    #[inline(always)]
    fn sample(key: i32) -> f32 {
        f32::from_bits((key ^ ((key >> 31) as u32 >> 1) as i32) as u32)
    }
}
