//! Sums over the planes of a pixel: all planes of a band together, a row of each at a time.

use anyhow::Result;

use super::joint::{JointPlanes, JointStage};
use super::operation::{Setting, Staged};
use super::simd::{Level, Sample, Simd};
use super::tail::Tail;
use super::walk::{JointBand, PlaneStage};
use crate::pass::{self, MixSums};

/// Planes that are made together.
struct MixedPlanes {
    op: pass::Mix,
    peak: f32,
    level: Level,
    band_rows: usize,
}

/// The rows of the planes that are read, as far as vectors go.
type Rows<'a, T, const N: usize> = [&'a [T]; N];

/// Weights of one plane in the lanes of vectors, and what is summed in them.
trait Weighed<S: Simd, T: Sample, const N: usize> {
    /// The sums of a vector of places from column `x` on, before they are rounded.
    fn sum(&self, simd: S, from: &Rows<T, N>, x: usize) -> S::F32;
}

/// Whole numbers.
struct WholeRow<S: Simd, const N: usize> {
    weights: [S::I32; N],
    bias: S::I32,
    centre: S::I32,
    peak: S::I32,
    places: S::I32,
}

impl<S: Simd, T: Sample, const N: usize> Weighed<S, T, N> for WholeRow<S, N> {
    #[inline(always)]
    fn sum(&self, simd: S, from: &Rows<T, N>, x: usize) -> S::F32 {
        let mut sum = self.bias;
        for (row, weight) in from.iter().zip(self.weights) {
            let sample = simd.min_i32(T::widen(simd, &row[x..]), self.peak);
            sum = simd.add_i32(sum, simd.mul_i32(simd.sub_i32(sample, self.centre), weight));
        }
        simd.float(simd.signed_down_i32(sum, self.places))
    }
}

/// Floats.
struct RealRow<S: Simd, const N: usize> {
    weights: [S::F32; N],
    bias: S::F32,
    centre: S::F32,
}

impl<S: Simd, T: Sample, const N: usize> Weighed<S, T, N> for RealRow<S, N> {
    #[inline(always)]
    fn sum(&self, simd: S, from: &Rows<T, N>, x: usize) -> S::F32 {
        let mut sum = simd.mul(simd.sub(T::read(simd, &from[0][x..]), self.centre), self.weights[0]);
        for (row, weight) in from[1..].iter().zip(&self.weights[1..]) {
            let sample = simd.sub(T::read(simd, &row[x..]), self.centre);
            sum = simd.add(sum, simd.mul(sample, *weight));
        }
        simd.add(sum, self.bias)
    }
}

/// Writes a row of sums.
#[inline(always)]
fn put<S: Simd, T: Sample, R: Weighed<S, T, N>, const N: usize>(
    simd: S,
    row: &R,
    from: &Rows<T, N>,
    peak: f32,
    to: &mut [T],
) {
    let peak = simd.splat(peak);
    let whole = to.len() - to.len() % S::LANES;
    for x in (0..whole).step_by(S::LANES) {
        T::write(simd, row.sum(simd, from, x), peak, &mut to[x..]);
    }
    if whole == to.len() {
        return;
    }
    let mut left = [[T::of(0.0); 16]; N];
    for (left, from) in left.iter_mut().zip(from) {
        left[..to.len() - whole].copy_from_slice(&from[whole..to.len()]);
    }
    let mut rest: Rows<T, N> = [&[]; N];
    for (rest, left) in rest.iter_mut().zip(&left) {
        *rest = left;
    }
    let mut made = Tail::<T, 16>::new();
    T::write(simd, row.sum(simd, &rest, 0), peak, &mut made.0);
    made.put(&mut to[whole..]);
}

impl MixedPlanes {
    /// Makes a row of plane `p` of those that are mixed.
    #[inline(always)]
    fn row<S: Simd, T: Sample, const N: usize>(&self, simd: S, p: usize, from: &Rows<T, N>, to: &mut [T]) {
        let (centre, peak) = (self.op.centre, self.peak);
        match &self.op.sums {
            MixSums::Whole { weights, bias } => {
                let mut row = WholeRow {
                    weights: [simd.splat_i32(0); N],
                    bias: simd.splat_i32(bias[p]),
                    centre: simd.splat_i32(centre as i32),
                    peak: simd.splat_i32(peak as i32),
                    places: simd.splat_i32(16),
                };
                for (to, weight) in row.weights.iter_mut().zip(&weights[p]) {
                    *to = simd.splat_i32(*weight);
                }
                put(simd, &row, from, peak, to);
            }
            MixSums::Real { weights, bias } => {
                let mut row: RealRow<S, N> =
                    RealRow { weights: [simd.splat(0.0); N], bias: simd.splat(bias[p]), centre: simd.splat(centre) };
                for (to, weight) in row.weights.iter_mut().zip(&weights[p]) {
                    *to = simd.splat(*weight);
                }
                put(simd, &row, from, peak, to);
            }
            MixSums::Terms(terms) => {
                for (x, to) in to.iter_mut().enumerate() {
                    let mut sum = 0;
                    for (terms, row) in terms[p].iter().zip(from) {
                        sum += i32::from(terms[row[x].integer() as usize & 255]);
                    }
                    *to = T::of(sum.clamp(0, 255) as f32);
                }
            }
        }
    }

    /// Makes the rows of a band of all planes, of `N` that are read.
    #[inline(always)]
    fn made_of<S: Simd, T: Sample, const N: usize>(&self, simd: S, band: JointBand<T>) {
        let JointBand { windows, first, outs, scratch } = band;
        let rows = outs.first().map_or(0, |(_, out)| out.height);
        for y in 0..rows {
            if !scratch.goes_on() {
                return;
            }
            let mut from: Rows<T, N> = [&[]; N];
            for (from, window) in from.iter_mut().zip(&windows[self.op.first..]) {
                *from = window.centre(first + y);
            }
            for (plane, out) in outs.iter_mut() {
                self.row(simd, *plane - self.op.first, &from, out.row_mut(y));
            }
        }
    }
}

impl<T: Sample> JointPlanes<T> for MixedPlanes {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn made<S: Simd>(&self, simd: S, band: JointBand<T>) {
        match self.op.planes() {
            2 => self.made_of::<S, T, 2>(simd, band),
            _ => self.made_of::<S, T, 3>(simd, band),
        }
    }
}

impl<T: Sample> Staged<T> for pass::Mix {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(Box::new(JointStage(MixedPlanes {
            op: self.clone(),
            peak: setting.pixel().peak(),
            level: setting.level,
            band_rows: setting.band_rows(),
        })))
    }
}
