//! Products of taps along t, x and y: a line is filtered along t and x when it is made, and along y when it is used.

mod slide;

use anyhow::Result;

use super::border::Columns;
use super::dense::part::Part;
use super::dense::{Multiplied, multiplied};
use super::finish::{Finish, VECTORS};
use super::line;
use super::operation::{Setting, Staged};
use super::scratch::Buffer;
use super::simd::{Number, Sample, Simd};
use super::tail::Tail;
use super::walk::{LineCost, LineFilter, Lines, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::{self, PlaneMut};
use crate::pass::{self, Arithmetic, Combine, Kernel, Sums, Taps};
use slide::Slide;

/// How many vectors of a line are filtered along x at once.
const ROW: usize = 8;

/// Taps along t, x and y with sums in `A`.
pub struct Separable<A: Number> {
    /// The place in the window of the first frame that is met.
    first: usize,
    /// Empty where nothing is done along t, and so on.
    t: Vec<A>,
    x: Vec<A>,
    y: Option<Part<A>>,
    columns: Columns,
    /// What lies to the left and right of a row that was filtered along t.
    beside: A,
    /// What a row above or below the plane holds when it was filtered along t and x.
    outside: A,
    finish: Finish,
}

fn weights<A: Number>(taps: &Taps) -> Vec<A> {
    if taps.is_identity() { Vec::new() } else { taps.weights.iter().map(|&w| A::of(w)).collect() }
}

/// The sum where all samples are the same.
fn uniform<A: Number>(weights: &[A], value: A) -> A {
    if weights.is_empty() { value } else { weights.iter().fold(A::zeroed(), |sum, &w| A::scalar_tap(w, value, sum)) }
}

impl<A: Number> Separable<A> {
    /// For a window that reaches `reach` frames to either side.
    pub fn new(op: &pass::Separable, width: usize, reach: usize, finish: Finish) -> Self {
        let (t, x) = (weights(&op.t), weights(&op.x));
        let beside = uniform(&t, A::of(op.border.constant()));
        let outside = uniform(&x, beside);
        Self {
            first: reach - op.t.anchor,
            t,
            x,
            y: (!op.y.is_identity()).then(|| Part::column(&op.y)),
            columns: Columns::new(op.border, width, op.x.anchor, op.x.weights.len() - 1 - op.x.anchor),
            beside,
            outside,
            finish,
        }
    }

    /// A row filtered along t, up to one block beyond the row's end.
    #[inline(always)]
    fn along_t<S: Simd, T: Sample>(&self, simd: S, window: &PlaneWindow<T>, y: usize, line: &mut [A]) {
        if self.t.is_empty() {
            return line::convert(simd, window.row(self.first, y), line);
        }
        for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
            for (n, sum) in self.time(simd, window, y, x).into_iter().enumerate() {
                A::store(simd, sum, &mut line[x + n * S::LANES..]);
            }
        }
    }

    /// The sums along t of one row from column `x` on.
    #[inline(always)]
    fn time<S: Simd, T: Sample>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        x: usize,
    ) -> [A::Vector<S>; VECTORS] {
        let columns = VECTORS * S::LANES;
        let mut sums = [A::splat(simd, A::zeroed()); VECTORS];
        for (frame, &weight) in self.t.iter().enumerate() {
            let row = &window.row(self.first + frame, y)[x..];
            let weight = A::splat(simd, weight);
            let last: Tail<T>;
            let values = if row.len() >= columns {
                &row[..columns]
            } else {
                last = Tail::of(row);
                &last.0[..columns]
            };
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum = A::tap(simd, weight, A::read(simd, &values[n * S::LANES..]), *sum);
            }
        }
        sums
    }

    /// What it costs to make a line.
    pub fn cost(&self) -> LineCost {
        match (self.is_temporal(), self.t.len() + self.x.len()) {
            (true, _) => LineCost::Nothing,
            (_, 0) => LineCost::Cheap,
            _ => LineCost::Dear,
        }
    }

    /// Whether nothing is done along x and y, so that no lines are needed.
    fn is_temporal(&self) -> bool {
        self.x.is_empty() && self.y.is_none() && !self.t.is_empty()
    }
}

/// A padded line filtered along x.
#[inline(always)]
fn along_x<S: Simd, A: Number>(simd: S, from: &[A], weights: &[A], width: usize, to: &mut [A]) {
    let columns = ROW * S::LANES;
    for x in (0..width).step_by(columns) {
        let mut sums = [A::splat(simd, A::zeroed()); ROW];
        for (values, &weight) in from[x..].windows(columns).zip(weights) {
            let weight = A::splat(simd, weight);
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum = A::tap(simd, weight, A::load(simd, &values[n * S::LANES..]), *sum);
            }
        }
        let to = &mut to[x..x + columns];
        for (n, sum) in sums.into_iter().enumerate() {
            A::store(simd, sum, &mut to[n * S::LANES..]);
        }
    }
}

impl<T: Sample, A: Number> LineFilter<T> for Separable<A> {
    type Line = A;

    fn shape(&self) -> (usize, usize) {
        if self.is_temporal() { (0, 0) } else { (1, self.columns.stride()) }
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, window: &PlaneWindow<T>, y: Option<usize>, line: &mut [A], spare: &mut Buffer) {
        let Some(y) = y else {
            return line.fill(self.outside);
        };
        if self.is_temporal() {
            return;
        }
        if self.x.is_empty() {
            return self.along_t(simd, window, y, line);
        }
        let padded = spare.elements(self.columns.stride());
        self.along_t(simd, window, y, &mut padded[self.columns.left..]);
        self.columns.pad(padded, self.beside);
        along_x(simd, padded, &self.x, self.columns.width, line);
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
        for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
            let sums = match &self.y {
                Some(part) => part.sums(simd, lines, x),
                None if self.is_temporal() => {
                    [self.time(simd, window, y, x), self.time(simd, window, y + out.height - 1, x)]
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
        if let Some(slide) = Slide::new(self, width, row_reach, setting.level, finish) {
            return Ok(Box::new(slide));
        }
        if let Some(stage) = product(self, setting).and_then(|dense| multiplied(&dense, setting)) {
            return Ok(stage);
        }
        // Integers whose sums f32 holds exactly are summed in f32: a multiply-add is one instruction there.
        Ok(match sums {
            Sums::Wide => {
                let filter = Separable::<i32>::new(self, width, setting.reach, finish);
                let cost = filter.cost();
                setting.walk(filter, row_reach, cost)
            }
            Sums::Small | Sums::Real => {
                let filter = Separable::<f32>::new(self, width, setting.reach, finish);
                let cost = filter.cost();
                setting.walk(filter, row_reach, cost)
            }
        })
    }
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
