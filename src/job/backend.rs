//! Which backend filters, and why: the one place that chooses.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use super::field::FieldPlan;
use super::interrupted::Interrupted;
use super::opening::Opening;
use super::request::{Choice, Request, Tolerance};
use super::usage::Usage;
use crate::backend::any::{brief_reason, cpu_name, cuda_name};
use crate::backend::cuda::{Cuda, Delivery, Device, EncodingGpu, Prepared, Tracing};
use crate::backend::{Cpu, Separated, cuda_stage};
use crate::frame::{Allocator, Memory, Pool};
use crate::gauge::{Doing, Span};
use crate::pipeline::{FilterLane, Lanes, Monitor, Pipeline, RunOutcome, Sharing, WhenLost};
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

/// The stage that filters, ready to run, with the pool that suits it.
pub(super) struct ChosenBackend {
    stage: JobStage,
    /// Who filters, and why: `cpu, 8 threads (no CUDA driver: …)`.
    pub(super) name: String,
    /// The same, its reason in four words at the most.
    pub(super) brief: String,
    /// Where all frames' memory comes from.
    pub(super) pool: Pool,
    /// Where finished frames are wanted.
    delivery: Delivery,
}

enum JobStage {
    Cpu(Box<Cpu>),
    CpuFields(Box<Separated<Cpu>>),
    Cuda(Box<Cuda>),
    CudaFields(Box<Separated<Cuda>>),
    Gpus(Lanes<Cuda>),
    GpusFields(Lanes<Separated<Cuda>>),
}

impl ChosenBackend {
    /// Chooses, and prepares all passes.
    ///
    /// # Errors
    /// If a GPU was asked for and cannot be used, or the passes cannot be prepared.
    pub(super) fn choose(request: &Request, planned: &FieldPlan, opening: Option<Opening>) -> Result<Self> {
        check(request)?;
        let is_idle = planned.plan.steps().is_empty();
        let idle = match planned.plan.dropped() {
            [] => "nothing to filter".to_owned(),
            dropped => format!("{} changes nothing", dropped.join(",")),
        };
        if request.gpus.is_some() && is_idle && request.backend == Choice::Auto {
            opening.context(ASKED)?.device()?;
            return Self::cpu(request, planned, Some(&idle));
        }
        let choice = if request.gpus.is_some() { Choice::Cuda } else { request.backend };
        // Frames that nothing is done to need not travel to the GPU and back.
        let idle = is_idle.then_some(idle.as_str());
        choice.make(idle, || Self::cuda(request, planned, opening), |reason| Self::cpu(request, planned, reason))
    }

    fn cpu(request: &Request, planned: &FieldPlan, reason: Option<&str>) -> Result<Self> {
        let (pool, plan) = (Pool::heap(), &planned.plan);
        let make = || Cpu::new(planned.passes(), planned.format.clone(), pool.clone(), request.threads.filters());
        let cpu = make()?;
        let [name, brief] = [reason, reason.map(brief_reason)].map(|reason| cpu_name(&cpu, reason));
        let stage = match planned.separates() {
            false if request.threads.shares_cores() => JobStage::Cpu(Box::new(cpu.sharing_cores())),
            false => JobStage::Cpu(Box::new(cpu)),
            // Two take turns, and neither would know of the other's part of the time.
            true => JobStage::CpuFields(Box::new(Separated::new(
                [cpu, make()?],
                plan.format(),
                &plan.output(),
                pool.clone(),
            )?)),
        };
        Ok(Self { stage, name, brief, pool, delivery: Delivery::Host })
    }

    fn cuda(request: &Request, planned: &FieldPlan, opening: Option<Opening>) -> Result<Self> {
        let found = opening.context(ASKED)?.finish(&planned.passes(), &planned.format)?;
        Self::on(found, request, planned)
    }

    /// One of the same kind, on the same GPUs if this is on some, for another plan.
    ///
    /// # Errors
    /// If the passes cannot be prepared.
    pub(super) fn another(&self, request: &Request, planned: &FieldPlan) -> Result<Self> {
        self.successor().make(request, planned)
    }

    /// What makes others of the same kind.
    pub(super) fn successor(&self) -> Successor {
        let devices = self.devices().into_iter().cloned().collect();
        Successor { devices, delivery: self.delivery, name: self.name.clone(), brief: self.brief.clone() }
    }

