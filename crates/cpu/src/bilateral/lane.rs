//! Weighed means of any samples: a sample a lane, its weights looked up one offset after another. With a guide there is a
//! line of its samples for each of the plane's own.

use std::sync::Arc;

use super::super::border::Columns;
use super::super::finish::{Finish, VECTORS};
use super::super::guide::{Averaged, Guided};
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
    /// By how much a sample differs.
    fn difference<S: Simd>(simd: S, own: Self::Vector<S>, there: Self::Vector<S>) -> Self::Vector<S>;
    /// Adds the weight of an offset and of a difference, and with it the same or another difference.
    fn weigh<S: Simd>(
        simd: S,
        tap: &Tap<Self>,
        like: &Likeness,
        by: Self::Vector<S>,
        difference: Self::Vector<S>,
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
    fn difference<S: Simd>(simd: S, own: S::I32, there: S::I32) -> S::I32 {
        simd.sub_i32(there, own)
    }

    #[inline(always)]
    fn weigh<S: Simd>(
        simd: S,
        tap: &Tap<i32>,
        like: &Likeness,
        by: S::I32,
        difference: S::I32,
        [total, sum]: &mut [S::I32; 2],
    ) {
        let size = simd.max_i32(by, simd.sub_i32(simd.splat_i32(0), by));
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
    fn difference<S: Simd>(simd: S, own: S::F32, there: S::F32) -> S::F32 {
        let difference = simd.add(there, simd.mul(own, simd.splat(-1.0)));
        let finite = simd.smaller(difference, simd.splat(f32::MAX));
        simd.larger(finite, simd.splat(-f32::MAX))
    }

    #[inline(always)]
    fn weigh<S: Simd>(
        simd: S,
        tap: &Tap<f32>,
        like: &Likeness,
        by: S::F32,
        difference: S::F32,
        [total, sum]: &mut [S::F32; 2],
    ) {
        let last = simd.splat(like.weights.len() as f32 - 1.0);
        let place = simd.smaller(simd.mul(simd.abs(by), simd.splat(like.fineness)), last);
        let found = simd.gather(&like.weights, simd.whole(place));
        let weight = simd.mul(found, simd.splat(tap.weight));
        *total = simd.add(*total, weight);
        *sum = simd.mul_add(weight, difference, *sum);
    }

    #[inline(always)]
    fn mean<S: Simd>(simd: S, own: S::F32, [total, sum]: [S::F32; 2]) -> S::F32 {
        simd.add(own, simd.div(sum, total))
    }
}

/// A plane, in numbers of type `A`, with or without a guide.
pub struct Laned<A, const GUIDED: bool> {
    radius: usize,
    frames: usize,
    first_frame: usize,
    taps: Vec<Tap<A>>,
    likeness: Likeness,
    guide: Option<Guided>,
    columns: Columns,
    constant: A,
    finish: Finish,
}

impl<A: Weighed, const GUIDED: bool> Laned<A, GUIDED> {
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
            guide: op.guide.map(|guide| Guided::new(guide, setting)),
            columns: Columns::new(op.border, setting.width(), radius, radius),
            constant: A::of(op.border.constant()).known(),
            finish: setting.finish(op.finish),
        }
    }

    /// Frames that it meets.
    fn met(&self) -> usize {
        2 * self.frames + 1
    }

    /// Makes a line of a row of samples.
    #[inline(always)]
    fn line<S: Simd, T: Sample>(&self, simd: S, row: &[T], line: &mut [A]) {
        let samples = &mut line[self.columns.left..];
        convert(simd, row, samples);
        samples[..self.columns.width].iter_mut().for_each(|sample| *sample = sample.known());
        self.columns.pad(line, self.constant);
    }
}

impl<T: Sample + Averaged, A: Weighed, const GUIDED: bool> LineFilter<T> for Laned<A, GUIDED> {
    type Line = A;

    fn shape(&self) -> (usize, usize) {
        (self.met() * if GUIDED { 2 } else { 1 }, self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: Option<usize>,
        lines: &mut [A],
        spare: &mut Buffer,
    ) {
        let Some(y) = y else {
            lines.fill(self.constant);
            return;
        };
        let mut lines = lines.chunks_exact_mut(self.columns.stride());
        for (t, line) in (&mut lines).take(self.met()).enumerate() {
            self.line(simd, window.row(self.first_frame + t, y), line);
        }
        if let (true, Some(guide)) = (GUIDED, self.guide) {
            let samples = &mut spare.elements::<T>(self.columns.width)[..self.columns.width];
            for (t, line) in lines.enumerate() {
                guide.row(window, self.first_frame + t, y, samples);
                self.line(simd, samples, line);
            }
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
            let middle = |t: usize| &lines.line(t, row + self.radius)[self.columns.left..];
            let (own, of_guide) = (middle(self.frames), middle(if GUIDED { self.met() + self.frames } else { 0 }));
            for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
                let mut means = [simd.splat(0.0); VECTORS];
                // Two vectors at a time: their sums stay in registers beside what is being weighed.
                for (half, means) in means.chunks_exact_mut(2).enumerate() {
                    let x = x + 2 * half * S::LANES;
                    let zero = A::splat(simd, A::zeroed());
                    let mut sums = [[zero; 2]; 2];
                    let pair = |line: &[A]| [A::load(simd, &line[x..]), A::load(simd, &line[x + S::LANES..])];
                    let (samples, guides) = (pair(own), pair(of_guide));
                    for tap in &self.taps {
                        let there = |t: usize| &lines.line(t, row + tap.y)[x + tap.x..][..2 * S::LANES];
                        let (there, beside) = (there(tap.t), there(tap.t + if GUIDED { self.met() } else { 0 }));
                        for (n, sums) in sums.iter_mut().enumerate() {
                            let load = |line: &[A]| A::load(simd, &line[n * S::LANES..]);
                            let difference = A::difference(simd, samples[n], load(there));
                            let by = if GUIDED { A::difference(simd, guides[n], load(beside)) } else { difference };
                            A::weigh(simd, tap, &self.likeness, by, difference, sums);
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
