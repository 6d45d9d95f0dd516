//! Which implementation a plane's op runs with.

use anyhow::{Context, Result};

use super::blend::{Between, Blend};
use super::border::Columns;
use super::check::{self, Sums};
use super::dense::{Dense, Dot, Span};
use super::finish::Finish;
use super::gain::Gain;
use super::pointwise::{Finished, Map, Pointwise};
use super::rank::{self, Ranked};
use super::separable::{Separable, Slide};
use super::simd::{self, Level, Sample};
use super::walk::{Cost, Extent, Stage, Stencil, Walk};
use crate::frame::{self, Format};
use crate::pass::{self, Arithmetic, Combine, Kernel, Op, Pass, Taps};

/// Samples, and what only some of them can do.
pub trait Kind: Sample + Map + Ranked + Between {
    /// Integer kernels by dot products, where the samples and the weights allow it.
    fn dot(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Option<impl Stencil<Self> + 'static>;
}

impl Kind for u8 {
    fn dot(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Option<impl Stencil<Self> + 'static> {
        integer::<Self>(op, columns, reach, finish)
    }
}

impl Kind for u16 {
    fn dot(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Option<impl Stencil<Self> + 'static> {
        integer::<Self>(op, columns, reach, finish)
    }
}

impl Kind for f32 {
    fn dot(_: &pass::Dense, _: Columns, _: usize, _: Finish) -> Option<impl Stencil<Self> + 'static> {
        None::<Dense<f32>>
    }
}

