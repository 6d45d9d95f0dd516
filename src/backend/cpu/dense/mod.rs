//! Kernels of any shape, all taps at once.

mod dot;
mod small;
pub mod tile;

use anyhow::Result;

use super::border::Columns;
use super::finish::{Finish, VECTORS};
use super::operation::{Setting, Staged};
use super::scratch::Buffer;
use super::simd::{self, Number, Sample, Simd};
use super::walk::{Cost, Extent, Lines, Stage, Stencil};
use super::window::Window;
use crate::frame::PlaneMut;
use crate::pass::{self, Arithmetic, Combine, Operation as _, Sums, Taps};
use dot::Dot;
use tile::Part;

/// Joins the sums of kernel number `index` with what came before.
#[inline(always)]
pub fn join<S: Simd>(simd: S, combine: Combine, index: usize, sum: S::F32, before: S::F32) -> S::F32 {
    let value = match combine {
        Combine::Sum | Combine::Largest => sum,
        Combine::Magnitude => simd.mul(sum, sum),
        Combine::Max => simd.abs(sum),
    };
    match (index, combine) {
        (0, _) => value,
        (_, Combine::Max | Combine::Largest) => simd.max(before, value),
        _ => simd.add(before, value),
    }
}

/// What is left to do after the last kernel was joined.
#[inline(always)]
pub fn close<S: Simd>(simd: S, combine: Combine, value: S::F32) -> S::F32 {
    if combine == Combine::Magnitude { simd.sqrt(value) } else { value }
}

/// Dense kernels with sums in `A`.
pub struct Dense<A> {
    parts: Vec<Part<A>>,
    combine: Combine,
    columns: Columns,
    /// The place in the window of the first frame that is met, and how many are.
    first: usize,
    depth: usize,
    constant: A,
    finish: Finish,
}

impl<A: Number> Dense<A> {
    /// For a window that reaches `reach` frames to either side.
    pub fn new(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Self {
        let reached = op.reach();
        Self {
            parts: op.kernels.iter().map(|kernel| Part::new(kernel, &reached)).collect(),
            combine: op.combine,
            columns,
            first: reach - reached.before[0],
            depth: reached.size()[0],
            constant: A::of(op.border.constant()),
            finish,
        }
    }
}

impl<T: Sample, A: Number> Stencil<T> for Dense<A> {
    type Line = A;

    fn shape(&self) -> (usize, usize) {
        (self.depth, self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, window: &Window<T>, y: Option<usize>, lines: &mut [A], _: &mut Buffer) {
        for (t, line) in lines.chunks_exact_mut(self.columns.stride()).enumerate() {
            let Some(y) = y else {
                line.fill(self.constant);
                continue;
            };
            tile::convert(simd, window.row(self.first + t, y), &mut line[self.columns.left..]);
            self.columns.pad(line, self.constant);
        }
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &Window<T>,
        y: usize,
        lines: &Lines<A>,
        out: &mut PlaneMut<T>,
        _: &mut Buffer,
    ) {
        for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
            let mut joined = [[simd.splat(0.0); VECTORS]; 2];
            for (index, part) in self.parts.iter().enumerate() {
                let sums = tile::sums(simd, part, lines, x);
                for row in 0..2 {
                    for n in 0..VECTORS {
                        let sum = A::float(simd, sums[row][n]);
                        joined[row][n] = join(simd, self.combine, index, sum, joined[row][n]);
                    }
                }
            }
            for (row, mut values) in joined.into_iter().enumerate().take(out.height) {
                for value in &mut values {
                    *value = close(simd, self.combine, *value);
                }
                self.finish.put(simd, values, window.centre(y + row), x, out.row_mut(row));
            }
        }
    }
}

/// Samples, and dot products of them where the machine has such.
pub trait Multiplied: Sample {
    /// Integer kernels by dot products, where the samples and the weights allow it.
    fn dot(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Option<impl Stencil<Self> + 'static>;
}

impl Multiplied for u8 {
    fn dot(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Option<impl Stencil<Self> + 'static> {
        integer::<Self>(op, columns, reach, finish)
    }
}

impl Multiplied for u16 {
    fn dot(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Option<impl Stencil<Self> + 'static> {
        integer::<Self>(op, columns, reach, finish)
    }
}

impl Multiplied for f32 {
    fn dot(_: &pass::Dense, _: Columns, _: usize, _: Finish) -> Option<impl Stencil<Self> + 'static> {
        None::<Dense<f32>>
    }
}

fn integer<T: simd::Dot>(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Option<Dot<T>> {
    let fits = op.arithmetic == Arithmetic::Integer && Dot::<T>::fits(&op.kernels);
    fits.then(|| Dot::new(op, columns, reach, finish))
}

/// An op by dot products, if the samples and the weights allow it.
pub fn multiplied<T: Multiplied>(op: &pass::Dense, setting: &Setting) -> Option<Box<dyn Stage<T>>> {
    let (columns, extent) = around(op, setting);
    let stencil = T::dot(op, columns, setting.reach, setting.finish(op.finish))?;
    Some(setting.walk(stencil, extent, Cost::Cheap))
}

/// What the kernels reach.
fn around(op: &pass::Dense, setting: &Setting) -> (Columns, Extent) {
    let reached = op.reach();
    let columns = Columns::new(op.border, setting.width(), reached.before[2], reached.after[2]);
    (columns, setting.extent(op.border, reached.before[1], reached.after[1]))
}

impl<T: Multiplied> Staged<T> for pass::Dense {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn Stage<T>>> {
        let Self { arithmetic, border, finish, .. } = *self;
        if let ([kernel], Combine::Sum) = (self.kernels.as_slice(), self.combine)
            && let ([frames, 1, 1], anchor) = (kernel.size, kernel.anchor[0])
            && frames > 1
        {
            // Taps along t alone are the same sums either way, and read the window directly there.
            let t = Taps { weights: kernel.weights.clone(), anchor };
            let (x, y) = (Taps::identity(), Taps::identity());
            return pass::Separable { t, x, y, arithmetic, border, finish }.stage(setting);
        }
        let sums = self.sums(setting.pixel())?;
        if let Some(stage) = multiplied(self, setting) {
            return Ok(stage);
        }
        let (columns, extent) = around(self, setting);
        let (reach, finish) = (setting.reach, setting.finish(finish));
        Ok(match sums {
            Sums::Wide => setting.walk(Dense::<i32>::new(self, columns, reach, finish), extent, Cost::Cheap),
            Sums::Small | Sums::Real => {
                setting.walk(Dense::<f32>::new(self, columns, reach, finish), extent, Cost::Cheap)
            }
        })
    }
}
