//! Samples all of whose neighbours are inside: read from the plane, and mixed by loops that become vectors.

use super::super::simd::Simd;
use super::inner::{Corners, InnerPlane, around};
use super::mixed::Mixed;
use super::place::{CHUNK, WarpPlaces};
use crate::pass::Interpolation;

/// Weights and samples of some places, tap by tap.
#[repr(align(64))]
pub(super) struct WarpScratch<T> {
    /// Weights along x and y.
    weights: [[[f32; CHUNK]; Interpolation::MAX_TAPS]; 2],
    /// Samples of one row of what is around.
    line: [[T; CHUNK]; Interpolation::MAX_TAPS],
    corners: Corners,
}

impl<T: Mixed> WarpScratch<T> {
    pub(super) fn new() -> Self {
        const MOST: usize = Interpolation::MAX_TAPS;
        Self { weights: [[[0.0; CHUNK]; MOST]; 2], line: [[T::of(0.0); CHUNK]; MOST], corners: [[0; CHUNK]; 4] }
    }
}

impl<T: Mixed> InnerPlane<'_, T> {
    /// Makes the samples of places that [`InnerPlane::holds`].
    #[inline(always)]
    pub(super) fn chunk<S: Simd>(
        &self,
        simd: S,
        interpolation: &Interpolation,
        places: &WarpPlaces,
        scratch: &mut WarpScratch<T>,
        to: &mut [T],
    ) {
        match interpolation {
            Interpolation::Nearest => {
                let offsets = self.offsets(places);
                to.iter_mut().zip(offsets).for_each(|(to, offset)| *to = self.samples[offset as usize]);
            }
            Interpolation::Linear => self.linear(simd, places, &mut scratch.corners, to),
            Interpolation::Weighted { taps: 4, weights } => self.weighted(4, weights, places, scratch, to),
            Interpolation::Weighted { taps: 6, weights } => self.weighted(6, weights, places, scratch, to),
            Interpolation::Weighted { taps, weights } => self.weighted(*taps, weights, places, scratch, to),
        }
    }

    #[inline(always)]
    fn linear<S: Simd>(&self, simd: S, places: &WarpPlaces, corners: &mut Corners, to: &mut [T]) {
        // Places beyond the last are inside too.
        if !self.corners(simd, places, corners) {
            self.read(places, corners);
        }
        let [x, y] = &places.parts;
        let mut mixed = [T::of(0.0); CHUNK];
        if self.is_coarse {
            for k in 0..CHUNK {
                mixed[k] = T::mix_coarse(around(corners, k), [x[k], y[k]]);
            }
        } else {
            for k in 0..CHUNK {
                mixed[k] = T::mix(around(corners, k), [x[k], y[k]], self.half);
            }
        }
        to.copy_from_slice(&mixed[..to.len()]);
    }

    /// Row by row of what is around: its sum along x, and then that of rows.
    #[inline(always)]
    fn weighted(&self, taps: usize, weights: &[f32], places: &WarpPlaces, scratch: &mut WarpScratch<T>, to: &mut [T]) {
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
        to.iter_mut().zip(&sums).for_each(|(to, sum)| *to = T::of_sum(*sum, self.peak));
    }
}
