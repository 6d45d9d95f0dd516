//! The CPU, which answers where a GPU's passes are still being compiled.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use anyhow::{Context, Result, anyhow};

use super::backend::ChosenBackend;
use super::exposure::{Exposed, expose};
use super::field::FieldPlan;
use super::request::{Choice, Request};
use crate::frame::{Format, Frame, Pool};
use crate::source::{CancelToken, Source};

/// A run on the CPU, in a thread of its own.
pub(super) struct StandIn {
    outcome: Receiver<Result<(Exposed, String)>>,
    interrupt: CancelToken,
    is_over: bool,
}

impl StandIn {
    /// Starts to filter some frames.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(super) fn start(request: &Request, planned: &Arc<FieldPlan>, frames: VecDeque<Frame>) -> Result<Self> {
        let (sender, outcome) = channel();
        let interrupt = CancelToken::default();
        let request = Request { backend: Choice::Cpu, gpus: None, ..request.clone() };
        let (planned, own) = (planned.clone(), interrupt.clone());
        let work = move || {
            let filter = || {
                let mut backend = ChosenBackend::choose(&request, &planned, None)?;
                let mut strip = FrameStrip { format: planned.plan.format().clone(), frames };
                let exposed = expose(&mut backend, &mut strip, &planned.plan, &own)?;
                Ok((exposed, format!("{} (until the GPU is ready)", backend.brief)))
            };
            // Nobody listens if the GPU was quicker.
            let _ = sender.send(filter());
        };
        thread::Builder::new().name("stand-in".into()).spawn(work).context("start a thread")?;
        Ok(Self { outcome, interrupt, is_over: false })
    }

    /// The frames, what they cost, and who filtered, once, if it is done. Does not block.
    pub(super) fn take(&mut self) -> Option<Result<(Exposed, String)>> {
        let taken = match self.outcome.try_recv() {
            Ok(outcome) => outcome,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(anyhow!("the filter thread exited unexpectedly")),
        };
        Some(taken).filter(|_| !std::mem::replace(&mut self.is_over, true))
    }

    /// Nobody wants the frames any more: it stops.
    pub(super) fn dismiss(&self) {
        self.interrupt.cancel();
    }

    /// Whether its thread has nothing more to do.
    pub(super) fn is_over(&mut self) -> bool {
        self.is_over || self.take().is_some()
    }
}

/// Frames as a clip.
struct FrameStrip {
    format: Arc<Format>,
    frames: VecDeque<Frame>,
}

impl Source for FrameStrip {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, _: &Pool) -> Result<Option<Frame>> {
        Ok(self.frames.pop_front())
    }

    fn length(&self) -> Option<u64> {
        Some(self.frames.iter().filter(|frame| !frame.timing.is_margin).count() as u64)
    }
}
