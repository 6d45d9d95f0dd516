//! The whole job, run from the page.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::wording::with_controls;
use crate::job::{Job, Report, Request};
use crate::pipeline::{Monitor, Readings};
use crate::source::CancelToken;

/// How far the job is.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct ErrandAnswer {
    state: &'static str,
    /// Input and output of the job.
    input: String,
    output: String,
    frames: u64,
    of: Option<u64>,
    fps: f64,
    pace: &'static str,
    seconds: f64,
    message: String,
}

/// The job of the page, one at a time.
#[derive(Default)]
pub(super) struct Errands {
    current: Mutex<Option<RunningErrand>>,
    /// Held while a job is opened, so that none is beside it. That may take seconds, in which `current` is free.
    opening: Mutex<()>,
    /// Stops the job that was asked for last, also while it is being opened.
    interrupt: Mutex<CancelToken>,
}

struct RunningErrand {
    input: String,
    output: String,
    monitor: Arc<Monitor>,
    length: Option<u64>,
    started: Instant,
    outcome: Arc<Mutex<Option<ErrandAnswer>>>,
    thread: Option<JoinHandle<()>>,
}

impl Errands {
    /// Starts the job. Blocks until its output is begun.
    ///
    /// # Errors
    /// As [`Job::open`]; or if one is running or being opened.
    pub(super) fn start(&self, request: Request) -> Result<()> {
        const BUSY: &str = "a job is running; stop it, or wait until it ends";
        let _alone = match self.opening.try_lock() {
            Ok(alone) => alone,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => bail!(BUSY),
        };
        if self.answer().state == "running" {
            bail!(BUSY);
        }
        let (interrupt, monitor) = (CancelToken::default(), Arc::new(Monitor::default()));
        *self.interrupt.lock().unwrap_or_else(PoisonError::into_inner) = interrupt.clone();
        let (input, output) = (request.input.clone(), request.output.clone());
        let job = Job::open(request, interrupt.clone())?;
        let (length, outcome) = (job.length(), Arc::new(Mutex::new(None)));
        let (told, watched, started) = (outcome.clone(), monitor.clone(), Instant::now());
        let work = move || {
            let answer = ErrandAnswer::of(job.run(&watched));
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        };
        let thread = thread::Builder::new().name("errand".into()).spawn(work).context("start a thread")?;
        let errand = RunningErrand { input, output, monitor, length, started, outcome, thread: Some(thread) };
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(errand);
        Ok(())
    }

    /// How far it is.
    pub(super) fn answer(&self) -> ErrandAnswer {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.as_ref().map_or(ErrandAnswer { state: "idle", ..ErrandAnswer::default() }, RunningErrand::answer)
    }

    /// The file that the last job has written, if it is complete.
    pub(super) fn result(&self) -> Option<String> {
        let answer = self.answer();
        (answer.state == "done").then_some(answer.output)
    }

    /// Has it stopped. What it has written stays, under another name.
    pub(super) fn stop(&self) {
        self.interrupt.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }

    /// Stops it, and waits until its output is complete.
    pub(super) fn end(&self) {
        self.stop();
        let thread = self.current.lock().unwrap_or_else(PoisonError::into_inner).as_mut().and_then(|e| e.thread.take());
        if thread.is_some_and(|thread| thread.join().is_err()) {
            log::error!("the job of the page failed without a message");
        }
    }
}

impl RunningErrand {
    fn answer(&self) -> ErrandAnswer {
        let (input, output) = (self.input.clone(), self.output.clone());
        if let Some(answer) = &*self.outcome.lock().unwrap_or_else(PoisonError::into_inner) {
            return ErrandAnswer { input, output, ..answer.clone() };
        }
        let (readings, seconds) = (self.monitor.read(), self.started.elapsed().as_secs_f64());
        let frames = readings.encode.frames;
        let pace = readings.pace_since(&Readings::default());
        let fps = frames as f64 / seconds.max(1e-9);
        let message = String::new();
        ErrandAnswer { state: "running", input, output, frames, of: self.length, fps, pace, seconds, message }
    }
}

impl ErrandAnswer {
    fn of(outcome: Result<Report>) -> Self {
        match outcome {
            Ok(report) => Self {
                state: if report.interrupted.is_some() { "stopped" } else { "done" },
                frames: report.frames,
                of: Some(report.frames),
                fps: report.fps,
                pace: report.pace,
                seconds: report.seconds,
                message: report.summary(),
                ..Self::default()
            },
            Err(error) => Self { state: "failed", message: with_controls(&format!("{error:#}")), ..Self::default() },
        }
    }
}
