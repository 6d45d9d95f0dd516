//! Where the time goes: how long each stage worked, starved for input, or stood before a full channel.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

/// What a stage's thread is doing.
#[derive(Clone, Copy)]
enum State {
    Busy,
    Starved,
    Blocked,
}

/// One stage's clock; shared between its thread and whoever reports.
#[derive(Default)]
pub struct Gauge {
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
    /// Does `work`, counted as work.
    pub(super) fn busy<T>(&self, work: impl FnOnce() -> T) -> T {
        self.spend(State::Busy, work)
    }

    /// Waits for the stage before.
    pub(super) fn starved<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.spend(State::Starved, wait)
    }

    /// Waits for the stage after.
    pub(super) fn blocked<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.spend(State::Blocked, wait)
    }

    /// Counts a frame that leaves the stage.
    pub(super) fn count(&self) {
        self.frames.fetch_add(1, Ordering::Relaxed);
    }

    fn spend<T>(&self, state: State, action: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = action();
        let total = match state {
            State::Busy => &self.busy_ns,
            State::Starved => &self.starved_ns,
            State::Blocked => &self.blocked_ns,
        };
        total.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
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

/// The gauges of the three stages.
#[derive(Default)]
pub struct Monitor {
    /// Reading and decoding.
    pub decode: Gauge,
    /// Upload, passes, download.
    pub filter: Gauge,
    /// Encoding and writing.
    pub encode: Gauge,
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
