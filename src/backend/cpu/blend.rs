//! Two frames as one: rows of the first, rows of the second, and rows of weights between them.

use std::ops::Range;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Sample, Simd, Work};
use super::walk::Stage;
use super::window::Window;
use crate::frame::PlaneMut;
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
            let between = weight.mul_add(b - a, a);
            let between = if between.is_nan() { f32::from_bits(0x7fc0_0000) } else { between };
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
    let left = to.len() - whole;
    if left > 0 {
        let (mut w, mut a, mut b, mut made) = ([0.0; 16], [T::zeroed(); 16], [T::zeroed(); 16], [T::zeroed(); 16]);
        w[..left].copy_from_slice(&weights[whole..]);
        a[..left].copy_from_slice(&first[whole..]);
        b[..left].copy_from_slice(&second[whole..]);
        vector(simd, most, &w, &a, &b, &mut made);
        to[whole..].copy_from_slice(&made[..left]);
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
    level: Level,
    band_rows: usize,
}

impl Blend {
    fn new(op: &pass::Blend, setting: &Setting) -> Self {
        let width = setting.width();
        let (columns, even) = match op {
            pass::Blend::Even(weight) => (0..width, vec![*weight; width]),
            pass::Blend::Inside { columns, weight, .. } => (columns.clone(), vec![*weight; columns.len()]),
            pass::Blend::Each { .. } => (0..width, Vec::new()),
        };
        Self { op: op.clone(), columns, even, level: setting.level, band_rows: setting.band_rows() }
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

struct Band<'a, T> {
    blend: &'a Blend,
    window: &'a Window<'a, T>,
    first: usize,
    out: PlaneMut<'a, T>,
}

impl<T: Between> Work for Band<'_, T> {
    #[inline(always)]
    fn work<S: Simd>(mut self, simd: S) {
        for y in 0..self.out.height {
            let (first, second) = (self.window.row(0, self.first + y), self.window.row(1, self.first + y));
            let to = self.out.row_mut(y);
            let Some(weights) = self.blend.weights(self.first + y) else {
                to.copy_from_slice(first);
                continue;
            };
            let Range { start, end } = self.blend.columns;
            to[..start].copy_from_slice(&first[..start]);
            T::row(simd, weights, &first[start..end], &second[start..end], &mut to[start..end]);
            to[end..].copy_from_slice(&first[end..]);
        }
    }
}

impl<T: Between> Stage<T> for Blend {
    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn band(&self, window: &Window<T>, _: &[u8], first: usize, out: PlaneMut<T>, _: &mut Scratch) {
        self.level.run(Band { blend: self, window, first, out });
    }
}

impl<T: Between> Staged<T> for pass::Blend {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn Stage<T>>> {
        Ok(Box::new(Blend::new(self, setting)))
    }
}
