//! Sessions: a program pushes frames, and a thread filters them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow, bail, ensure};
use crossbeam_channel::{Receiver, Sender, TryRecvError, TrySendError, bounded, select};

use super::{Engine, Observer};
use crate::backend::Backend;
use crate::frame::Frame;

/// Progress of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SessionProgress {
    /// Frames that went into the chain.
    pub taken: u64,
    /// Frames that came out of the chain.
    pub given: u64,
}

type Given = Result<Frame>;

/// End of a session.
#[derive(Debug, Default)]
struct SessionState {
    is_cancelled: AtomicBool,
    /// Set when all frames came out.
    is_complete: AtomicBool,
    /// Cause of the failure.
    fault: Mutex<Option<String>>,
}

impl SessionState {
    /// Error of a call after the end.
    fn stopped(&self) -> anyhow::Error {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return anyhow!("the session was cancelled; start another");
        }
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        anyhow!("the session has ended: {}", fault.as_deref().unwrap_or("its thread is gone"))
    }
}

/// A clip that is pushed in and received filtered, like GStreamer's `appsrc` and `appsink`. Both sides are bounded; dropping
/// it cancels it.
///
/// ```
/// use std::sync::Arc;
/// use warpreel_engine::{Engine, Session};
/// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
///
/// let format = Arc::new(Format::try_new(Pixel::gray(8), 4, 1, Rational::new(25, 1))?);
/// let mut session = Session::start(Engine::cpu("tmix=3", &format)?, 4, |progress| {
///     println!("{} of {} frames", progress.given, progress.taken);
/// })?;
/// for number in 0..100 {
///     session.push(Frame::from_samples(&format, Timing::at(number), vec![number as u8; 4])?)?;
/// }
/// session.finish();
/// let mut means = Vec::new();
/// while let Some(frame) = session.recv()? {
///     means.push(frame.host()?.plane::<u8>(0).row(0)[0]);
/// }
/// assert_eq!((means.len(), means[0], means[50]), (100, 0, 50));
/// # anyhow::Ok(())
/// ```
#[derive(Debug)]
pub struct Session {
    input: SessionInput,
    output: SessionOutput,
}

/// Input side of a session, for a thread of its own.
#[derive(Debug)]
pub struct SessionInput {
    /// None once the clip is complete.
    frames: Option<Sender<Frame>>,
    state: Arc<SessionState>,
}

/// Output side of a session, for a thread of its own. Dropping it cancels the session.
#[derive(Debug)]
pub struct SessionOutput {
    frames: Receiver<Given>,
    /// Received while a frame was pushed.
    ready: VecDeque<Frame>,
    state: Arc<SessionState>,
    /// Dropped to wake the thread.
    alive: Option<Sender<()>>,
}

