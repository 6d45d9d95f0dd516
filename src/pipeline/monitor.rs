//! Where the time goes: how long each stage worked, starved for input, or stood before a full channel.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::trace::Trace;

/// One stage's clock; shared between its thread and whoever reports.
pub struct Gauge {
    name: &'static str,
    trace: Option<Arc<Trace>>,
    frames: AtomicU64,
    busy_ns: AtomicU64,
    starved_ns: AtomicU64,
    blocked_ns: AtomicU64,
}

/// A reading of a [`Gauge`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Reading {
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
    fn new(name: &'static str, trace: Option<Arc<Trace>>) -> Self {
        let [frames, busy_ns, starved_ns, blocked_ns] = Default::default();
        Self { name, trace, frames, busy_ns, starved_ns, blocked_ns }
    }

    /// Does a piece of `work` on frame number `frame`, which a trace calls `what`.
    pub(super) fn busy<T>(&self, what: &str, frame: u64, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = spend(&self.busy_ns, work);
        if let Some(trace) = &self.trace {
            trace.add(self.name, what, frame, start, Instant::now());
        }
        result
    }

    /// Waits for the stage before.
    pub(super) fn starved<T>(&self, wait: impl FnOnce() -> T) -> T {
        spend(&self.starved_ns, wait)
    }

    /// Waits for the stage after.
    pub(super) fn blocked<T>(&self, wait: impl FnOnce() -> T) -> T {
        spend(&self.blocked_ns, wait)
    }

    /// Counts a frame that leaves the stage.
    pub(super) fn count(&self) {
        self.frames.fetch_add(1, Ordering::Relaxed);
    }

    /// What was counted so far. Does not block.
    pub fn read(&self) -> Reading {
        let seconds = |total: &AtomicU64| Duration::from_nanos(total.load(Ordering::Relaxed)).as_secs_f64();
        Reading {
            frames: self.frames.load(Ordering::Relaxed),
            busy_s: seconds(&self.busy_ns),
            starved_s: seconds(&self.starved_ns),
            blocked_s: seconds(&self.blocked_ns),
        }
    }
}

/// Does `action` and adds the time it took to `total_ns`.
fn spend<T>(total_ns: &AtomicU64, action: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = action();
    total_ns.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
    result
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
        Self::new(None)
    }
}

/// Readings of all three stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Readings {
    /// Reading and decoding.
    pub decode: Reading,
    /// Upload, passes, download.
    pub filter: Reading,
    /// Encoding and writing.
    pub encode: Reading,
}

impl Monitor {
    /// A monitor that also keeps the time of every single piece of work; its memory grows with the clip.
    pub fn traced() -> Self {
        Self::new(Some(Arc::new(Trace::start())))
    }

    fn new(trace: Option<Arc<Trace>>) -> Self {
        let gauge = |name| Gauge::new(name, trace.clone());
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
