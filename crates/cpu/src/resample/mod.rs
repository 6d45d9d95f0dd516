//! Planes of another size: sums along one axis and then the other, by weights that follow the place of each sample.
//!
//! Along y a row is a sum of rows; the integers of two neighbouring rows are interleaved. Along x as many rows as a vector has
//! lanes are transposed, so that a lane is a row; a new column is then a sum of whole vectors, and the result is transposed
//! back. Two integers of 16 bits share a lane, as the machine's dot products need them. With long vectors, and unless the plane
//! becomes much smaller, permutations bring the cells to the lanes instead ([`gather`]).

mod cell;
mod gather;
mod weight;

use std::ops::Range;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{Level, Simd};
use super::walk::{Band, Banded, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::{Pixel, Sample};
use crate::pass;
use cell::{COLUMNS, Cells};
use gather::GatherWeights;
use weight::LaneWeights;

/// Bytes of rows that are summed along y at once: a part of the second cache.
const STRIP_BYTES: usize = 128 << 10;

/// A plane of another size.
pub struct Resampled {
    x: Option<LaneWeights>,
    /// Those along x by vectors of new samples, where that is faster.
    gathered: Option<GatherWeights>,
    y: Option<LaneWeights>,
    x_first: bool,
    from: (usize, usize),
    to: (usize, usize),
    /// The largest number that a sum becomes.
    peak: i32,
    level: Level,
    band_rows: usize,
}

/// Memory for the rows of a vector's lanes.
struct LaneBlock<'a, T: Cells> {
    /// As they come in.
    rows: &'a mut [T::Cell],
    /// On their side.
    turned: &'a mut [i32],
    /// As they go out.
    made: &'a mut [T::Cell],
}

impl Resampled {
    fn new<T: Cells>(op: &pass::Resample, setting: &Setting) -> Self {
        let Pixel { sample, depth, .. } = setting.pixel();
        let peak = if sample == Sample::U16 { (1 << depth) - 1 } else { 65535 };
        let (from, to) = (op.from, op.to());
        let x = op.x.as_ref().map(LaneWeights::new::<T>);
        let gathered = x.as_ref().and_then(|x| GatherWeights::new(x, Self::stride(from.0) / T::PER_LANE));
        Self {
            x,
            gathered,
            y: op.y.as_ref().map(LaneWeights::new::<T>),
            x_first: op.x_first,
            from,
            to,
            peak,
            level: setting.level,
            band_rows: to.1.div_ceil(4 * setting.threads).next_multiple_of(16),
        }
    }

    /// Cells from one row to the next.
    fn stride(width: usize) -> usize {
        width.next_multiple_of(COLUMNS)
    }

    /// Lanes of a row on its side, and what sums may look at beyond it.
    fn turned_lanes<T: Cells>(&self) -> usize {
        Self::stride(self.from.0) / T::PER_LANE + self.x.as_ref().map_or(0, |x| x.lanes)
    }

    /// The rows of a block summed along x; there are as many as lanes, and they are the `from` of the plane.
    #[inline(always)]
    fn across<S: Simd, T: Cells>(&self, simd: S, x: &LaneWeights, block: &mut LaneBlock<'_, T>) {
        let lanes = S::LANES;
        let (from, to) = (Self::stride(self.from.0) / T::PER_LANE, Self::stride(self.to.0) / T::PER_LANE);
        let rows: &[i32] = bytemuck::cast_slice(block.rows);
        if let Some(gathered) = self.gathered.as_ref().filter(|_| lanes == gather::LANES) {
            gathered.sum::<S, T>(simd, rows, from, self.peak, block.made, Self::stride(self.to.0));
            return;
        }
        for column in (0..from).step_by(8) {
            for row in (0..lanes).step_by(8) {
                let into = &mut block.turned[column * lanes + row..];
                simd.transpose(&rows[row * from + column..], from, into, lanes);
            }
        }
        let made: &mut [i32] = bytemuck::cast_slice_mut(block.made);
        // Eight lanes of columns that are turned back at once, for the widest vector.
        let mut group = [0; 8 * 16];
        let columns = 8 * T::PER_LANE;
        for (index, first) in (0..self.to.0).step_by(columns).enumerate() {
            for n in 0..8 {
                let mut sums = [T::none(simd); 2];
                for (k, sums) in sums.iter_mut().enumerate().take(T::PER_LANE) {
                    // The last group may have fewer columns.
                    let (start, weights) = x.row((first + n * T::PER_LANE + k).min(self.to.0 - 1));
                    let turned = block.turned[start * lanes..].chunks_exact(lanes);
                    for (turned, weight) in turned.zip(weights) {
                        *sums = T::add(simd, *sums, simd.load_integers(turned), simd.splat_i32(*weight));
                    }
                }
                T::put(simd, &sums, self.peak, &mut group[n * lanes..]);
            }
            for row in (0..lanes).step_by(8) {
                simd.transpose(&group[row..], lanes, &mut made[row * to + index * 8..], to);
            }
        }
    }

