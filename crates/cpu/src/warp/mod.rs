//! Samples between samples.
//!
//! Places of some columns of a row are found first, in loops that become vectors. What lies around a place is met in rows that
//! follow no line of the source, sample by sample; where none of them lies outside, samples are put beside each other first
//! ([`inner`]) and mixed by vectors ([`interpolate`]), and else each is mixed by itself.

mod inner;
mod interpolate;
mod mixed;
mod place;
mod projected;

use anyhow::Result;

use self::inner::InnerPlane;
use self::interpolate::WarpScratch;
use self::mixed::Mixed;
use self::place::{CHUNK, WarpPlaces};
use self::projected::{QuotientSeries, divide};
use super::operation::{Setting, Staged};
use super::simd::{Sample, Simd};
use super::walk::{Band, BandFilter, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::Turn;
use crate::pass::{self, Affine, Interpolation, Placement, WarpEdge};

/// A plane whose samples lie between those of the source.
pub struct Warped {
    op: pass::Warp,
    peak: f32,
}

/// The source as it is shown.
struct ShownPlane<'a, T> {
    window: &'a PlaneWindow<'a, T>,
    size: (usize, usize),
    turn: Turn,
    /// Places of samples along straight lines, if they are.
    affine: Option<Affine>,
    /// Its samples, where they lie as they are shown.
    inner: Option<InnerPlane<'a, T>>,
}

impl<T: Sample> ShownPlane<'_, T> {
    /// The sample at a place inside.
    #[inline(always)]
    fn sample<const TURNED: bool>(&self, x: usize, y: usize) -> T {
        let (x, y) = if TURNED { self.turn.stored((x, y), self.size) } else { (x, y) };
        self.window.centre(y)[x]
    }
}

impl Warped {
    /// Finds the places of the samples in row `j` from column `first` on, chunk by chunk; `affine` is where they lie along straight
    /// lines.
    #[inline(always)]
    fn place<S: Simd>(
        &self,
        affine: Option<&Affine>,
        series: &mut QuotientSeries,
        first: usize,
        j: usize,
        places: &mut WarpPlaces,
    ) {
        match (affine, &self.op.placement) {
            (Some(Affine { first: origin, across, down }), _) => {
                for axis in 0..2 {
                    let start = origin[axis] + j as i64 * down[axis] + first as i64 * across[axis];
                    places.set(axis, start, across[axis]);
                }
                places.is_monotonic = true;
            }
            (None, Placement::Projective(projective)) => {
                series.place::<S>(projective, first, j, places);
                if !places.is_monotonic {
                    divide(projective, first, j, places);
                }
            }
            // Both lie along straight lines.
            (None, Placement::Affine(_) | Placement::Stabilized(_)) => {}
        }
    }

    /// Rounds the sum of whole numbers, in 1/2³²: 0 cuts it off.
    fn half(&self) -> u64 {
        if matches!(self.op.placement, Placement::Affine(_)) { 0 } else { 1 << 31 }
    }

    /// True if the place and so many samples before and after it are inside the source.
    #[inline(always)]
    fn is_inner(size: (usize, usize), place: [i32; 2], [before, after]: [i32; 2]) -> bool {
        let is = |place: i32, length: usize| place >= before && place < length as i32 - after;
        is(place[0], size.0) && is(place[1], size.1)
    }

