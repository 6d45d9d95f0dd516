//! Products of taps along t, x and y: a line is filtered along t and x when it is made, and along y when it is used.

mod across;
mod block;
mod slide;
mod strip;

use anyhow::Result;

use super::dense::part::Part;
use super::dense::{Multiplied, multiplied};
use super::finish::{Finish, VECTORS};
use super::line;
use super::operation::{Setting, Staged};
use super::scratch::Buffer;
use super::simd::{Number, Sample, Simd};
use super::walk::{LineCost, LineFilter, Lines, PlaneStage, RowReach};
use super::window::PlaneWindow;
use crate::frame::{self, PlaneMut};
use crate::pass::{self, Arithmetic, Combine, Kernel, Sums};
use across::Across;
use slide::Slide;
use strip::Strips;

/// Taps along t, x and y with sums in `A`.
pub struct Separable<A: Number> {
    across: Across<A>,
    /// `None` where nothing is done along y.
    y: Option<Part<A>>,
    finish: Finish,
}

impl<A: Number> Separable<A> {
    /// For a window that reaches `reach` frames to either side.
    pub fn new(op: &pass::Separable, width: usize, reach: usize, finish: Finish) -> Self {
        let y = (!op.y.is_identity()).then(|| Part::column(&op.y));
        Self { across: Across::new(op, width, reach), y, finish }
    }

    /// What it costs to make a line.
    pub fn cost(&self) -> LineCost {
        match (self.is_temporal(), self.across.t.len() + self.across.x.len()) {
            (true, _) => LineCost::Nothing,
            (_, 0) => LineCost::Cheap,
            _ => LineCost::Dear,
        }
    }

    /// Whether nothing is done along x and y, so that no lines are needed.
    fn is_temporal(&self) -> bool {
        self.across.x.is_empty() && self.y.is_none() && !self.across.t.is_empty()
    }
}

impl<T: Sample, A: Number> LineFilter<T> for Separable<A> {
    type Line = A;

    fn shape(&self) -> (usize, usize) {
        if self.is_temporal() { (0, 0) } else { (1, self.across.columns.stride()) }
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, window: &PlaneWindow<T>, y: Option<usize>, line: &mut [A], spare: &mut Buffer) {
        let Some(y) = y else {
            return line.fill(self.across.outside);
        };
        if self.is_temporal() {
            return;
        }
        self.across.line(simd, window, y, line, spare);
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
        for x in (0..self.across.columns.width).step_by(VECTORS * S::LANES) {
            let sums = match &self.y {
                Some(part) => part.sums(simd, lines, x),
                None if self.is_temporal() => {
                    [self.across.time(simd, window, y, x), self.across.time(simd, window, y + out.height - 1, x)]
                }
                None => line::values(simd, lines, x),
            };
            for (row, sums) in sums.into_iter().enumerate().take(out.height) {
                let mut values = [simd.splat(0.0); VECTORS];
                for (value, sum) in values.iter_mut().zip(sums) {
                    *value = A::float(simd, sum);
                }
                self.finish.put(simd, values, window.centre(y + row), x, out.row_mut(row));
            }
        }
    }
}

impl<T: Multiplied> Staged<T> for pass::Separable {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let (width, finish) = (setting.width(), setting.finish(self.finish));
        let row_reach = setting.row_reach(self.border, self.y.anchor, self.y.weights.len() - 1 - self.y.anchor);
        let sums = self.sums(setting.pixel())?;
        if let Some(short) = T::short(self, setting, row_reach) {
            return Ok(short);
        }
        let mut slide = Slide::new(self, width, row_reach, setting.level, finish);
        if let Some(slide) = slide.take_if(|slide| slide.is_even()) {
            return Ok(Box::new(slide));
        }
        if let Some(stage) = product(self, setting).and_then(|dense| multiplied(&dense, setting)) {
            return Ok(stage);
        }
        if let Some(slide) = slide {
            return Ok(Box::new(slide));
        }
        // Integers whose sums f32 holds exactly are summed in f32: a multiply-add is one instruction there.
        Ok(match sums {
            Sums::Wide => summed::<T, i32>(self, setting, row_reach),
            Sums::Small | Sums::Real => summed::<T, f32>(self, setting, row_reach),
        })
    }
}

/// With sums in `A`.
fn summed<T: Sample, A: Number>(
    op: &pass::Separable,
    setting: &Setting,
    row_reach: RowReach,
) -> Box<dyn PlaneStage<T>> {
    let finish = setting.finish(op.finish);
    if let Some(strips) = Strips::<A>::new(op, setting, row_reach, finish) {
        return Box::new(strips);
    }
    let filter = Separable::<A>::new(op, setting.width(), setting.reach, finish);
    let cost = filter.cost();
    setting.walk(filter, row_reach, cost)
}

/// The dense kernel that a small product of integers is, where dot products take it in fewer steps.
fn product(op: &pass::Separable, setting: &Setting) -> Option<pass::Dense> {
    let (x, y) = (&op.x, &op.y);
    let group = if setting.pixel().sample == frame::Sample::U8 { 4 } else { 2 };
    let (steps, taps) = (y.weights.len() * x.weights.len().div_ceil(group), y.weights.len() + x.weights.len());
    // Along two axes, lines are converted and filtered before they are used, which costs as much as three taps do.
    if op.arithmetic != Arithmetic::Integer || !op.t.is_identity() || steps > taps + 3 {
        return None;
    }
    let weights = y.weights.iter().flat_map(|y| x.weights.iter().map(move |x| y * x)).collect();
    let (size, anchor) = ([1, y.weights.len(), x.weights.len()], [0, y.anchor, x.anchor]);
    let pass::Separable { arithmetic, border, finish, .. } = *op;
    let kernels = vec![Kernel { size, anchor, weights }];
    Some(pass::Dense { kernels, combine: Combine::Sum, arithmetic, border, finish })
}