impl Session {
    /// Starts a clip on an engine, in a thread of its own. Each side queues up to `waiting` frames, at least one. That thread
    /// calls `progress` for each frame that comes out.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn start<B, O>(
        mut engine: Engine<B, O>,
        waiting: usize,
        mut progress: impl FnMut(SessionProgress) + Send + 'static,
    ) -> Result<Self>
    where
        B: Backend + Send + 'static,
        Engine<B, O>: Send,
        O: Observer + 'static,
    {
        let (frames, pushed) = bounded::<Frame>(waiting.max(1));
        let (given, received) = bounded::<Given>(waiting.max(1));
        let (alive, life) = bounded::<()>(0);
        let state = Arc::new(SessionState::default());
        let own = state.clone();
        let work = move || {
            let filtered = filter(&mut engine, &pushed, &given, &life, &mut progress);
            let Err(error) = filtered else { return own.is_complete.store(true, Ordering::Release) };
            *own.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("{error:#}"));
            select! {
                send(given, Err(error)) -> _ => {}
                recv(life) -> _ => {}
            }
        };
        thread::Builder::new().name("session".into()).spawn(work).context("start the thread of a session")?;
        let input = SessionInput { frames: Some(frames), state: state.clone() };
        let ready = VecDeque::new();
        Ok(Self { input, output: SessionOutput { frames: received, ready, state, alive: Some(alive) } })
    }

    /// Pushes the clip's next frame. Blocks while the queue is full; frames that come out meanwhile are kept for
    /// [`Session::recv`], so that a program with one thread does not deadlock.
    ///
    /// # Errors
    /// If the session failed, was cancelled, or was said to be complete.
    pub fn push(&mut self, frame: Frame) -> Result<()> {
        let Self { input, output } = self;
        let Some(frames) = &input.frames else { bail!("the clip is complete; start another session") };
        let mut frame = frame;
        loop {
            match frames.try_send(frame) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Disconnected(_)) => return Err(output.failure()),
                Err(TrySendError::Full(back)) => frame = back,
            }
            // Whichever comes first: place for the frame, which the next turn finds, or a frame that makes it.
            select! {
                recv(output.frames) -> given => match given {
                    Ok(Ok(given)) => output.ready.push_back(given),
                    Ok(Err(error)) => return Err(error),
                    Err(_) => return Err(input.state.stopped()),
                },
                send(frames, frame.clone()) -> sent => return sent.map_err(|_| output.failure()),
            }
        }
    }

    /// Pushes the clip's next frame, or returns it if the queue is full. Does not block.
    ///
    /// # Errors
    /// As [`Session::push`].
    pub fn try_push(&mut self, frame: Frame) -> Result<Option<Frame>> {
        self.input.try_push(frame)
    }

    /// Receives the next filtered frame; `None` once all of a complete clip are there. Blocks until one is ready.
    ///
    /// # Errors
    /// If the session failed or was cancelled.
    pub fn recv(&mut self) -> Result<Option<Frame>> {
        self.output.recv()
    }

    /// Receives a filtered frame if one is ready; [`Session::is_complete`] tells the end from a wait. Does not block.
    ///
    /// # Errors
    /// As [`Session::recv`].
    pub fn try_recv(&mut self) -> Result<Option<Frame>> {
        self.output.try_recv()
    }

    /// True once all frames of a complete clip were received: [`Session::try_recv`] has no more. Does not block.
    pub fn is_complete(&self) -> bool {
        self.output.is_complete()
    }

    /// Ends the clip; the remaining frames can be received.
    pub fn finish(&mut self) {
        self.input.finish();
    }

    /// Drops frames that were not received, and ends the thread after its current frame.
    pub fn cancel(&mut self) {
        self.input.finish();
        self.output.cancel();
    }

    /// Splits it for two threads. Without a receiver, pushing blocks.
    pub fn split(self) -> (SessionInput, SessionOutput) {
        (self.input, self.output)
    }
}

impl SessionInput {
    /// Pushes the clip's next frame. Blocks while the queue is full.
    ///
    /// # Errors
    /// As [`Session::push`].
    pub fn push(&mut self, frame: Frame) -> Result<()> {
        self.frames()?.send(frame).map_err(|_| self.state.stopped())
    }

    /// Pushes the clip's next frame, or returns it if the queue is full. Does not block.
    ///
    /// # Errors
    /// As [`Session::push`].
    pub fn try_push(&mut self, frame: Frame) -> Result<Option<Frame>> {
        match self.frames()?.try_send(frame) {
            Ok(()) => Ok(None),
            Err(TrySendError::Full(frame)) => Ok(Some(frame)),
            Err(TrySendError::Disconnected(_)) => Err(self.state.stopped()),
        }
    }

    /// Ends the clip.
    pub fn finish(&mut self) {
        self.frames = None;
    }

    fn frames(&self) -> Result<&Sender<Frame>> {
        self.frames.as_ref().context("the clip is complete; start another session")
    }
}

