//! Means of samples with those at their place in other frames: a block of columns meets one frame after another, and no
//! more of them than any of its samples takes.
//!
//! What is kept of a block stays in registers. Without weights bytes are compared as bytes ([`byte`]) where distances
//! that fit into a byte say it all, and integers as 16-bit numbers ([`word`]) likewise; everything else is done in `f32`
//! ([`real`]), which holds integers exactly.

mod block;
mod byte;
mod real;
mod word;

use std::marker::PhantomData;

use anyhow::Result;

use super::finish::VECTORS;
use super::operation::{Setting, Staged};
use super::simd::{Level, Sample, Simd};
use super::tail::Tail;
use super::walk::{Band, Banded, PlaneStage};
use crate::pass::Atadenoise;
use block::{At, Goal, Way};
use real::Real;

/// The most frames that are met, the centre among them.
const MOST: usize = 2 * Atadenoise::MAX_RADIUS + 1;

/// A plane, its means made in the way of `W`.
struct Adaptive<T, W> {
    goal: Goal,
    level: Level,
    band_rows: usize,
    way: PhantomData<(T, W)>,
}

impl<T: Sample, W: Way<T> + 'static> Adaptive<T, W> {
    fn stage(op: &Atadenoise, setting: &Setting) -> Box<dyn PlaneStage<T>> {
        // Blocks need not ask whether anything can be taken at all.
        let radius = if op.takes_any() { op.radius } else { 0 };
        Box::new(Self {
            goal: Goal { op: Atadenoise { radius, ..op.clone() }, finish: setting.finish(op.finish) },
            level: setting.level,
            band_rows: setting.band_rows(),
            way: PhantomData,
        })
    }
}

impl<T: Sample, W: Way<T>> Banded<T> for Adaptive<T, W> {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let radius = self.goal.op.radius;
        let (count, before) = (2 * radius + 1, window.planes.len() / 2 - radius);
        let columns = VECTORS * S::LANES;
        for y in 0..out.height {
            let mut rows: [&[T]; MOST] = [&[]; MOST];
            for (t, row) in rows[..count].iter_mut().enumerate() {
                *row = window.row(before + t, first + y);
            }
            let (centre, to) = (window.centre(first + y), out.row_mut(y));
            let whole = to.len() / columns * columns;
            for x in (0..whole).step_by(columns) {
                W::put(simd, &self.goal, At { rows: &rows[..count], from: x, centre, x }, to);
            }
            if whole == to.len() {
                continue;
            }
            let tails: &mut [T] = scratch.spare.elements(count * columns);
            for (row, tail) in rows[..count].iter().zip(tails.chunks_exact_mut(columns)) {
                tail.copy_from_slice(&Tail::<T>::of(&row[whole..]).0[..columns]);
            }
            for (row, tail) in rows[..count].iter_mut().zip(tails.chunks_exact(columns)) {
                *row = tail;
            }
            W::put(simd, &self.goal, At { rows: &rows[..count], from: 0, centre, x: whole }, to);
        }
    }
}

/// Whether the sum of a side's distances says as much where it goes no further than `most`.
fn fits(op: &Atadenoise, most: f32) -> bool {
    op.weights.is_empty() && op.total <= most
}

impl Staged<u8> for Atadenoise {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<u8>>> {
        Ok(match () {
            () if fits(self, 255.0) => Adaptive::<u8, byte::ByteWay>::stage(self, setting),
            // The largest radius takes no sum of distances of bytes further.
            () if self.weights.is_empty() => Adaptive::<u8, word::Words>::stage(self, setting),
            () => Adaptive::<u8, Real>::stage(self, setting),
        })
    }
}

impl Staged<u16> for Atadenoise {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<u16>>> {
        Ok(match fits(self, 65535.0) {
            true => Adaptive::<u16, word::Words>::stage(self, setting),
            false => Adaptive::<u16, Real>::stage(self, setting),
        })
    }
}

impl Staged<f32> for Atadenoise {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<f32>>> {
        Ok(Adaptive::<f32, Real>::stage(self, setting))
    }
}
