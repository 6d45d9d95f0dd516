//! Frames in, frames out: a plan at work on a clip, with no thread and no channel.
//!
//! An [`Engine`] takes the frames of a clip one by one and gives those that are ready, in order, one for each. Each
//! pass has its window, with the borders of the clip and of its scenes; filters that act on some frames only, or on a part
//! of each, have a way round their passes; brightness is measured where a pass needs it. All of this exists once, here,
//! for every backend, and whatever drives an engine, a thread of the pipeline or a loop over arrays, gives the same
//! frames.
//!
//! Memory is bounded by the plan: each pass holds the images of its window, and one that looks at what they were made of
//! that too, from when it goes into the pass before; each way round some passes what went into
//! them and has not come out, and the backend as many downloads as it asks for. Before a pass that looks for cuts or
//! evens out brightness as many images as downloads wait for their answers, at least one, and with evening out half a
//! window more.

mod bypass;
mod clip;
mod cpu;
mod guard;
mod judge;
mod observer;
mod outlet;
pub mod pipeline;
mod scene;
mod steady;
mod window;

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Result, bail};

use warpreel_filter::{backend, filter, pass, plan};
use warpreel_frame::{self as frame, gauge, sink, source};

use crate::backend::{Backend, Inputs};
use crate::frame::{Format, Frame};
use crate::plan::Plan;

use bypass::Exit;
use clip::{Clip, ClipState, RunningPass, Traced};
use guard::Known;
use scene::Scene;

pub use judge::{Judge, Verdict};
pub use observer::Observer;
pub use outlet::Outlet;
pub use scene::Scores;
pub use steady::{brightness, brightness_factor};

