//! Engines whose chain may change while a clip is under way.

use std::collections::VecDeque;
use std::fmt::{self, Debug, Formatter};
use std::mem;
use std::sync::Arc;

use anyhow::Result;

use super::{Engine, EngineBuilder, Outlet};
use crate::backend::Backend;
use crate::frame::{Format, Frame};
use crate::plan::Plan;
use warpreel_cpu::Cpu;

/// Makes a stage for the passes of a plan.
type Make<B> = Box<dyn FnMut(&Plan) -> Result<B> + Send>;

/// An engine whose chain may change between two frames of a clip; made by [`EngineBuilder::build_adjustable`].
///
/// Frames that were pushed before the change come out as the chain before it makes them, frames behind it as the new one does,
/// each as if the whole clip were filtered by that chain: temporal filters see the frames on both sides of the change. The
/// order of frames stays.
///
/// Holds as many frames of the input as [`EngineBuilder::build_adjustable`] was told, and while a chain that was replaced
/// looks ahead the frames that the new one has ready meanwhile.
///
/// ```
/// use std::sync::Arc;
/// use warpreel_engine::Engine;
/// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
///
/// let format = Arc::new(Format::try_new(Pixel::gray(8), 4, 1, Rational::new(25, 1))?);
/// let frame = |number: u64| Frame::from_samples(&format, Timing::at(number), vec![10 * number as u8; 4]);
/// let mut engine = Engine::builder("tmix=3", &format).build_adjustable(4)?;
/// let mut ready = Vec::new();
/// (0..3).try_for_each(|number| engine.push(frame(number)?, &mut ready))?;
/// engine.update("invert")?;
/// (3..5).try_for_each(|number| engine.push(frame(number)?, &mut ready))?;
/// engine.finish(&mut ready)?;
/// let first = |frame: &Frame| anyhow::Ok(frame.host()?.plane::<u8>(0).row(0)[0]);
/// assert_eq!(ready.iter().map(first).collect::<Result<Vec<_>, _>>()?, [3, 10, 20, 225, 215]);
/// # anyhow::Ok(())
/// ```
pub struct AdjustableEngine<B: Backend> {
    builder: EngineBuilder,
    make: Make<B>,
    current: Engine<B>,
    /// Frames of the current chain that wait for those of replaced ones.
    held: VecDeque<Frame>,
    /// Chains that were replaced, the oldest first.
    replaced: VecDeque<Replaced<B>>,
    /// The latest frames of the clip.
    history: VecDeque<Frame>,
    keep: usize,
    /// Frames of the clip so far.
    pushed: u64,
    /// Those of the current chain.
    own: u64,
}

/// A chain that was replaced, and still looks at frames behind its last.
struct Replaced<B: Backend> {
    engine: Engine<B>,
    /// Number of frames it still looks at; `None` once all its frames are ready.
    ahead: Option<u64>,
    held: VecDeque<Frame>,
}

impl<B: Backend> Debug for AdjustableEngine<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { builder, keep, pushed, .. } = self;
        f.debug_struct("AdjustableEngine")
            .field("builder", builder)
            .field("keep", keep)
            .field("pushed", pushed)
            .finish_non_exhaustive()
    }
}

/// A frame that is looked at and does not come out.
fn margin(frame: &Frame) -> Frame {
    let mut frame = frame.clone();
    frame.timing.is_margin = true;
    (frame.timing.attachment, frame.timing.motion) = (None, None);
    frame
}

/// The plan of a chain, if it gives one frame for each.
fn plan(builder: &EngineBuilder) -> Result<Plan> {
    let plan = builder.plan()?;
    plan.check_one_for_one("in an engine whose chain may change")?;
    Ok(plan)
}

impl EngineBuilder {
    /// Builds an engine on the CPU whose chain may change while a clip is under way: it keeps the last `history` frames, for chains
    /// that look back.
    ///
    /// # Errors
    /// As [`EngineBuilder::build`]; or if the chain changes the number of frames.
    pub fn build_adjustable(self, history: usize) -> Result<AdjustableEngine<Cpu>> {
        let stage = self.cpu_stage();
        self.build_adjustable_on(history, stage)
    }

    /// The same on stages that `make` prepares, one for each chain.
    ///
    /// # Errors
    /// As [`EngineBuilder::build_adjustable`]; or those of `make`.
    pub fn build_adjustable_on<B: Backend>(
        self,
        history: usize,
        make: impl FnMut(&Plan) -> Result<B> + Send + 'static,
    ) -> Result<AdjustableEngine<B>> {
        AdjustableEngine::new(self, Box::new(make), history)
    }
}

impl<B: Backend> AdjustableEngine<B> {
    fn new(builder: EngineBuilder, mut make: Make<B>, keep: usize) -> Result<Self> {
        let plan = plan(&builder)?;
        let current = Engine::new(make(&plan)?, plan)?;
        let [held, history] = [VecDeque::new(), VecDeque::new()];
        Ok(Self { builder, make, current, held, replaced: VecDeque::new(), history, keep, pushed: 0, own: 0 })
    }

