//! Frames in, frames out: a plan at work on a clip, with no thread and no channel.
//!
//! An [`Engine`] takes the frames of a clip one by one and gives those that are ready, in order: one for each, or as many
//! as a step says that makes a frame of each field, drops frames or changes the frame rate. Passes between such steps see the same frames, a section, with numbers and times
//! of its own. Each pass has its window, with the borders of the clip and of its scenes; filters that act on some frames only, or on a part
//! of each, have a way round their passes; brightness is measured where a pass needs it. All of this exists once, here,
//! for every backend, and whatever drives an engine, a thread of the pipeline or a loop over arrays, gives the same
//! frames.
//!
//! Memory is bounded by the plan: each pass holds the images of its window, and one that looks at what they were made of
//! that too, from when it goes into the pass before; each way round some passes what went into
//! them and has not come out, and the backend as many downloads as it asks for. Before a pass that looks for cuts or
//! evens out brightness as many images as downloads wait for their answers, at least one, and with evening out half a
//! window more; behind the window of a pass that matches fields as many windows, and behind that of one that drops frames as many frames
//! and a cycle.

mod adjustable;
mod asked;
mod builder;
mod bypass;
mod clip;
mod companion;
mod cpu;
mod cycle;
mod decimating;
mod flow;
mod guard;
mod judge;
mod matching;
mod observer;
mod outlet;
mod path;
pub mod pipeline;
mod scene;
mod section;
mod session;
mod steady;
mod window;

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Result, bail};

use warpreel_filter::{backend, filter, pass, plan};
use warpreel_frame::{self as frame, gauge, sink, source};

use crate::backend::Backend;
use crate::frame::{Format, Frame, Timing};
use crate::plan::Plan;

use clip::{Clip, ClipState};

pub use adjustable::AdjustableEngine;
pub use builder::EngineBuilder;
pub use judge::{Judge, Verdict};
pub use matching::chosen;
pub use observer::Observer;
pub use outlet::Outlet;
pub use path::{CameraMotion, camera_correction};
pub use scene::Scores;
pub use session::{Session, SessionInput, SessionOutput, SessionProgress};
pub use steady::{brightness, brightness_factor};

/// A plan at work on one clip after another, by a backend.
pub struct Engine<B: Backend, O: Observer = ()> {
    clip: Clip<B>,
    /// What is on its way back, and which frames of the input it becomes; of the clip before too.
    pending: VecDeque<Leaving<B::Pending>>,
    /// Behind all images, which are dropped before it.
    backend: B,
    observer: O,
    plan: Arc<Plan>,
    judge: Judge,
    /// The format of frames whose fields are gone, if the plan deinterlaces.
    progressive: Option<Arc<Format>>,
    /// The format of frames that come out, if they are not as many as go in, or have other fields.
    retimed: Option<Arc<Format>>,
}

/// An image on its way back.
struct Leaving<P> {
    /// Its number among the frames that come out.
    number: u64,
    /// Where they are not as many as go in, or have other fields.
    timing: Option<Timing>,
    /// No other of the clip that was made of the same frame is before it.
    is_first: bool,
    pending: P,
}

impl<B: Backend> Engine<B> {
    /// An engine over a backend that was made for the plan's passes and format.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn new(backend: B, plan: impl Into<Arc<Plan>>) -> Result<Self> {
        Self::observed(backend, plan, ())
    }
}

