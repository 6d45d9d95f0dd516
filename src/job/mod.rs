//! What was typed, resolved: a [`Request`] in words becomes a [`Job`] with its input open, its chain planned, its
//! backend chosen and its output started. The one place that chooses a backend.

mod backend;
mod input;
mod interrupted;
mod kind;
mod nonempty;
mod output;
mod report;
mod time;
mod usage;

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};

use crate::backend::cuda::Device;
use crate::filter::{self, Defaults, Edge, Filter, Planes};
use crate::frame::Format;
use crate::libav::Heritage;
use crate::pipeline::{Monitor, Readings};
use crate::plan::{Plan, plan};
use crate::sink::Sink;
use crate::source::{Interrupt, Source};

pub use backend::Choice;
use backend::{Machine, Opening};
pub use interrupted::Interrupted;
pub use kind::{Destination, Kind};
pub use report::Report;
pub use usage::Usage;

/// How damage in the input is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tolerance {
    /// Damage is an error, and so is a stream that the output cannot hold.
    Strict,
    /// A damaged packet is a warning; an input that ends early is an error.
    #[default]
    Normal,
    /// What can be read is kept, also of an input that ends early.
    Salvage,
}

/// How the output is stored; what is not said follows from the output's name and the input.
pub use crate::sink::encoding::{Encoding, Fidelity};
/// Whether an output that exists may be replaced.
pub use crate::sink::target::Overwrite;

/// Which part of the input is read; all of it unless said. Times are seconds or `HH:MM:SS.fraction`.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// What lies before is left out.
    pub start: Option<String>,
    /// How much is kept.
    pub duration: Option<String>,
    /// How many frames are kept.
    pub frames: Option<u64>,
}

/// A job in words.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A path, a pattern of an image sequence, or `-`.
    pub input: String,
    /// The same, or `null:`, `hash:`, `hash:PATH`.
    pub output: String,
    /// Format, size and rate of raw input.
    pub raw: Option<String>,
    /// Which part of the input.
    pub cut: Cut,
    /// How damage is taken.
    pub tolerance: Tolerance,
    /// Chains of filters, in order.
    pub chain: Vec<String>,
    /// Border in space for filters that do not say.
    pub border: Option<String>,
    /// Planes for filters that do not say.
    pub planes: Option<String>,
    /// Whether an output that exists may be replaced.
    pub overwrite: Overwrite,
    /// How the output is stored; the job fills in `strict` and `threads`.
    pub encoding: Encoding,
    /// What filters.
    pub backend: Choice,
    /// Which GPU.
    pub device: usize,
    /// Threads of each stage; 0 for all cores.
    pub threads: usize,
    /// Frames under way on the GPU at a time, at least 1.
    pub in_flight: usize,
    /// Whether the GPU's times are wanted, for a monitor made by [`Monitor::traced`].
    pub trace: bool,
}

impl Request {
    /// How frames leave.
    pub fn kind(&self) -> Kind {
        Kind::of(&self.output, self.encoding.container.as_deref())
    }

    /// Where the bytes of the output go.
    pub fn destination(&self) -> Destination<'_> {
        Destination::of(&self.output)
    }

    /// The files that the chain reads: kernels and masks.
    pub fn chain_files(&self) -> Vec<String> {
        self.chain.iter().flat_map(|text| filter::files(text)).collect()
    }
}

/// Everything open and ready to run.
pub struct Job {
    request: Request,
    source: Box<dyn Source>,
    plan: Plan,
    machine: Machine,
    sink: Box<dyn Sink>,
}

/// Parses a request's chains with its defaults.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn parse_chain(chain: &[String], border: Option<&str>, planes: Option<&str>) -> Result<Vec<Filter>, Usage> {
    let border = border.map(|text| {
        let wrong = || Usage::of(anyhow!("--border {text:?} is no border; type {}", Edge::HELP));
        Edge::parse(text).ok_or_else(wrong)
    });
    let planes = planes.map(|text| {
        let wrong = || Usage::of(anyhow!("--planes {text:?} names no planes; type {}", Planes::HELP));
        Planes::parse(text).ok_or_else(wrong)
    });
    let defaults = Defaults { border: border.transpose()?, planes: planes.transpose()? };
    let mut filters = Vec::new();
    for text in chain {
        filters.extend(filter::parse(text, &defaults).map_err(Usage::of)?);
    }
    Ok(filters)
}