    /// On one GPU or several, with the passes that were prepared for each.
    fn on(found: Vec<(Device, Prepared)>, request: &Request, planned: &FieldPlan) -> Result<Self> {
        let plan = &planned.plan;
        let is_shared = found.len() > 1;
        let pool = Pool::new(Box::new(FirstOf(found.iter().map(|(device, _)| device.allocator()).collect())));
        let tracing = if request.trace { Tracing::On } else { Tracing::Off };
        let in_flight = if request.in_flight == 0 { Cuda::IN_FLIGHT } else { request.in_flight };
        let make = |device: &Device, prepared| cuda_stage(plan, device, prepared, pool.clone(), in_flight, tracing);
        let fields = |device: &Device, prepared| -> Result<Separated<Cuda>> {
            let other = device.prepare(&planned.passes(), &planned.format)?;
            Separated::new([make(device, prepared)?, make(device, other)?], plan.format(), &plan.output(), pool.clone())
        };
        let name = cuda_name(found.iter().map(|(device, _)| device.name.as_str()));
        let sharing = Sharing::of(plan, when_lost(request));
        let stage = match (planned.separates(), is_shared) {
            (false, true) => JobStage::Gpus(Lanes { lanes: lanes(found, make)?, sharing }),
            (true, true) => JobStage::GpusFields(Lanes { lanes: lanes(found, fields)?, sharing }),
            (is_separated, false) => {
                let (device, prepared) = found.into_iter().next().context(ASKED)?;
                match is_separated {
                    false => JobStage::Cuda(Box::new(make(&device, prepared)?)),
                    true => JobStage::CudaFields(Box::new(fields(&device, prepared)?)),
                }
            }
        };
        let runs = if is_shared { format!(", in runs of {}", sharing.run_frames) } else { String::new() };
        Ok(Self { stage, brief: name.clone(), name: name + &runs, pool, delivery: Delivery::Host })
    }

    /// The GPU as a place for encoders, if one alone filters whole frames, so that finished ones can stay there.
    pub(super) fn encoding(&self) -> Option<Arc<EncodingGpu>> {
        let JobStage::Cuda(cuda) = &self.stage else { return None };
        Some(cuda.device().encoding())
    }

    /// The same with finished frames somewhere else; on a device only where [`ChosenBackend::encoding`] names one.
    pub(super) fn delivering(self, delivery: Delivery) -> Self {
        let stage = match self.stage {
            JobStage::Cuda(cuda) => JobStage::Cuda(Box::new(cuda.delivering(delivery))),
            other => other,
        };
        Self { stage, delivery, ..self }
    }

    /// The GPU that filters, if one does; the first of several.
    pub(super) fn device(&self) -> Option<&Device> {
        self.devices().first().copied()
    }

    /// All GPUs that filter.
    pub(super) fn devices(&self) -> Vec<&Device> {
        match &self.stage {
            JobStage::Cpu(_) | JobStage::CpuFields(_) => Vec::new(),
            JobStage::Cuda(cuda) => vec![cuda.device()],
            JobStage::CudaFields(separated) => vec![separated.fields()[0].device()],
            JobStage::Gpus(lanes) => lanes.lanes.iter().map(|lane| lane.backend.device()).collect(),
            JobStage::GpusFields(lanes) => lanes.lanes.iter().map(|lane| lane.backend.fields()[0].device()).collect(),
        }
    }

    /// How many frames may be under way beyond what one GPU has, where several share a clip.
    pub(super) fn room(&self, plan: &Plan) -> usize {
        match &self.stage {
            JobStage::Gpus(lanes) => lanes.room(plan),
            JobStage::GpusFields(lanes) => lanes.room(plan),
            _ => 0,
        }
    }

    /// Has frames of the next runs ended with [`Interrupted`] soon after a cancellation, and not completed. Kernels of a GPU
    /// run to their end.
    pub(super) fn stop_within_frames(&mut self, interrupt: &CancelToken) {
        const EVERY: Duration = Duration::from_millis(10);
        let stages = match &mut self.stage {
            JobStage::Cpu(cpu) => std::slice::from_mut(cpu.as_mut()),
            JobStage::CpuFields(separated) => separated.fields_mut().as_mut_slice(),
            _ => return,
        };
        for cpu in stages {
            let interrupt = interrupt.clone();
            cpu.watch(EVERY, move || if interrupt.is_cancelled() { bail!(Interrupted) } else { Ok(()) });
        }
    }

    /// Runs the pipeline; returns how it ended, and the memory that was used on a GPU.
    pub(super) fn run(
        &mut self,
        source: &mut dyn Source,
        plan: &Plan,
        sink: Box<dyn Sink>,
        monitor: &Monitor,
        interrupt: &CancelToken,
    ) -> Result<(RunOutcome, Option<usize>)> {
        let Self { stage, pool, .. } = self;
        let pipeline = Pipeline::new(plan, pool).monitor(monitor).cancel(interrupt);
        match stage {
            JobStage::Cpu(cpu) => Ok((pipeline.run(source, cpu.as_mut(), sink)?, None)),
            JobStage::CpuFields(cpu) => Ok((pipeline.run(source, cpu.as_mut(), sink)?, None)),
            JobStage::Cuda(cuda) => {
                let outcome = pipeline.run(source, cuda.as_mut(), sink)?;
                note_spans(cuda, None, monitor)?;
                Ok((outcome, Some(cuda.allocated_bytes())))
            }
            JobStage::CudaFields(cuda) => {
                let outcome = pipeline.run(source, cuda.as_mut(), sink)?;
                let fields = cuda.fields_mut();
                fields.iter_mut().try_for_each(|field| note_spans(field, None, monitor))?;
                Ok((outcome, Some(fields.iter().map(Cuda::allocated_bytes).sum())))
            }
            JobStage::Gpus(lanes) => {
                let outcome = pipeline.share(source, lanes, sink)?;
                let stages = lanes.lanes.iter_mut().map(|lane| (lane.gpu, &mut lane.backend));
                Ok((outcome, Some(told(stages, monitor, lanes.sharing)?)))
            }
            JobStage::GpusFields(lanes) => {
                let outcome = pipeline.share(source, lanes, sink)?;
                let fields = lanes.lanes.iter_mut().flat_map(|FilterLane { gpu, backend, .. }| {
                    let gpu = *gpu;
                    backend.fields_mut().iter_mut().map(move |field| (gpu, field))
                });
                Ok((outcome, Some(told(fields, monitor, lanes.sharing)?)))
            }
        }
    }
}

