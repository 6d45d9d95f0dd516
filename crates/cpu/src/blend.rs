//! Two frames as one: rows of the first, rows of the second, and rows of weights between them.

use std::ops::Range;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{Sample, Simd, quiet};
use super::tail::Tail;
use super::walk::{Band, BandFilter, PlaneStage};
use crate::pass;

/// Samples, and what lies between two of them.
pub trait Between: Sample {
    /// A row between `first` and `second`, `weights` of the latter; all rows are equally long.
    fn row<S: Simd>(simd: S, weights: &[f32], first: &[Self], second: &[Self], to: &mut [Self]);
}

impl Between for u8 {
    #[inline(always)]
    fn row<S: Simd>(simd: S, weights: &[f32], first: &[u8], second: &[u8], to: &mut [u8]) {
        integers(simd, u8::MAX.into(), weights, first, second, to);
    }
}

impl Between for u16 {
    #[inline(always)]
    fn row<S: Simd>(simd: S, weights: &[f32], first: &[u16], second: &[u16], to: &mut [u16]) {
        integers(simd, u16::MAX.into(), weights, first, second, to);
    }
}

impl Between for f32 {
    #[inline(always)]
    fn row<S: Simd>(_: S, weights: &[f32], first: &[f32], second: &[f32], to: &mut [f32]) {
        for (((to, &weight), &a), &b) in to.iter_mut().zip(weights).zip(first).zip(second) {
            let between = quiet(weight.mul_add(b - a, a));
            *to = if weight == 0.0 {
                a
            } else if weight == 1.0 {
                b
            } else {
                between
            };
        }
    }
}

/// Of integers the weights 0 and 1 give either of them without being asked for. Nothing leaves the range between the
/// two, so that `most` is only what the type holds, and samples above the format's peak stay what they are.
#[inline(always)]
fn integers<S: Simd, T: Sample>(simd: S, most: f32, weights: &[f32], first: &[T], second: &[T], to: &mut [T]) {
    let most = simd.splat(most);
    let whole = to.len() / S::LANES * S::LANES;
    for x in (0..whole).step_by(S::LANES) {
        let at = x..x + S::LANES;
        vector(simd, most, &weights[at.clone()], &first[at.clone()], &second[at.clone()], &mut to[at]);
    }
    if whole < to.len() {
        let weights = Tail::<f32, 16>::of(&weights[whole..]);
        let [first, second] = [first, second].map(|row| Tail::<T, 16>::of(&row[whole..]));
        let mut made = Tail::<T, 16>::new();
        vector(simd, most, &weights.0, &first.0, &second.0, &mut made.0);
        made.put(&mut to[whole..]);
    }
}

/// A function and not a closure, so that it becomes part of the loop that has the instructions switched on.
#[inline(always)]
fn vector<S: Simd, T: Sample>(simd: S, most: S::F32, weights: &[f32], first: &[T], second: &[T], to: &mut [T]) {
    let (a, b) = (T::read(simd, first), T::read(simd, second));
    let difference = simd.mul_add(a, simd.splat(-1.0), b);
    T::write(simd, simd.mul_add(simd.load(weights), difference, a), most, to);
}

/// A plane whose samples are blended.
pub struct Blend {
    op: pass::Blend,
    /// The columns that are weighted, and their weights in rows that are alike.
    columns: Range<usize>,
    even: Vec<f32>,
}

impl Blend {
    fn new(op: &pass::Blend, setting: &Setting) -> Self {
        let width = setting.width();
        let (columns, even) = match op {
            pass::Blend::Even(weight) => (0..width, vec![*weight; width]),
            pass::Blend::Inside { columns, weight, .. } => (columns.clone(), vec![*weight; columns.len()]),
            pass::Blend::Each { .. } => (0..width, Vec::new()),
        };
        Self { op: op.clone(), columns, even }
    }

    /// The weights of the columns of row `y`; `None` where the row is the first frame's.
    #[inline(always)]
    fn weights(&self, y: usize) -> Option<&[f32]> {
        match &self.op {
            pass::Blend::Even(_) => Some(&self.even),
            pass::Blend::Inside { rows, .. } => rows.contains(&y).then_some(&self.even),
            pass::Blend::Each { width, weights } => Some(&weights[y * width..][..*width]),
        }
    }
}

impl<T: Between> BandFilter<T> for Blend {
    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        for y in 0..out.height {
            let (before, after) = (window.row(0, first + y), window.row(1, first + y));
            let to = out.row_mut(y);
            let Some(weights) = self.weights(first + y) else {
                to.copy_from_slice(before);
                continue;
            };
            let Range { start, end } = self.columns;
            to[..start].copy_from_slice(&before[..start]);
            T::row(simd, weights, &before[start..end], &after[start..end], &mut to[start..end]);
            to[end..].copy_from_slice(&before[end..]);
        }
    }
}

impl<T: Between> Staged<T> for pass::Blend {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(setting.bands(Blend::new(self, setting)))
    }
}
