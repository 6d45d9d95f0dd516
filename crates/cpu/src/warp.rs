//! Samples between samples.
//!
//! WarpPlaces of some columns of a row are found first, in loops that become vectors, and their samples after them, one by one:
//! what lies around a place is met in rows that follow no line of the source.

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{self, Sample, Simd};
use super::walk::{Band, BandFilter, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::Turn;
use crate::pass::{self, Affine, Interpolation, Placement, Projective, WarpEdge};

/// Columns whose places are found at once.
const CHUNK: usize = 64;

/// A sample that is made of those around a place.
pub trait Mixed: Sample {
    /// Of four, by the parts of the right ones and of the lower ones, in 1/65536; `half` is what rounds whole numbers.
    fn mix(samples: [[Self; 2]; 2], parts: [u32; 2], half: u64) -> Self;
    /// As a float.
    fn float(self) -> f32;
    /// A sum that becomes a sample.
    fn of_sum(sum: f32, peak: f32) -> Self;
}

/// The four of whole numbers.
#[inline(always)]
fn mix_whole(samples: [[u32; 2]; 2], [x, y]: [u32; 2], half: u64) -> u64 {
    let [top, bottom] =
        samples.map(|[left, right]| u64::from(left) * u64::from(65536 - x) + u64::from(right) * u64::from(x));
    (top * u64::from(65536 - y) + bottom * u64::from(y) + half) >> 32
}

/// A sum as a whole number.
#[inline(always)]
fn whole(sum: f32, peak: f32) -> f32 {
    (sum + 0.5).floor().max(0.0).min(peak)
}

macro_rules! mixed_whole {
    ($($sample:ty)*) => {
        $(impl Mixed for $sample {
            #[inline(always)]
            fn mix(samples: [[Self; 2]; 2], parts: [u32; 2], half: u64) -> Self {
                mix_whole(samples.map(|row| row.map(u32::from)), parts, half) as $sample
            }

            #[inline(always)]
            fn float(self) -> f32 {
                self.into()
            }

            #[inline(always)]
            fn of_sum(sum: f32, peak: f32) -> Self {
                whole(sum, peak) as $sample
            }
        })*
    };
}
mixed_whole!(u8 u16);

impl Mixed for f32 {
    #[inline(always)]
    fn mix(samples: [[Self; 2]; 2], parts: [u32; 2], _: u64) -> Self {
        let [x, y] = parts.map(|part| part as f32 * (1.0 / 65536.0));
        let mix = |a: f32, b: f32, part: f32| part.mul_add(b, (1.0 - part) * a);
        let [top, bottom] = samples.map(|[left, right]| mix(left, right, x));
        simd::quiet(mix(top, bottom, y))
    }

    #[inline(always)]
    fn float(self) -> f32 {
        self
    }

    #[inline(always)]
    fn of_sum(sum: f32, _: f32) -> Self {
        simd::quiet(sum)
    }
}

/// A plane whose samples lie between those of the source.
pub struct Warped {
    op: pass::Warp,
    peak: f32,
}

/// Places of some samples of a row: columns and rows, and parts of the next ones in 1/65536.
struct WarpPlaces {
    columns: [i32; CHUNK],
    rows: [i32; CHUNK],
    parts: [[u32; CHUNK]; 2],
}

/// The source as it is shown.
struct ShownPlane<'a, T> {
    window: &'a PlaneWindow<'a, T>,
    size: (usize, usize),
    turn: Turn,
    /// Places of samples along straight lines, if they are.
    affine: Option<Affine>,
}

impl<T: Sample> ShownPlane<'_, T> {
    /// The sample at a place inside.
    #[inline(always)]
    fn sample<const TURNED: bool>(&self, x: usize, y: usize) -> T {
        let (x, y) = if TURNED { self.turn.stored((x, y), self.size) } else { (x, y) };
        self.window.centre(y)[x]
    }
}

/// Farther than any frame reaches.
const FAR: i64 = 1 << 24;

