//! Samples that are compared with four around each, and averaged.

use super::super::simd::{Sample, Simd, quiet};

/// Samples of a row that are made at once. Loops in place of closures, which would not be compiled with the instructions of the level.
pub(super) const CHUNK: usize = 64;

/// Samples that are compared and averaged.
pub trait Debandable: Sample {
    /// The mean of four.
    fn mean(around: [Self; 4]) -> Self;
    /// In each lane the sample whose place the lane holds, a count from 0 on; four bytes behind the last one are read too.
    fn at<S: Simd>(simd: S, samples: &[Self], places: S::I32) -> S::I32;
    /// Writes such samples.
    fn narrow<S: Simd>(simd: S, lanes: S::I32, to: &mut [Self]);
    /// True if two are closer than the threshold.
    fn is_like(self, other: Self, threshold: f32) -> bool;
    /// The mean where it goes, as frames hold it, by masks: branches would depend on noise, and vectors have none.
    fn chosen(own: Self, mean: Self, goes: bool) -> Self;
}

macro_rules! whole {
    ($($T:ident: $narrow:ident;)*) => {$(
        impl Debandable for $T {
            #[inline(always)]
            fn mean([a, b, c, d]: [$T; 4]) -> $T {
                ((u32::from(a) + u32::from(b) + u32::from(c) + u32::from(d)) >> 2) as $T
            }

            #[inline(always)]
            fn at<S: Simd>(simd: S, samples: &[$T], places: S::I32) -> S::I32 {
                let places = if size_of::<$T>() == 2 { simd.add_i32(places, places) } else { places };
                simd.and_i32(simd.words(bytemuck::cast_slice(samples), places), simd.splat_i32($T::MAX.into()))
            }

            #[inline(always)]
            fn narrow<S: Simd>(simd: S, lanes: S::I32, to: &mut [$T]) {
                simd.$narrow(lanes, to);
            }

            #[inline(always)]
            fn is_like(self, other: $T, threshold: f32) -> bool {
                u32::from(self.abs_diff(other)) < threshold as u32
            }

            #[inline(always)]
            fn chosen(own: $T, mean: $T, goes: bool) -> $T {
                own ^ ((own ^ mean) & $T::from(goes).wrapping_neg())
            }
        }
    )*};
}
whole!(u8: narrow_u8; u16: narrow_u16;);

impl Debandable for f32 {
    #[inline(always)]
    fn mean([a, b, c, d]: [f32; 4]) -> f32 {
        (((a + b) + c) + d) * 0.25
    }

    #[inline(always)]
    fn at<S: Simd>(simd: S, samples: &[f32], places: S::I32) -> S::I32 {
        let places = simd.add_i32(places, places);
        simd.words(bytemuck::cast_slice(samples), simd.add_i32(places, places))
    }

    #[inline(always)]
    fn narrow<S: Simd>(simd: S, lanes: S::I32, to: &mut [f32]) {
        simd.store_integers(lanes, to);
    }

    #[inline(always)]
    fn is_like(self, other: f32, threshold: f32) -> bool {
        (self - other).abs() < threshold
    }

    #[inline(always)]
    fn chosen(own: f32, mean: f32, goes: bool) -> f32 {
        let (own, mean) = (own.to_bits(), mean.to_bits());
        quiet(f32::from_bits(own ^ ((own ^ mean) & u32::from(goes).wrapping_neg())))
    }
}

/// Samples of a plane, and the four around each.
#[derive(Clone, Copy)]
pub(super) struct FourAround<T> {
    pub(super) own: [T; CHUNK],
    pub(super) four: [[T; CHUNK]; 4],
}

impl<T: Debandable> FourAround<T> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        let zeros = [T::of(0.0); CHUNK];
        Self { own: zeros, four: [zeros; 4] }
    }

    /// Writes their means, and clears the marks of those that do not become that.
    #[inline(always)]
    pub(super) fn judge(&self, threshold: f32, blurs: bool, means: &mut [T; CHUNK], goes: &mut [bool; CHUNK]) {
        let (own, [a, b, c, d]) = (&self.own, &self.four);
        for k in 0..CHUNK {
            means[k] = T::mean([a[k], b[k], c[k], d[k]]);
        }
        if blurs {
            for k in 0..CHUNK {
                goes[k] &= own[k].is_like(means[k], threshold);
            }
            return;
        }
        for k in 0..CHUNK {
            let both = own[k].is_like(a[k], threshold) & own[k].is_like(b[k], threshold);
            goes[k] &= both & own[k].is_like(c[k], threshold) & own[k].is_like(d[k], threshold);
        }
    }
}
