//! Samples times the factor of their frame.

use anyhow::Result;

use super::finish::{Finish, VECTORS};
use super::operation::{Setting, Staged};
use super::simd::{Sample, Simd};
use super::tail::Tail;
use super::walk::{Band, BandFilter, PlaneStage};
use crate::pass;

/// A plane that is made brighter or darker.
pub struct Gain {
    black: f32,
    finish: Finish,
}

impl Gain {
    /// The vectors of a row from where `from` starts.
    #[inline(always)]
    fn vectors<S: Simd, T: Sample>(&self, simd: S, from: &[T], factor: f32) -> [S::F32; VECTORS] {
        let (minus, factor, black) = (simd.splat(-self.black), simd.splat(factor), simd.splat(self.black));
        let mut values = [black; VECTORS];
        for (n, value) in values.iter_mut().enumerate() {
            let above = simd.add(T::read(simd, &from[n * S::LANES..]), minus);
            *value = simd.add(simd.mul(above, factor), black);
        }
        values
    }
}

impl<T: Sample> BandFilter<T> for Gain {
    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        let columns = VECTORS * S::LANES;
        for y in 0..out.height {
            let (from, to) = (window.centre(first + y), out.row_mut(y));
            for x in (0..to.len()).step_by(columns) {
                let last: Tail<T>;
                let near = if x + columns <= from.len() {
                    &from[x..x + columns]
                } else {
                    last = Tail::of(&from[x..]);
                    &last.0[..columns]
                };
                let values = self.vectors(simd, near, window.factor);
                self.finish.put(simd, values, from, x, to);
            }
        }
    }
}

impl<T: Sample> Staged<T> for pass::Gain {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(setting.bands(Gain { black: self.black, finish: setting.finish(self.finish) }))
    }
}
