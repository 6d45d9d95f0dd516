//! The last step: from sums to samples.

use super::simd::{Dot, Sample, Simd};
use super::tail::Tail;
use crate::frame::Pixel;
use crate::pass;

/// How many vectors of columns are filtered at once.
pub const VECTORS: usize = 4;

/// The last step of a plane.
#[derive(Clone, Copy)]
pub struct Finish {
    scale: f32,
    dry: f32,
    bias: f32,
    peak: f32,
}

/// [`Finish`] of sums that are known to stay small.
#[derive(Clone, Copy)]
pub struct Bounded {
    scale: f32,
    bias: f32,
    peak: f32,
    /// Whether the sums are rounded as they are.
    plain: bool,
}

impl Finish {
    /// For samples of a format.
    pub fn new(finish: pass::Finish, pixel: Pixel) -> Self {
        Self { scale: finish.scale, dry: finish.dry, bias: finish.bias, peak: pixel.peak() }
    }

    /// The value of one vector before it is rounded. `centre` are the unfiltered samples, which only a part of `dry`
    /// looks at.
    #[inline(always)]
    pub fn value<S: Simd, T: Sample>(&self, simd: S, sum: S::F32, centre: &[T]) -> S::F32 {
        let mut value = simd.mul(sum, simd.splat(self.scale));
        if self.dry != 0.0 {
            value = simd.add(value, simd.mul(T::read(simd, centre), simd.splat(self.dry)));
        }
        simd.add(value, simd.splat(self.bias))
    }

    /// Writes whole vectors.
    #[inline(always)]
    fn vectors<S: Simd, T: Sample>(&self, simd: S, sums: [S::F32; VECTORS], centre: &[T], out: &mut [T]) {
        let peak = simd.splat(self.peak);
        for (n, sum) in sums.into_iter().enumerate() {
            let value = self.value(simd, sum, &centre[n * S::LANES..]);
            T::write(simd, value, peak, &mut out[n * S::LANES..]);
        }
    }

    /// Writes [`VECTORS`] vectors of one row from column `x` on, or as much of them as the row holds.
    #[inline(always)]
    pub fn put<S: Simd, T: Sample>(&self, simd: S, sums: [S::F32; VECTORS], centre: &[T], x: usize, row: &mut [T]) {
        let columns = VECTORS * S::LANES;
        if x + columns <= row.len() {
            self.vectors(simd, sums, &centre[x..x + columns], &mut row[x..x + columns]);
        } else {
            let (before, mut after) = (Tail::<T>::of(&centre[x..]), Tail::<T>::new());
            self.vectors(simd, sums, &before.0[..columns], &mut after.0[..columns]);
            after.put(&mut row[x..]);
        }
    }

    /// [`Finish::put`] for sums that lie as [`Dot::weave`] takes them.
    #[inline(always)]
    pub fn weave<S: Simd, T: Dot>(&self, simd: S, sums: [S::F32; VECTORS], centre: &[T], x: usize, row: &mut [T]) {
        let columns = VECTORS * S::LANES;
        let left = columns.min(row.len() - x);
        let peak = simd.splat(self.peak);
        let mut values = [simd.splat_i32(0); VECTORS];
        if self.dry == 0.0 {
            for (value, sum) in values.iter_mut().zip(sums) {
                *value = simd.round(self.value::<S, T>(simd, sum, &[]), peak);
            }
        } else {
            let before = Tail::<T>::of(&centre[x..x + left]);
            for (n, (value, sum)) in values.iter_mut().zip(sums).enumerate() {
                let block = &before.0[n / T::GROUP * T::GROUP * S::LANES..];
                let mut every = Tail::<T, 16>::new();
                for (i, sample) in every.0[..S::LANES].iter_mut().enumerate() {
                    *sample = block[i * T::GROUP + n % T::GROUP];
                }
                *value = simd.round(self.value(simd, sum, &every.0), peak);
            }
        }
        if left == columns {
            T::weave(simd, values, &mut row[x..x + columns]);
        } else {
            let mut after = Tail::<T>::new();
            T::weave(simd, values, &mut after.0[..columns]);
            after.put(&mut row[x..]);
        }
    }

