//! One plane of a pass with what is done to it, ready to run.

use anyhow::{Context, Result};

use super::operation::{Setting, Staged};
use super::pointwise::{Finished, Map};
use super::simd::{Level, Sample};
use super::walk::PlaneStage;
use crate::pass::{self, Op};

/// One plane of a pass, ready to run. Samples `T` go in and samples `U` come out.
pub struct PreparedPlane<T, U = T> {
    /// A row of neutral samples.
    pub neutral: Vec<T>,
    /// What is done; `None` copies.
    pub stage: Stage<T, U>,
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

/// The stage of a plane; `None` copies it.
pub type Stage<T, U = T> = Option<Box<dyn PlaneStage<T, U>>>;

/// Samples that every operation can be run on.
pub trait Operand: Sample + Map {
    /// An operation with its tables; `None` for a copy.
    ///
    /// # Errors
    /// If it is for other samples.
    fn stage(op: &Op, setting: &Setting) -> Result<Stage<Self>>;
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
            fn stage(op: &Op, setting: &Setting) -> Result<Stage<Self>> {
                match op {
                    Op::Copy => Ok(None),
                    $(Op::$Op(op) => Staged::<$T>::stage(op, setting).map(Some),)*
                }
            }
        }
    };
}
pass::operations!(stages);

/// The stage followed by the last step of the pass, if there is one.
///
/// # Errors
/// If that is for other samples.
pub fn finished<T: Map>(stage: Stage<T>, after: Option<&pass::Pointwise>, level: Level) -> Result<Stage<T>> {
    let (stage, points) = match (stage, after) {
        (Some(stage), Some(points)) => (stage, points),
        (stage, _) => return Ok(stage),
    };
    let finished = Finished::new(stage, points, level).context("the finishing step is for another sample type")?;
    Ok(Some(Box::new(finished)))
}
