//! Deblocking: groups of columns that share no edge, each filtered in place from top to bottom before the first band, and then
//! copied by bands.

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Sample, Simd, quiet};
use super::walk::{Band, Banded, PlaneStage};
use super::window::PlaneWindow;
use crate::pass::Deblock;

/// Columns of a group, at least.
const COLUMNS: usize = 256;

/// Samples across an edge, on one side of it: the nearest first. A weak filter ignores the third.
type EdgeSide<T> = [T; 3];

/// Samples that are compared and moved towards each other.
pub trait Deblockable: Sample {
    /// Both sides of an edge after filtering, and true if their distances are below the limits.
    fn smoothed<const STRONG: bool>(
        before: EdgeSide<Self>,
        after: EdgeSide<Self>,
        limits: &DistanceLimits,
    ) -> (EdgeSide<Self>, EdgeSide<Self>, bool);
    /// The sample as frames hold it.
    fn stored(self) -> Self;
}

/// The limits, as both kinds of samples compare with them.
pub struct DistanceLimits {
    real: [f32; 4],
    whole: [i32; 4],
    peak: i32,
}

/// Both sides of an edge after filtering, and true if all distances are below the limits.
macro_rules! smoothed {
    ($before:ident $after:ident $limits:expr, $divided:expr, $moved:expr) => {{
        let ([b0, b1, b2], [a0, a1, a2], [alpha, beta, gamma, delta]) = ($before, $after, $limits);
        let d = a0 - b0;
        let near = (d.abs() < alpha) & ((b0 - b1).abs() < beta);
        let goes = match STRONG {
            true => near & ((a1 - a2).abs() < gamma) & ((a0 - a1).abs() < delta),
            false => near & ((a0 - a1).abs() < gamma),
        };
        let [half, quarter, eighth] = $divided(d);
        let (second, third) = if STRONG { (quarter, eighth) } else { (eighth, Default::default()) };
        let before = [$moved(b0 + half), $moved(b1 + second), $moved(b2 + third)];
        (before, [$moved(a0 - half), $moved(a1 - second), $moved(a2 - third)], goes)
    }};
}

macro_rules! whole {
    ($($T:ident)*) => {$(
        impl Deblockable for $T {
            #[inline(always)]
            fn smoothed<const STRONG: bool>(
                before: EdgeSide<$T>,
                after: EdgeSide<$T>,
                limits: &DistanceLimits,
            ) -> (EdgeSide<$T>, EdgeSide<$T>, bool) {
                let (b, a) = (before.map(i32::from), after.map(i32::from));
                let moved = |v: i32| v.clamp(0, limits.peak) as $T;
                smoothed!(b a limits.whole, |d: i32| [d / 2, d / 4, d / 8], moved)
            }

            #[inline(always)]
            fn stored(self) -> $T {
                self
            }
        }
    )*};
}
whole!(u8 u16);

impl Deblockable for f32 {
    #[inline(always)]
    fn smoothed<const STRONG: bool>(
        before: EdgeSide<f32>,
        after: EdgeSide<f32>,
        limits: &DistanceLimits,
    ) -> (EdgeSide<f32>, EdgeSide<f32>, bool) {
        smoothed!(before after limits.real, |d: f32| [d * 0.5, d * 0.25, d * 0.125], |v: f32| v)
    }

    #[inline(always)]
    fn stored(self) -> f32 {
        quiet(self)
    }
}

/// A plane to be deblocked.
struct Deblocked {
    strong: bool,
    block: usize,
    /// Samples on either side of an edge.
    reach: usize,
    limits: DistanceLimits,
    /// Width and height.
    size: (usize, usize),
    /// Columns from one group to the next; the first has `reach` more, so that no edge is cut.
    columns: usize,
    level: Level,
    band_rows: usize,
}

impl Deblocked {
    fn new(op: &Deblock, setting: &Setting) -> Self {
        let (width, reach) = (setting.width(), op.reach_samples());
        let columns = if op.overlaps() { width } else { COLUMNS.next_multiple_of(op.block).min(width) };
        let limits = DistanceLimits {
            real: op.limits,
            whole: op.limits.map(|limit| limit as i32),
            peak: setting.pixel().peak() as i32,
        };
        let (size, level, band_rows) = (setting.size(), setting.level, setting.band_rows());
        Self { strong: op.strong, block: op.block, reach, limits, size, columns, level, band_rows }
    }

    /// The first column of a group; the width of the plane for those behind the last.
    fn start(&self, group: usize) -> usize {
        let column = if group == 0 { 0 } else { group * self.columns + self.reach };
        column.min(self.size.0)
    }

    fn groups(&self) -> usize {
        1 + self.size.0.saturating_sub(self.columns + self.reach).div_ceil(self.columns)
    }

