//! Weighed means of any samples: a sample a lane, its weights looked up one offset after another.

use std::sync::Arc;

use super::super::border::Columns;
use super::super::finish::{Finish, VECTORS};
use super::super::line::convert;
use super::super::operation::Setting;
use super::super::scratch::Buffer;
use super::super::simd::{Number, Sample, Simd};
use super::super::walk::{LineFilter, Lines};
use super::super::window::PlaneWindow;
use crate::frame::PlaneMut;
use crate::pass::Bilateral;

/// What rounds a quotient to 1/128 when it is added and taken away.
pub const ROUNDING: f32 = 98304.0;

/// How samples are weighed in some numbers.
pub trait Weighed: Number {
    /// What becomes of a sample before all else.
    fn known(self) -> Self;
    /// Adds an offset's weight, and with it a difference.
    fn weigh<S: Simd>(
        simd: S,
        tap: &Tap<Self>,
        like: &Likeness,
        own: Self::Vector<S>,
        there: Self::Vector<S>,
        to: &mut [Self::Vector<S>; 2],
    );
    /// The mean from the sums of weights and of weighed differences.
    fn mean<S: Simd>(simd: S, own: Self::Vector<S>, sums: [Self::Vector<S>; 2]) -> S::F32;
}

/// The weights by difference.
pub struct Likeness {
    weights: Arc<[f32]>,
    fineness: f32,
    cut: u32,
}

/// An offset: the frame, down from the topmost row, across from the leftmost column, and its weight.
pub struct Tap<A> {
    t: usize,
    y: usize,
    x: usize,
    weight: A,
}

impl Weighed for i32 {
    fn known(self) -> Self {
        self
    }

    #[inline(always)]
    fn weigh<S: Simd>(
        simd: S,
        tap: &Tap<i32>,
        like: &Likeness,
        own: S::I32,
        there: S::I32,
        [total, sum]: &mut [S::I32; 2],
    ) {
        let difference = simd.sub_i32(there, own);
        let size = simd.max_i32(difference, simd.sub_i32(own, there));
        let place = simd.whole(simd.mul(simd.float(size), simd.splat(like.fineness)));
        let found = simd.whole(simd.gather(&like.weights, place));
        let mut weight = simd.mul_i32(found, simd.splat_i32(tap.weight));
        if like.cut > 0 {
            weight = simd.down_i32(weight, simd.splat_i32(like.cut as i32));
        }
        *total = simd.add_i32(*total, weight);
        *sum = simd.add_i32(*sum, simd.mul_i32(weight, difference));
    }

    #[inline(always)]
    fn mean<S: Simd>(simd: S, own: S::I32, [total, sum]: [S::I32; 2]) -> S::F32 {
        let quotient = simd.div(simd.float(sum), simd.float(total));
        let rounded = simd.add(simd.add(quotient, simd.splat(ROUNDING)), simd.splat(-ROUNDING));
        simd.add(simd.float(own), rounded)
    }
}

impl Weighed for f32 {
    fn known(self) -> Self {
        if self.is_finite() { self } else { 0.0 }
    }

    #[inline(always)]
    fn weigh<S: Simd>(
        simd: S,
        tap: &Tap<f32>,
        like: &Likeness,
        own: S::F32,
        there: S::F32,
        [total, sum]: &mut [S::F32; 2],
    ) {
        let difference = simd.add(there, simd.mul(own, simd.splat(-1.0)));
        let finite = simd.smaller(difference, simd.splat(f32::MAX));
        let finite = simd.larger(finite, simd.splat(-f32::MAX));
        let last = simd.splat(like.weights.len() as f32 - 1.0);
        let place = simd.smaller(simd.mul(simd.abs(finite), simd.splat(like.fineness)), last);
        let found = simd.gather(&like.weights, simd.whole(place));
        let weight = simd.mul(found, simd.splat(tap.weight));
        *total = simd.add(*total, weight);
        *sum = simd.mul_add(weight, finite, *sum);
    }

    #[inline(always)]
    fn mean<S: Simd>(simd: S, own: S::F32, [total, sum]: [S::F32; 2]) -> S::F32 {
        simd.add(own, simd.div(sum, total))
    }
}

/// A plane, in numbers of type `A`.
pub struct Laned<A> {
    radius: usize,
    frames: usize,
    first_frame: usize,
    taps: Vec<Tap<A>>,
    likeness: Likeness,
    columns: Columns,
    constant: A,
    finish: Finish,
}

impl<A: Weighed> Laned<A> {
    pub fn new(op: &Bilateral, setting: &Setting) -> Self {
        let Bilateral { radius, frames, .. } = *op;
        let place = |offset: isize, reach: usize| reach.wrapping_add_signed(offset);
        let taps = op.offsets().map(|([t, y, x], weight)| Tap {
            t: place(t, frames),
            y: place(y, radius),
            x: place(x, radius),
            weight: A::of(weight),
        });
        Self {
            radius,
            frames,
            first_frame: setting.reach - frames,
            taps: taps.collect(),
            likeness: Likeness { weights: op.range.clone(), fineness: op.fineness, cut: op.cut(setting.pixel()) },
            columns: Columns::new(op.border, setting.width(), radius, radius),
            constant: A::of(op.border.constant()).known(),
            finish: setting.finish(op.finish),
        }
    }
}

impl<T: Sample, A: Weighed> LineFilter<T> for Laned<A> {
    type Line = A;

    fn shape(&self) -> (usize, usize) {
        (2 * self.frames + 1, self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, window: &PlaneWindow<T>, y: Option<usize>, lines: &mut [A], _: &mut Buffer) {
        let Some(y) = y else {
            lines.fill(self.constant);
            return;
        };
        for (t, line) in lines.chunks_exact_mut(self.columns.stride()).enumerate() {
            let samples = &mut line[self.columns.left..];
            convert(simd, window.row(self.first_frame + t, y), samples);
            samples[..self.columns.width].iter_mut().for_each(|sample| *sample = sample.known());
            self.columns.pad(line, self.constant);
        }
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        lines: &Lines<A>,
        out: &mut PlaneMut<T>,
        _: &mut Buffer,
    ) {
        for row in 0..out.height {
            let own = &lines.line(self.frames, row + self.radius)[self.columns.left..];
            for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
                let mut means = [simd.splat(0.0); VECTORS];
                // Two vectors at a time: their sums stay in registers beside what is being weighed.
                for (half, means) in means.chunks_exact_mut(2).enumerate() {
                    let x = x + 2 * half * S::LANES;
                    let zero = A::splat(simd, A::zeroed());
                    let mut sums = [[zero; 2]; 2];
                    let samples = [A::load(simd, &own[x..]), A::load(simd, &own[x + S::LANES..])];
                    for tap in &self.taps {
                        let there = &lines.line(tap.t, row + tap.y)[x + tap.x..][..2 * S::LANES];
                        for (n, (sums, &own)) in sums.iter_mut().zip(&samples).enumerate() {
                            A::weigh(simd, tap, &self.likeness, own, A::load(simd, &there[n * S::LANES..]), sums);
                        }
                    }
                    for ((mean, sums), own) in means.iter_mut().zip(sums).zip(samples) {
                        *mean = A::mean(simd, own, sums);
                    }
                }
                self.finish.put(simd, means, window.centre(y + row), x, out.row_mut(row));
            }
        }
    }
}
