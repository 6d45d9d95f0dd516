//! Measurement of a job's speed over a short run that writes nothing.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use serde::Serialize;

use super::studio::Occupation;
use crate::job::{DryRun, Encoding, Job, Request};
use crate::pipeline::{Monitor, Readings};
use crate::source::CancelToken;

/// Frames per second of a job.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SpeedAnswer {
    /// Number of timed frames.
    frames: u64,
    /// Filters alone; `None` for an empty chain.
    chain: Option<f64>,
    /// Decoding and filtering, which run in parallel.
    decoded: f64,
    /// Decoding, filtering and encoding; `None` if the output has no encoder.
    encoded: Option<f64>,
    /// The encoder by FFmpeg's name.
    encoder: Option<String>,
    /// Reason that encoding was not timed.
    fault: Option<String>,
}

/// Times jobs, one at a time.
pub(super) struct Stopwatch {
    alone: Mutex<()>,
    interrupt: Mutex<CancelToken>,
    occupation: Occupation,
}

/// Frames of a run, and the seconds that they took.
struct TimedRun {
    frames: u64,
    seconds: f64,
    /// Seconds of filtering.
    filtering: f64,
    is_idle: bool,
}

impl TimedRun {
    fn fps(&self) -> f64 {
        self.frames as f64 / self.seconds.max(1e-9)
    }
}

impl Stopwatch {
    /// Duration of the measurement from the first frame on.
    const SPAN: Duration = Duration::from_millis(1500);
    /// Timeout of the first frame.
    const PATIENCE: Duration = Duration::from_secs(20);
    /// Interval of readings.
    const TICK: Duration = Duration::from_millis(5);

    /// Ready to time.
    pub(super) fn new() -> Self {
        Self { alone: Mutex::default(), interrupt: Mutex::default(), occupation: Occupation::default() }
    }

    /// Above 0 during a measurement, so that background work can pause.
    pub(super) fn occupation(&self) -> Occupation {
        self.occupation.clone()
    }

    /// Interrupts the measurement.
    pub(super) fn end(&self) {
        self.interrupt.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }

    /// Runs a job on the beginning of the clip and writes nothing: first without the output's encoder, then with it. Blocks
    /// for some seconds.
    ///
    /// # Errors
    /// As [`Job::open`]; or during another measurement.
    pub(super) fn time(&self, request: &Request) -> Result<SpeedAnswer> {
        let _alone = match self.alone.try_lock() {
            Ok(alone) => alone,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => bail!("another measurement is running; try again in a few seconds"),
        };
        self.occupation.store(1, Ordering::Relaxed);
        let answer = self.both(request);
        self.occupation.store(0, Ordering::Relaxed);
        answer
    }

    fn both(&self, request: &Request) -> Result<SpeedAnswer> {
        let bare = Request { output: "null:".to_owned(), encoding: Encoding::default(), ..request.clone() };
        let decoded = self.timed(bare)?;
        let chain = (!decoded.is_idle && decoded.filtering > 0.0).then(|| decoded.frames as f64 / decoded.filtering);
        let (encoded, encoder, fault) = match self.encoded(request) {
            Ok(Some((timed, encoder))) => (Some(timed.fps()), Some(encoder), None),
            Ok(None) => (None, None, None),
            Err(error) => (None, None, Some(format!("{error:#}"))),
        };
        Ok(SpeedAnswer { frames: decoded.frames, chain, decoded: decoded.fps(), encoded, encoder, fault })
    }

    /// Times the run with the output's encoder, if it has one.
    fn encoded(&self, request: &Request) -> Result<Option<(TimedRun, String)>> {
        let Some(encoder) = DryRun::of(request.clone(), self.begun(), |_| Ok(None))?.encoder else {
            return Ok(None);
        };
        let codec = request.encoding.codec.clone().or_else(|| Some(encoder.clone()));
        let encoding = Encoding { codec, container: Some("nut".to_owned()), ..request.encoding.clone() };
        // Encoded packets are discarded.
        let timed = self.timed(Request { output: "/dev/null".to_owned(), encoding, ..request.clone() })?;
        Ok(Some((timed, encoder)))
    }

    /// An interrupt that [`Stopwatch::end`] sets.
    fn begun(&self) -> CancelToken {
        let interrupt = CancelToken::default();
        *self.interrupt.lock().unwrap_or_else(PoisonError::into_inner) = interrupt.clone();
        interrupt
    }

    fn timed(&self, request: Request) -> Result<TimedRun> {
        let (interrupt, monitor) = (self.begun(), Arc::new(Monitor::default()));
        let request = Request { trace: false, ..request };
        let job = Job::open(request, interrupt.clone())?;
        let is_idle = job.plan().steps().is_empty();
        let (watched, (sender, receiver)) = (monitor.clone(), channel());
        let began = Instant::now();
        let run = thread::Builder::new().name("stopwatch".into()).spawn(move || {
            let outcome = job.run(&watched);
            // The receiver is gone after the timeout.
            let _ = sender.send(());
            outcome
        })?;
        let mut first: Option<(Instant, Readings)> = None;
        let mut last = (began, Readings::default());
        while receiver.recv_timeout(Self::TICK) == Err(RecvTimeoutError::Timeout) {
            let (now, readings) = (Instant::now(), monitor.read());
            last = (now, readings);
            if first.is_none() && readings.encode.frames > 0 {
                first = Some(last);
            }
            let is_enough = match &first {
                Some((at, _)) => now.duration_since(*at) > Self::SPAN,
                None => now.duration_since(began) > Self::PATIENCE,
            };
            if is_enough {
                break;
            }
        }
        interrupt.cancel();
        let report = run.join().map_err(|_| anyhow!("the job failed without a message"))??;
        let (from, before) = first.unwrap_or((began, Readings::default()));
        let frames = last.1.encode.frames.saturating_sub(before.encode.frames);
        if frames < 2 {
            // The clip ended before the second reading.
            let filtering = report.stages.filter.busy_s;
            return Ok(TimedRun { frames: report.frames, seconds: report.seconds, filtering, is_idle });
        }
        let seconds = last.0.duration_since(from).as_secs_f64();
        let filtered = last.1.filter.frames.saturating_sub(before.filter.frames);
        let each = (last.1.filter.busy_s - before.filter.busy_s) / filtered.max(1) as f64;
        Ok(TimedRun { frames, seconds, filtering: each * frames as f64, is_idle })
    }
}
