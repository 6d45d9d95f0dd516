//! Where the time goes: how long a thread worked, starved for input, or stood before a full channel.
//!
//! A thread's time is cut into pieces without gaps: each begins where the one before ended. So one look at the clock
//! is enough for a piece, and the parts of a thread's time add up to all of it.

mod trace;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

pub use trace::TraceRow;
pub use trace::{DECODERS, Doing, NO_FRAME, Span, Trace, chrome, track_name};

/// One stage's clock; used by its thread alone, and read by whoever reports.
#[derive(Debug)]
pub struct Gauge {
    started: Instant,
    row: Option<TraceRow>,
    /// Up to when the thread's time is told, after `started`.
    told_ns: AtomicU64,
    frames: AtomicU64,
    busy_ns: AtomicU64,
    starved_ns: AtomicU64,
    blocked_ns: AtomicU64,
}

/// A reading of a [`Gauge`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct GaugeReading {
    /// Frames that left the stage.
    pub frames: u64,
    /// Seconds spent working.
    pub busy_s: f64,
    /// Seconds spent waiting for the stage before.
    pub starved_s: f64,
    /// Seconds spent waiting for the stage after.
    pub blocked_s: f64,
}

impl Gauge {
    /// A clock that counts from then, and tells a row of a trace of each piece, if there is one.
    pub fn new(started: Instant, row: Option<TraceRow>) -> Self {
        let [told_ns, frames, busy_ns, starved_ns, blocked_ns] = Default::default();
        Self { started, row, told_ns, frames, busy_ns, starved_ns, blocked_ns }
    }

    fn now_ns(&self) -> u64 {
        self.started.elapsed().as_nanos() as u64
    }

    /// Starts the clock: the thread's time before is nobody's.
    pub fn begin(&self) {
        self.told_ns.store(self.now_ns(), Ordering::Relaxed);
    }

    /// The time since the last piece was `doing`, on frame number `frame`; a trace calls it `what`.
    pub fn tell(&self, doing: Doing, what: &str, frame: u64) {
        let total_ns = match doing {
            Doing::Work => &self.busy_ns,
            Doing::Starved => &self.starved_ns,
            Doing::Blocked => &self.blocked_ns,
        };
        let end_ns = self.now_ns();
        let begin_ns = self.told_ns.swap(end_ns, Ordering::Relaxed);
        total_ns.fetch_add(end_ns.saturating_sub(begin_ns), Ordering::Relaxed);
        if let Some(row) = &self.row {
            row.add(doing, what, frame, [begin_ns, end_ns]);
        }
    }

    /// Does a piece of `work` on frame number `frame`, which a trace calls `what`.
    pub fn busy<T>(&self, what: &str, frame: u64, work: impl FnOnce() -> T) -> T {
        self.busy_for(what, |_| frame, work)
    }

    /// The same where only the result tells which frame it was.
    pub fn busy_for<T>(&self, what: &str, frame: impl FnOnce(&T) -> u64, work: impl FnOnce() -> T) -> T {
        let result = work();
        self.tell(Doing::Work, what, frame(&result));
        result
    }

    /// Waits for the stage before.
    pub fn starved<T>(&self, wait: impl FnOnce() -> T) -> T {
        let result = wait();
        self.tell(Doing::Starved, "starved", self.frames.load(Ordering::Relaxed));
        result
    }

    /// Waits for the stage after.
    pub fn blocked<T>(&self, wait: impl FnOnce() -> T) -> T {
        let result = wait();
        self.tell(Doing::Blocked, "blocked", self.frames.load(Ordering::Relaxed));
        result
    }

    /// Counts a frame that leaves the stage.
    pub fn count(&self) {
        self.frames.fetch_add(1, Ordering::Relaxed);
    }

    /// What was counted so far. Does not block.
    pub fn read(&self) -> GaugeReading {
        let seconds = |total: &AtomicU64| Duration::from_nanos(total.load(Ordering::Relaxed)).as_secs_f64();
        GaugeReading {
            frames: self.frames.load(Ordering::Relaxed),
            busy_s: seconds(&self.busy_ns),
            starved_s: seconds(&self.starved_ns),
            blocked_s: seconds(&self.blocked_ns),
        }
    }
}
