//! Sums over boxes: each slides, so that a sample costs the same for any width.
//!
//! First strips of [`STRIP`] columns are summed along y, all rows of a strip at once in memory that stays in the second
//! cache. Then some rows at a time are put together of all strips, turned so that columns are lines, and summed along x in
//! the same way. A box overwrites what it sums: a sum is written where its first sample stood, which no later one needs.

use anyhow::Result;

use super::border::{Columns, Rows};
use super::finish::{Finish, VECTORS};
use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Sample, Simd};
use super::tail::Tail;
use super::walk::{Band, Banded, PlaneStage};
use super::window::PlaneWindow;
use crate::pass::{self, BoxStep, Operation as _};

/// Columns of a strip: two cache lines of sums; a multiple of the lanes of every set of instructions.
const STRIP: usize = 32;
/// Rows that are summed along x side by side: a cache line.
const ROWS: usize = 16;
/// Rows and columns that change places at once.
const SQUARE: usize = 8;
/// The most vectors that a strip has.
const MOST: usize = 4;
/// The most columns that are finished at once.
const BLOCK: usize = VECTORS * 16;

/// A plane's boxes.
struct Boxed {
    down: Vec<BoxStep>,
    across: Vec<BoxStep>,
    rows: Rows,
    columns: Columns,
    /// Rows of the plane, and those that its boxes meet.
    height: usize,
    places: usize,
    /// A sample outside, and what boxes along y make of it.
    constant: i32,
    summed: i32,
    finish: Finish,
    level: Level,
    band_rows: usize,
}

impl Boxed {
    fn new(op: &pass::Boxes, setting: &Setting) -> Self {
        let steps = op.steps(setting.pixel());
        let reach = op.reach();
        let ([_, top, left], [_, low, right]) = (reach.before, reach.after);
        let (width, height) = setting.size();
        Self {
            rows: Rows::new(op.border, height, top, low),
            columns: Columns::new(op.border, width, left, right),
            height,
            places: top + height + low,
            constant: op.border.constant() as i32,
            summed: steps.constant(op.border.constant() as u32) as i32,
            down: steps.y,
            across: steps.x,
            finish: setting.finish(op.finish),
            level: setting.level,
            band_rows: setting.band_rows(),
        }
    }

    /// Elements of a strip: all rows of the plane, and what may be read beyond them.
    fn strip(&self) -> usize {
        (self.height + ROWS) * STRIP
    }
}

/// Shifts a vector of sums down, rounded.
#[inline(always)]
fn rounded<S: Simd>(simd: S, step: BoxStep, sum: S::I32) -> S::I32 {
    if step.shift == 0 {
        return sum;
    }
    simd.down_i32(simd.add_i32(sum, simd.splat_i32(step.half() as i32)), simd.splat_i32(step.shift as i32))
}

/// Sums lines of `N` samples side by side, from line to line, with a box of at least two; returns how many are left.
#[inline(always)]
fn slide<S: Simd, const N: usize>(simd: S, step: BoxStep, lines: &mut [[i32; N]]) -> usize {
    let (vectors, width) = (N / S::LANES, step.width);
    let mut sums = [simd.splat_i32(0); MOST];
    for line in &lines[..width - 1] {
        for (sum, samples) in sums[..vectors].iter_mut().zip(line.chunks_exact(S::LANES)) {
            *sum = simd.add_i32(*sum, simd.load_integers(samples));
        }
    }
    let left = lines.len() + 1 - width;
    for first in 0..left {
        let (before, after) = lines.split_at_mut(first + 1);
        let lanes = after[width - 2].chunks_exact(S::LANES).zip(before[first].chunks_exact_mut(S::LANES));
        for (sum, (coming, leaving)) in sums[..vectors].iter_mut().zip(lanes) {
            let whole = simd.add_i32(*sum, simd.load_integers(coming));
            *sum = simd.sub_i32(whole, simd.load_integers(leaving));
            simd.store_integers(rounded(simd, step, whole), leaving);
        }
    }
    left
}