    /// Plan of the frames that are pushed next.
    pub fn plan(&self) -> &Plan {
        self.current.plan()
    }

    /// Format of the frames that go in.
    pub fn format(&self) -> &Arc<Format> {
        self.current.format()
    }

    /// Chain of the frames that are pushed next, as typed.
    pub fn chain(&self) -> &str {
        self.builder.chain()
    }

    /// Filters the frames that are pushed from now on by another chain; border, planes and threads stay. Their format behind it
    /// may be another ([`AdjustableEngine::plan`]). Returns how many frames of the past the chain looks at that are not kept any
    /// more: at 0 its frames are exactly those of the whole clip; elsewhere the first ones see the border in time there. `u64::MAX`
    /// for conditions that count frames or keep a state: they begin anew with the frames that are kept.
    ///
    /// Blocks while the stage is made, which may compile kernels, and until all frames of a chain are ready that does not look
    /// ahead.
    ///
    /// # Errors
    /// As [`EngineBuilder::build`]; or if the chain changes the number of frames. The chain before it goes on then.
    pub fn update(&mut self, chain: &str) -> Result<u64> {
        let builder = self.builder.clone().with_chain(chain);
        let plan = plan(&builder)?;
        let needed = plan.margin();
        let known = self.history.len() as u64;
        let missing = match needed.before {
            _ if known == self.pushed => 0,
            u64::MAX => u64::MAX,
            before => before.saturating_sub(known),
        };
        let mut engine = Engine::new((self.make)(&plan)?, plan)?;
        let count = needed.before.min(known) as usize;
        let kept = self.history.iter().skip(self.history.len() - count);
        // Frames of a margin do not come out.
        kept.map(margin).try_for_each(|frame| engine.push(frame, &mut self.held))?;
        let before = mem::replace(&mut self.current, engine);
        let ahead = before.plan().margin().after;
        self.builder = builder;
        if mem::take(&mut self.own) == 0 {
            return Ok(missing);
        }
        let held = mem::take(&mut self.held);
        let mut replaced = Replaced { engine: before, ahead: Some(ahead), held };
        if ahead == 0 {
            replaced.end()?;
        }
        self.replaced.push_back(replaced);
        Ok(missing)
    }

    /// Takes the clip's next frame, and puts every frame that is ready into `out`. Blocks as [`Engine::push`], and until all
    /// frames of a chain are ready that was replaced and has seen all that it looks at.
    ///
    /// # Errors
    /// As [`Engine::push`]. After an error only [`AdjustableEngine::begin`] helps.
    pub fn push(&mut self, frame: Frame, out: &mut impl Outlet) -> Result<()> {
        for replaced in &mut self.replaced {
            replaced.look(&frame)?;
        }
        self.release(out)?;
        if self.keep > 0 {
            while self.history.len() >= self.keep {
                self.history.pop_front();
            }
            self.history.push_back(frame.clone());
        }
        (self.pushed, self.own) = (self.pushed + 1, self.own + 1);
        match self.replaced.is_empty() {
            true => self.current.push(frame, out),
            false => self.current.push(frame, &mut self.held),
        }
    }

    /// Says that the clip is complete, and puts all frames that are left into `out`. Blocks until the last is there.
    ///
    /// # Errors
    /// As [`Engine::finish`].
    pub fn finish(&mut self, out: &mut impl Outlet) -> Result<()> {
        self.replaced.iter_mut().try_for_each(Replaced::end)?;
        self.release(out)?;
        self.current.finish(out)
    }

    /// Begins another clip with the chain that was typed last. What has not come out of the one before is dropped.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn begin(&mut self) -> Result<()> {
        (self.replaced, self.held, self.history, self.pushed, self.own) = Default::default();
        self.current.begin()
    }

    /// Puts out what is ready of replaced chains, and what waited for them.
    fn release(&mut self, out: &mut impl Outlet) -> Result<()> {
        while let Some(oldest) = self.replaced.front_mut() {
            oldest.held.drain(..).try_for_each(|frame| out.put(frame))?;
            if oldest.ahead.is_some() {
                return Ok(());
            }
            self.replaced.pop_front();
        }
        self.held.drain(..).try_for_each(|frame| out.put(frame))
    }
}

impl<B: Backend> Replaced<B> {
    /// Looks at a frame behind its own.
    fn look(&mut self, frame: &Frame) -> Result<()> {
        let Some(ahead) = self.ahead else { return Ok(()) };
        self.engine.push(margin(frame), &mut self.held)?;
        self.ahead = Some(ahead - 1);
        if ahead == 1 {
            self.end()?;
        }
        Ok(())
    }

    /// Makes all frames ready that are left.
    fn end(&mut self) -> Result<()> {
        match self.ahead.take() {
            Some(_) => self.engine.finish(&mut self.held),
            None => Ok(()),
        }
    }
}
