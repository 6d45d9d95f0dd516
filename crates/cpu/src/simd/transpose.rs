//! Rows that become columns.

use bytemuck::Pod;

use super::vector::Simd;

/// How many bytes a row of a [`SquareTile`] has.
const BYTES: usize = 64;

/// A square of samples whose rows have 64 bytes, as a line of the processor's cache has: 64 × 64 of 8 bits, 32 × 32 of 16 bits,
/// 16 × 16 of 32 bits.
#[repr(C, align(64))]
pub struct SquareTile([[u8; BYTES]; BYTES]);

impl SquareTile {
    /// All samples 0.
    pub const ZERO: Self = Self([[0; BYTES]; BYTES]);

    /// How many rows, and samples in each.
    pub const fn side<T>() -> usize {
        BYTES / size_of::<T>()
    }

    /// A row of samples.
    #[inline(always)]
    pub fn row<T: Pod>(&self, y: usize) -> &[T] {
        bytemuck::cast_slice(&self.0[y])
    }

    /// The same to write to.
    #[inline(always)]
    pub fn row_mut<T: Pod>(&mut self, y: usize) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.0[y])
    }

    /// Writes the tile to `to`, its rows as columns.
    #[inline(always)]
    pub fn transpose<S: Simd, T: Pod>(&self, simd: S, to: &mut Self) {
        match size_of::<T>() {
            1 => self.zip::<16, S>(simd, to),
            2 => self.zip::<8, S>(simd, to),
            _ => {
                let side = Self::side::<i32>();
                let from: &[i32] = bytemuck::cast_slice(self.0.as_flattened());
                let to: &mut [i32] = bytemuck::cast_slice_mut(to.0.as_flattened_mut());
                for y in (0..side).step_by(8) {
                    for x in (0..side).step_by(8) {
                        simd.transpose(&from[y * side + x..], side, &mut to[x * side + y..], side);
                    }
                }
            }
        }
    }

    /// The same of samples of which 16 bytes hold `N`, by rounds that put two rows in turns: after one, the highest bit of a
    /// row's number is the lowest of the place in it, so that number and place are exchanged after log₂ `N`.
    #[inline(always)]
    fn zip<const N: usize, S: Simd>(&self, simd: S, to: &mut Self) {
        let vector = 4 * S::LANES;
        for (group, rows) in self.0[..4 * N].chunks_exact(N).enumerate() {
            for left in (0..BYTES).step_by(vector) {
                let mut now = [simd.splat_i32(0); N];
                for (now, row) in now.iter_mut().zip(rows) {
                    *now = simd.load_integers(&row[left..]);
                }
                for _ in 0..N.ilog2() {
                    let before = now;
                    for i in 0..N / 2 {
                        let (a, b) = (before[i], before[i + N / 2]);
                        [now[2 * i], now[2 * i + 1]] = match N {
                            16 => [simd.zip_low_u8(a, b), simd.zip_high_u8(a, b)],
                            _ => [simd.zip_low_u16(a, b), simd.zip_high_u16(a, b)],
                        };
                    }
                }
                // Sixteen bytes of a vector are of rows `N` apart.
                for (i, now) in now.iter().enumerate() {
                    let (pieces, _) = bytemuck::bytes_of(now).as_chunks::<16>();
                    for (n, piece) in pieces.iter().enumerate() {
                        to.0[(left / 16 + n) * N + i][16 * group..][..16].copy_from_slice(piece);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Level, Sample, WithSimd};
    use super::*;

    struct Transposed<'a, T>(&'a SquareTile, &'a mut SquareTile, std::marker::PhantomData<T>);

    impl<T: Sample> WithSimd for Transposed<'_, T> {
        #[inline(always)]
        fn work<S: Simd>(self, simd: S) {
            self.0.transpose::<S, T>(simd, self.1);
        }
    }

    fn check<T: Sample + PartialEq + std::fmt::Debug>(sample: impl Fn(usize) -> T) {
        let side = SquareTile::side::<T>();
        let mut from = SquareTile::ZERO;
        for y in 0..side {
            from.row_mut::<T>(y).iter_mut().enumerate().for_each(|(x, to)| *to = sample(y * side + x));
        }
        for level in Level::available() {
            let mut to = SquareTile::ZERO;
            level.run(Transposed::<T>(&from, &mut to, std::marker::PhantomData));
            for y in 0..side {
                for x in 0..side {
                    assert_eq!(to.row::<T>(y)[x], from.row::<T>(x)[y], "{level:?}, row {y}, column {x}");
                }
            }
        }
    }

    #[test]
    fn rows_are_columns_at_every_level() {
        check(|i| (i * 37 + i / 64) as u8);
        check(|i| i as u16);
        check(|i| i as f32);
    }
}