/// A plan at work on one clip after another, by a backend.
pub struct Engine<B: Backend, O: Observer = ()> {
    clip: Clip<B>,
    /// What is on its way back, and which frames of the input it becomes; of the clip before too.
    pending: VecDeque<(u64, B::Pending)>,
    /// Behind all images, which are dropped before it.
    backend: B,
    observer: O,
    plan: Arc<Plan>,
    judge: Judge,
    /// The format of frames whose fields are gone, if the plan deinterlaces.
    progressive: Option<Arc<Format>>,
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
        Ok(Self { backend, observer, plan, judge, progressive, clip, pending: VecDeque::new() })
    }

    /// What it does.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Of the frames that go in; [`Plan::output`] has that of those that come out.
    pub fn format(&self) -> &Arc<Format> {
        &self.plan.format
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
        (self.judge, self.clip) = (Judge::new(&self.plan)?, Clip::new(&self.plan));
        Ok(())
    }

    /// A whole clip at once: begins another, pushes all frames, and finishes. As many frames come out as went in, but
    /// for those of a margin.
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
    /// that they came with; those of a margin ([`crate::frame::Timing::is_margin`]) are looked at and do not come out.
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
    /// the next clip's frames, while they go in. So a backend has no pause between two clips. Blocks only for sums of
    /// the last images, where a pass needs them, and in `out`.
    ///
    /// # Errors
    /// As [`Engine::finish`].
    pub fn turn(&mut self, out: &mut impl Outlet) -> Result<()> {
        self.end(out)?;
        self.renew()
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

    fn take(&mut self, frame: Frame, verdict: &Verdict, out: &mut impl Outlet) -> Result<()> {
        self.clip.see(&frame.timing, verdict);
        let (own, number) = (frame.timing.number, self.clip.newest());
        let image = self.observer.done("upload", own, self.backend.upload(frame))?;
        self.feed(0, number, image, Scene::GoesOn, out)
    }

    fn flush(&mut self, out: &mut impl Outlet) -> Result<()> {
        for pass in 0..self.clip.stages.len() {
            self.clip.stages[pass].guard.end();
            self.admit(pass, 0, out)?;
            self.clip.stages[pass].window.end();
            self.slide(pass, 1.0, out)?;
        }
        Ok(())
    }

    /// Gives the image that becomes frame `number` of the input to a pass, or behind the last pass to the download.
    fn feed(&mut self, pass: usize, number: u64, image: B::Image, scene: Scene, out: &mut impl Outlet) -> Result<()> {
        if let Some(recalled) = self.clip.stages.get_mut(pass + 1).and_then(|next| next.recalled.as_mut()) {
            recalled.push_back(image.clone());
        }
        let frame = self.clip.guarded(number);
        if let Some(stage) = self.clip.stages.get_mut(pass) {
            if let Some(index) = stage.around
                && self.clip.bypasses[index].steps().start == pass
            {
                self.clip.bypasses[index].enter(image.clone());
            }
            stage.guard.push(&mut self.backend, frame, image, scene, &self.observer)?;
            return self.admit(pass, self.backend.in_flight(), out);
        }
        if self.clip.leave() {
            return Ok(());
        }
        let pending = self.observer.done("download", number, self.backend.download(image))?;
        self.pending.push_back((number, pending));
        while self.pending.len() > self.backend.in_flight() {
            self.deliver(out)?;
        }
        Ok(())
    }

    /// Lets images of which all is known into a pass; while `in_flight` wait or fewer, those that wait are left alone.
    fn admit(&mut self, pass: usize, in_flight: usize, out: &mut impl Outlet) -> Result<()> {
        loop {
            let guard = &mut self.clip.stages[pass].guard;
            let Some(known) = guard.next(&mut self.backend, in_flight, &self.observer)? else { return Ok(()) };
            let Known { image, scene, factor } = known;
            let stage = &mut self.clip.stages[pass];
            let origin = stage.recalled.as_mut().and_then(VecDeque::pop_front);
            stage.window.push(Traced { image, origin }, scene);
            self.slide(pass, factor, out)?;
        }
    }

    /// Lets the images in that wait for answers before the first such pass; false if there are none.
    fn hurry(&mut self, out: &mut impl Outlet) -> Result<bool> {
        let waiting = self.clip.stages.iter().position(|stage| stage.guard.is_waiting());
        let Some(pass) = waiting else { return Ok(false) };
        self.admit(pass, 0, out)?;
        Ok(true)
    }

    /// Runs a pass for every centre whose window is complete. Where the factor matters, there is one for each image.
    fn slide(&mut self, pass: usize, factor: f32, out: &mut impl Outlet) -> Result<()> {
        loop {
            let RunningPass { window, recalled, around, .. } = &self.clip.stages[pass];
            let Some(places) = window.places() else { return Ok(()) };
            let (centre, scene, around) = (window.centre(), window.scene(), *around);
            let number = self.clip.number(centre);
            let scan = self.clip.scan(pass);
            let skipped = around.is_some_and(|index| self.clip.bypasses[index].skips(pass, centre))
                || self.clip.is_unseen(pass, number)
                || self.plan.steps[pass].pass.keeps(&scan);
            let image = match places[places.len() / 2] {
                // Nobody will look at it, or nothing is done to it; what it was made of keeps its place.
                Some(centre) if skipped => centre.image.clone(),
                _ => {
                    let images: Vec<_> = places.iter().map(|place| place.map(|traced| &traced.image)).collect();
                    let origins = places.iter().filter(|_| recalled.is_some());
                    let second: Vec<_> = origins.map(|place| place.and_then(|traced| traced.origin.as_ref())).collect();
                    let inputs = Inputs { factor, scan, second: &second, ..Inputs::new(&images) };
                    let name = &self.plan.steps[pass].pass.name;
                    self.observer.done(name, number, self.backend.run(pass, &inputs))?
                }
            };
            let stage = &mut self.clip.stages[pass];
            stage.window.slide();
            match around.filter(|&index| self.clip.bypasses[index].steps().end == pass + 1) {
                Some(index) => self.leave(index, number, image, scene, out)?,
                None => self.feed(pass + 1, number, image, scene, out)?,
            }
        }
    }

    /// What came out of the last step of a bypass goes on, or what went in, or what both become.
    fn leave(
        &mut self,
        index: usize,
        number: u64,
        result: B::Image,
        scene: Scene,
        out: &mut impl Outlet,
    ) -> Result<()> {
        let image = match self.clip.bypasses[index].leave() {
            Exit::Original(original) => original,
            Exit::Result => result,
            Exit::Blend(pass, _) if self.clip.is_unseen(pass, number) => result,
            Exit::Blend(pass, original) => {
                let (window, second) = ([Some(&result)], [Some(&original)]);
                let inputs = Inputs { second: &second, ..Inputs::new(&window) };
                let name = &self.plan.steps[pass].pass.name;
                self.observer.done(name, number, self.backend.run(pass, &inputs))?
            }
        };
        self.feed(self.clip.bypasses[index].next(), number, image, scene, out)
    }

    /// Waits for the frame that has been under way longest and puts it out; false if there is none.
    fn deliver(&mut self, out: &mut impl Outlet) -> Result<bool> {
        let Some((number, pending)) = self.pending.pop_front() else { return Ok(false) };
        let mut frame = self.observer.done("wait", number, self.backend.wait(pending))?;
        if let Some(format) = &self.progressive {
            frame = frame.tagged(format)?;
            frame.timing.fields = None;
        }
        out.put(frame)?;
        Ok(true)
    }
}
