//! Engines whose backend is chosen at run time.

use anyhow::{Context, Result, anyhow};

use super::any::AnyBackend;
use super::choice::Choice;
use super::cuda::{Cuda, Device, Prepared, Tracing};
use crate::engine::{AdjustableEngine, Engine, EngineBuilder};
use crate::frame::Pool;
use crate::pass::TimeBorder;
use crate::plan::Plan;

/// Lets [`EngineBuilder`] choose the backend.
///
/// ```
/// use std::sync::Arc;
/// use warpreel::prelude::*;
///
/// let format = Arc::new(Format::try_new(Pixel::gray(8), 4, 1, Rational::new(25, 1))?);
/// let mut engine = Engine::builder("box=1", &format).backend(Choice::Auto).in_flight(4).border("zero").build()?;
/// println!("filtering on {}", engine.backend().name());
/// let frame = Frame::from_samples(&format, Timing::at(0), vec![90u8; 4])?;
/// assert_eq!(engine.clip([frame])?[0].host()?.plane::<u8>(0).row(0), [20, 30, 30, 20]);
/// # anyhow::Ok(())
/// ```
pub trait ChooseBackend {
    /// The same settings, with the backend of a choice: [`Choice::Auto`] falls back to the CPU where no GPU works.
    fn backend(self, choice: Choice) -> AnyEngineBuilder;
}

impl ChooseBackend for EngineBuilder {
    fn backend(self, choice: Choice) -> AnyEngineBuilder {
        AnyEngineBuilder { builder: self, chosen: Chosen { choice, device: 0, in_flight: 0 } }
    }
}

/// Settings of an engine over the CPU or a GPU; begins with [`ChooseBackend::backend`].
#[derive(Clone, Debug)]
#[must_use = "call build to make the engine"]
pub struct AnyEngineBuilder {
    builder: EngineBuilder,
    chosen: Chosen,
}

/// The choice, and settings of GPUs.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    choice: Choice,
    device: usize,
    in_flight: usize,
}

impl AnyEngineBuilder {
    /// Number of the GPU, as `warpreel doctor` prints it; 0 by default.
    pub fn device(mut self, device: usize) -> Self {
        self.chosen.device = device;
        self
    }

    /// Number of frames in flight on a GPU; 0, the default, is [`Cuda::IN_FLIGHT`]. The CPU filters one frame after another.
    pub fn in_flight(mut self, in_flight: usize) -> Self {
        self.chosen.in_flight = in_flight;
        self
    }

    /// As [`EngineBuilder::threads`], of the CPU.
    pub fn threads(self, threads: usize) -> Self {
        Self { builder: self.builder.threads(threads), ..self }
    }

    /// As [`EngineBuilder::border`].
    pub fn border(self, border: impl ToString) -> Self {
        Self { builder: self.builder.border(border), ..self }
    }

    /// As [`EngineBuilder::border_t`].
    pub fn border_t(self, border_t: TimeBorder) -> Self {
        Self { builder: self.builder.border_t(border_t), ..self }
    }

    /// As [`EngineBuilder::planes`].
    pub fn planes(self, planes: impl ToString) -> Self {
        Self { builder: self.builder.planes(planes), ..self }
    }

    /// As [`EngineBuilder::pool`], on the CPU. An engine on a GPU has a pool of memory that the GPU reads and writes
    /// ([`AnyBackend::pool`]).
    pub fn pool(self, pool: &Pool) -> Self {
        Self { builder: self.builder.pool(pool), ..self }
    }

    /// Plan of the engine.
    ///
    /// # Errors
    /// As [`EngineBuilder::plan`].
    pub fn plan(&self) -> Result<Plan> {
        self.builder.plan()
    }

    /// Builds the engine. [`AnyBackend::name`] says which backend it has, and why. Blocks while passes are compiled for a GPU.
    ///
    /// # Errors
    /// As [`EngineBuilder::build`]; with [`Choice::Cuda`] if the GPU cannot be used.
    pub fn build(self) -> Result<Engine<AnyBackend>> {
        let mut make = self.stages();
        self.builder.build_on(|plan| make(plan))
    }

    /// Builds an engine whose chain may change while a clip is under way, as [`EngineBuilder::build_adjustable`]. Each chain
    /// has the backend of the choice, so that with [`Choice::Auto`] a chain that does nothing stays on the CPU.
    ///
    /// # Errors
    /// As [`EngineBuilder::build_adjustable`]; with [`Choice::Cuda`] if the GPU cannot be used.
    pub fn build_adjustable(self, history: usize) -> Result<AdjustableEngine<AnyBackend>> {
        let make = self.stages();
        self.builder.build_adjustable_on(history, make)
    }

    /// Makes stages of the choice.
    fn stages(&self) -> impl FnMut(&Plan) -> Result<AnyBackend> + Send + use<> {
        let (chosen, pool) = (self.chosen, self.builder.own_pool());
        let on_cpu = self.builder.clone().pool(&pool).cpu_stage();
        move |plan| {
            let cpu = |reason: Option<&str>| {
                let reason = reason.map(in_rust);
                Ok(AnyBackend::on_cpu(on_cpu(plan)?, pool.clone(), reason.as_deref()))
            };
            let idle = plan.steps().is_empty().then_some("nothing to filter");
            chosen.choice.make(idle, || chosen.cuda(plan), cpu)
        }
    }
}

impl Chosen {
    fn cuda(self, plan: &Plan) -> Result<AnyBackend> {
        let opened = Device::open(self.device).and_then(|device| {
            let prepared = device.prepare(&plan.passes(), plan.format())?;
            Ok((device, prepared))
        });
        let (device, prepared) =
            opened.map_err(|error| anyhow!(in_rust(&format!("{error:#}"))).context("Choice::Cuda"))?;
        let pool = Pool::new(device.allocator());
        let in_flight = if self.in_flight == 0 { Cuda::IN_FLIGHT } else { self.in_flight };
        let cuda = cuda_stage(plan, &device, prepared, pool.clone(), in_flight, Tracing::Off);
        Ok(AnyBackend::on_cuda(cuda.context("Choice::Cuda")?, pool))
    }
}

/// A stage on a GPU for the passes of a plan that were prepared for it, ready to measure frames where the plan does.
///
/// # Errors
/// As [`Cuda::new`] and [`Cuda::prepare_measuring`].
#[doc(hidden)]
pub fn cuda_stage(
    plan: &Plan,
    device: &Device,
    prepared: Prepared,
    pool: Pool,
    in_flight: usize,
    tracing: Tracing,
) -> Result<Cuda> {
    let mut cuda = Cuda::new(device, prepared, pool, in_flight, tracing)?;
    if plan.steps().iter().any(|step| step.guard.measures()) {
        cuda.prepare_measuring()?;
    }
    Ok(cuda)
}

/// Advice of the stages, which is for command lines, in the words of programs.
fn in_rust(text: &str) -> String {
    const WORDS: [(&str, &str); 3] = [
        ("type --backend cpu", "choose Choice::Cpu"),
        ("or --backend cpu", "or choose Choice::Cpu"),
        ("type --in-flight 1", "call in_flight(1)"),
    ];
    WORDS.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
