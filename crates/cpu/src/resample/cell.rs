//! The terms of sums along each axis: integers of 16 bits about their middle, two to a lane, and floats.

use bytemuck::Pod;

use crate::simd::{Sample, Simd};

/// Samples that can be resampled.
pub trait Cells: Sample {
    /// A sample on the way: of integers, as 16 bits, what it is more than 32768.
    type Cell: Pod + Send + Sync;
    /// Cells in a 32-bit lane, along the axis that is summed.
    const PER_LANE: usize;
    /// Sums in the lanes of a vector.
    type Sums<S: Simd>: Copy;

    /// A row of samples as cells.
    fn cells(from: &[Self], to: &mut [Self::Cell]);
    /// A row of cells, none above `peak`, as samples.
    fn samples(from: &[Self::Cell], to: &mut [Self]);
    /// Up to [`Cells::PER_LANE`] weights of cells that share a lane.
    fn weight(weights: &[f32]) -> i32;

    /// The cells of [`Cells::PER_LANE`] rows, whose number is a multiple of [`COLUMNS`], as sums along y take them.
    fn pair<S: Simd>(simd: S, rows: &[Self::Cell], to: &mut [Self::Cell]);
    /// Sums along y in one row of cells, whose number is a multiple of [`COLUMNS`]: of as many pairs, or single rows, as there are
    /// weights, `stride` cells apart.
    fn down<S: Simd>(simd: S, pairs: &[Self::Cell], stride: usize, weights: &[i32], peak: i32, to: &mut [Self::Cell]);

    /// Sums of no cells.
    fn none<S: Simd>(simd: S) -> Self::Sums<S>;
    /// Adds what each lane holds by its weight.
    fn add<S: Simd>(simd: S, sums: Self::Sums<S>, lanes: S::I32, weights: S::I32) -> Self::Sums<S>;
    /// The finished cells of [`Cells::PER_LANE`] new columns, in order, in the lanes.
    fn put<S: Simd>(simd: S, sums: &[Self::Sums<S>], peak: i32, to: &mut [i32]);
    /// The finished cells of as many columns as there are lanes.
    fn put_row<S: Simd>(simd: S, sums: Self::Sums<S>, peak: i32, to: &mut [Self::Cell]);
}

/// Rows have a multiple of so many cells.
pub const COLUMNS: usize = 64;

/// Vectors of sums that are formed at once.
const SUMS: usize = 8;

/// Half of what sums are divided by, and the middle of 16 bits that comes back after that: none of the sums leaves 32 bits,
/// as [`crate::pass::Resample`] was checked for.
const START: i32 = 8192 + (32768 << 14);

/// Sums of integers as numbers of 16 bits.
#[inline(always)]
fn whole<S: Simd>(simd: S, sums: S::I32, peak: i32) -> S::I32 {
    let above = simd.max_i32(sums, simd.splat_i32(0));
    simd.min_i32(simd.down_i32(above, simd.splat_i32(14)), simd.splat_i32(peak))
}

/// Both halves of all lanes moved by 32768.
#[inline(always)]
fn centred<S: Simd>(simd: S, numbers: S::I32) -> S::I32 {
    simd.sub_u16(numbers, simd.splat_i32(0x8000_8000_u32 as i32))
}

/// Sums of pairs of rows in `N` vectors, for as many cells.
#[inline(always)]
fn sum_pairs<S: Simd, const N: usize>(
    simd: S,
    pairs: &[u16],
    stride: usize,
    weights: &[i32],
    peak: i32,
    to: &mut [u16],
) {
    let columns = 2 * S::LANES;
    let mut sums = [simd.splat_i32(START); N];
    for (n, weights) in weights.iter().enumerate() {
        let (pair, weights) = (&pairs[n * stride..][..N * columns], simd.splat_i32(*weights));
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum = simd.dot_i16(*sum, simd.load_integers(&pair[n * columns..]), weights);
        }
    }
    let to = &mut to[..N / 2 * columns];
    for n in 0..N / 2 {
        // No closure, which would not become part of the loop that has the instructions switched on.
        let (low, high) = (whole(simd, sums[2 * n], peak), whole(simd, sums[2 * n + 1], peak));
        simd.store_integers(centred(simd, simd.pack_u16(low, high)), &mut to[n * columns..]);
    }
}