impl Job {
    /// Opens the input, plans the chain, chooses the backend, and starts the output, in this order; so nothing is
    /// written before all else is known to work. Blocks while a piped input has not begun.
    ///
    /// # Errors
    /// Whatever cannot be read, parsed, planned, found or written; [`Usage`] where no other input would help, and
    /// [`Interrupted`] if `interrupt` was set before the input was open.
    pub fn open(request: Request, interrupt: Interrupt) -> Result<Self> {
        let filters = parse_chain(&request.chain, request.border.as_deref(), request.planes.as_deref())?;
        output::check(&request)?;
        let opening = Opening::start(&request);
        let (source, heritage) = input::open(&request, &interrupt)?;
        let plan = plan(&filters, source.format())?;
        let machine = Machine::choose(&request, &plan, source.format(), opening)?;
        let sink = output::create(&request, source.as_ref(), heritage, &interrupt)?;
        Ok(Self { request, source, plan, machine, sink })
    }

    /// A job between a source and a sink that are there already; the request's input and output are only names.
    ///
    /// # Errors
    /// Whatever cannot be parsed, planned or found.
    pub fn between(request: Request, source: Box<dyn Source>, sink: Box<dyn Sink>) -> Result<Self> {
        let filters = parse_chain(&request.chain, request.border.as_deref(), request.planes.as_deref())?;
        let opening = Opening::start(&request);
        let plan = plan(&filters, source.format())?;
        let machine = Machine::choose(&request, &plan, source.format(), opening)?;
        Ok(Self { request, source, plan, machine, sink })
    }

    /// What will be done.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The GPU that filters, if one does.
    pub fn device(&self) -> Option<&Device> {
        self.machine.device()
    }

    /// What the clip is.
    pub fn format(&self) -> &Arc<Format> {
        self.source.format()
    }

    /// Whether the input's samples come as they are, not compressed.
    pub fn is_plain(&self) -> bool {
        self.source.is_plain()
    }

    /// How many frames there are, where that is known or can be estimated.
    pub fn length(&self) -> Option<u64> {
        self.source.length()
    }

    /// Who filters, and why: `cpu, 8 threads, avx2 (no CUDA driver: …)`.
    pub fn backend(&self) -> &str {
        &self.machine.name
    }

    /// Filters the whole clip. Blocks until the output is complete; `monitor` may be read meanwhile.
    ///
    /// # Errors
    /// The first cause, also that a file would hold no frame; the output then has not got its final name.
    pub fn run(self, monitor: &Monitor) -> Result<Report> {
        let started = Instant::now();
        let Self { request, mut source, plan, machine, sink } = self;
        let (backend, pool) = (machine.name.clone(), machine.pool.clone());
        let device_memory_bytes = machine.run(source.as_mut(), &plan, sink, monitor)?;
        let stages = monitor.read();
        let seconds = started.elapsed().as_secs_f64();
        let frames = stages.encode.frames;
        Ok(Report {
            version: Report::VERSION,
            input: request.input,
            output: request.output,
            format: source.format().to_string(),
            passes: plan.steps.iter().map(|step| step.pass.name.clone()).collect(),
            backend,
            frames,
            seconds,
            fps: if seconds > 0.0 { frames as f64 / seconds } else { 0.0 },
            pace: stages.pace_since(&Readings::default()),
            stages,
            defects: source.defects(),
            frame_memory_bytes: pool.allocated_bytes(),
            device_memory_bytes,
        })
    }
}

/// What a clip is, without filtering it.
///
/// # Errors
/// If it cannot be opened.
pub fn probe(request: &Request, interrupt: &Interrupt) -> Result<Arc<Format>> {
    Ok(input::open(request, interrupt)?.0.format().clone())
}

/// What a container's sink inherits from a container's source.
type Inheritance = Option<Arc<Heritage>>;
