//! The planes of all passes, each with what is done to it, ready to run.

use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::operation::{Converting, Setting, Staged};
use super::pointwise::{Finished, Map};
use super::run::Workers;
use super::simd::{Level, Sample};
use super::walk::PlaneStage;
use crate::backend::Inputs;
use crate::frame::{self, BlockField, Format, Frame, FrameMut, Vector};
use crate::pass::{self, Op, Pass, PlaneOp};

/// One plane of a pass, ready to run. Samples `T` go in and samples `U` come out.
pub struct PreparedPlane<T, U = T> {
    /// A row of neutral samples.
    pub neutral: Vec<T>,
    /// What is done; `None` copies.
    pub stage: Option<Box<dyn PlaneStage<T, U>>>,
    /// The plane that is looked at beside it.
    pub guide: Option<usize>,
    /// The first of the planes that are made together with it, which may be itself; else it has no stage of its own.
    pub lead: Option<usize>,
}

impl<T: Sample, U: Sample> PreparedPlane<T, U> {
    /// How many rows are made ahead of the bands, and how many bytes each has; 0 and 0 where none are.
    pub fn ahead(&self) -> (usize, usize) {
        self.stage.as_ref().and_then(|stage| stage.ahead()).unwrap_or_default()
    }
}

/// What is done to a plane; `None` copies.
type Stage<T, U> = Option<Box<dyn PlaneStage<T, U>>>;

/// Makes the frame that a pass writes to.
pub type Make<'a> = &'a mut dyn FnMut() -> Result<FrameMut>;

/// Samples that every operation can be run on.
pub trait Operand: Sample + Map {
    /// An operation with its tables; `None` for a copy.
    ///
    /// # Errors
    /// If it is for other samples.
    fn stage(op: &Op, setting: &Setting) -> Result<Option<Box<dyn PlaneStage<Self>>>>;
}

/// For [`pass::operations`]: each is asked itself.
macro_rules! stages {
    ($($stem:ident $Op:ident $about:literal)*) => {
        stages! { for u8: $($Op)* }
        stages! { for u16: $($Op)* }
        stages! { for f32: $($Op)* }
    };
    (for $T:ident: $($Op:ident)*) => {
        impl Operand for $T {
            fn stage(op: &Op, setting: &Setting) -> Result<Option<Box<dyn PlaneStage<Self>>>> {
                match op {
                    Op::Copy => Ok(None),
                    $(Op::$Op(op) => Staged::<$T>::stage(op, setting).map(Some),)*
                }
            }
        }
    };
}
pass::operations!(stages);

/// A pass, ready to run, whatever its samples are.
pub trait PreparedPass: Send + Sync {
    /// As [`Workers::frame`].
    ///
    /// # Errors
    /// Likewise.
    fn frame(&self, workers: &mut Workers, inputs: &Inputs<'_, Frame>, centre: &Frame, make: Make<'_>) -> Result<Frame>;
    /// As [`Workers::motion`].
    fn motion(&self, workers: &Workers, blocks: &[BlockField], references: usize, to: &mut [Vector]);
}

impl<T: Sample, U: Sample> PreparedPass for Vec<PreparedPlane<T, U>> {
    fn frame(&self, workers: &mut Workers, inputs: &Inputs<'_, Frame>, centre: &Frame, make: Make<'_>) -> Result<Frame> {
        workers.frame(self, inputs, centre, make)
    }

    fn motion(&self, workers: &Workers, blocks: &[BlockField], references: usize, to: &mut [Vector]) {
        workers.motion(self, blocks, references, to);
    }
}

/// All passes, each on frames of its own format: one more format than passes, the last that of the frames that come out.
///
/// # Errors
/// If a pass does not fit the format or contradicts itself.
pub fn prepare(
    passes: &[Pass],
    formats: &[Arc<Format>],
    threads: usize,
    level: Level,
) -> Result<Vec<Box<dyn PreparedPass>>> {
    let pass = |(pass, formats): (&Pass, &[Arc<Format>])| {
        pass.check(&formats[0])?;
        let machine = (threads, level);
        match formats[0].pixel.sample {
            frame::Sample::U8 => onto::<u8>(pass, formats, machine),
            frame::Sample::U16 => onto::<u16>(pass, formats, machine),
            frame::Sample::F32 => onto::<f32>(pass, formats, machine),
        }
    };
    passes.iter().zip(formats.windows(2)).map(pass).collect()
}

/// A pass on samples `T`, by the type of those that come out.
fn onto<T: Operand>(pass: &Pass, formats: &[Arc<Format>], machine: (usize, Level)) -> Result<Box<dyn PreparedPass>> {
    let (format, to) = (&formats[0], formats[1].pixel.sample);
    if to == format.pixel.sample {
        let finished = |PlaneOp { op, after }: &PlaneOp, setting: &Setting| {
            T::stage(op, setting).and_then(|stage| finished(stage, after.as_ref(), setting.level))
        };
        return Ok(Box::new(planes(pass, format, machine, finished)?));
    }
    Ok(match to {
        frame::Sample::U8 => Box::new(planes(pass, format, machine, converted::<T, u8>)?),
        frame::Sample::U16 => Box::new(planes(pass, format, machine, converted::<T, u16>)?),
        frame::Sample::F32 => Box::new(planes(pass, format, machine, converted::<T, f32>)?),
    })
}

/// The stage of an operation that makes other samples.
fn converted<T: Sample, U: Sample>(plane: &PlaneOp, setting: &Setting) -> Result<Stage<T, U>> {
    match &plane.op {
        Op::Requantize(op) => Ok(Some(Converting::<T, U>::converting(op, setting))),
        op => bail!("{} does not convert samples", op.facts().kind()),
    }
}

/// The planes of a pass, with the stage that each gets.
fn planes<T: Sample, U: Sample>(
    pass: &Pass,
    format: &Format,
    (threads, level): (usize, Level),
    staged: impl Fn(&PlaneOp, &Setting) -> Result<Stage<T, U>>,
) -> Result<Vec<PreparedPlane<T, U>>> {
    let plane = |(index, plane): (usize, &PlaneOp)| {
        let op = &plane.op;
        let setting = Setting { format, plane: index, threads, level, reach: pass.reach() };
        let lead = op.facts().couples().then(|| pass.lead(format.pixel, index));
        let stage = match lead {
            Some(lead) if lead != index => Ok(None),
            _ => staged(plane, &setting),
        };
        let stage = stage.with_context(|| format!("{}, plane {index}", pass.name))?;
        let neutral = vec![T::of(format.pixel.neutral(index)); setting.width()];
        let guide = op.facts().guide().map(|guide| guide.plane);
        Ok(PreparedPlane { neutral, stage, guide, lead })
    };
    pass.planes.iter().enumerate().map(plane).collect()
}

/// With what becomes of its finished samples.
fn finished<T: Map>(
    stage: Option<Box<dyn PlaneStage<T>>>,
    after: Option<&pass::Pointwise>,
    level: Level,
) -> Result<Option<Box<dyn PlaneStage<T>>>> {
    let (stage, points) = match (stage, after) {
        (Some(stage), Some(points)) => (stage, points),
        (stage, _) => return Ok(stage),
    };
    let finished = Finished::new(stage, points, level).context("the finishing step is for another sample type")?;
    Ok(Some(Box::new(finished)))
}
