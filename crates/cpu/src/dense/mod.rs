//! Kernels of any shape, all taps at once.

mod dot;
mod joined;
mod kernel;
pub mod part;
mod small;

use anyhow::Result;

use super::border::Columns;
use super::finish::Finish;
use super::operation::{Setting, Staged};
use super::rolling::RollingBoxes;
use super::short::ShortBoxes;
use super::simd::{self, Sample};
use super::walk::{LineCost, LineFilter, PlaneStage, RowReach};
use crate::pass::{self, Arithmetic, Combine, Operation as _, Sums, Taps};
use dot::DenseDot;
use kernel::Dense;

/// Samples, and dot products of them where the machine has such.
pub trait Multiplied: Sample {
    /// Integer kernels by dot products, where the samples and the weights allow it.
    fn dot(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish)
    -> Option<impl LineFilter<Self> + 'static>;

    /// Boxes whose sums, or those along x, have room in 16 bits, where the samples are bytes.
    fn short(_: &pass::Separable, _: &Setting, _: RowReach) -> Option<Box<dyn PlaneStage<Self>>> {
        None
    }
}

impl Multiplied for u8 {
    fn dot(
        op: &pass::Dense,
        columns: Columns,
        reach: usize,
        finish: Finish,
    ) -> Option<impl LineFilter<Self> + 'static> {
        integer::<Self>(op, columns, reach, finish)
    }

    fn short(op: &pass::Separable, setting: &Setting, row_reach: RowReach) -> Option<Box<dyn PlaneStage<Self>>> {
        let finish = setting.finish(op.finish);
        let (width, level) = (setting.width(), setting.level);
        if let Some(short) = ShortBoxes::new(op, width, row_reach, level, finish) {
            return Some(Box::new(short));
        }
        Some(Box::new(RollingBoxes::new(op, width, row_reach, level, finish)?))
    }
}

impl Multiplied for u16 {
    fn dot(
        op: &pass::Dense,
        columns: Columns,
        reach: usize,
        finish: Finish,
    ) -> Option<impl LineFilter<Self> + 'static> {
        integer::<Self>(op, columns, reach, finish)
    }
}

impl Multiplied for f32 {
    fn dot(_: &pass::Dense, _: Columns, _: usize, _: Finish) -> Option<impl LineFilter<Self> + 'static> {
        None::<Dense<f32>>
    }
}

fn integer<T: simd::Dot>(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Option<DenseDot<T>> {
    let fits = op.arithmetic == Arithmetic::Integer && DenseDot::<T>::fits(&op.kernels);
    fits.then(|| DenseDot::new(op, columns, reach, finish))
}

/// An op by dot products, if the samples and the weights allow it.
pub fn multiplied<T: Multiplied>(op: &pass::Dense, setting: &Setting) -> Option<Box<dyn PlaneStage<T>>> {
    let (columns, row_reach) = around(op, setting);
    let filter = T::dot(op, columns, setting.reach, setting.finish(op.finish))?;
    Some(setting.walk(filter, row_reach, LineCost::Cheap))
}

/// What the kernels reach.
fn around(op: &pass::Dense, setting: &Setting) -> (Columns, RowReach) {
    let reached = op.reach();
    let columns = Columns::new(op.border, setting.width(), reached.before[2], reached.after[2]);
    (columns, setting.row_reach(op.border, reached.before[1], reached.after[1]))
}

impl<T: Multiplied> Staged<T> for pass::Dense {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
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
        let (columns, row_reach) = around(self, setting);
        let (reach, finish) = (setting.reach, setting.finish(finish));
        Ok(match sums {
            Sums::Wide => setting.walk(Dense::<i32>::new(self, columns, reach, finish), row_reach, LineCost::Cheap),
            Sums::Small | Sums::Real => {
                setting.walk(Dense::<f32>::new(self, columns, reach, finish), row_reach, LineCost::Cheap)
            }
        })
    }
}
