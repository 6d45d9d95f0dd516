//! How a plane is walked, whatever is done to it: bands of rows, and in a band two rows at a time over a ring of lines.
//!
//! A [`LineFilter`] says how a row of samples becomes lines (converted, padded, filtered along t and x) and how lines
//! become two rows of the result. [`Walk`] sees to it that each line is made once a band and stays in the cache. Where
//! the taps reach so far that a ring would hold most of the plane, or bands would make most lines twice, all lines
//! of the plane are made first, by all threads.

use std::marker::PhantomData;

use bytemuck::Pod;

use super::border::Rows;
use super::scratch::{Buffer, Scratch};
use super::simd::{Level, Sample, Simd, WithSimd};
use super::window::PlaneWindow;
use crate::frame::{PlaneMut, Vector};
use crate::pass::Border;

/// The lines of the rows that a filter meets.
pub struct Lines<'a, A> {
    lines: &'a [A],
    /// Where the lines of each place start, from the topmost that the first of the two rows meets.
    starts: &'a [usize],
    stride: usize,
}

impl<'a, A> Lines<'a, A> {
    /// Line `t` of the row at place `r`.
    #[inline(always)]
    pub fn line(&self, t: usize, r: usize) -> &'a [A] {
        &self.lines[self.starts[r] + t * self.stride..][..self.stride]
    }
}

/// What is done to a plane.
pub trait LineFilter<T: Sample>: Send + Sync {
    /// What lines hold.
    type Line: Pod + Send + Sync;

    /// How many lines a row becomes, and how many elements each has; no lines where the window itself is read.
    fn shape(&self) -> (usize, usize);
    /// Makes the lines of row `y`, or of a row of the border's constant.
    fn prepare<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: Option<usize>,
        lines: &mut [Self::Line],
        spare: &mut Buffer,
    );
    /// Makes row `y`, or two rows from there on: as many as `out` has.
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        lines: &Lines<Self::Line>,
        out: &mut PlaneMut<T>,
        spare: &mut Buffer,
    );
}

/// How far a plane and the taps on it reach.
#[derive(Clone, Copy)]
pub struct RowReach {
    /// Outside the plane.
    pub border: Border,
    /// Rows of the plane.
    pub height: usize,
    /// Rows that the taps reach up.
    pub top: usize,
    /// Rows that the taps reach down.
    pub bottom: usize,
    /// How many threads share the plane.
    pub threads: usize,
}

/// A plane's op, ready to run. Samples `T` go in and samples `U` come out.
pub trait PlaneStage<T: Sample, U: Sample = T>: Send + Sync {
    /// How many rows of lines, or groups of rows, are made before the first band, and how many bytes each has; `None`
    /// where bands make their own.
    fn ahead(&self) -> Option<(usize, usize)>;
    /// Makes one of those rows or groups.
    fn prepare(&self, window: &PlaneWindow<T>, row: usize, lines: &mut [u8], scratch: &mut Scratch);
    /// How many rows a band has.
    fn band_rows(&self) -> usize;
    /// Makes the rows of a band that starts at row `first`. `ahead` holds what was made before: for this plane, or for its
    /// guide where nothing is made for this one.
    fn band(&self, window: &PlaneWindow<T>, ahead: &[u8], first: usize, out: PlaneMut<U>, scratch: &mut Scratch);
    /// Makes the rows of a band of several planes, if it makes planes together; then [`PlaneStage::band`] is not called.
    fn joint(&self, band: JointBand<T, U>);
    /// Tells of the motion that was found before the first band, if it is what is looked for: for each frame that of all
    /// blocks, row by row.
    fn motion(&self, ahead: &[u8], to: &mut [Vector]);
}

/// A band of planes that are made together: of one size, or the same blocks of several.
pub struct JointBand<'a, 'b, T, U = T> {
    /// All planes of all the frames of the window.
    pub windows: &'a [PlaneWindow<'a, T>],
    /// The first of the rows, of the first of the planes.
    pub first: usize,
    /// The planes, and where their rows go.
    pub outs: &'a mut [(usize, PlaneMut<'b, U>)],
    /// Memory of the thread.
    pub scratch: &'a mut Scratch,
}

