//! Motion that is shown in place of the mean: a shade for each sample, of the block whose middle is nearest.

use super::super::finish::VECTORS;
use super::super::simd::Simd;
use super::super::walk::Band;
use super::mean::{BLOCK, Moved};
use super::plane::Degrained;
use crate::pass::VectorPart;

impl<T: Moved, const N: usize> Degrained<T, N> {
    /// A component of the vectors towards the frame right before.
    #[inline(always)]
    pub fn show<S: Simd>(&self, simd: S, component: VectorPart, Band { window, ahead, first, mut out, .. }: Band<T>) {
        let (before, [middle, shade]) = (self.op.frames - 1, self.shades);
        let (step, down, columns) = (N / 2, self.high / 2, VECTORS * S::LANES);
        let is_cut = self.is_cut(ahead, before);
        for row in 0..out.height {
            let y = first + row;
            let motion = self.motion(ahead, before, (y + down / 2) / down);
            let centre = window.centre(y);
            for x in (0..centre.len()).step_by(columns) {
                let mut means = [middle; BLOCK];
                for (x, mean) in (x..centre.len()).zip(&mut means).take(if is_cut { 0 } else { columns }) {
                    *mean = middle + component.of(motion[(x + step / 2) / step]) * shade;
                }
                let mut values = [simd.splat(0.0); VECTORS];
                for (value, means) in values.iter_mut().zip(means.chunks_exact(S::LANES)) {
                    *value = simd.load(means);
                }
                self.finish.put(simd, values, centre, x, out.row_mut(row));
            }
        }
    }
}
