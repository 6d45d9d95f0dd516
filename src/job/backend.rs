//! Which backend filters, and why: the one place that chooses.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};

use super::field::FieldPlan;
use super::request::{Choice, Request};
use crate::backend::cuda::{Cuda, Device, Prepared, Properties, Tracing};
use crate::backend::{Cpu, Separated};
use crate::frame::{Format, Pool};
use crate::pipeline::{self, Doing, Monitor, RunOutcome, Span};
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{Interrupt, Source};

/// A GPU that is being opened while the input is, and while passes are compiled for it.
pub struct Opening {
    found: Receiver<Properties>,
    state: OpeningState,
}

/// How far the opening has come.
enum OpeningState {
    UnderWay(JoinHandle<Result<Device>>),
    Open(Device),
    Failed(String),
}

impl Opening {
    /// Starts to open the GPU if the request may use it. Does not block.
    pub fn start(request: &Request) -> Option<Self> {
        let ordinal = request.device;
        let (sender, found) = mpsc::channel();
        let open = move || {
            let properties = Properties::find(ordinal)?;
            // Nobody listens if the input could not be opened.
            let _ = sender.send(properties.clone());
            properties.open()
        };
        (request.backend != Choice::Cpu).then(|| Self { found, state: OpeningState::UnderWay(thread::spawn(open)) })
    }

    /// The GPU, for whoever makes frames on it. Blocks until it is open.
    ///
    /// # Errors
    /// If it cannot be used; the message says why, each time.
    pub fn device(&mut self) -> Result<Device> {
        let state = std::mem::replace(&mut self.state, OpeningState::Failed(Self::MUTE.to_owned()));
        let (state, outcome) = match state {
            OpeningState::Open(device) => (OpeningState::Open(device.clone()), Ok(device)),
            OpeningState::Failed(reason) => (OpeningState::Failed(reason.clone()), Err(anyhow!(reason))),
            OpeningState::UnderWay(thread) => match thread.join().unwrap_or_else(|_| Err(anyhow!(Self::MUTE))) {
                Ok(device) => (OpeningState::Open(device.clone()), Ok(device)),
                Err(error) => (OpeningState::Failed(format!("{error:#}")), Err(error)),
            },
        };
        self.state = state;
        outcome
    }

    /// The GPU, and passes that are compiled for it while it is being opened.
    fn finish(mut self, plan: &Plan, format: &Arc<Format>) -> Result<(Device, Prepared)> {
        let prepared = self.found.recv().map(|properties| properties.prepare(&plan.passes(), format));
        let device = self.device()?;
        Ok((device, prepared.context(Self::MUTE)??))
    }

    const MUTE: &str = "opening the GPU failed without a message";
}

/// The stage that filters, ready to run, with the pool that suits it.
pub(super) struct ChosenBackend {
    stage: AnyBackend,
    /// Who filters, and why: `cpu, 8 threads (no CUDA driver: …)`.
    pub(super) name: String,
    /// The same, its reason in four words at the most.
    pub(super) brief: String,
    /// Where all frames' memory comes from.
    pub(super) pool: Pool,
}

enum AnyBackend {
    Cpu(Box<Cpu>),
    CpuFields(Box<Separated<Cpu>>),
    Cuda(Box<Cuda>),
    CudaFields(Box<Separated<Cuda>>),
}

impl ChosenBackend {
    /// Chooses, and prepares all passes.
    ///
    /// # Errors
    /// If a GPU was asked for and cannot be used, or the passes cannot be prepared.
    pub(super) fn choose(request: &Request, planned: &FieldPlan, opening: Option<Opening>) -> Result<Self> {
        match request.backend {
            Choice::Cpu => Self::cpu(request, planned, None),
            // Frames that nothing is done to need not travel to the GPU and back.
            Choice::Auto if planned.plan.steps.is_empty() => Self::cpu(request, planned, Some("nothing to filter")),
            Choice::Cuda => Self::cuda(request, planned, opening),
            Choice::Auto => Self::cuda(request, planned, opening)
                .or_else(|error| Self::cpu(request, planned, Some(&format!("{error:#}")))),
        }
    }

    fn cpu(request: &Request, planned: &FieldPlan, reason: Option<&str>) -> Result<Self> {
        let (pool, plan) = (Pool::heap(), &planned.plan);
        let make = || Cpu::new(plan.passes(), planned.format.clone(), pool.clone(), request.threads);
        let cpu = make()?;
        let plural = if cpu.threads() == 1 { "" } else { "s" };
        let bare = format!("cpu, {} thread{plural}, {}", cpu.threads(), cpu.level());
        let with = |reason: Option<&str>| bare.clone() + &reason.map_or(String::new(), |reason| format!(" ({reason})"));
        let is_brief = |reason: &&str| reason.split_whitespace().count() <= 4;
        let brief = reason.map(|reason| Some(reason).filter(is_brief).unwrap_or("no GPU; see -v"));
        let stage = match planned.separates() {
            false => AnyBackend::Cpu(Box::new(cpu)),
            true => AnyBackend::CpuFields(Box::new(Separated::new([cpu, make()?], &plan.format, pool.clone())?)),
        };
        Ok(Self { stage, name: with(reason), brief: with(brief), pool })
    }