    /// The last step of integer samples and sums of at most `sum`, if no value gets near 2³¹ and no unfiltered sample
    /// is added.
    pub fn bounded(&self, sum: f64) -> Option<Bounded> {
        let Self { scale, dry, bias, peak } = *self;
        let most = sum * f64::from(scale).abs() + f64::from(bias).abs();
        // Twice as far away as rounding could take any of it.
        (dry == 0.0 && most < 2f64.powi(30)).then_some(Bounded {
            scale,
            bias,
            peak,
            plain: scale == 1.0 && bias == 0.0,
        })
    }
}

/// Writes 16-bit numbers of 0 to 255 from column `x` on, or as many of them as the row holds.
#[inline(always)]
fn put_halves<S: Simd>(simd: S, bytes: S::I32, x: usize, row: &mut [u8]) {
    match row[x..].split_at_mut_checked(2 * S::LANES) {
        Some((whole, _)) => simd.narrow_halves_u8(bytes, whole),
        None => {
            let mut last = Tail::<u8>::new();
            simd.narrow_halves_u8(bytes, &mut last.0[..2 * S::LANES]);
            last.put(&mut row[x..]);
        }
    }
}

impl Bounded {
    /// Writes twice as many columns as there are lanes from column `x` on, or as much of them as the row holds, from 16-bit
    /// numbers.
    #[inline(always)]
    pub fn halves<S: Simd>(self, simd: S, sums: S::I32, x: usize, row: &mut [u8]) {
        let zero = simd.splat_i32(0);
        let bytes = if self.plain {
            simd.min_u16(sums, simd.splat_i32(0x00ff_00ff))
        } else {
            let (scale, bias) = (simd.splat(self.scale), simd.splat(self.bias));
            let half = simd.splat(0.5);
            let mut halves = [simd.zip_low_u16(sums, zero), simd.zip_high_u16(sums, zero)];
            for sums in &mut halves {
                let value = simd.add(simd.mul(simd.float(*sums), scale), bias);
                // Cutting off is rounding down from 0 on, and what lies below becomes 0.
                *sums = simd.whole(simd.add(value, half));
            }
            let [low, high] = halves;
            simd.min_i16(simd.max_i16(simd.pack_i16(low, high), zero), simd.splat_i32(0x00ff_00ff))
        };
        put_halves(simd, bytes, x, row);
    }

    /// True if values of sums from 0 to `most` are 16-bit numbers, however they are rounded on their way.
    pub fn is_short(&self, most: f64) -> bool {
        self.scale >= 0.0 && self.bias >= 0.0 && most * f64::from(self.scale) + f64::from(self.bias) < 65_000.0
    }

    /// The same as [`Bounded::halves`] from the sums of the first of each two columns and of the second, which are
    /// [short](Self::is_short).
    #[inline(always)]
    pub fn pairs<S: Simd>(self, simd: S, sums: [S::I32; 2], x: usize, row: &mut [u8]) {
        let (scale, half) = (simd.splat(self.scale), simd.splat(0.5));
        let mut whole = sums;
        for sums in &mut whole {
            let mut value = simd.mul(simd.float(*sums), scale);
            if self.bias != 0.0 {
                value = simd.add(value, simd.splat(self.bias));
            }
            *sums = simd.whole(simd.add(value, half));
        }
        let [even, odd] = whole;
        let bytes = simd.min_u16(simd.or_i32(even, simd.up_by_16(odd)), simd.splat_i32(0x00ff_00ff));
        put_halves(simd, bytes, x, row);
    }

    /// [`Finish::weave`].
    #[inline(always)]
    pub fn weave<S: Simd, T: Dot>(&self, simd: S, mut sums: [S::F32; VECTORS], x: usize, row: &mut [T]) {
        if !self.plain {
            let (scale, bias) = (simd.splat(self.scale), simd.splat(self.bias));
            for sum in &mut sums {
                *sum = simd.add(simd.mul(*sum, scale), bias);
            }
        }
        let peak = simd.splat(self.peak);
        let columns = VECTORS * S::LANES;
        match row[x..].split_at_mut_checked(columns) {
            Some((whole, _)) => T::weave_rounded(simd, sums, peak, whole),
            None => {
                let mut last = Tail::<T>::new();
                T::weave_rounded(simd, sums, peak, &mut last.0[..columns]);
                last.put(&mut row[x..]);
            }
        }
    }
}