    /// Rows of the plane from `first` on, as many as lanes, as cells; the last one stands for those beyond.
    #[inline(always)]
    fn fill<T: Cells>(&self, window: &PlaneWindow<T>, first: usize, count: usize, rows: &mut [T::Cell]) {
        for (n, to) in rows.chunks_exact_mut(Self::stride(self.from.0)).enumerate().take(count) {
            T::cells(window.centre((first + n).min(self.from.1 - 1)), to);
        }
    }

    /// New rows summed along y, a strip of columns after another, each given to `put`: the row counted from the first, its
    /// first column, and the cells.
    #[inline(always)]
    fn down<S: Simd, T: Cells>(
        &self,
        simd: S,
        y: &LaneWeights,
        window: &PlaneWindow<T>,
        new: Range<usize>,
        memory: &mut [T::Cell],
        mut put: impl FnMut(usize, usize, &[T::Cell]),
    ) {
        let (span, per_lane) = (y.span(new.clone()), T::PER_LANE);
        let columns = self.strip::<T>(span.len());
        for left in (0..self.from.0).step_by(columns) {
            let width = columns.min(self.from.0 - left);
            let stride = per_lane * Self::stride(width);
            let (strip, rest) = memory.split_at_mut(span.len() * stride);
            let (rows, made) = rest.split_at_mut(stride);
            for (lane, to) in span.clone().zip(strip.chunks_exact_mut(stride)) {
                for (n, to) in rows.chunks_exact_mut(stride / per_lane).enumerate() {
                    // Behind the last row stand weights of 0.
                    let row = (lane * per_lane + n).min(self.from.1 - 1);
                    T::cells(&window.centre(row)[left..left + width], to);
                }
                T::pair(simd, rows, to);
            }
            let made = &mut made[..Self::stride(width)];
            for (index, row) in new.clone().enumerate() {
                let (start, weights) = y.row(row);
                T::down(simd, &strip[(start - span.start) * stride..], stride, weights, self.peak, made);
                put(index, left, &made[..width]);
            }
        }
    }

    /// Columns of a strip of so many lanes of rows.
    fn strip<T: Cells>(&self, lanes: usize) -> usize {
        let columns = STRIP_BYTES / size_of::<T::Cell>() / T::PER_LANE / lanes.max(1) / COLUMNS * COLUMNS;
        columns.clamp(COLUMNS, Self::stride(self.from.0))
    }

    /// Cells that [`Resampled::down`] needs for any `step` of some new rows.
    fn strip_cells<T: Cells>(&self, y: &LaneWeights, new: Range<usize>, step: usize) -> usize {
        let cells = |top: usize| {
            let span = y.span(top..(top + step).min(new.end)).len();
            (T::PER_LANE * (span + 1) + 1) * self.strip::<T>(span)
        };
        new.clone().step_by(step).map(cells).max().unwrap_or(0)
    }

    /// A band that is resampled along y alone.
    #[inline(always)]
    fn along_y<S: Simd, T: Cells>(&self, simd: S, y: &LaneWeights, band: Band<'_, T>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let all = first..first + out.height;
        let memory = scratch.ring.elements::<T::Cell>(self.strip_cells::<T>(y, all.clone(), ROWS));
        for top in all.clone().step_by(ROWS) {
            self.down(simd, y, window, top..(top + ROWS).min(all.end), memory, |row, left, cells| {
                T::samples(cells, &mut out.row_mut(top - first + row)[left..left + cells.len()]);
            });
        }
    }