/// A band of a plane: rows that one thread makes.
pub struct Band<'a, T, U = T> {
    /// One plane of all the frames of the window.
    pub window: &'a PlaneWindow<'a, T>,
    /// What was made before the first band.
    pub ahead: &'a [u8],
    /// The first of the rows.
    pub first: usize,
    /// Where the rows go.
    pub out: PlaneMut<'a, U>,
    /// Memory of the thread.
    pub scratch: &'a mut Scratch,
}

/// A [`PlaneStage`] whose loops are compiled for every set of instructions.
pub trait Banded<T: Sample, U: Sample = T>: Send + Sync {
    /// Which of them runs.
    fn level(&self) -> Level;
    /// Runs a loop with it.
    fn run<W: WithSimd>(&self, work: W) {
        self.level().run(work);
    }
    /// As [`PlaneStage::band_rows`].
    fn band_rows(&self) -> usize;
    /// As [`PlaneStage::ahead`].
    fn ahead(&self) -> Option<(usize, usize)> {
        None
    }
    /// As [`PlaneStage::prepare`].
    #[inline(always)]
    fn prepare<S: Simd>(
        &self,
        _simd: S,
        _window: &PlaneWindow<T>,
        _row: usize,
        _lines: &mut [u8],
        _scratch: &mut Scratch,
    ) {
    }
    /// As [`PlaneStage::motion`].
    fn motion(&self, _ahead: &[u8], _to: &mut [Vector]) {}
    /// As [`PlaneStage::joint`]. It chooses the level itself: hardly any stage makes planes together, and each would have this once more
    /// for every level.
    fn joint(&self, _band: JointBand<T, U>) {}
    /// Makes a band.
    fn band<S: Simd>(&self, simd: S, band: Band<T, U>);
}

/// A filter whose bands share nothing: nothing is made ahead, and each band is made by itself.
pub trait BandFilter<T: Sample, U: Sample = T>: Send + Sync {
    /// Makes a band.
    fn band<S: Simd>(&self, simd: S, band: Band<T, U>);
}

/// Such a filter on a plane.
pub struct Bands<K> {
    /// What makes them.
    pub filter: K,
    /// The instructions that it runs with.
    pub level: Level,
    /// Rows of a band.
    pub band_rows: usize,
}

impl<T: Sample, U: Sample, K: BandFilter<T, U>> Banded<T, U> for Bands<K> {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T, U>) {
        self.filter.band(simd, band);
    }
}

struct MakeAhead<'a, T, U, B> {
    stage: &'a B,
    made: PhantomData<U>,
    window: &'a PlaneWindow<'a, T>,
    row: usize,
    lines: &'a mut [u8],
    scratch: &'a mut Scratch,
}

impl<T: Sample, U: Sample, B: Banded<T, U>> WithSimd for MakeAhead<'_, T, U, B> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        self.stage.prepare(simd, self.window, self.row, self.lines, self.scratch);
    }
}

struct MakeBand<'a, T, U, B> {
    stage: &'a B,
    band: Band<'a, T, U>,
}

impl<T: Sample, U: Sample, B: Banded<T, U>> WithSimd for MakeBand<'_, T, U, B> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        self.stage.band(simd, self.band);
    }
}

impl<T: Sample, U: Sample, B: Banded<T, U>> PlaneStage<T, U> for B {
    fn ahead(&self) -> Option<(usize, usize)> {
        Banded::ahead(self)
    }

    fn prepare(&self, window: &PlaneWindow<T>, row: usize, lines: &mut [u8], scratch: &mut Scratch) {
        Banded::run(self, MakeAhead { stage: self, made: PhantomData, window, row, lines, scratch });
    }

    fn band_rows(&self) -> usize {
        Banded::band_rows(self)
    }

