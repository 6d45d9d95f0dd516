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

    /// Sums along y in one row of cells, whose number is a multiple of [`COLUMNS`]: of as many rows as there are pairs, or
    /// single ones, of weights.
    fn down<S: Simd>(simd: S, rows: &[&[Self::Cell]], weights: &[i32], peak: i32, to: &mut [Self::Cell]);

    /// Sums of no cells.
    fn none<S: Simd>(simd: S) -> Self::Sums<S>;
    /// Adds what a lane holds by its weight.
    fn add<S: Simd>(simd: S, sums: Self::Sums<S>, lanes: &[i32], weight: i32) -> Self::Sums<S>;
    /// The finished cells of [`Cells::PER_LANE`] new columns, in order, in the lanes.
    fn put<S: Simd>(simd: S, sums: &[Self::Sums<S>], peak: i32, to: &mut [i32]);
}

/// Rows have a multiple of so many cells.
pub const COLUMNS: usize = 64;

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
            fn down<S: Simd>(simd: S, rows: &[&[u16]], weights: &[i32], peak: i32, to: &mut [u16]) {
                let columns = 2 * S::LANES;
                for (n, to) in to.chunks_exact_mut(columns).enumerate() {
                    let at = n * columns;
                    let mut sums = [simd.splat_i32(START); 2];
                    for (pair, weights) in rows.chunks(2).zip(weights) {
                        let (first, last) = (simd.load_integers(&pair[0][at..]), pair[pair.len() - 1]);
                        // The weight of a second row that is not there is 0.
                        let second = simd.load_integers(&last[at..]);
                        let weights = simd.splat_i32(*weights);
                        sums[0] = simd.dot_i16(sums[0], simd.zip_low_u16(first, second), weights);
                        sums[1] = simd.dot_i16(sums[1], simd.zip_high_u16(first, second), weights);
                    }
                    // No closure, which would not become part of the loop that has the instructions switched on.
                    let (low, high) = (whole(simd, sums[0], peak), whole(simd, sums[1], peak));
                    simd.store_integers(centred(simd, simd.pack_u16(low, high)), to);
                }
            }

            #[inline(always)]
            fn none<S: Simd>(simd: S) -> S::I32 {
                simd.splat_i32(START)
            }

            #[inline(always)]
            fn add<S: Simd>(simd: S, sums: S::I32, lanes: &[i32], weight: i32) -> S::I32 {
                simd.dot_i16(sums, simd.load_integers(lanes), simd.splat_i32(weight))
            }

            #[inline(always)]
            fn put<S: Simd>(simd: S, sums: &[S::I32], peak: i32, to: &mut [i32]) {
                let low = whole(simd, sums[0], peak);
                let high = simd.up_by_16(whole(simd, sums[1], peak));
                simd.store_integers(centred(simd, simd.or_i32(low, high)), to);
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
    fn down<S: Simd>(simd: S, rows: &[&[f32]], weights: &[i32], _: i32, to: &mut [f32]) {
        let columns = 2 * S::LANES;
        for (n, to) in to.chunks_exact_mut(columns).enumerate() {
            let at = n * columns;
            let mut sums = [simd.splat(0.0); 2];
            for (row, weight) in rows.iter().zip(weights) {
                let weight = simd.splat(f32::from_bits(*weight as u32));
                sums[0] = simd.mul_add(weight, simd.load(&row[at..]), sums[0]);
                sums[1] = simd.mul_add(weight, simd.load(&row[at + S::LANES..]), sums[1]);
            }
            simd.store(simd.quiet(sums[0]), to);
            simd.store(simd.quiet(sums[1]), &mut to[S::LANES..]);
        }
    }

    #[inline(always)]
    fn none<S: Simd>(simd: S) -> S::F32 {
        simd.splat(0.0)
    }

    #[inline(always)]
    fn add<S: Simd>(simd: S, sums: S::F32, lanes: &[i32], weight: i32) -> S::F32 {
        simd.mul_add(simd.splat(f32::from_bits(weight as u32)), simd.load(bytemuck::cast_slice(lanes)), sums)
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, sums: &[S::F32], _: i32, to: &mut [i32]) {
        simd.store(simd.quiet(sums[0]), bytemuck::cast_slice_mut(to));
    }
}
