//! Means along motion: first the vectors of all blocks, a row of groups against a frame at a time by any thread, then
//! bands of means, also those of planes that follow another one.
//!
//! Vectors are looked for in bytes, whatever samples are ([`key`]). All that a group looks at of a frame is copied beside it
//! once ([`window`]), so that the search ([`search`]) meets no edge and no stride.

mod interpolate;
mod key;
mod mean;
mod plane;
mod search;
mod show;
mod window;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Simd, WithSimd};
use super::walk::{Band, Banded, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::Vector;
use crate::pass::Degrain;
use mean::Moved;
use plane::{Degrained, Places};

impl<T: Moved, const N: usize> Degrained<T, N> {
    fn new(op: &Degrain, setting: &Setting) -> Self {
        let (width, height) = setting.size();
        let leader = op.follows.map_or(setting.plane, |guide| guide.plane);
        let high = op.block >> op.finer()[1];
        Self {
            grid: op.grid(setting.format.plane_size(leader)),
            high,
            columns: Places::new(op, width),
            rows: Places::new(op, height),
            constant: T::of(op.border.constant()),
            depth: u32::from(setting.pixel().depth),
            peak: T::of(setting.pixel().peak()),
            shades: [op.middle(setting.pixel()), Degrain::shade(setting.pixel())],
            finish: setting.finish(op.finish),
            level: setting.level,
            band_rows: setting.band_rows().next_multiple_of(high),
            op: op.clone(),
        }
    }
}

impl<T: Moved, const N: usize> Banded<T> for Degrained<T, N> {
    fn level(&self) -> Level {
        self.level
    }

    fn run<W: WithSimd>(&self, work: W) {
        self.level.run_narrow(work);
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        Some((2 * self.op.frames * self.grid.groups[1], self.line_bytes()))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, window: &PlaneWindow<T>, row: usize, lines: &mut [u8], scratch: &mut Scratch) {
        let (index, group) = (row / self.grid.groups[1], row % self.grid.groups[1]);
        let place = self.place(index, window.planes.len());
        let (changed, motion) = bytemuck::cast_slice_mut::<u8, Vector>(lines).split_at_mut(1);
        self.search(simd, window, place, group, motion, scratch);
        let rows = Degrain::GROUP.min(self.grid.blocks[1] - group * Degrain::GROUP);
        let blocks = &motion[..rows * self.grid.blocks[0]];
        let count = blocks.iter().filter(|block| block.sum > self.op.scene[0]).count();
        changed[0] = Vector { sum: count as u32, ..Vector::default() };
    }

    fn motion(&self, ahead: &[u8], to: &mut [Vector]) {
        let rows = (0..2 * self.op.frames).flat_map(|index| (0..self.grid.blocks[1]).map(move |row| (index, row)));
        for ((index, row), to) in rows.zip(to.chunks_exact_mut(self.grid.blocks[0])) {
            to.copy_from_slice(Degrained::motion(self, ahead, index, row));
        }
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        simd.run(MovedBand { stage: self, band });
    }
}

/// A band of a plane, whichever plane its motion is from: compiled once for both.
struct MovedBand<'a, T, const N: usize> {
    stage: &'a Degrained<T, N>,
    band: Band<'a, T>,
}

impl<T: Moved, const N: usize> WithSimd for MovedBand<'_, T, N> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        match self.stage.op.shown {
            Some(component) => self.stage.show(simd, component, self.band),
            None => self.stage.mean(simd, self.band),
        }
    }
}

/// A plane that takes another one's motion.
struct Following<T, const N: usize>(Degrained<T, N>);

impl<T: Moved, const N: usize> Banded<T> for Following<T, N> {
    fn level(&self) -> Level {
        self.0.level
    }

    fn run<W: WithSimd>(&self, work: W) {
        self.0.level.run_narrow(work);
    }

    fn band_rows(&self) -> usize {
        self.0.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        simd.run(MovedBand { stage: &self.0, band });
    }
}

/// For each type of samples: blocks of any width, of which only the larger ones are looked for.
macro_rules! staged {
    ($($T:ident)*) => {
        $(impl Staged<$T> for Degrain {
            fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<$T>>> {
                Ok(match (self.follows, self.block >> self.finer()[0]) {
                    (None, 8) => Box::new(Degrained::<$T, 8>::new(self, setting)),
                    (None, _) => Box::new(Degrained::<$T, 16>::new(self, setting)),
                    (_, 2) => Box::new(Following(Degrained::<$T, 2>::new(self, setting))),
                    (_, 4) => Box::new(Following(Degrained::<$T, 4>::new(self, setting))),
                    (_, 8) => Box::new(Following(Degrained::<$T, 8>::new(self, setting))),
                    (_, _) => Box::new(Following(Degrained::<$T, 16>::new(self, setting))),
                })
            }
        })*
    };
}
staged!(u8 u16 f32);
