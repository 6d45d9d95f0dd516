//! Blocks filtered together with those that look like them.
//!
//! The plane is cut into strips of rows of reference blocks. A strip is made ahead of the bands, by one thread: its samples
//! become keys and values ([`grid`], [`strip`]), its blocks are grouped ([`search`], and in other frames [`follow`]) and
//! filtered ([`group`]), and what they say of the noise is summed in memory of the strip's own, which reaches as far beyond
//! its rows as blocks are looked for. A band then adds up the sums of all strips that hold its rows.

mod follow;
mod grid;
mod group;
mod noisy;
mod search;
mod strip;
mod transform;

use anyhow::Result;

use super::finish::{Finish, VECTORS};
use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Simd, WithSimd};
use super::walk::{Band, Banded, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::Sample as Kind;
use crate::pass::{self, Bm3d};
use follow::BlockWay;
use grid::ReferenceGrid;
use group::{BlockGroup, NoiseSums, Stacks, Tables};
use noisy::NoisySample;
use search::{BlockSearch, MOST_LANES};
use strip::{FrameRows, ReferenceStrip, StripRows};

const SIDE: usize = Bm3d::SIDE;

/// A plane, and how its blocks are grouped.
struct Grouped {
    grid: ReferenceGrid,
    tables: Tables,
    width: usize,
    unit: f32,
    /// Whether samples are whole numbers.
    whole: bool,
    finish: Finish,
    level: Level,
    band_rows: usize,
}

impl Grouped {
    fn new(op: &Bm3d, setting: &Setting) -> Self {
        Self {
            grid: ReferenceGrid::new(op, setting),
            tables: Tables::new(op),
            width: setting.width(),
            unit: op.sigma / 16.0,
            whole: setting.pixel().sample != Kind::F32,
            finish: setting.finish(op.finish),
            level: setting.level,
            band_rows: setting.band_rows(),
        }
    }
}

/// The groups of a strip, compiled once for samples of any type: keys and values are alike.
struct StripGroups<'a, 'b> {
    stage: &'a Grouped,
    strip: &'a ReferenceStrip,
    rows: &'a StripRows<'a>,
    sums: &'a mut NoiseSums<'b>,
}

impl WithSimd for StripGroups<'_, '_> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        let Self { stage, strip, rows, sums } = self;
        let grid = &stage.grid;
        let top = strip.rows(grid, 0).0;
        let Some(FrameRows { keys, .. }) = rows.frames[0] else { return };
        let key_pitch = grid.key_pitch(0);
        let mut stacks = Stacks::default();
        let (across, last) = (grid.op.references(grid.wide), grid.high - SIDE);
        for number in strip.first..=strip.last {
            let y = grid.place(number, grid.high);
            for first in (0..across).step_by(S::LANES) {
                let end = (first + S::LANES).min(across);
                let mut places = [grid.place(end - 1, grid.wide); MOST_LANES];
                (first..end).zip(&mut places).for_each(|(number, x)| *x = grid.place(number, grid.wide));
                let search = BlockSearch { keys, pitch: key_pitch, top, width: grid.wide, op: &grid.op, last };
                let found = search.blocks(simd, y, places);
                for lane in search::lanes::<S>(grid.op.step, end - first) {
                    let (lane, x) = (lane.lane, places[lane.block]);
                    let mut ranks = search::ranks(&found, lane);
                    let way = BlockWay::new(simd, grid, rows, [y, x], &mut ranks);
                    let group = BlockGroup::of(&grid.op, &ranks, &way);
                    group.filter(simd, &stage.tables, rows, &mut stacks, sums);
                }
            }
        }
    }
}

impl<T: NoisySample> Banded<T> for Grouped {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        Some((self.grid.strips(), 2 * self.grid.sums() * size_of::<i32>()))
    }

    #[inline(always)]
    fn prepare<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        row: usize,
        lines: &mut [u8],
        Scratch { ring, spare, .. }: &mut Scratch,
    ) {
        let grid = &self.grid;
        let strip = ReferenceStrip::of(grid, row);
        let (_, rows) = strip.rows(grid, 0);
        let (pitch, count) = (grid.pitch(), rows * grid.pitch());
        let (noise, weights) = bytemuck::cast_slice_mut(lines).split_at_mut(grid.sums());
        let mut sums = NoiseSums { noise, weights, pitch };
        sums.noise[..count].fill(0);
        sums.weights[..count].fill(0);

        let (values, keys) = strip.sizes(grid);
        let rows = StripRows::new(grid, window, &strip, ring.elements(values), spare.elements(keys));
        simd.run(StripGroups { stage: self, strip: &strip, rows: &rows, sums: &mut sums });
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, ahead, first, mut out, scratch: Scratch { ring, .. } } = band;
        let (grid, sums): (_, &[i32]) = (&self.grid, bytemuck::cast_slice(ahead));
        let (pitch, size) = (grid.pitch(), grid.sums());
        let line = &mut ring.elements::<i32>(3 * pitch)[..3 * pitch];
        for i in 0..out.height {
            let y = first + i;
            let (both, own) = line.split_at_mut(2 * pitch);
            both.fill(0);
            let (noise, weights) = both.split_at_mut(pitch);
            for (index, sums) in sums.chunks_exact(2 * size).enumerate().take(grid.strips()) {
                let (top, rows) = ReferenceStrip::of(grid, index).rows(grid, 0);
                let Some(row) = y.checked_sub(top).filter(|row| *row < rows) else { continue };
                for (to, from) in [(&mut *noise, &sums[..size]), (&mut *weights, &sums[size..])] {
                    to.iter_mut().zip(&from[row * pitch..]).for_each(|(to, from)| *to += from);
                }
            }
            let own: &mut [f32] = bytemuck::cast_slice_mut(own);
            let samples = window.row(window.planes.len() / 2 + 1 - grid.images(), y);
            own.iter_mut().zip(samples).for_each(|(own, sample)| *own = sample.finite());
            for x in (0..self.width).step_by(VECTORS * S::LANES) {
                let mut values = [simd.splat(0.0); VECTORS];
                for (n, value) in values.iter_mut().enumerate() {
                    let at = x + n * S::LANES;
                    if at >= self.width {
                        break;
                    }
                    let noise = simd.float(simd.load_integers(&noise[at..]));
                    let weight = simd.float(simd.load_integers(&weights[at..]));
                    *value = self.cleaned(simd, noise, weight, simd.load(&own[at..]));
                }
                self.finish.put(simd, values, window.centre(y), x, out.row_mut(i));
            }
        }
    }
}

impl Grouped {
    /// The sample without its noise.
    #[inline(always)]
    fn cleaned<S: Simd>(&self, simd: S, noise: S::F32, weight: S::F32, own: S::F32) -> S::F32 {
        // What lies beyond the row weighs nothing, and is not looked at.
        let mut noise = simd.mul(simd.div(noise, weight), simd.splat(self.unit));
        if self.whole {
            let whole = simd.splat(98_304.0);
            noise = simd.sub(simd.add(noise, whole), whole);
        }
        simd.sub(own, noise)
    }
}

impl<T: NoisySample> Staged<T> for pass::Bm3d {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(Box::new(Grouped::new(self, setting)))
    }
}
