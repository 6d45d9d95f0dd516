//! A clip that a program pushes into, while a thread of its own filters it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow, bail, ensure};
use crossbeam_channel::{Receiver, Sender, TryRecvError, TrySendError, bounded, select};

use super::{Engine, Observer};
use crate::backend::Backend;
use crate::frame::Frame;

/// How far a session has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Progress {
    /// Frames that the thread has taken.
    pub taken: u64,
    /// Frames that came out of the chain.
    pub given: u64,
}

/// What comes out of a session.
type Given = Result<Frame>;

/// What a session was told to do about its end.
#[derive(Debug, Default)]
struct SessionState {
    is_cancelled: AtomicBool,
    /// All frames came out.
    is_complete: AtomicBool,
    /// Why the thread ended before the clip did.
    fault: Mutex<Option<String>>,
}

impl SessionState {
    /// What is said to whoever goes on.
    fn stopped(&self) -> anyhow::Error {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return anyhow!("the session was cancelled; start another");
        }
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        anyhow!("the session has ended: {}", fault.as_deref().unwrap_or("its thread is gone"))
    }
}

/// A clip into which frames are pushed and out of which filtered ones are received. Both sides are bounded; dropping it
/// cancels it.
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

/// The side of a session into which frames are pushed, for a thread of its own.
#[derive(Debug)]
pub struct SessionInput {
    /// None once the clip is complete.
    frames: Option<Sender<Frame>>,
    state: Arc<SessionState>,
}

/// The side of a session out of which frames are received, for a thread of its own. Dropping it cancels the session.
#[derive(Debug)]
pub struct SessionOutput {
    frames: Receiver<Given>,
    /// What came while a frame was pushed.
    ready: VecDeque<Frame>,
    state: Arc<SessionState>,
    /// Dropped to wake the thread.
    alive: Option<Sender<()>>,
}

impl Session {
    /// Begins a clip on an engine, in a thread of its own. `waiting` frames, at least one, may wait on either side of it;
    /// `progress` is told of each frame that came out, by that thread.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn start<B, O>(
        mut engine: Engine<B, O>,
        waiting: usize,
        mut progress: impl FnMut(Progress) + Send + 'static,
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
            let Err(error) = filtered else { return own.is_complete.store(true, Ordering::Relaxed) };
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

    /// Pushes the clip's next frame. Blocks while as many wait as may; what comes out meanwhile is kept for
    /// [`Session::recv`], so that a program of one thread does not wait for itself.
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

    /// Pushes the clip's next frame if there is place for it, and gives it back if there is none. Does not block.
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

    /// Receives a filtered frame if one is ready. Does not block.
    ///
    /// # Errors
    /// As [`Session::recv`].
    pub fn try_recv(&mut self) -> Result<Option<Frame>> {
        self.output.try_recv()
    }

    /// Says that the clip is complete: what is left of it can be received.
    pub fn finish(&mut self) {
        self.input.finish();
    }

    /// Drops what was not received, and ends the thread after the frame that it has in hand.
    pub fn cancel(&mut self) {
        self.input.finish();
        self.output.cancel();
    }

    /// Its two sides, for two threads. Where nobody receives, pushing blocks.
    pub fn split(self) -> (SessionInput, SessionOutput) {
        (self.input, self.output)
    }
}

impl SessionInput {
    /// Pushes the clip's next frame. Blocks while as many wait as may.
    ///
    /// # Errors
    /// As [`Session::push`].
    pub fn push(&mut self, frame: Frame) -> Result<()> {
        self.frames()?.send(frame).map_err(|_| self.state.stopped())
    }

    /// Pushes the clip's next frame if there is place for it, and gives it back if there is none. Does not block.
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

    /// Says that the clip is complete.
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

    /// Drops what was not received, and ends the thread after the frame that it has in hand.
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

    /// What is said when nothing more comes.
    fn end(&self) -> Result<Option<Frame>> {
        let [is_complete, is_cancelled] =
            [&self.state.is_complete, &self.state.is_cancelled].map(|is| is.load(Ordering::Relaxed));
        if is_complete && !is_cancelled { Ok(None) } else { Err(self.state.stopped()) }
    }

    /// Why the thread takes no more: the cause itself, the first time.
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
    progress: &mut impl FnMut(Progress),
) -> Result<()> {
    let mut done = Progress::default();
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

/// Where frames go on to whoever receives them.
fn outlet<'a>(
    given: &'a Sender<Given>,
    life: &'a Receiver<()>,
    progress: &'a mut impl FnMut(Progress),
    done: &'a mut Progress,
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