    /// A band that is resampled along x, before that along y where `y` says so.
    #[inline(always)]
    fn along_x<S: Simd, T: Cells>(&self, simd: S, x: &LaneWeights, y: Option<&LaneWeights>, band: Band<'_, T>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let (from, to, lanes) = (Self::stride(self.from.0), Self::stride(self.to.0), S::LANES);
        let all = first..first + out.height;
        let strips = y.map_or(0, |y| self.strip_cells::<T>(y, all.clone(), lanes));
        let turned = scratch.spare.elements::<i32>(self.turned_lanes::<T>() * lanes);
        let mut memory = scratch.ring.elements::<T::Cell>(lanes * (from + to) + strips);
        let mut block =
            LaneBlock::<T> { rows: cut(&mut memory, lanes * from), turned, made: cut(&mut memory, lanes * to) };
        for top in all.clone().step_by(lanes) {
            match y {
                Some(y) => {
                    let rows = &mut *block.rows;
                    self.down(simd, y, window, top..(top + lanes).min(all.end), memory, |row, left, cells| {
                        rows[row * from + left..][..cells.len()].copy_from_slice(cells);
                    });
                }
                None => self.fill(window, top, lanes, block.rows),
            }
            self.across(simd, x, &mut block);
            for (row, made) in (top..all.end).zip(block.made.chunks_exact(to)) {
                T::samples(&made[..self.to.0], out.row_mut(row - first));
            }
        }
    }

    /// A band that is resampled along x, and then along y.
    #[inline(always)]
    fn along_x_first<S: Simd, T: Cells>(&self, simd: S, x: &LaneWeights, y: &LaneWeights, band: Band<'_, T>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let (from, to, lanes) = (Self::stride(self.from.0), Self::stride(self.to.0), S::LANES);
        let span = y.span(first..first + out.height);
        let (top, stride) = (span.start * T::PER_LANE, T::PER_LANE * to);
        let blocks = (span.len() * T::PER_LANE).div_ceil(lanes);
        let turned = scratch.spare.elements::<i32>(self.turned_lanes::<T>() * lanes);
        let mut memory = scratch.ring.elements::<T::Cell>(lanes * (from + to) + (blocks * lanes + 1) * to);
        let rows = cut(&mut memory, lanes * from);
        let made = cut(&mut memory, lanes * to);
        let pairs = cut(&mut memory, blocks * lanes * to);
        for (n, pairs) in pairs.chunks_exact_mut(lanes * to).enumerate() {
            self.fill(window, top + n * lanes, lanes, rows);
            self.across(simd, x, &mut LaneBlock::<T> { rows: &mut *rows, turned: &mut *turned, made: &mut *made });
            for (rows, to) in made.chunks_exact(stride).zip(pairs.chunks_exact_mut(stride)) {
                T::pair(simd, rows, to);
            }
        }
        let made = &mut memory[..to];
        for row in 0..out.height {
            let (start, weights) = y.row(first + row);
            T::down(simd, &pairs[(start - span.start) * stride..], stride, weights, self.peak, made);
            T::samples(&made[..self.to.0], out.row_mut(row));
        }
    }
}

/// New rows that are made at once along y alone.
const ROWS: usize = 16;

/// Memory out of a longer piece.
fn cut<'a, A>(memory: &mut &'a mut [A], length: usize) -> &'a mut [A] {
    let (first, rest) = std::mem::take(memory).split_at_mut(length);
    *memory = rest;
    first
}

impl<T: Cells> Banded<T> for Resampled {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        match (&self.x, &self.y) {
            (Some(x), Some(y)) if self.x_first => self.along_x_first(simd, x, y, band),
            (Some(x), y) => self.along_x(simd, x, y.as_ref(), band),
            (None, Some(y)) => self.along_y(simd, y, band),
            // The plan makes a copy of this.
            (None, None) => {
                let Band { window, first, mut out, .. } = band;
                (0..out.height).for_each(|y| out.row_mut(y).copy_from_slice(window.centre(first + y)));
            }
        }
    }
}

macro_rules! staged {
    ($($T:ident)*) => {
        $(impl Staged<$T> for pass::Resample {
            fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<$T>>> {
                Ok(Box::new(Resampled::new::<$T>(self, setting)))
            }
        })*
    };
}
staged!(u8 u16 f32);