    /// Samples of a row of a group in memory.
    fn stride(&self) -> usize {
        (self.columns + self.reach).min(self.size.0)
    }

    /// Filters columns from `start` on in place; false if the pass is to end.
    #[inline(always)]
    fn filter<T: Deblockable, const STRONG: bool>(
        &self,
        start: usize,
        width: usize,
        rows: &mut [T],
        scratch: &Scratch,
    ) {
        let ((plane_width, height), stride, block) = (self.size, self.stride(), self.block);
        for y in (0..height).step_by(block) {
            if !scratch.goes_on() {
                return;
            }
            if y > 0 && y + block < height {
                self.horizontal::<T, STRONG>(&mut rows[(y - self.reach) * stride..][..2 * self.reach * stride], width);
            }
            let band = &mut rows[y * stride..(y + block).min(height) * stride];
            let first = start.next_multiple_of(block).max(block);
            for x in (first..start + width).step_by(block) {
                if x + self.reach > plane_width {
                    break;
                }
                let from = x - start - self.reach;
                for row in band.chunks_exact_mut(stride) {
                    if !self.vertical::<T, STRONG>(&mut row[from..from + 2 * self.reach]) {
                        break;
                    }
                }
            }
        }
    }

    /// Filters a horizontal edge in the middle of some rows.
    #[inline(always)]
    fn horizontal<T: Deblockable, const STRONG: bool>(&self, rows: &mut [T], width: usize) {
        let (above, below) = rows.split_at_mut(self.reach * self.stride());
        let mut above = above.chunks_exact_mut(self.stride()).rev();
        let mut below = below.chunks_exact_mut(self.stride());
        let mut next = || Some((&mut above.next()?[..width], &mut below.next()?[..width]));
        let (Some((b0, a0)), Some((b1, a1))) = (next(), next()) else { return };
        let (b2, a2): (&mut [T], &mut [T]) = match next() {
            Some(far) if STRONG => far,
            _ => (&mut [], &mut []),
        };
        for x in 0..width {
            let far = |row: &[T]| if STRONG { row[x] } else { T::of(0.0) };
            let (before, after) = ([b0[x], b1[x], far(b2)], [a0[x], a1[x], far(a2)]);
            let (smooth_before, smooth_after, goes) = T::smoothed::<STRONG>(before, after, &self.limits);
            let chosen = |smooth: EdgeSide<T>, own: EdgeSide<T>| if goes { smooth } else { own };
            let (before, after) = (chosen(smooth_before, before), chosen(smooth_after, after));
            (b0[x], b1[x], a0[x], a1[x]) = (before[0], before[1], after[0], after[1]);
            if STRONG {
                (b2[x], a2[x]) = (before[2], after[2]);
            }
        }
    }

    /// Filters a row across a vertical edge in its middle; false if a distance is not below its limit.
    #[inline(always)]
    fn vertical<T: Deblockable, const STRONG: bool>(&self, row: &mut [T]) -> bool {
        let middle = self.reach;
        let far = |at: usize| if STRONG { row[at] } else { T::of(0.0) };
        let before = [row[middle - 1], row[middle - 2], far(0)];
        let after = [row[middle], row[middle + 1], far(row.len() - 1)];
        let (before, after, goes) = T::smoothed::<STRONG>(before, after, &self.limits);
        if goes {
            for n in 0..middle {
                (row[middle - 1 - n], row[middle + n]) = (before[n], after[n]);
            }
        }
        goes
    }
}

impl<T: Deblockable> Banded<T> for Deblocked {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        Some((self.groups(), self.stride() * self.size.1 * size_of::<T>()))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<T>, group: usize, lines: &mut [u8], scratch: &mut Scratch) {
        let rows: &mut [T] = bytemuck::cast_slice_mut(lines);
        let (start, end) = (self.start(group), self.start(group + 1));
        for (y, row) in rows.chunks_exact_mut(self.stride()).enumerate() {
            row[..end - start].copy_from_slice(&window.centre(y)[start..end]);
        }
        match self.strong {
            true => self.filter::<T, true>(start, end - start, rows, scratch),
            false => self.filter::<T, false>(start, end - start, rows, scratch),
        }
    }

    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { ahead, first, mut out, .. } = band;
        let samples: &[T] = bytemuck::cast_slice(ahead);
        let (stride, height) = (self.stride(), self.size.1);
        for row in 0..out.height {
            let to = out.row_mut(row);
            for group in 0..self.groups() {
                let (start, end) = (self.start(group), self.start(group + 1));
                let from = &samples[(group * height + first + row) * stride..][..end - start];
                for (to, from) in to[start..end].iter_mut().zip(from) {
                    *to = from.stored();
                }
            }
        }
    }
}

impl<T: Deblockable> Staged<T> for Deblock {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(Box::new(Deblocked::new(self, setting)))
    }
}