impl Warped {
    /// Finds the places of the samples in row `j` from column `first` on; `affine` is where they lie along straight lines.
    #[inline(always)]
    fn place(&self, affine: Option<&Affine>, first: usize, j: usize, places: &mut WarpPlaces) {
        let mut both = [[0i64; CHUNK]; 2];
        match (affine, &self.op.placement) {
            (Some(Affine { first: origin, across, down }), _) => {
                for axis in 0..2 {
                    let start = origin[axis] + j as i64 * down[axis] + first as i64 * across[axis];
                    both[axis].iter_mut().enumerate().for_each(|(k, place)| *place = start + k as i64 * across[axis]);
                }
            }
            (None, Placement::Projective(Projective { terms, finer })) => {
                let y = (j << finer[1]) as f64;
                let [columns, rows] = &mut both;
                for (k, place) in columns.iter_mut().zip(rows).enumerate() {
                    let point = [((first + k) << finer[0]) as f64, y];
                    let below = Projective::sum(terms[2], point);
                    let axis = |n: usize| {
                        let quotient = 256.0 * Projective::sum(terms[n], point) / below;
                        let units = if quotient.is_nan() { -Projective::MOST } else { quotient.round_ties_even() };
                        i64::from(units.clamp(-Projective::MOST, Projective::MOST) as i32 >> finer[n]) << 8
                    };
                    (*place.0, *place.1) = (axis(0), axis(1));
                }
            }
            // Both lie along straight lines.
            (None, Placement::Affine(_) | Placement::Stabilized(_)) => {}
        }
        let whole = |place: &i64| (place >> 16).clamp(-FAR, FAR) as i32;
        places.columns = both[0].each_ref().map(whole);
        places.rows = both[1].each_ref().map(whole);
        places.parts = both.each_ref().map(|axis| axis.each_ref().map(|place| (place & 65535) as u32));
    }

    /// True if the place and so many samples before and after it are inside the source.
    #[inline(always)]
    fn is_inner(size: (usize, usize), place: [i32; 2], [before, after]: [i32; 2]) -> bool {
        let is = |place: i32, length: usize| place >= before && place < length as i32 - after;
        is(place[0], size.0) && is(place[1], size.1)
    }

    /// Makes row `j`.
    #[inline(always)]
    fn row<T: Mixed, const TURNED: bool, const MIRRORED: bool>(&self, shown: &ShownPlane<T>, j: usize, to: &mut [T]) {
        let fill = T::of(self.op.fill);
        let (last_column, last_row) = (shown.size.0 as i32 - 1, shown.size.1 as i32 - 1);
        let is_affine = matches!(self.op.placement, Placement::Affine(_));
        let (half, edge) = (if is_affine { 0 } else { 1 << 31 }, self.op.placement.edge());
        let (is_ended, is_stabilized) = (edge == WarpEdge::Fill, matches!(self.op.placement, Placement::Stabilized(_)));
        let inside = |place: i32, last: i32| match MIRRORED {
            true => WarpEdge::Mirror.inside(place, last) as usize,
            false => place.clamp(0, last) as usize,
        };
        let mut places = WarpPlaces { columns: [0; CHUNK], rows: [0; CHUNK], parts: [[0; CHUNK]; 2] };
        for (index, to) in to.chunks_mut(CHUNK).enumerate() {
            self.place(shown.affine.as_ref(), index * CHUNK, j, &mut places);
            let WarpPlaces { columns, rows, parts } = &places;
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
                        let pair = |y: usize| [left, left + 1].map(|x| shown.sample::<TURNED>(x, y));
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
                        let sum = phase(1).iter().enumerate().fold(0.0f32, |sum, (n, weight)| {
                            let y = met(row, n, last_row);
                            let along = phase(0).iter().enumerate().fold(0.0f32, |along, (m, weight)| {
                                let sample = shown.sample::<TURNED>(met(column, m, last_column), y);
                                weight.mul_add(sample.float(), along)
                            });
                            weight.mul_add(along, sum)
                        });
                        T::of_sum(sum, self.peak)
                    }
                };
            }
        }
    }
}

impl<T: Mixed> BandFilter<T> for Warped {
    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        let affine = self.op.placement.affine(self.op.from, &window.correction);
        let shown = ShownPlane { window, size: self.op.from, turn: self.op.turn, affine };
        for y in 0..out.height {
            let (y, to) = (first + y, out.row_mut(y));
            match (self.op.turn.is_none(), self.op.placement.edge() == WarpEdge::Mirror) {
                (true, false) => self.row::<T, false, false>(&shown, y, to),
                (true, true) => self.row::<T, false, true>(&shown, y, to),
                (false, false) => self.row::<T, true, false>(&shown, y, to),
                (false, true) => self.row::<T, true, true>(&shown, y, to),
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