    /// Makes row `j`.
    #[inline(always)]
    fn row<T: Mixed, S: Simd, const TURNED: bool, const MIRRORED: bool>(
        &self,
        simd: S,
        shown: &ShownPlane<T>,
        j: usize,
        scratch: &mut WarpScratch<T>,
        to: &mut [T],
    ) {
        let fill = T::of(self.op.fill);
        let (last_column, last_row) = (shown.size.0 as i32 - 1, shown.size.1 as i32 - 1);
        let is_affine = matches!(self.op.placement, Placement::Affine(_));
        let (half, edge) = (self.half(), self.op.placement.edge());
        let (is_ended, is_stabilized) = (edge == WarpEdge::Fill, matches!(self.op.placement, Placement::Stabilized(_)));
        let inside = |place: i32, last: i32| match MIRRORED {
            true => WarpEdge::Mirror.inside(place, last) as usize,
            false => place.clamp(0, last) as usize,
        };
        let (mut series, affine) = (QuotientSeries::NONE, shown.affine.as_ref());
        let mut places = WarpPlaces::NONE;
        for (index, to) in to.chunks_mut(CHUNK).enumerate() {
            self.place::<S>(affine, &mut series, index * CHUNK, j, &mut places);
            let [across, down] = places.ends(simd);
            let is_outside = |[low, high]: [i32; 2], last: i32| high < -1 || low > last + 1;
            if is_ended && (is_outside(across, last_column) || is_outside(down, last_row)) {
                to.fill(fill);
                continue;
            }
            if let Some(inner) = &shown.inner
                && inner.holds(&self.op.interpolation, [across, down])
            {
                inner.chunk(simd, &self.op.interpolation, &places, scratch, to);
                continue;
            }
            let WarpPlaces { columns, rows, parts, .. } = &places;
            for (k, to) in to.iter_mut().enumerate() {
                let (column, row) = (columns[k], rows[k]);
                let is_near = column >= -1 && row >= -1 && column <= last_column + 1 && row <= last_row + 1;
                if is_ended && !is_near {
                    *to = fill;
                    continue;
                }
                let (left, top) = (inside(column, last_column), inside(row, last_row));
                *to = match &self.op.interpolation {
                    Interpolation::Nearest => shown.sample::<TURNED>(left, top),
                    Interpolation::Linear if Self::is_inner(shown.size, [column, row], [0, 1]) => {
                        let pair = |y: usize| [shown.sample::<TURNED>(left, y), shown.sample::<TURNED>(left + 1, y)];
                        T::mix([pair(top), pair(top + 1)], [parts[0][k], parts[1][k]], half)
                    }
                    Interpolation::Linear => {
                        let next = |place: i32, own: usize, last: i32| match is_stabilized {
                            true => inside(place + 1, last),
                            false => (own + 1).min(last as usize),
                        };
                        let (right, bottom) = (next(column, left, last_column), next(row, top, last_row));
                        let is_first = |place: i32| place < 0 && !is_affine && !is_stabilized;
                        let part = |axis: usize, place: i32| if is_first(place) { 0 } else { parts[axis][k] };
                        let pair = |y: usize| [shown.sample::<TURNED>(left, y), shown.sample::<TURNED>(right, y)];
                        T::mix([pair(top), pair(bottom)], [part(0, column), part(1, row)], half)
                    }
                    Interpolation::Weighted { taps, weights } => {
                        let phase = |axis: usize| &weights[(parts[axis][k] >> 8) as usize * taps..][..*taps];
                        let before = *taps as i32 / 2 - 1;
                        let is_inner = Self::is_inner(shown.size, [column, row], [before, before + 1]);
                        let met = |place: i32, tap: usize, last: i32| {
                            let place = place - before + tap as i32;
                            if is_inner { place as usize } else { inside(place, last) }
                        };
                        // A closure would be a function without these instructions.
                        let (across, down) = (phase(0), phase(1));
                        let mut sum = 0.0f32;
                        for (n, down) in down.iter().enumerate() {
                            let y = met(row, n, last_row);
                            let mut along = 0.0f32;
                            for (m, across) in across.iter().enumerate() {
                                let sample = shown.sample::<TURNED>(met(column, m, last_column), y);
                                along = across.mul_add(sample.float(), along);
                            }
                            sum = down.mul_add(along, sum);
                        }
                        T::of_sum(sum, self.peak)
                    }
                };
            }
        }
    }
}

impl<T: Mixed> BandFilter<T> for Warped {
    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        let affine = self.op.placement.affine(self.op.from, &window.correction);
        let centre = window.planes[window.planes.len() / 2].as_ref();
        let inner = centre.filter(|_| self.op.turn.is_none()).map(|plane| InnerPlane {
            samples: plane.samples(),
            stride: plane.stride(),
            size: self.op.from,
            is_coarse: matches!(self.op.placement, Placement::Projective(_)),
            half: self.half(),
            peak: self.peak,
        });
        let shown = ShownPlane { window, size: self.op.from, turn: self.op.turn, affine, inner };
        let mut scratch = WarpScratch::new();
        for y in 0..out.height {
            let (y, to) = (first + y, out.row_mut(y));
            match (self.op.turn.is_none(), self.op.placement.edge() == WarpEdge::Mirror) {
                (true, false) => self.row::<T, S, false, false>(simd, &shown, y, &mut scratch, to),
                (true, true) => self.row::<T, S, false, true>(simd, &shown, y, &mut scratch, to),
                (false, false) => self.row::<T, S, true, false>(simd, &shown, y, &mut scratch, to),
                (false, true) => self.row::<T, S, true, true>(simd, &shown, y, &mut scratch, to),
            }
        }
    }
}

impl<T: Mixed> Staged<T> for pass::Warp {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let band_rows = self.size.1.div_ceil(4 * setting.threads);
        Ok(setting.bands_of(band_rows, Warped { op: self.clone(), peak: setting.pixel().peak() }))
    }
}
