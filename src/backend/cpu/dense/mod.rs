//! Kernels of any shape, all taps at once.

mod dot;
mod joined;
mod kernel;
pub mod part;
mod small;
mod span;

use anyhow::Result;

use super::border::Columns;
use super::finish::Finish;
use super::operation::{Setting, Staged};
use super::simd::{self, Sample};
use super::walk::{Cost, Extent, Stage, Stencil};
use crate::pass::{self, Arithmetic, Combine, Operation as _, Sums, Taps};
use dot::Dot;
use kernel::Dense;

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