fn integer<T: simd::Dot>(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Option<Dot<T>> {
    let fits = op.arithmetic == Arithmetic::Integer && Dot::<T>::fits(&op.kernels);
    fits.then(|| Dot::new(op, columns, reach, finish))
}

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
pub fn prepare<T: Kind>(passes: &[Pass], format: &Format, threads: usize, level: Level) -> Result<Vec<Vec<Plane<T>>>> {
    let pass = |pass: &Pass| {
        check::pass(pass, format)?;
        let plane = |(index, (op, after)): (usize, (&Op, &Option<pass::Pointwise>))| {
            let setting = Setting { format, plane: index, threads, level, reach: pass.reach() };
            let stage = setting.stage(op).and_then(|stage| setting.finished(stage, after.as_ref()));
            let stage = stage.with_context(|| format!("{}, plane {index}", pass.name))?;
            let (width, _) = format.plane_size(index);
            let neutral = vec![T::of(format.pixel.neutral(index)); width];
            Ok(Plane { neutral, stage })
        };
        pass.ops.iter().zip(&pass.after).enumerate().map(plane).collect()
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
    fn stage<T: Kind>(&self, op: &Op) -> Result<Option<Box<dyn Stage<T>>>> {
        match op {
            Op::Copy => Ok(None),
            Op::Separable(op) => self.separable(op).map(Some),
            Op::Dense(op) => self.dense(op).map(Some),
            Op::Pointwise(op) => self.pointwise(op).map(Some),
            Op::Rank(op) => Ok(Some(rank::stage(op, self.place()))),
            Op::Blend(op) => {
                let size = self.format.plane_size(self.plane);
                Ok(Some(Box::new(Blend::new(op, self.level, size, self.threads))))
            }
            Op::Gain(op) => Ok(Some(Box::new(self.gain(op)))),
        }
    }

    /// With what becomes of its finished samples.
    fn finished<T: Kind>(
        &self,
        stage: Option<Box<dyn Stage<T>>>,
        after: Option<&pass::Pointwise>,
    ) -> Result<Option<Box<dyn Stage<T>>>> {
        let (stage, points) = match (stage, after) {
            (Some(stage), Some(points)) => (stage, points),
            (stage, _) => return Ok(stage),
        };
        let finished = Finished::new(stage, points, self.level).context("what comes after it is for other samples")?;
        Ok(Some(Box::new(finished)))
    }

    fn pointwise<T: Kind>(&self, op: &pass::Pointwise) -> Result<Box<dyn Stage<T>>> {
        let (_, height) = self.format.plane_size(self.plane);
        let stage = Pointwise::new(op, self.level, height, self.threads).context("it is for other samples")?;
        Ok(Box::new(stage))
    }

    fn gain(&self, op: &pass::Gain) -> Gain {
        let (_, height) = self.format.plane_size(self.plane);
        Gain::new(op, self.format.pixel, self.level, height, self.threads)
    }

    fn place(&self) -> rank::Place {
        let (width, height) = self.format.plane_size(self.plane);
        let (pixel, threads, level, reach) = (self.format.pixel, self.threads, self.level, self.reach);
        rank::Place { pixel, width, height, threads, level, reach }
    }

    fn separable<T: Kind>(&self, op: &pass::Separable) -> Result<Box<dyn Stage<T>>> {
        let (width, _) = self.format.plane_size(self.plane);
        let finish = Finish::new(op.finish, self.format.pixel);
        let extent = self.extent(op.border, op.y.anchor, op.y.weights.len() - 1 - op.y.anchor);
        let sums = check::separable(op, self.format.pixel.highest())?;
        if let Some(slide) = Slide::new(op, width, extent, self.level, finish) {
            return Ok(Box::new(slide));
        }
        if let Some(stage) = self.product(op).and_then(|dense| self.dot(&dense)) {
            return Ok(stage);
        }
        // Integers whose sums f32 holds exactly are summed in f32: a multiply-add is one instruction there.
        Ok(match sums {
            Sums::Wide => {
                let stencil = Separable::<i32>::new(op, width, self.reach, finish);
                let cost = stencil.cost();
                self.walk(stencil, extent, cost)
            }
            Sums::Small | Sums::Real => {
                let stencil = Separable::<f32>::new(op, width, self.reach, finish);
                let cost = stencil.cost();
                self.walk(stencil, extent, cost)
            }
        })
    }

    /// The dense kernel that a small product of integers is, where dot products take it in fewer steps.
    fn product(&self, op: &pass::Separable) -> Option<pass::Dense> {
        let (x, y) = (&op.x, &op.y);
        let group = if self.format.pixel.sample == frame::Sample::U8 { 4 } else { 2 };
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

    fn dense<T: Kind>(&self, op: &pass::Dense) -> Result<Box<dyn Stage<T>>> {
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
        let sums = check::dense(op, self.format.pixel.highest())?;
        if let Some(stage) = self.dot(op) {
            return Ok(stage);
        }
        let (columns, extent) = self.around(op);
        let (reach, finish) = (self.reach, Finish::new(op.finish, self.format.pixel));
        Ok(match sums {
            Sums::Wide => self.walk(Dense::<i32>::new(op, columns, reach, finish), extent, Cost::Cheap),
            Sums::Small | Sums::Real => self.walk(Dense::<f32>::new(op, columns, reach, finish), extent, Cost::Cheap),
        })
    }

    /// By dot products, if the samples and the weights allow it.
    fn dot<T: Kind>(&self, op: &pass::Dense) -> Option<Box<dyn Stage<T>>> {
        let (columns, extent) = self.around(op);
        let stencil = T::dot(op, columns, self.reach, Finish::new(op.finish, self.format.pixel))?;
        Some(self.walk(stencil, extent, Cost::Cheap))
    }

    /// What the kernels reach.
    fn around(&self, op: &pass::Dense) -> (Columns, Extent) {
        let span = Span::of(&op.kernels);
        let (width, _) = self.format.plane_size(self.plane);
        let columns = Columns::new(op.border, width, span.before[2], span.after[2]);
        (columns, self.extent(op.border, span.before[1], span.after[1]))
    }

    fn extent(&self, border: pass::Border, top: usize, bottom: usize) -> Extent {
        let (_, height) = self.format.plane_size(self.plane);
        Extent { border, height, top, bottom, threads: self.threads }
    }

    fn walk<T: Kind, K: Stencil<T> + 'static>(&self, stencil: K, extent: Extent, cost: Cost) -> Box<dyn Stage<T>> {
        Box::new(Walk::new(stencil, self.level, extent, cost))
    }
}
