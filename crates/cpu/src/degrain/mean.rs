//! The means: a row of blocks after another, each added to the rows that it covers; rows that no block is added to any
//! more are finished.

use bytemuck::{Pod, Zeroable as _};

use super::super::finish::VECTORS;
use super::super::simd::{Sample, Simd};
use super::super::walk::Band;
use super::super::window::PlaneWindow;
use super::interpolate::{Interpolate, along, down};
use super::key::Keyed;
use super::plane::Degrained;
use super::window::fetch;
use crate::frame::Vector;
use crate::pass::Degrain;

/// The most columns that are finished at once.
pub(super) const BLOCK: usize = VECTORS * 16;
/// The most rows of a block.
const ROWS: usize = 16;
/// The most frames that are met.
const MOST: usize = 2 * Degrain::MAX_FRAMES;

/// Samples of which means are made.
pub trait Moved: Sample + Keyed + Interpolate {
    /// What is summed.
    type Sum: Pod;

    /// `sum + weight · (sample − centre)`; a weight is at most 65536.
    fn add(sum: Self::Sum, weight: u32, sample: Self, centre: Self) -> Self::Sum;
    /// `sum + share · part`.
    fn gather(sum: Self::Sum, share: u32, part: Self::Sum) -> Self::Sum;
    /// The mean, for the last step.
    fn mean(sum: Self::Sum, centre: Self, limit: f32) -> f32;
}

/// For integers, whose sums are exact modulo 2³².
macro_rules! whole {
    ($($T:ident)*) => {
        $(impl Moved for $T {
            type Sum = i32;

            #[inline(always)]
            fn add(sum: i32, weight: u32, sample: $T, centre: $T) -> i32 {
                sum + weight as i32 * (i32::from(sample) - i32::from(centre))
            }

            #[inline(always)]
            fn gather(sum: i32, share: u32, part: i32) -> i32 {
                sum.wrapping_add((share as i32).wrapping_mul(part))
            }

            #[inline(always)]
            fn mean(sum: i32, centre: $T, limit: f32) -> f32 {
                let centre = u32::from(centre);
                // With all weights, 65536 together, it is a sum of samples, which 32 bits hold.
                let mean = ((centre << 16).wrapping_add_signed(sum).wrapping_add(32768) >> 16) as i32;
                let (centre, limit) = (centre as i32, limit as i32);
                mean.clamp(centre - limit, centre + limit) as f32
            }
        })*
    };
}
whole!(u8 u16);

impl Moved for f32 {
    type Sum = f32;

    #[inline(always)]
    fn add(sum: f32, weight: u32, sample: f32, centre: f32) -> f32 {
        sum + weight as f32 * (sample - centre)
    }

    #[inline(always)]
    fn gather(sum: f32, share: u32, part: f32) -> f32 {
        sum + share as f32 * part
    }

    #[inline(always)]
    fn mean(sum: f32, centre: f32, limit: f32) -> f32 {
        let far = sum * (1.0 / 65536.0);
        let far = if far > limit { limit } else { far };
        centre + if far < -limit { -limit } else { far }
    }
}

impl<T: Moved, const N: usize> Degrained<T, N> {
    /// What each frame counts in a block, and 0 for those of another scene.
    fn weights(&self, motion: &[&[Vector]], cuts: &[bool], column: usize) -> [u32; MOST] {
        let mut weights = [0; MOST];
        for ((weight, motion), cut) in weights.iter_mut().zip(motion).zip(cuts) {
            let known = self.op.weights.get(motion[column].sum as usize).copied();
            *weight = known.filter(|_| !cut).unwrap_or(0);
        }
        let all = 256 + weights.iter().sum::<u32>();
        weights.map(|weight| 256 * weight / all)
    }

    /// Some rows of a block, from a place on, as they are along a vector.
    #[inline(always)]
    fn moved(&self, window: &PlaneWindow<T>, place: usize, [x, y]: [isize; 2], vector: [i16; 2], to: &mut [[T; N]]) {
        let [dx, dy] = [vector[0] >> 1, vector[1] >> 1];
        let [across, up] = [vector[0] & 1 == 1, vector[1] & 1 == 1];
        let [x, y] = [x + isize::from(dx), y + isize::from(dy)];
        if !up {
            for (r, to) in to.iter_mut().enumerate() {
                *to = self.row(window, place, [x, y + r as isize], across);
            }
            return;
        }
        let mut rows: [[T; N]; 4] = [[T::zeroed(); N]; 4];
        for (r, rows) in rows.iter_mut().enumerate().take(3) {
            *rows = self.row(window, place, [x, y - 1 + r as isize], across);
        }
        for (r, to) in to.iter_mut().enumerate() {
            rows[3] = self.row(window, place, [x, y + 2 + r as isize], across);
            let [a, b, c, d] = &rows;
            *to = down([a, b, c, d], self.peak);
            rows.rotate_left(1);
        }
    }

