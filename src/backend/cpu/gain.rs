//! Samples times the factor of their frame.

use anyhow::Result;

use super::finish::{Finish, VECTORS};
use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Sample, Simd, Work};
use super::walk::Stage;
use super::window::Window;
use crate::frame::PlaneMut;
use crate::pass;

/// A plane that is made brighter or darker.
pub struct Gain {
    black: f32,
    finish: Finish,
    level: Level,
    band_rows: usize,
}

impl Gain {
    /// The vectors of a row from where `from` starts.
    #[inline(always)]
    fn vectors<S: Simd, T: Sample>(&self, simd: S, from: &[T], factor: f32) -> [S::F32; VECTORS] {
        let [minus, factor, black] = [-self.black, factor, self.black].map(|value| simd.splat(value));
        std::array::from_fn(|n| {
            let above = simd.add(T::read(simd, &from[n * S::LANES..]), minus);
            simd.add(simd.mul(above, factor), black)
        })
    }
}

struct Band<'a, T> {
    gain: &'a Gain,
    window: &'a Window<'a, T>,
    first: usize,
    out: PlaneMut<'a, T>,
}

impl<T: Sample> Work for Band<'_, T> {
    #[inline(always)]
    fn work<S: Simd>(mut self, simd: S) {
        let (columns, factor) = (VECTORS * S::LANES, self.window.factor);
        for y in 0..self.out.height {
            let (from, to) = (self.window.centre(self.first + y), self.out.row_mut(y));
            for x in (0..to.len()).step_by(columns) {
                let mut last = [T::zeroed(); 64];
                let near = if x + columns <= from.len() {
                    &from[x..x + columns]
                } else {
                    last[..from.len() - x].copy_from_slice(&from[x..]);
                    &last[..columns]
                };
                let values = self.gain.vectors(simd, near, factor);
                self.gain.finish.put(simd, values, from, x, to);
            }
        }
    }
}

impl<T: Sample> Stage<T> for Gain {
    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn band(&self, window: &Window<T>, _: &[u8], first: usize, out: PlaneMut<T>, _: &mut Scratch) {
        self.level.run(Band { gain: self, window, first, out });
    }
}

impl<T: Sample> Staged<T> for pass::Gain {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn Stage<T>>> {
        let (finish, band_rows) = (setting.finish(self.finish), setting.band_rows());
        Ok(Box::new(Gain { black: self.black, finish, level: setting.level, band_rows }))
    }
}
