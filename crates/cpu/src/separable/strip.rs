//! Many taps along x or y. The lines of a plane are made first, a few at a time. Then bands are walked in strips of
//! columns: what the taps of a band meet of a strip is laid out line behind line, and stays in the caches next to the
//! core while all rows of the band are made from it.

use super::across::{self, Across};
use super::block::{self, BREADTH, LINES, ROWS};
use crate::border::{Columns, Rows};
use crate::finish::{Finish, VECTORS};
use crate::frame::PlaneMut;
use crate::operation::Setting;
use crate::pass;
use crate::scratch::{Buffer, Cell, Scratch};
use crate::simd::{Level, Number, Sample, Simd};
use crate::walk::{Band, Banded, RowReach};
use crate::window::PlaneWindow;

/// Taps along t, x and y with sums in `A`.
pub struct Strips<A: Number> {
    across: Across<A>,
    /// Empty where nothing is done along y.
    y: Vec<A>,
    rows: Rows,
    height: usize,
    band_rows: usize,
    level: Level,
    finish: Finish,
}

impl<A: Number> Strips<A> {
    /// From how many taps along x and y together on a plane is filtered like this. On two cores of a Zen 3 that is a
    /// sixth faster from 26 on; but the lines of a whole plane leave the caches, and many cores share one memory.
    const FEWEST: usize = 32;

    /// With fewer vectors of taps along x than this, lines are made one by one: blocks begin and end with fewer sums.
    const FEWEST_ACROSS: usize = 3;

    /// For a plane; `None` where taps are few.
    pub fn new(op: &pass::Separable, setting: &Setting, row_reach: RowReach, finish: Finish) -> Option<Self> {
        let RowReach { border, height, top, bottom, threads } = row_reach;
        let across = Across::new(op, setting.width(), setting.reach);
        let y = across::weights(&op.y);
        if across.x.len() + y.len() < Self::FEWEST || y.len() == 1 {
            return None;
        }
        let block = if y.is_empty() { LINES } else { ROWS };
        let band_rows = height.div_ceil(4 * threads).next_multiple_of(block);
        let rows = Rows::new(border, height, top, bottom);
        Some(Self { across, y, rows, height, band_rows, level: setting.level, finish })
    }

    /// Elements from one line to the next: room for the widest block, and an odd number of cache lines, so that the
    /// lines of a strip do not fight for the same places of a cache.
    fn stride(&self) -> usize {
        self.across.columns.width.next_multiple_of(Columns::BLOCK) + size_of::<Cell>() / size_of::<A>()
    }