macro_rules! integer {
    ($T:ident, $cells:expr, $samples:expr) => {
        impl Cells for $T {
            type Cell = u16;
            const PER_LANE: usize = 2;
            type Sums<S: Simd> = S::I32;

            #[inline(always)]
            fn cells(from: &[Self], to: &mut [u16]) {
                let cell: fn($T) -> u16 = $cells;
                from.iter().zip(to).for_each(|(from, to)| *to = cell(*from));
            }

            #[inline(always)]
            fn samples(from: &[u16], to: &mut [Self]) {
                let sample: fn(u16) -> $T = $samples;
                from.iter().zip(to).for_each(|(from, to)| *to = sample(*from));
            }

            fn weight(weights: &[f32]) -> i32 {
                let [low, high] = [0, 1].map(|i| weights.get(i).map_or(0, |weight| *weight as i32 as u16));
                i32::from(low) | i32::from(high) << 16
            }

            #[inline(always)]
            fn pair<S: Simd>(simd: S, rows: &[u16], to: &mut [u16]) {
                let columns = 2 * S::LANES;
                let (first, second) = rows.split_at(rows.len() / 2);
                let rows = first.chunks_exact(columns).zip(second.chunks_exact(columns));
                for ((first, second), to) in rows.zip(to.chunks_exact_mut(2 * columns)) {
                    let (first, second) = (simd.load_integers(first), simd.load_integers(second));
                    simd.store_integers(simd.zip_low_u16(first, second), to);
                    simd.store_integers(simd.zip_high_u16(first, second), &mut to[columns..]);
                }
            }

            #[inline(always)]
            fn down<S: Simd>(simd: S, pairs: &[u16], stride: usize, weights: &[i32], peak: i32, to: &mut [u16]) {
                // The last weights of a sample whose cells begin at an even row may be 0.
                let weights = weights.strip_suffix(&[0]).unwrap_or(weights);
                let (blocks, rest) = to.split_at_mut(to.len() / (SUMS * S::LANES) * SUMS * S::LANES);
                for (n, to) in blocks.chunks_exact_mut(SUMS * S::LANES).enumerate() {
                    let pairs = &pairs[n * 2 * SUMS * S::LANES..];
                    sum_pairs::<S, SUMS>(simd, pairs, stride, weights, peak, to);
                }
                // The longest vectors have [`COLUMNS`] left, or none.
                if !rest.is_empty() {
                    sum_pairs::<S, { SUMS / 2 }>(simd, &pairs[2 * blocks.len()..], stride, weights, peak, rest);
                }
            }

            #[inline(always)]
            fn none<S: Simd>(simd: S) -> S::I32 {
                simd.splat_i32(START)
            }

            #[inline(always)]
            fn add<S: Simd>(simd: S, sums: S::I32, lanes: S::I32, weights: S::I32) -> S::I32 {
                simd.dot_i16(sums, lanes, weights)
            }

            #[inline(always)]
            fn put<S: Simd>(simd: S, sums: &[S::I32], peak: i32, to: &mut [i32]) {
                let low = whole(simd, sums[0], peak);
                let high = simd.up_by_16(whole(simd, sums[1], peak));
                simd.store_integers(centred(simd, simd.or_i32(low, high)), to);
            }

            #[inline(always)]
            fn put_row<S: Simd>(simd: S, sums: S::I32, peak: i32, to: &mut [u16]) {
                simd.narrow_u16(simd.sub_u16(whole(simd, sums, peak), simd.splat_i32(0x8000)), to);
            }
        }
    };
}

integer!(u8, |sample| (u16::from(sample) << 8) ^ 0x8000, |cell| {
    // To nearest, ties to even.
    let value = cell ^ 0x8000;
    let (whole, rest) = (value >> 8, value & 255);
    (whole + ((rest + (whole & 1) + 127) >> 8)).min(255) as u8
});
integer!(u16, |sample| sample ^ 0x8000, |cell| cell ^ 0x8000);

impl Cells for f32 {
    type Cell = f32;
    const PER_LANE: usize = 1;
    type Sums<S: Simd> = S::F32;

    #[inline(always)]
    fn cells(from: &[f32], to: &mut [f32]) {
        to[..from.len()].copy_from_slice(from);
    }

    #[inline(always)]
    fn samples(from: &[f32], to: &mut [f32]) {
        to.copy_from_slice(&from[..to.len()]);
    }

    fn weight(weights: &[f32]) -> i32 {
        weights[0].to_bits() as i32
    }

    #[inline(always)]
    fn pair<S: Simd>(_: S, rows: &[f32], to: &mut [f32]) {
        to.copy_from_slice(rows);
    }

    #[inline(always)]
    fn down<S: Simd>(simd: S, rows: &[f32], stride: usize, weights: &[i32], _: i32, to: &mut [f32]) {
        const N: usize = SUMS / 2;
        for (n, to) in to.chunks_exact_mut(N * S::LANES).enumerate() {
            let rows = &rows[n * N * S::LANES..];
            let mut sums = [simd.splat(0.0); N];
            for (n, weight) in weights.iter().enumerate() {
                let (row, weight) = (&rows[n * stride..][..N * S::LANES], simd.splat(f32::from_bits(*weight as u32)));
                for (n, sum) in sums.iter_mut().enumerate() {
                    *sum = simd.mul_add(weight, simd.load(&row[n * S::LANES..]), *sum);
                }
            }
            for (n, sum) in sums.into_iter().enumerate() {
                simd.store(simd.quiet(sum), &mut to[n * S::LANES..]);
            }
        }
    }

    #[inline(always)]
    fn none<S: Simd>(simd: S) -> S::F32 {
        simd.splat(0.0)
    }

    #[inline(always)]
    fn add<S: Simd>(simd: S, sums: S::F32, lanes: S::I32, weights: S::I32) -> S::F32 {
        simd.mul_add(bytemuck::cast(weights), bytemuck::cast(lanes), sums)
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, sums: &[S::F32], _: i32, to: &mut [i32]) {
        simd.store(simd.quiet(sums[0]), bytemuck::cast_slice_mut(to));
    }

    #[inline(always)]
    fn put_row<S: Simd>(simd: S, sums: S::F32, _: i32, to: &mut [f32]) {
        simd.store(simd.quiet(sums), to);
    }
}
