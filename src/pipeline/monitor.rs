//! Where the time goes: how long each stage worked, starved for input, or stood before a full channel.
//!
//! A thread's time is cut into pieces without gaps: each begins where the one before ended. So one look at the clock
//! is enough for a piece, and the parts of a thread's time add up to all of it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::trace::{Doing, Trace, TraceRow};
use crate::engine::Observer;

/// One stage's clock; used by its thread alone, and read by whoever reports.
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

impl GaugeReading {
    /// Of a stage that several backends are: the frames of all, and the time of each on average.
    fn mean(lanes: &[LaneGauge]) -> Self {
        let count = lanes.len().max(1) as f64;
        lanes.iter().map(|lane| lane.gauge.read()).fold(Self::default(), |sum, one| Self {
            frames: sum.frames + one.frames,
            busy_s: sum.busy_s + one.busy_s / count,
            starved_s: sum.starved_s + one.starved_s / count,
            blocked_s: sum.blocked_s + one.blocked_s / count,
        })
    }
}

impl Gauge {
    fn new(started: Instant, row: Option<TraceRow>) -> Self {
        let [told_ns, frames, busy_ns, starved_ns, blocked_ns] = Default::default();
        Self { started, row, told_ns, frames, busy_ns, starved_ns, blocked_ns }
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
        if let Some(row) = &self.row {
            row.add(doing, what, frame, [begin_ns, end_ns]);
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
    /// Upload, passes, download; where several backends do that, each has its own.
    pub filter: Gauge,
    /// Encoding and writing.
    pub encode: Gauge,
    /// What was done when; `None` unless the monitor was made by [`Monitor::traced`].
    pub trace: Option<Arc<Trace>>,
    started: Instant,
    /// One for each of several backends that filter, once they do.
    lanes: OnceLock<Vec<LaneGauge>>,
}

/// The gauge of one of several backends.
struct LaneGauge {
    gpu: usize,
    name: String,
    gauge: Gauge,
}

/// A reading of one of several backends.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LaneReading {
    /// Its number.
    pub gpu: usize,
    /// What messages call it.
    pub name: String,
    /// What was counted.
    #[serde(flatten)]
    pub reading: GaugeReading,
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
    /// Upload, passes, download; of several backends the frames of all and the mean of their times.
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
        let gauge = |track| Gauge::new(started, trace.as_ref().map(|trace| trace.row(track, None)));
        let [decode, filter, encode] = ["decode", "filter", "encode"].map(gauge);
        Self { decode, filter, encode, trace, started, lanes: OnceLock::new() }
    }

    /// What was counted so far. Does not block.
    pub fn read(&self) -> Readings {
        let filter = self.lanes.get().map_or_else(|| self.filter.read(), |lanes| GaugeReading::mean(lanes));
        Readings { decode: self.decode.read(), filter, encode: self.encode.read() }
    }

    /// The same of each of several backends; empty where one filters.
    pub fn read_lanes(&self) -> Vec<LaneReading> {
        let read = |LaneGauge { gpu, name, gauge }: &LaneGauge| {
            let (gpu, name, reading) = (*gpu, name.clone(), gauge.read());
            LaneReading { gpu, name, reading }
        };
        self.lanes.get().map_or_else(Vec::new, |lanes| lanes.iter().map(read).collect())
    }

    /// Several backends begin, or go on, with their numbers and names.
    pub(super) fn begin_lanes(&self, lanes: impl Iterator<Item = (usize, String)>) {
        let lane = |(gpu, name)| {
            let row = self.trace.as_ref().map(|trace| trace.row("filter", Some(gpu)));
            LaneGauge { gpu, name, gauge: Gauge::new(self.started, row) }
        };
        self.lanes.get_or_init(|| lanes.map(lane).collect());
    }

    /// The gauge of one of them.
    pub(super) fn lane(&self, gpu: usize) -> Option<&Gauge> {
        self.lanes.get()?.iter().find(|lane| lane.gpu == gpu).map(|lane| &lane.gauge)
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
