//! Which implementation a plane's op runs with.

use anyhow::{Context, Result};

use super::border::Columns;
use super::check::{self, Sums};
use super::dense::{Dense, Span};
use super::finish::Finish;
use super::separable::Separable;
use super::simd::{Level, Sample};
use super::walk::{Cost, Extent, Stage, Walk};
use crate::frame::Format;
use crate::pass::{self, Combine, Op, Pass, Taps};

/// One plane of a pass, ready to run.
pub struct Plane<T> {
    /// A row of neutral samples.
    pub neutral: Vec<T>,
    /// What is done; `None` copies.
    pub stage: Option<Box<dyn Stage<T>>>,
}

/// The planes of all passes.
///
/// # Errors
/// If a pass does not fit the format or contradicts itself.
pub fn prepare<T: Sample>(
    passes: &[Pass],
    format: &Format,
    threads: usize,
    level: Level,
) -> Result<Vec<Vec<Plane<T>>>> {
    let pass = |pass: &Pass| {
        check::pass(pass, format)?;
        let plane = |(index, op): (usize, &Op)| {
            let setting = Setting { format, plane: index, threads, level, reach: pass.reach() };
            let stage = setting.stage(op).with_context(|| format!("{}, plane {index}", pass.name))?;
            let (width, _) = format.plane_size(index);
            let neutral = vec![T::of(format.pixel.neutral(index)); width];
            Ok(Plane { neutral, stage })
        };
        pass.ops.iter().enumerate().map(plane).collect()
    };
    passes.iter().map(pass).collect()
}

/// Where an op is to run.
struct Setting<'a> {
    format: &'a Format,
    plane: usize,
    threads: usize,
    level: Level,
    /// Frames of the window on either side of the centre.
    reach: usize,
}

impl Setting<'_> {
    fn stage<T: Sample>(&self, op: &Op) -> Result<Option<Box<dyn Stage<T>>>> {
        match op {
            Op::Copy => Ok(None),
            Op::Separable(op) => self.separable(op).map(Some),
            Op::Dense(op) => self.dense(op).map(Some),
        }
    }

    fn separable<T: Sample>(&self, op: &pass::Separable) -> Result<Box<dyn Stage<T>>> {
        let (width, _) = self.format.plane_size(self.plane);
        let finish = Finish::new(op.finish, self.format.pixel);
        let extent = self.extent(op.border, op.y.anchor, op.y.weights.len() - 1 - op.y.anchor);
        // Integers whose sums f32 holds exactly are summed in f32: a multiply-add is one instruction there.
        Ok(match check::separable(op, self.format.pixel.peak())? {
            Sums::Wide => self.walk(Separable::<i32>::new(op, width, self.reach, finish), extent, Cost::Dear),
            Sums::Small | Sums::Real => {
                self.walk(Separable::<f32>::new(op, width, self.reach, finish), extent, Cost::Dear)
            }
        })
    }

    fn dense<T: Sample>(&self, op: &pass::Dense) -> Result<Box<dyn Stage<T>>> {
        if let ([kernel], Combine::Sum) = (op.kernels.as_slice(), op.combine)
            && let ([frames, 1, 1], anchor) = (kernel.size, kernel.anchor[0])
            && frames > 1
        {
            // Taps along t alone are the same sums either way, and read the window directly there.
            let t = Taps { weights: kernel.weights.clone(), anchor };
            let (x, y) = (Taps::identity(), Taps::identity());
            let pass::Dense { arithmetic, border, finish, .. } = *op;
            return self.separable(&pass::Separable { t, x, y, arithmetic, border, finish });
        }
        let span = Span::of(&op.kernels);
        let (width, _) = self.format.plane_size(self.plane);
        let finish = Finish::new(op.finish, self.format.pixel);
        let columns = Columns::new(op.border, width, span.before[2], span.after[2]);
        let constant = op.border.constant();
        let extent = self.extent(op.border, span.before[1], span.after[1]);
        Ok(match check::dense(op, self.format.pixel.peak())? {
            Sums::Wide => self.walk(
                Dense::<i32>::new(&op.kernels, op.combine, columns, self.reach, constant, finish),
                extent,
                Cost::Cheap,
            ),
            Sums::Small | Sums::Real => self.walk(
                Dense::<f32>::new(&op.kernels, op.combine, columns, self.reach, constant, finish),
                extent,
                Cost::Cheap,
            ),
        })
    }

    fn extent(&self, border: pass::Border, top: usize, bottom: usize) -> Extent {
        let (_, height) = self.format.plane_size(self.plane);
        Extent { border, height, top, bottom, threads: self.threads }
    }

    fn walk<T: Sample, K: super::walk::Stencil<T> + 'static>(
        &self,
        stencil: K,
        extent: Extent,
        cost: Cost,
    ) -> Box<dyn Stage<T>> {
        Box::new(Walk::new(stencil, self.level, extent, cost))
    }
}