impl<B: Backend, O: Observer> Engine<B, O> {
    /// An engine that tells of each piece of work.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn observed(backend: B, plan: impl Into<Arc<Plan>>, observer: O) -> Result<Self> {
        let plan = plan.into();
        let (judge, clip) = (Judge::new(&plan)?, Clip::new(&plan));
        let progressive = plan.deinterlacer().map(|_| plan.output());
        let retimed = plan.section_ends().next().map(|_| plan.output());
        Ok(Self { backend, observer, plan, judge, progressive, retimed, clip, pending: VecDeque::new() })
    }

    /// What it does.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Of the frames that go in; [`Plan::output`] has that of those that come out.
    pub fn format(&self) -> &Arc<Format> {
        self.plan.format()
    }

    /// Who is told.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// Who does it.
    pub fn backend(&self) -> &B {
        &self.backend
    }

    /// Begins another clip. What has not come out of the one before is dropped.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn begin(&mut self) -> Result<()> {
        self.pending.clear();
        self.renew()
    }

    fn renew(&mut self) -> Result<()> {
        let (judge, mut clip) = (Judge::new(&self.plan)?, Clip::new(&self.plan));
        // The next clip may go on where this one ended, and then so may the clips beside it.
        for (next, ended) in clip.stages.iter_mut().zip(&mut self.clip.stages) {
            next.companion = ended.companion.take();
        }
        (self.judge, self.clip) = (judge, clip);
        Ok(())
    }

    /// A whole clip at once: begins another, pushes all frames, and finishes. As many frames come out as went in, or
    /// as many as the plan says ([`Plan::length`]), but for those of a margin.
    ///
    /// # Errors
    /// As [`Engine::push`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use warpreel_engine::Engine;
    /// # use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
    /// # let format = Arc::new(Format::new(Pixel::gray(8), 4, 1, Rational::new(25, 1)));
    /// # let frame = |number| Frame::from_samples(&format, Timing::at(number), vec![number as u8; 4]).unwrap();
    /// let mut engine = Engine::cpu("taverage=radius=1,gaussian=2", &format)?;
    /// assert_eq!(engine.clip((0..5).map(frame))?.len(), 5);
    /// assert_eq!(engine.clip((0..2).map(frame))?.len(), 2);
    /// # anyhow::Ok(())
    /// ```
    pub fn clip(&mut self, frames: impl IntoIterator<Item = Frame>) -> Result<Vec<Frame>> {
        self.begin()?;
        let mut out = Vec::new();
        for frame in frames {
            self.push(frame, &mut out)?;
        }
        self.finish(&mut out)?;
        Ok(out)
    }

    /// Takes the clip's next frame, and puts every frame that is ready into `out`. Frames have the numbers and times
    /// that they came with, or where their number changes those of [`Plan::output`]; those of a margin
    /// ([`crate::frame::Timing::is_margin`]) are looked at and do not come out. What came with a frame ([`crate::frame::Attachment`])
    /// comes out with the first that is made of it, and not at all where none is.
    /// Blocks only where as many frames are under way as the backend wants, and in `out`.
    ///
    /// # Errors
    /// If the clip has ended or failed before, the frame is not of the format, lies where the backend cannot read it,
    /// or the backend or `out` fails. After an error only [`Engine::begin`] helps.
    pub fn push(&mut self, frame: Frame, out: &mut impl Outlet) -> Result<()> {
        let judged = self.judge.judge(&frame.timing);
        let verdict = self.outcome(judged)?;
        self.push_judged(frame, &verdict, out)
    }

    /// The same where somebody else has judged the frame, who sees frames that this engine does not: a [`Judge`] of the
    /// same plan.
    ///
    /// # Errors
    /// As [`Engine::push`].
    pub fn push_judged(&mut self, frame: Frame, verdict: &Verdict, out: &mut impl Outlet) -> Result<()> {
        match self.clip.state {
            ClipState::Open => {}
            ClipState::Ended => {
                bail!("frame {} comes after the end of the clip; start a new clip", frame.timing.number)
            }
            ClipState::Failed => bail!("frame {} comes after a failure; start a new clip", frame.timing.number),
        }
        let taken = self.take(frame, verdict, out);
        self.outcome(taken)
    }

    /// Says that the clip is complete, and puts all frames that are left into `out`. Blocks until the last is there.
    ///
    /// # Errors
    /// If the clip has ended or failed before, or the backend or `out` fails.
    pub fn finish(&mut self, out: &mut impl Outlet) -> Result<()> {
        self.end(out)?;
        while self.advance(out)? {}
        Ok(())
    }

    /// Says that the clip is complete, and begins another without waiting for what is left of it: that comes out before
    /// the next clip's frames, while they go in. So a backend has no pause between two clips. Returns how many frames of the
    /// clip come out in all. Blocks only for sums of the last images, where a pass needs them, and in `out`.
    ///
    /// # Errors
    /// As [`Engine::finish`].
    pub fn finish_and_restart(&mut self, out: &mut impl Outlet) -> Result<u64> {
        self.end(out)?;
        let frames = self.clip.own();
        self.renew()?;
        Ok(frames)
    }

    /// Says when the frame behind the clip's last is shown in the clip, if another engine gets that, so that a step that
    /// changes the frame rate shows the last until then. Counted as [`crate::frame::Timing::pts`] with its offset.
    pub fn go_on_at(&mut self, time: Option<i64>) {
        self.clip.until = time;
    }

    /// The clip is complete: everything is asked for that is left of it.
    fn end(&mut self, out: &mut impl Outlet) -> Result<()> {
        match self.clip.state {
            ClipState::Open => {}
            ClipState::Ended => bail!("the clip has already ended; start a new one"),
            ClipState::Failed => bail!("the clip failed; start a new one"),
        }
        self.clip.state = ClipState::Ended;
        let flushed = self.flush(out);
        self.outcome(flushed)
    }

    /// Puts the frame into `out` that has been under way longest, or lets those go on that wait for an answer; false if
    /// there is neither, so that nothing more comes without another frame. Blocks until it is there. Whoever has no frame
    /// to push calls it, so that a live input is not held back.
    ///
    /// # Errors
    /// As [`Engine::push`].
    pub fn advance(&mut self, out: &mut impl Outlet) -> Result<bool> {
        if self.clip.state == ClipState::Failed {
            return Ok(false);
        }
        let advanced = match self.deliver(out) {
            Ok(false) => self.hurry(out),
            other => other,
        };
        self.outcome(advanced)
    }

    /// What came of something; after a failure nothing else is done with the clip.
    fn outcome<T>(&mut self, outcome: Result<T>) -> Result<T> {
        if outcome.is_err() {
            self.clip.state = ClipState::Failed;
        }
        outcome
    }
}