    /// The lines of rows `y..y + LINES`. Below the plane its last row is repeated.
    #[inline(always)]
    fn lines<S: Simd, T: Sample>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        lines: &mut [A],
        spare: &mut Buffer,
    ) {
        let stride = self.stride();
        let rows = (y..y + LINES).map(|y| y.min(self.height - 1));
        if self.across.x.len() < Self::FEWEST_ACROSS * S::LANES {
            for (y, line) in rows.zip(lines.chunks_exact_mut(stride)) {
                self.across.line(simd, window, y, line, spare);
            }
            return;
        }
        let room = self.across.columns.stride();
        let padded: &mut [A] = &mut spare.elements(LINES * room)[..LINES * room];
        for (y, line) in rows.zip(padded.chunks_exact_mut(room)) {
            self.across.padded(simd, window, y, line);
        }
        for x in (0..self.across.columns.width).step_by(BREADTH * S::LANES) {
            let line = |n: usize| &padded[n * room..][x..room];
            let sums = block::across(simd, [line(0), line(1), line(2), line(3)], &self.across.x);
            for (sums, line) in sums.into_iter().zip(lines.chunks_exact_mut(stride)) {
                for (n, sum) in sums.into_iter().enumerate() {
                    A::store(simd, sum, &mut line[x + n * S::LANES..]);
                }
            }
        }
    }

    /// The last step of sums of one row from column `x` on.
    #[inline(always)]
    fn put<S: Simd, T: Sample>(&self, simd: S, sums: [A::Vector<S>; VECTORS], centre: &[T], x: usize, out: &mut [T]) {
        let mut values = [simd.splat(0.0); VECTORS];
        for (value, sum) in values.iter_mut().zip(sums) {
            *value = A::float(simd, sum);
        }
        self.finish.put(simd, values, centre, x, out);
    }

    /// A band of rows on which nothing is done along y.
    #[inline(always)]
    fn flat<S: Simd, T: Sample>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        first: usize,
        out: &mut PlaneMut<T>,
        scratch: &mut Scratch,
    ) {
        let stride = self.stride();
        let lines: &mut [A] = scratch.ring.elements(LINES * stride);
        for y in 0..out.height {
            if y % LINES == 0 {
                self.lines(simd, window, first + y, lines, &mut scratch.spare);
            }
            let line = &lines[y % LINES * stride..][..stride];
            for x in (0..out.width).step_by(VECTORS * S::LANES) {
                let mut sums = [A::splat(simd, A::zeroed()); VECTORS];
                for (n, sum) in sums.iter_mut().enumerate() {
                    *sum = A::load(simd, &line[x + n * S::LANES..]);
                }
                self.put(simd, sums, window.centre(first + y), x, out.row_mut(y));
            }
        }
    }
}

impl<T: Sample, A: Number> Banded<T> for Strips<A> {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    /// Lines are made in groups, of which the last holds the border's constant.
    fn ahead(&self) -> Option<(usize, usize)> {
        let group_bytes = LINES * self.stride() * size_of::<A>();
        (!self.y.is_empty()).then_some((self.height.div_ceil(LINES) + 1, group_bytes))
    }

    #[inline(always)]
    fn prepare<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        group: usize,
        lines: &mut [u8],
        scratch: &mut Scratch,
    ) {
        let (y, lines) = (group * LINES, bytemuck::cast_slice_mut(lines));
        if y < self.height {
            self.lines(simd, window, y, lines, &mut scratch.spare);
        } else {
            lines.fill(self.across.outside);
        }
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, ahead, first, mut out, scratch } = band;
        if self.y.is_empty() {
            return self.flat(simd, window, first, &mut out, scratch);
        }
        let Scratch { spare, starts, .. } = scratch;
        let (columns, reach) = (VECTORS * S::LANES, self.y.len() - 1);
        let lines: &[A] = bytemuck::cast_slice(ahead);
        let last = first + out.height - 1 + reach;
        let places = first..first + out.height.next_multiple_of(ROWS) + reach;
        let outside = self.height.next_multiple_of(LINES);
        starts.clear();
        starts.extend(places.map(|place| self.rows.source(place.min(last)).unwrap_or(outside) * self.stride()));
        let strip: &mut [A] = &mut spare.elements(starts.len() * columns)[..starts.len() * columns];
        // What the next strip is copied from is asked for while sums are formed: waiting for it would take half as long
        // as all sums along y do.
        let soon = starts.len().div_ceil(out.height.div_ceil(ROWS));
        for x in (0..out.width).step_by(columns) {
            for (&start, to) in starts.iter().zip(strip.chunks_exact_mut(columns)) {
                to.copy_from_slice(&lines[start + x..][..columns]);
            }
            let mut next = starts.chunks(soon);
            for upper in (0..out.height).step_by(ROWS) {
                for &start in next.next().unwrap_or_default() {
                    simd.prefetch(bytemuck::cast_slice(&lines[start + x + columns..][..columns]));
                }
                let met = &strip[upper * columns..][..(ROWS + reach) * columns];
                for (row, sums) in (upper..out.height).zip(block::down(simd, met, &self.y)) {
                    self.put(simd, sums, window.centre(first + row), x, out.row_mut(row));
                }
            }
        }
    }
}
