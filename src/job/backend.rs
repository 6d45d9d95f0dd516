//! Which backend filters, and why: the one place that chooses.

use std::fmt;
use std::sync::Arc;

use anyhow::Result;

use super::Request;
use crate::backend::{Backend, Cpu};
use crate::frame::{Allocator, Format, Heap, Pool};
use crate::pipeline::{self, Monitor};
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{Interrupt, Source};

/// What the user asked to filter with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The GPU where it works, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The GPU, or an error.
    Cuda,
}

/// What does filter.
pub enum Machine {
    /// The CPU stage, with the reason where it was not asked for.
    Cpu {
        /// 0 for all cores.
        threads: usize,
        /// Why not the GPU.
        reason: Option<String>,
    },
}

impl Machine {
    /// Chooses.
    ///
    /// # Errors
    /// If a GPU was asked for and cannot be used.
    pub(super) fn choose(request: &Request, plan: &Plan) -> Result<Self> {
        let threads = request.threads;
        match request.backend {
            Choice::Cpu => Ok(Self::Cpu { threads, reason: None }),
            Choice::Auto if plan.passes.is_empty() => {
                Ok(Self::Cpu { threads, reason: Some("nothing to filter".into()) })
            }
            Choice::Auto => Ok(Self::Cpu { threads, reason: Some("no GPU".into()) }),
            Choice::Cuda => anyhow::bail!("no GPU; type --backend cpu"),
        }
    }

    /// How frames' memory is made for it.
    pub(super) fn allocator(&self) -> Box<dyn Allocator> {
        match self {
            Self::Cpu { .. } => Box::new(Heap),
        }
    }

    /// Runs the pipeline with it.
    #[expect(clippy::too_many_arguments, reason = "the parts of a pipeline")]
    pub(super) fn run(
        &self,
        source: &mut dyn Source,
        plan: &Plan,
        format: &Arc<Format>,
        sink: Box<dyn Sink>,
        pool: &Pool,
        interrupt: &Interrupt,
        monitor: &Monitor,
    ) -> Result<()> {
        match self {
            Self::Cpu { threads, .. } => {
                let mut cpu = Cpu::new(plan.passes.clone(), format.clone(), pool.clone(), *threads)?;
                pipeline::run(source, &mut cpu, &plan.passes, sink, pool, interrupt, monitor)
            }
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu { reason: None, .. } => f.write_str("backend: cpu"),
            Self::Cpu { reason: Some(reason), .. } => write!(f, "backend: cpu ({reason})"),
        }
    }
}
