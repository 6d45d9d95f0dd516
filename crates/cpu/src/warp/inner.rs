//! Samples all of whose neighbours are inside: put beside each other, and mixed by loops that become vectors.

use super::mixed::Mixed;
use super::place::{CHUNK, WarpPlaces};
use crate::frame::Plane;
use crate::pass::Interpolation;

/// Weights and samples of some places, tap by tap.
pub(super) struct WarpScratch<T> {
    /// Weights along x and y.
    weights: [[[f32; CHUNK]; Interpolation::MAX_TAPS]; 2],
    /// Samples of one row of what is around.
    line: [[T; CHUNK]; Interpolation::MAX_TAPS],
}

impl<T: Mixed> WarpScratch<T> {
    pub(super) fn new() -> Self {
        const MOST: usize = Interpolation::MAX_TAPS;
        Self { weights: [[[0.0; CHUNK]; MOST]; 2], line: [[T::of(0.0); CHUNK]; MOST] }
    }
}

/// A plane as it is shown.
pub(super) struct InnerPlane<'a, T> {
    samples: &'a [T],
    stride: usize,
    size: (usize, usize),
    /// True if parts are whole numbers of 1/256.
    is_coarse: bool,
}

impl<'a, T: Mixed> InnerPlane<'a, T> {
    pub(super) fn new(plane: &Plane<'a, T>, size: (usize, usize), is_coarse: bool) -> Self {
        Self { samples: plane.samples(), stride: plane.stride(), size, is_coarse }
    }

    /// True if every tap is inside the plane, for places between these first and last columns and rows.
    #[inline(always)]
    pub(super) fn holds(&self, interpolation: &Interpolation, ends: [[i32; 2]; 2]) -> bool {
        let [before, after] = match interpolation {
            Interpolation::Nearest => [0, 0],
            Interpolation::Linear => [0, 1],
            Interpolation::Weighted { taps, .. } => [*taps as i32 / 2 - 1, *taps as i32 / 2],
        };
        let is = |[low, high]: [i32; 2], length: usize| low >= before && high < length as i32 - after;
        is(ends[0], self.size.0) && is(ends[1], self.size.1)
    }

    /// Makes the samples of places that [`InnerPlane::holds`].
    #[inline(always)]
    pub(super) fn chunk(
        &self,
        interpolation: &Interpolation,
        places: &WarpPlaces,
        half: u64,
        peak: f32,
        scratch: &mut WarpScratch<T>,
        to: &mut [T],
    ) {
        match interpolation {
            Interpolation::Nearest => {
                let offsets = self.offsets(places);
                to.iter_mut().zip(offsets).for_each(|(to, offset)| *to = self.samples[offset as usize]);
            }
            Interpolation::Linear => self.linear(places, half, to),
            Interpolation::Weighted { taps: 4, weights } => self.weighted(4, weights, places, peak, scratch, to),
            Interpolation::Weighted { taps: 6, weights } => self.weighted(6, weights, places, peak, scratch, to),
            Interpolation::Weighted { taps, weights } => self.weighted(*taps, weights, places, peak, scratch, to),
        }
    }

    /// Where the samples of places are. A plane has fewer than 2³² samples.
    #[inline(always)]
    fn offsets(&self, places: &WarpPlaces) -> [u32; CHUNK] {
        let (mut offsets, stride) = ([0; CHUNK], self.stride as u32);
        for ((offset, row), column) in offsets.iter_mut().zip(&places.rows).zip(&places.columns) {
            *offset = (*row as u32).wrapping_mul(stride).wrapping_add(*column as u32);
        }
        offsets
    }

    #[inline(always)]
    fn linear(&self, places: &WarpPlaces, half: u64, to: &mut [T]) {
        // Places beyond the last are inside too.
        let mut around = [T::around([[T::of(0.0); 2]; 2]); CHUNK];
        let offsets = self.offsets(places);
        let length = self.stride + 2;
        for (offsets, around) in offsets.as_chunks::<4>().0.iter().zip(around.as_chunks_mut::<4>().0) {
            for k in 0..4 {
                let both = &self.samples[offsets[k] as usize..][..length];
                if let (Some(above), Some(below)) = (both.first_chunk(), both.last_chunk()) {
                    around[k] = T::around([*above, *below]);
                }
            }
        }
        let [x, y] = &places.parts;
        let mut mixed = [T::of(0.0); CHUNK];
        if self.is_coarse {
            for k in 0..CHUNK {
                mixed[k] = T::mix_coarse(T::each(around[k]), [x[k], y[k]]);
            }
        } else {
            for k in 0..CHUNK {
                mixed[k] = T::mix(T::each(around[k]), [x[k], y[k]], half);
            }
        }
        to.copy_from_slice(&mixed[..to.len()]);
    }

    /// Row by row of what is around: its sum along x, and then that of rows.
    #[inline(always)]
    fn weighted(
        &self,
        taps: usize,
        weights: &[f32],
        places: &WarpPlaces,
        peak: f32,
        scratch: &mut WarpScratch<T>,
        to: &mut [T],
    ) {
        let count = to.len();
        for (beside, parts) in scratch.weights.iter_mut().zip(&places.parts) {
            for k in 0..count {
                let phase = &weights[(parts[k] >> 8) as usize * taps..][..taps];
                phase.iter().zip(beside.iter_mut()).for_each(|(weight, line)| line[k] = *weight);
            }
        }
        let [across, down] = &scratch.weights;
        let offsets = self.offsets(places);
        let before = (taps / 2 - 1) * (self.stride + 1);
        let mut sums = [0.0f32; CHUNK];
        for (row, down) in down[..taps].iter().enumerate() {
            for k in 0..count {
                let samples = &self.samples[offsets[k] as usize - before + row * self.stride..][..taps];
                samples.iter().zip(&mut scratch.line).for_each(|(sample, line)| line[k] = *sample);
            }
            let mut along = [0.0f32; CHUNK];
            for (line, across) in scratch.line[..taps].iter().zip(across) {
                for k in 0..CHUNK {
                    along[k] = across[k].mul_add(line[k].float(), along[k]);
                }
            }
            for k in 0..CHUNK {
                sums[k] = down[k].mul_add(along[k], sums[k]);
            }
        }
        to.iter_mut().zip(&sums).for_each(|(to, sum)| *to = T::of_sum(*sum, peak));
    }
}