    fn band(&self, window: &PlaneWindow<T>, ahead: &[u8], first: usize, out: PlaneMut<U>, scratch: &mut Scratch) {
        Banded::run(self, MakeBand { stage: self, band: Band { window, ahead, first, out, scratch } });
    }

    fn joint(&self, band: JointBand<T, U>) {
        Banded::joint(self, band);
    }

    fn motion(&self, ahead: &[u8], to: &mut [Vector]) {
        Banded::motion(self, ahead, to);
    }
}

/// A line filter with its tables.
pub struct Walk<K> {
    filter: K,
    level: Level,
    rows: Rows,
    height: usize,
    reach: usize,
    band_rows: usize,
    ahead: bool,
}

impl<K> Walk<K> {
    /// For a plane. `cost` is that of its lines.
    pub fn new(filter: K, level: Level, row_reach: RowReach, cost: LineCost) -> Self {
        let RowReach { border, height, top, bottom, threads } = row_reach;
        let reach = top + bottom;
        // Four bands a thread even out what other work does to one of them; but what bands make twice stays small.
        let band_rows = height.div_ceil(4 * threads).max((8 * reach).min(height.div_ceil(threads))).max(8);
        let ahead = match cost {
            LineCost::Nothing => false,
            LineCost::Cheap => reach + 2 > height,
            LineCost::Dear => reach + 2 > height || threads > 1 && 4 * reach > band_rows,
        };
        let band_rows = if ahead { height.div_ceil(4 * threads) } else { band_rows };
        Self { filter, level, rows: Rows::new(border, height, top, bottom), height, reach, band_rows, ahead }
    }
}

/// What it costs to make a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LineCost {
    /// There are no lines.
    Nothing,
    /// Samples are converted.
    Cheap,
    /// Samples are filtered.
    Dear,
}

impl<T: Sample, K: LineFilter<T>> Banded<T> for Walk<K> {
    fn level(&self) -> Level {
        self.level
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        let (depth, stride) = self.filter.shape();
        // One more than the plane has: the row of the constant.
        self.ahead.then_some((self.height + 1, depth * stride * size_of::<K::Line>()))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, window: &PlaneWindow<T>, row: usize, lines: &mut [u8], scratch: &mut Scratch) {
        let y = (row < self.height).then_some(row);
        self.filter.prepare(simd, window, y, bytemuck::cast_slice_mut(lines), &mut scratch.spare);
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, ahead, first, out, scratch } = band;
        let (depth, stride) = self.filter.shape();
        let size = depth * stride;
        // Two rows meet one place more than one row does.
        let places = self.reach + 2;
        let last = first + out.height - 1 + self.reach;
        let ahead: &[K::Line] = bytemuck::cast_slice(ahead);
        let mut made = first;
        let mut y = first;
        for mut pair in out.bands(2) {
            if !scratch.goes_on() {
                return;
            }
            let Scratch { ring, spare, starts, .. } = &mut *scratch;
            let ring: &mut [K::Line] = ring.elements(if self.ahead { 0 } else { places * size });
            starts.clear();
            for place in (y..y + places).map(|place| place.min(last)) {
                if self.ahead {
                    starts.push(self.rows.source(place).unwrap_or(self.height) * size);
                    continue;
                }
                let start = place % places * size;
                starts.push(start);
                if place == made {
                    made += 1;
                    let source = self.rows.source(place);
                    self.filter.prepare(simd, window, source, &mut ring[start..start + size], spare);
                }
            }
            if !self.ahead && size > 0 {
                // The samples of the next two rows come from memory while these are filtered: 3×3 taps are a quarter
                // faster with this on a Zen 4.
                for soon in [made, made + 1].into_iter().filter(|&place| place <= last) {
                    window.prefetch(simd, self.rows.source(soon));
                }
            }
            let lines = Lines { lines: if self.ahead { ahead } else { &*ring }, starts, stride };
            self.filter.filter(simd, window, y, &lines, &mut pair, spare);
            y += pair.height;
        }
    }
}
