//! Where the time goes: how long each stage worked, starved for input, or stood before a full channel.
//!
//! A thread's time is cut into pieces without gaps: each begins where the one before ended. So one look at the clock
//! is enough for a piece, and the parts of a thread's time add up to all of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::trace::{Doing, Trace};
use crate::engine::Observer;

/// One stage's clock; used by its thread alone, and read by whoever reports.
pub struct Gauge {
    name: &'static str,
    started: Instant,
    trace: Option<Arc<Trace>>,
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
    fn new(name: &'static str, started: Instant, trace: Option<Arc<Trace>>) -> Self {
        let [told_ns, frames, busy_ns, starved_ns, blocked_ns] = Default::default();
        Self { name, started, trace, told_ns, frames, busy_ns, starved_ns, blocked_ns }
    }

    fn now_ns(&self) -> u64 {
        self.started.elapsed().as_nanos() as u64
    }

    /// Starts the clock: the thread's time before is nobody's.
    pub(super) fn begin(&self) {
        self.told_ns.store(self.now_ns(), Ordering::Relaxed);
    }

    /// The time since the last piece was `doing`, on frame number `frame`; a trace calls it `what`.
    fn tell(&self, doing: Doing, what: &str, frame: u64) {
        let total_ns = match doing {
            Doing::Work => &self.busy_ns,
            Doing::Starved => &self.starved_ns,
            Doing::Blocked => &self.blocked_ns,
        };
        let end_ns = self.now_ns();
        let begin_ns = self.told_ns.swap(end_ns, Ordering::Relaxed);
        total_ns.fetch_add(end_ns.saturating_sub(begin_ns), Ordering::Relaxed);
        if let Some(trace) = &self.trace {
            trace.add(self.name, doing, what, frame, [begin_ns, end_ns]);
        }
    }

    /// Does a piece of `work` on frame number `frame`, which a trace calls `what`.
    pub(super) fn busy<T>(&self, what: &str, frame: u64, work: impl FnOnce() -> T) -> T {
        self.busy_for(what, |_| frame, work)
    }

    /// The same where only the result tells which frame it was.
    pub(super) fn busy_for<T>(&self, what: &str, frame: impl FnOnce(&T) -> u64, work: impl FnOnce() -> T) -> T {
        let result = work();
        self.tell(Doing::Work, what, frame(&result));
        result
    }

    /// Waits for the stage before.
    pub(super) fn starved<T>(&self, wait: impl FnOnce() -> T) -> T {
        let result = wait();
        self.tell(Doing::Starved, "starved", self.frames.load(Ordering::Relaxed));
        result
    }

    /// Waits for the stage after.
    pub(super) fn blocked<T>(&self, wait: impl FnOnce() -> T) -> T {
        let result = wait();
        self.tell(Doing::Blocked, "blocked", self.frames.load(Ordering::Relaxed));
        result
    }

    /// Counts a frame that leaves the stage.
    pub(super) fn count(&self) {
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

impl Observer for Gauge {
    fn done<T>(&self, what: &str, number: u64, result: T) -> T {
        self.tell(Doing::Work, what, number);
        result
    }
}

/// The gauges of the three stages, and a trace where one is wanted.
pub struct Monitor {
    /// Reading and decoding.
    pub decode: Gauge,
    /// Upload, passes, download.
    pub filter: Gauge,
    /// Encoding and writing.
    pub encode: Gauge,
    /// What was done when; `None` unless the monitor was made by [`Monitor::traced`].
    pub trace: Option<Arc<Trace>>,
}

impl Default for Monitor {
    fn default() -> Self {
        Self::new(Instant::now(), None)
    }
}

/// Readings of all three stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Readings {
    /// Reading and decoding.
    pub decode: GaugeReading,
    /// Upload, passes, download.
    pub filter: GaugeReading,
    /// Encoding and writing.
    pub encode: GaugeReading,
}

impl Monitor {
    /// A monitor that also keeps the time of every single piece of work; its memory grows with the clip.
    pub fn traced() -> Self {
        let started = Instant::now();
        Self::new(started, Some(Arc::new(Trace::new(started))))
    }

    fn new(started: Instant, trace: Option<Arc<Trace>>) -> Self {
        let gauge = |name| Gauge::new(name, started, trace.clone());
        Self { decode: gauge("decode"), filter: gauge("filter"), encode: gauge("encode"), trace }
    }

    /// What was counted so far. Does not block.
    pub fn read(&self) -> Readings {
        Readings { decode: self.decode.read(), filter: self.filter.read(), encode: self.encode.read() }
    }
}

impl Readings {
    /// The stage that worked longest since an earlier reading: the one that everything else waits for.
    pub fn pace_since(&self, earlier: &Self) -> &'static str {
        let busy = [
            ("decode", self.decode.busy_s - earlier.decode.busy_s),
            ("filter", self.filter.busy_s - earlier.filter.busy_s),
            ("encode", self.encode.busy_s - earlier.encode.busy_s),
        ];
        busy.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or("decode", |(name, _)| name)
    }
}
