//! The gauges of a run, one for each thread.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use serde::Serialize;

use crate::Observer;
use crate::frame::{LiveGauge, LiveReading};
use crate::gauge::{DECODERS, Doing, Gauge, GaugeReading, Trace};
use crate::source::Source;

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
    /// Called by each stage's thread when it has done its work, and before an output is finished: the last moments at which
    /// all of a stage's threads are there.
    watcher: Option<Box<dyn Fn() + Send + Sync>>,
    /// Called by the encode thread after each frame that has left.
    counter: Option<Box<dyn Fn() + Send + Sync>>,
    started: Instant,
    /// One for each of several backends that filter, once they do.
    lanes: OnceLock<Vec<LaneGauge>>,
    /// One for each of several decoders, once they begin.
    decoders: OnceLock<Vec<Arc<Gauge>>>,
    /// That of a live input, once it is read.
    live: OnceLock<Arc<LiveGauge>>,
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
        let (lanes, decoders, live) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { decode, filter, encode, trace, watcher: None, counter: None, started, lanes, decoders, live }
    }

    /// The same monitor, which calls `watcher` whenever threads of a stage are about to end, on a thread of the stage.
    #[must_use]
    pub fn watched_by(self, watcher: Box<dyn Fn() + Send + Sync>) -> Self {
        Self { watcher: Some(watcher), ..self }
    }

    /// The same monitor, which calls `counter` after each frame that has left, on the encode thread, whose next frame waits for it.
    #[must_use]
    pub fn counted_by(self, counter: Box<dyn Fn() + Send + Sync>) -> Self {
        Self { counter: Some(counter), ..self }
    }

    /// A frame has left.
    pub(super) fn count(&self) {
        self.encode.count();
        self.counter.iter().for_each(|counter| counter());
    }

    /// Threads of a stage are about to end.
    pub(super) fn look(&self) {
        self.watcher.iter().for_each(|watcher| watcher());
    }

    /// Does all work of a stage's thread.
    pub(super) fn stage<T>(&self, work: impl FnOnce() -> T) -> T {
        let result = work();
        self.look();
        result
    }

    /// What was counted so far. Does not block.
    pub fn read(&self) -> Readings {
        let filter = self.lanes.get().map_or_else(|| self.filter.read(), |lanes| mean(lanes));
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

    /// What each of several decoders did, which work side by side; empty where the decoding thread does all.
    pub fn read_decoders(&self) -> Vec<GaugeReading> {
        self.decoders.get().map_or_else(Vec::new, |decoders| decoders.iter().map(|gauge| gauge.read()).collect())
    }

    /// Delays and losses of a live input; `None` where the input is not live.
    pub fn read_live(&self) -> Option<LiveReading> {
        self.live.get().map(|live| live.read())
    }

    /// Has a source, and each of several decoders of it, tell what it does from now on.
    pub(super) fn watch_decoders(&self, source: &mut dyn Source) {
        let gauge = |decoder| {
            let row = self.trace.as_ref().map(|trace| trace.row(DECODERS, Some(decoder)));
            let gauge = Gauge::new(self.started, row);
            gauge.begin();
            Arc::new(gauge)
        };
        source.live().into_iter().for_each(|live| drop(self.live.set(live)));
        let count = source.decoders();
        if count > 0 {
            source.watch(self.decoders.get_or_init(|| (0..count).map(gauge).collect()).clone());
        }
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

/// Of a stage that several backends are: the frames of all, and the time of each on average.
fn mean(lanes: &[LaneGauge]) -> GaugeReading {
    let count = lanes.len().max(1) as f64;
    lanes.iter().map(|lane| lane.gauge.read()).fold(GaugeReading::default(), |sum, one| GaugeReading {
        frames: sum.frames + one.frames,
        busy_s: sum.busy_s + one.busy_s / count,
        starved_s: sum.starved_s + one.starved_s / count,
        blocked_s: sum.blocked_s + one.blocked_s / count,
    })
}
