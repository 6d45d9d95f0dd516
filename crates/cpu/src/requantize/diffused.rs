//! Errors of rounding diffused: eight rows side by side, each two columns behind the one above, whose errors it needs. Samples are put
//! askew before, so that those of a step lie together.

use super::super::simd::{Sample, Simd};
use super::super::tail::Tail;
use super::super::walk::{Band, BandFilter};
use crate::pass::Requantize;

/// Above 2²³ a float has no fraction: a number below 2²² plus and minus this is rounded to nearest, ties to even.
pub const WHOLE: f32 = 12_582_912.0;
/// Rows that are made side by side.
const ROWS: usize = 8;
/// Columns that a row is behind the one above.
const LAG: usize = 2;
/// Samples that are read at once.
const CHUNK: usize = 64;

/// A plane whose rounded samples pass their errors on.
pub struct Diffused {
    pub op: Requantize,
}

/// Errors of the neighbours of a sample of each row, and its own.
#[derive(Clone, Copy)]
struct Neighbours {
    left: [f32; ROWS],
    corner: [f32; ROWS],
    above: [f32; ROWS],
    right: [f32; ROWS],
}

impl Diffused {
    /// Values of a row askew: those of column `x` of row `r` of the eight lie `LAG · r` steps later.
    #[inline(always)]
    fn skew<S: Simd, T: Sample>(&self, simd: S, from: &[T], row: usize, values: &mut [[f32; ROWS]]) {
        let (scale, offset) = (simd.splat(self.op.scale), simd.splat(self.op.offset));
        for (from, to) in from.chunks(CHUNK).zip(values[LAG * row..].chunks_mut(CHUNK)) {
            let (some, mut made) = (Tail::<T>::of(from), [0.0f32; CHUNK]);
            for k in (0..CHUNK).step_by(S::LANES) {
                simd.store(simd.mul_add(T::read(simd, &some.0[k..]), scale, offset), &mut made[k..]);
            }
            for (to, made) in to.iter_mut().zip(&made[..from.len()]) {
                to[row] = *made;
            }
        }
    }

    /// Rounds the values of a step, and gives the errors.
    #[inline(always)]
    fn step(peak: f32, near: &Neighbours, values: &mut [f32; ROWS]) -> [f32; ROWS] {
        let mut errors = [0.0; ROWS];
        for row in 0..ROWS {
            let beside = near.right[row].mul_add(3.0 / 16.0, near.left[row] * (7.0 / 16.0));
            let over = near.corner[row].mul_add(1.0 / 16.0, near.above[row] * (5.0 / 16.0));
            // Of a number and a NaN the number is the larger.
            let value = (values[row] + (beside + over)).max(0.0).min(peak);
            let rounded = (value + WHOLE) - WHOLE;
            values[row] = rounded;
            errors[row] = value - rounded;
        }
        errors
    }

    /// Makes eight rows. `line` has the errors of the row above them, from its second element on, and gets those of the last.
    #[inline(always)]
    fn eight(&self, width: usize, values: &mut [[f32; ROWS]], line: &mut [f32]) {
        let peak = self.op.to.peak();
        let none = [0.0; ROWS];
        let mut near = Neighbours { left: none, corner: none, above: none, right: none };
        near.right[0] = line[0];
        for (step, values) in values.iter_mut().enumerate() {
            let next = line.get(step + 1).copied().unwrap_or(0.0);
            let [a, b, c, d, e, f, g, _] = near.left;
            near.corner = near.above;
            near.above = near.right;
            near.right = [next, a, b, c, d, e, f, g];
            near.left = Self::step(peak, &near, values);
            if step < LAG * ROWS || step + 1 >= width {
                // Outside of the plane nothing is lost.
                for (row, error) in near.left.iter_mut().enumerate() {
                    if step.checked_sub(LAG * row).is_none_or(|column| column >= width) {
                        *error = 0.0;
                    }
                }
            }
            if let Some(column) = step.checked_sub(LAG * (ROWS - 1)) {
                line[column] = near.left[ROWS - 1];
            }
        }
    }
}

impl<T: Sample, U: Sample> BandFilter<T, U> for Diffused {
    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T, U>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let (width, height) = (out.width, out.height);
        let steps = width + LAG * (ROWS - 1);
        // Errors of the row above come before the values, and stay there from eight rows to the next.
        scratch.spare.elements::<[f32; ROWS]>(width.div_ceil(ROWS)).fill([0.0; ROWS]);
        for top in (0..height).step_by(ROWS) {
            if !scratch.goes_on() {
                return;
            }
            let count = ROWS.min(height - top);
            let cells = scratch.spare.elements::<[f32; ROWS]>(width.div_ceil(ROWS) + steps);
            let (above, values) = cells.split_at_mut(width.div_ceil(ROWS));
            let (above, values) = (above.as_flattened_mut(), &mut values[..steps]);
            values.fill([0.0; ROWS]);
            for row in 0..count {
                self.skew(simd, &window.centre(first + top + row)[..width], row, values);
            }
            self.eight(width, values, &mut above[..width]);
            for row in 0..count {
                for (to, made) in out.row_mut(top + row).iter_mut().zip(&values[LAG * row..]) {
                    *to = U::of(made[row]);
                }
            }
        }
    }
}