    /// Samples of a row from a place on, or those that lie half a sample further across.
    #[inline(always)]
    fn row(&self, window: &PlaneWindow<T>, place: usize, [x, y]: [isize; 2], across: bool) -> [T; N] {
        let mut row = [T::zeroed(); N];
        if across {
            // Four samples around each.
            let mut line = [T::zeroed(); ROWS + 3];
            let line = &mut line[..N + 3];
            fetch(self, window, place, [x - 1, y], line);
            return along(line, 0, self.peak);
        }
        fetch(self, window, place, [x, y], &mut row);
        row
    }

    #[inline(always)]
    pub fn mean<S: Simd>(&self, simd: S, Band { window, ahead, first, mut out, scratch }: Band<T>) {
        let (frames, step, images) = (2 * self.op.frames, N / 2, window.planes.len());
        let (high, down) = (self.high, self.high / 2);
        let finer = self.op.finer();
        let mut cuts = [false; MOST];
        cuts.iter_mut().enumerate().take(frames).for_each(|(index, cut)| *cut = self.is_cut(ahead, index));
        let blocks = self.grid.blocks[0];
        // From the first column of the first block on.
        let pitch = (blocks + 1) * step;
        let sums: &mut [T::Sum] = &mut scratch.ring.elements(high * pitch)[..high * pitch];
        let centres: &mut [T] = &mut scratch.spare.elements(high * pitch)[..high * pitch];
        sums.fill(T::Sum::zeroed());
        let share = |k: usize, side: usize| (2 * k.min(side - 1 - k) as u32 + 1) * 8 / (side as u32 / 2);
        let across: [u32; N] = std::array::from_fn(|k| share(k, N));
        let mut parts = [[T::Sum::zeroed(); N]; ROWS];
        let mut moved = [[T::zeroed(); N]; ROWS];
        let last = first + out.height;
        for j in first / down..=(last - 1) / down + 1 {
            // The rows of the band that the blocks cover, of their own.
            let top = j as isize * down as isize - down as isize;
            let begin = (first as isize - top).max(0) as usize;
            let end = high.min((last as isize - top) as usize);
            for r in begin..end {
                let row = window.centre((top + r as isize) as usize);
                centres[r * pitch + step..][..row.len()].copy_from_slice(row);
            }
            let mut motion: [&[Vector]; MOST] = [&[]; MOST];
            motion.iter_mut().enumerate().take(frames).for_each(|(index, to)| *to = self.motion(ahead, index, j));
            for i in 0..blocks {
                let weights = self.weights(&motion[..frames], &cuts, i);
                if weights == [0; MOST] {
                    continue;
                }
                parts[begin..end].fill([T::Sum::zeroed(); N]);
                let corner = [(i * step) as isize - step as isize, top + begin as isize];
                for (index, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                    let place = self.place(index, images);
                    let Vector { x, y, .. } = motion[index][i];
                    self.moved(window, place, corner, [x >> finer[0], y >> finer[1]], &mut moved[begin..end]);
                    for r in begin..end {
                        let centres: &[T] = &centres[r * pitch + i * step..][..N];
                        for ((part, &sample), &centre) in parts[r].iter_mut().zip(&moved[r]).zip(centres) {
                            *part = T::add(*part, weight, sample, centre);
                        }
                    }
                }
                for r in begin..end {
                    let sums = &mut sums[r * pitch + i * step..][..N];
                    let down = share(r, high);
                    for ((sum, &part), across) in sums.iter_mut().zip(&parts[r]).zip(across) {
                        *sum = T::gather(*sum, down * across, part);
                    }
                }
            }
            // Nothing is added any more to the upper half.
            for r in begin..down.min(end) {
                let (sums, centres) = (&sums[r * pitch + step..], &centres[r * pitch + step..]);
                let y = (top + r as isize) as usize;
                self.finished(simd, sums, centres, window.centre(y), out.row_mut(y - first));
            }
            sums.copy_within(down * pitch.., 0);
            sums[down * pitch..].fill(T::Sum::zeroed());
        }
    }

    #[inline(always)]
    fn finished<S: Simd>(&self, simd: S, sums: &[T::Sum], centres: &[T], row: &[T], out: &mut [T]) {
        let columns = VECTORS * S::LANES;
        let mut means = [0.0; BLOCK];
        for x in (0..row.len()).step_by(columns) {
            let left = columns.min(row.len() - x);
            let samples = sums[x..x + left].iter().zip(&centres[x..x + left]);
            means
                .iter_mut()
                .zip(samples)
                .for_each(|(mean, (&sum, &centre))| *mean = T::mean(sum, centre, self.op.limit));
            let mut values = [simd.splat(0.0); VECTORS];
            for (value, means) in values.iter_mut().zip(means.chunks_exact(S::LANES)) {
                *value = simd.load(means);
            }
            self.finish.put(simd, values, row, x, out);
        }
    }
}
