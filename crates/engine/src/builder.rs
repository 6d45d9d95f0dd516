//! The builder of engines.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::Engine;
use crate::backend::Backend;
use crate::filter::{self, Defaults, Edge, Planes};
use crate::frame::{Format, Pool};
use crate::pass::TimeBorder;
use crate::plan::{self, Plan};
use warpreel_cpu::Cpu;

/// Settings of an engine; begins with [`Engine::builder`].
#[derive(Clone, Debug)]
#[must_use = "call build to make the engine"]
pub struct EngineBuilder {
    chain: String,
    format: Arc<Format>,
    border: Option<String>,
    planes: Option<String>,
    defaults: Defaults,
    threads: usize,
    pool: Option<Pool>,
}

impl Engine<Cpu> {
    /// Sets up an engine for a chain and frames of a format.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_engine::Engine;
    /// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
    ///
    /// let format = Arc::new(Format::try_new(Pixel::gray(8), 4, 1, Rational::new(25, 1))?);
    /// let mut engine = Engine::builder("box=1", &format).threads(2).border("zero").build()?;
    /// let frame = Frame::from_samples(&format, Timing::at(0), vec![90u8; 4])?;
    /// assert_eq!(engine.clip([frame])?[0].host()?.plane::<u8>(0).row(0), [20, 30, 30, 20]);
    /// # anyhow::Ok(())
    /// ```
    pub fn builder(chain: &str, format: &Arc<Format>) -> EngineBuilder {
        let [border, planes] = [None, None];
        let (chain, format, defaults) = (chain.to_owned(), format.clone(), Defaults::default());
        EngineBuilder { chain, format, border, planes, defaults, threads: 0, pool: None }
    }
}

impl EngineBuilder {
    /// Number of threads; 0, the default, is one for each core.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Default border of planes: a mode as on the command line, or a level from 0 to 1.
    pub fn border(self, border: impl ToString) -> Self {
        Self { border: Some(border.to_string()), ..self }
    }

    /// Default border in time, before the first frame and after the last.
    pub fn border_t(self, border_t: TimeBorder) -> Self {
        let defaults = Defaults { border_t: Some(border_t), ..self.defaults };
        Self { defaults, ..self }
    }

    /// Default planes to filter: letters or a word as on the command line.
    pub fn planes(self, planes: impl ToString) -> Self {
        Self { planes: Some(planes.to_string()), ..self }
    }

    /// Pool of the frames, which several engines may share.
    pub fn pool(self, pool: &Pool) -> Self {
        Self { pool: Some(pool.clone()), ..self }
    }

    /// Plan of the engine.
    ///
    /// # Errors
    /// If the chain is wrong, with the place, or does not fit the format.
    pub fn plan(&self) -> Result<Plan> {
        let mut defaults = self.defaults.clone();
        if let Some(border) = &self.border {
            let wrong = || format!("border {border:?}; it is {}", Edge::HELP);
            defaults.border = Some(Edge::parse(border).with_context(wrong)?);
        }
        if let Some(planes) = &self.planes {
            let wrong = || format!("planes {planes:?}; they are {}", Planes::HELP);
            defaults.planes = Some(Planes::parse(planes).with_context(wrong)?);
        }
        plan::plan(&filter::parse(&self.chain, &defaults)?, &self.format)
    }

    /// Builds an engine on the CPU. Kernel files and masks that the chain names are read here.
    ///
    /// # Errors
    /// As [`EngineBuilder::plan`]; or if threads cannot be started.
    pub fn build(self) -> Result<Engine<Cpu>> {
        let stage = self.cpu_stage();
        self.build_on(stage)
    }

    /// Makes stages on the CPU, with the threads and the pool that were set, for programs that choose between backends.
    pub fn cpu_stage(&self) -> impl Fn(&Plan) -> Result<Cpu> + Send + use<> {
        let (threads, pool) = (self.threads, self.own_pool());
        move |plan| Cpu::new(plan.passes(), plan.format().clone(), pool.clone(), threads)
    }

    /// Pool that was set, or one of the heap.
    pub fn own_pool(&self) -> Pool {
        self.pool.clone().unwrap_or_else(Pool::heap)
    }

    /// The chain as typed.
    pub(super) fn chain(&self) -> &str {
        &self.chain
    }

    /// The same settings for another chain.
    pub(super) fn with_chain(self, chain: &str) -> Self {
        Self { chain: chain.to_owned(), ..self }
    }

    /// Builds an engine on a stage that `make` prepares for the passes of the plan, such as a GPU's.
    ///
    /// # Errors
    /// As [`EngineBuilder::plan`]; or those of `make`.
    pub fn build_on<B: Backend>(self, make: impl FnOnce(&Plan) -> Result<B>) -> Result<Engine<B>> {
        let plan = self.plan()?;
        Engine::new(make(&plan)?, plan)
    }
}