/// All boxes of an axis.
#[inline(always)]
fn summed<S: Simd, const N: usize>(simd: S, steps: &[BoxStep], mut lines: &mut [[i32; N]]) {
    for &step in steps {
        let left = slide(simd, step, lines);
        lines = &mut lines[..left];
    }
}

/// The places of all squares of a block.
#[inline(always)]
fn squares(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).step_by(SQUARE).flat_map(move |r| (0..columns).step_by(SQUARE).map(move |c| (r, c)))
}

impl<T: Sample> Banded<T> for Boxed {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        Some((self.columns.width.div_ceil(STRIP), self.strip() * size_of::<i32>()))
    }

    #[inline(always)]
    fn prepare<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        row: usize,
        lines: &mut [u8],
        Scratch { spare, .. }: &mut Scratch,
    ) {
        let first = row * STRIP;
        let columns = STRIP.min(self.columns.width - first);
        let strip: &mut [[i32; STRIP]] = &mut spare.elements(self.places)[..self.places];
        for (place, sums) in strip.iter_mut().enumerate() {
            let Some(y) = self.rows.source(place) else {
                sums.fill(self.constant);
                continue;
            };
            let samples = &window.centre(y)[first..first + columns];
            let tail;
            let samples = if columns == STRIP {
                samples
            } else {
                tail = Tail::<T, STRIP>::of(samples);
                &tail.0
            };
            for (samples, sums) in samples.chunks_exact(S::LANES).zip(sums.chunks_exact_mut(S::LANES)) {
                simd.store_integers(T::widen(simd, samples), sums);
            }
        }
        summed(simd, &self.down, strip);
        let sums = bytemuck::cast_slice(&strip[..self.height]);
        lines[..sums.len()].copy_from_slice(sums);
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, ahead, first, mut out, scratch } = band;
        let strips: &[i32] = bytemuck::cast_slice(ahead);
        let Columns { left, width, right, .. } = self.columns;
        let places = left + width.next_multiple_of(STRIP) + right;
        let lines: &mut [i32] = &mut scratch.ring.elements(places * ROWS)[..places * ROWS];
        let block = VECTORS * S::LANES;
        let mut rows = [0; BLOCK * ROWS];
        for top in (0..out.height).step_by(ROWS) {
            let from = (first + top) * STRIP;
            for (index, strip) in strips.chunks_exact(self.strip()).enumerate() {
                let (from, to) = (&strip[from..], &mut lines[(left + index * STRIP) * ROWS..]);
                for (r, c) in squares(ROWS, STRIP) {
                    simd.transpose(&from[r * STRIP + c..], STRIP, &mut to[c * ROWS + r..], ROWS);
                }
            }
            let sums = lines.as_chunks_mut().0;
            self.columns.pad(sums, [self.summed; ROWS]);
            summed(simd, &self.across, &mut sums[..left + width + right]);
            for x in (0..width).step_by(block) {
                let from = &lines[x * ROWS..];
                for (r, c) in squares(ROWS, block.min(places - x) / SQUARE * SQUARE) {
                    simd.transpose(&from[c * ROWS + r..], ROWS, &mut rows[r * BLOCK + c..], BLOCK);
                }
                for (r, sums) in rows.chunks_exact(BLOCK).enumerate().take(out.height - top) {
                    let mut values = [simd.splat(0.0); VECTORS];
                    for (value, sums) in values.iter_mut().zip(sums.chunks_exact(S::LANES)) {
                        *value = simd.float(simd.load_integers(sums));
                    }
                    self.finish.put(simd, values, window.centre(first + top + r), x, out.row_mut(top + r));
                }
            }
        }
    }
}

impl<T: Sample> Staged<T> for pass::Boxes {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(Box::new(Boxed::new(self, setting)))
    }
}