/// Makes backends of one kind for one plan after another. GPUs stay open.
#[derive(Clone)]
pub(super) struct Successor {
    /// None where the CPU filters.
    devices: Vec<Device>,
    delivery: Delivery,
    name: String,
    brief: String,
}

impl Successor {
    /// Whether a GPU filters.
    pub(super) fn is_on_gpu(&self) -> bool {
        !self.devices.is_empty()
    }

    /// A backend for a plan. On a GPU it blocks until all passes are compiled.
    ///
    /// # Errors
    /// If the passes cannot be prepared.
    pub(super) fn make(&self, request: &Request, planned: &FieldPlan) -> Result<ChosenBackend> {
        let prepare = |device: &Device| -> Result<_> {
            Ok((device.clone(), device.prepare(&planned.passes(), &planned.format)?))
        };
        let made = match &self.devices[..] {
            [] => ChosenBackend::cpu(request, planned, None)?,
            devices => ChosenBackend::on(devices.iter().map(prepare).collect::<Result<_>>()?, request, planned)?,
        };
        let made = made.delivering(self.delivery);
        Ok(ChosenBackend { name: self.name.clone(), brief: self.brief.clone(), ..made })
    }
}

/// What was typed wrongly where GPUs are named.
///
/// # Errors
/// That, with what to type.
fn check(request: &Request) -> Result<(), Usage> {
    if request.gpus.is_some() && request.backend == Choice::Cpu {
        return Err(Usage::of(anyhow!("--gpus cannot be used with --backend cpu; leave out one of them")));
    }
    if request.gpus.is_some() && request.device != 0 {
        return Err(Usage::of(anyhow!("--gpus and --device both name GPUs; leave out --device")));
    }
    Ok(())
}

const ASKED: &str = "no GPU was requested";

/// What becomes of the job where one of several GPUs fails.
pub(super) fn when_lost(request: &Request) -> WhenLost {
    if request.tolerance == Tolerance::Salvage { WhenLost::GoOn } else { WhenLost::Fail }
}

/// A lane for each GPU.
fn lanes<B>(
    found: Vec<(Device, Prepared)>,
    make: impl Fn(&Device, Prepared) -> Result<B>,
) -> Result<Vec<FilterLane<B>>> {
    let lane = |(device, prepared): (Device, Prepared)| {
        let (gpu, name) = (device.ordinal, format!("GPU {} ({})", device.ordinal, device.name));
        Ok(FilterLane { gpu, name, backend: make(&device, prepared)? })
    };
    found.into_iter().map(lane).collect()
}

/// Memory that every GPU reads and writes at full speed, made by the first that still can.
struct FirstOf(Vec<Box<dyn Allocator>>);

impl Allocator for FirstOf {
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>> {
        let mut made = self.0.iter().map(|allocator| allocator.allocate(bytes));
        let first = made.next().context(ASKED)?;
        first.or_else(|error| made.find_map(Result::ok).ok_or(error))
    }
}

/// Adds what several GPUs did to the trace, if there is one; the memory that was used on them. One that was lost tells
/// nothing.
fn told<'a>(stages: impl Iterator<Item = (usize, &'a mut Cuda)>, monitor: &Monitor, sharing: Sharing) -> Result<usize> {
    let mut bytes = 0;
    for (gpu, cuda) in stages {
        bytes += cuda.allocated_bytes();
        match note_spans(cuda, Some(gpu), monitor) {
            Err(error) if sharing.when_lost == WhenLost::GoOn => {
                log::debug!("GPU {gpu} does not report its state: {error:#}")
            }
            other => other?,
        }
    }
    Ok(bytes)
}

/// Adds what the GPU did to the trace, if there is one; `gpu` is its number where several filter.
fn note_spans(cuda: &mut Cuda, gpu: Option<usize>, monitor: &Monitor) -> Result<()> {
    let (Some(trace), Some(zero)) = (&monitor.trace, cuda.trace_started()) else { return Ok(()) };
    let shift_us = zero.duration_since(trace.started()).as_secs_f64() * 1e6;
    for span in cuda.spans()? {
        trace.note(Span {
            track: span.stream,
            part: gpu,
            doing: Doing::Work,
            name: span.name,
            frame: span.frame,
            start_us: shift_us + span.start_ms * 1e3,
            length_us: (span.end_ms - span.start_ms) * 1e3,
        });
    }
    Ok(())
}
