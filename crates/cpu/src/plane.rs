//! The planes of all passes, each with what is done to it, ready to run.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::operation::{Setting, Staged};
use super::pointwise::{Finished, Map};
use super::simd::{Level, Sample};
use super::walk::PlaneStage;
use crate::frame::Format;
use crate::pass::{self, Op, Pass, PlaneOp};

/// One plane of a pass, ready to run.
pub struct PreparedPlane<T> {
    /// A row of neutral samples.
    pub neutral: Vec<T>,
    /// What is done; `None` copies.
    pub stage: Option<Box<dyn PlaneStage<T>>>,
    /// The plane that is looked at beside it.
    pub guide: Option<usize>,
    /// The first of the planes that are made together with it, which may be itself; else it has no stage of its own.
    pub lead: Option<usize>,
}

impl<T: Sample> PreparedPlane<T> {
    /// How many rows are made ahead of the bands, and how many bytes each has; 0 and 0 where none are.
    pub fn ahead(&self) -> (usize, usize) {
        self.stage.as_ref().and_then(|stage| stage.ahead()).unwrap_or_default()
    }
}

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

/// The planes of all passes, each on frames of its own format.
///
/// # Errors
/// If a pass does not fit the format or contradicts itself.
pub fn prepare<T: Operand>(
    passes: &[Pass],
    formats: &[Arc<Format>],
    threads: usize,
    level: Level,
) -> Result<Vec<Vec<PreparedPlane<T>>>> {
    let pass = |(pass, format): (&Pass, &Arc<Format>)| {
        pass.check(format)?;
        let plane = |(index, PlaneOp { op, after }): (usize, &PlaneOp)| {
            let setting = Setting { format, plane: index, threads, level, reach: pass.reach() };
            let lead = op.facts().couples().then(|| pass.lead(format.pixel, index));
            let stage = match lead {
                Some(lead) if lead != index => Ok(None),
                _ => T::stage(op, &setting).and_then(|stage| finished(stage, after.as_ref(), level)),
            };
            let stage = stage.with_context(|| format!("{}, plane {index}", pass.name))?;
            let neutral = vec![T::of(format.pixel.neutral(index)); setting.width()];
            let guide = op.facts().guide().map(|guide| guide.plane);
            Ok(PreparedPlane { neutral, stage, guide, lead })
        };
        pass.planes.iter().enumerate().map(plane).collect()
    };
    passes.iter().zip(formats).map(pass).collect()
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