    fn cuda(request: &Request, planned: &FieldPlan, opening: Option<Opening>) -> Result<Self> {
        let (device, prepared) = opening.context("no GPU was asked for")?.finish(&planned.plan, &planned.format)?;
        Self::on(&device, prepared, request, planned)
    }

    /// One of the same kind, on the same GPU if this is on one, for another plan.
    ///
    /// # Errors
    /// If the passes cannot be prepared.
    pub(super) fn another(&self, request: &Request, planned: &FieldPlan) -> Result<Self> {
        let another = match self.device() {
            Some(device) => {
                let prepared = device.prepare(&planned.plan.passes(), &planned.format)?;
                Self::on(device, prepared, request, planned)?
            }
            None => Self::cpu(request, planned, None)?,
        };
        Ok(Self { name: self.name.clone(), brief: self.brief.clone(), ..another })
    }

    fn on(device: &Device, prepared: Prepared, request: &Request, planned: &FieldPlan) -> Result<Self> {
        let plan = &planned.plan;
        let pool = Pool::new(device.allocator());
        let tracing = if request.trace { Tracing::On } else { Tracing::Off };
        let in_flight = if request.in_flight == 0 { Cuda::IN_FLIGHT } else { request.in_flight };
        let make = |prepared| -> Result<Cuda> {
            let mut cuda = Cuda::new(device, prepared, pool.clone(), in_flight, tracing)?;
            if plan.steps.iter().any(|step| step.guard.measures()) {
                cuda.prepare_measuring()?;
            }
            Ok(cuda)
        };
        let stage = match planned.separates() {
            false => AnyBackend::Cuda(Box::new(make(prepared)?)),
            true => {
                let fields = [make(prepared)?, make(device.prepare(&plan.passes(), &planned.format)?)?];
                AnyBackend::CudaFields(Box::new(Separated::new(fields, &plan.format, pool.clone())?))
            }
        };
        let name = format!("cuda, {}", device.name);
        Ok(Self { stage, brief: name.clone(), name, pool })
    }

    /// The GPU that filters, if one does.
    pub(super) fn device(&self) -> Option<&Device> {
        match &self.stage {
            AnyBackend::Cpu(_) | AnyBackend::CpuFields(_) => None,
            AnyBackend::Cuda(cuda) => Some(cuda.device()),
            AnyBackend::CudaFields(separated) => Some(separated.fields()[0].device()),
        }
    }

    /// Runs the pipeline; returns how it ended, and the memory that was used on a GPU.
    pub(super) fn run(
        &mut self,
        source: &mut dyn Source,
        plan: &Plan,
        sink: Box<dyn Sink>,
        monitor: &Monitor,
        interrupt: &Interrupt,
    ) -> Result<(RunOutcome, Option<usize>)> {
        let Self { stage, pool, .. } = self;
        match stage {
            AnyBackend::Cpu(cpu) => {
                Ok((pipeline::run(source, cpu.as_mut(), plan, sink, pool, monitor, interrupt)?, None))
            }
            AnyBackend::CpuFields(cpu) => {
                Ok((pipeline::run(source, cpu.as_mut(), plan, sink, pool, monitor, interrupt)?, None))
            }
            AnyBackend::Cuda(cuda) => {
                let outcome = pipeline::run(source, cuda.as_mut(), plan, sink, pool, monitor, interrupt)?;
                note_spans(cuda, monitor)?;
                Ok((outcome, Some(cuda.allocated_bytes())))
            }
            AnyBackend::CudaFields(cuda) => {
                let outcome = pipeline::run(source, cuda.as_mut(), plan, sink, pool, monitor, interrupt)?;
                let fields = cuda.fields_mut();
                fields.iter_mut().try_for_each(|field| note_spans(field, monitor))?;
                Ok((outcome, Some(fields.iter().map(Cuda::allocated_bytes).sum())))
            }
        }
    }
}

/// Adds what the GPU did to the trace, if there is one.
fn note_spans(cuda: &mut Cuda, monitor: &Monitor) -> Result<()> {
    let (Some(trace), Some(zero)) = (&monitor.trace, cuda.trace_started()) else { return Ok(()) };
    let shift_us = zero.duration_since(trace.started()).as_secs_f64() * 1e6;
    for span in cuda.spans()? {
        trace.note(Span {
            track: span.stream,
            doing: Doing::Work,
            name: span.name,
            frame: span.frame,
            start_us: shift_us + span.start_ms * 1e3,
            length_us: (span.end_ms - span.start_ms) * 1e3,
        });
    }
    Ok(())
}