impl SessionOutput {
    /// Receives the next filtered frame; `None` once all of a complete clip are there. Blocks until one is ready.
    ///
    /// # Errors
    /// If the session failed or was cancelled.
    pub fn recv(&mut self) -> Result<Option<Frame>> {
        if let Some(frame) = self.ready.pop_front() {
            return Ok(Some(frame));
        }
        match self.frames.recv() {
            Ok(given) => self.given(given),
            Err(_) => self.end(),
        }
    }

    /// Receives a filtered frame if one is ready. Does not block.
    ///
    /// # Errors
    /// As [`SessionOutput::recv`].
    pub fn try_recv(&mut self) -> Result<Option<Frame>> {
        if let Some(frame) = self.ready.pop_front() {
            return Ok(Some(frame));
        }
        match self.frames.try_recv() {
            Ok(given) => self.given(given),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => self.end(),
        }
    }

    /// True once all frames of a complete clip were received: [`SessionOutput::try_recv`] has no more. Does not block.
    pub fn is_complete(&self) -> bool {
        // Set behind the last frame, so that none comes after a look at it.
        self.state.is_complete.load(Ordering::Acquire) && self.ready.is_empty() && self.frames.is_empty()
    }

    /// Drops frames that were not received, and ends the thread after its current frame.
    pub fn cancel(&mut self) {
        self.state.is_cancelled.store(true, Ordering::Relaxed);
        self.alive = None;
        self.ready.clear();
    }

    fn given(&mut self, given: Given) -> Result<Option<Frame>> {
        if self.state.is_cancelled.load(Ordering::Relaxed) {
            return Err(self.state.stopped());
        }
        given.map(Some)
    }

    /// End of the output: complete, or an error.
    fn end(&self) -> Result<Option<Frame>> {
        let [is_complete, is_cancelled] =
            [&self.state.is_complete, &self.state.is_cancelled].map(|is| is.load(Ordering::Relaxed));
        if is_complete && !is_cancelled { Ok(None) } else { Err(self.state.stopped()) }
    }

    /// Cause of the failure, itself the first time.
    fn failure(&mut self) -> anyhow::Error {
        while let Ok(given) = self.frames.recv() {
            match given {
                Ok(frame) => self.ready.push_back(frame),
                Err(error) => return error,
            }
        }
        self.state.stopped()
    }
}

/// Filters what comes in until it ends, or until nobody wants what comes out. Blocks.
fn filter<B: Backend, O: Observer>(
    engine: &mut Engine<B, O>,
    pushed: &Receiver<Frame>,
    given: &Sender<Given>,
    life: &Receiver<()>,
    progress: &mut impl FnMut(SessionProgress),
) -> Result<()> {
    let mut done = SessionProgress::default();
    engine.begin()?;
    loop {
        ensure!(!matches!(life.try_recv(), Err(TryRecvError::Disconnected)), "nobody receives its frames");
        // While nothing comes, frames under way are delivered.
        let next = match pushed.try_recv() {
            Ok(frame) => Some(frame),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                let mut out = outlet(given, life, progress, &mut done);
                if engine.advance(&mut out)? {
                    continue;
                }
                select! {
                    recv(pushed) -> frame => frame.ok(),
                    recv(life) -> _ => bail!("nobody receives its frames"),
                }
            }
        };
        done.taken += u64::from(next.is_some());
        let mut out = outlet(given, life, progress, &mut done);
        match next {
            Some(frame) => engine.push(frame, &mut out)?,
            None => return engine.finish(&mut out),
        }
    }
}

/// Outlet to the receiver of frames.
fn outlet<'a>(
    given: &'a Sender<Given>,
    life: &'a Receiver<()>,
    progress: &'a mut impl FnMut(SessionProgress),
    done: &'a mut SessionProgress,
) -> impl FnMut(Frame) -> Result<()> + 'a {
    move |frame| {
        done.given += 1;
        progress(*done);
        select! {
            send(given, Ok(frame)) -> sent => sent.map_err(|_| anyhow!("nobody receives its frames")),
            recv(life) -> _ => bail!("nobody receives its frames"),
        }
    }
}
