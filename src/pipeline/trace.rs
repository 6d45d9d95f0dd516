//! What was done when, in the format that `chrome://tracing` and <https://ui.perfetto.dev> show: the "Trace Event
//! Format", complete events in JSON.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;
use serde_json::{Value, json};

/// Pieces of work of all stages, from one start.
pub struct Trace {
    started: Instant,
    spans: Mutex<Vec<Span>>,
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// Who did it: a stage's thread, or a queue of a GPU.
    pub track: String,
    /// What was done: `decode`, the name of a pass, …
    pub name: String,
    /// To which frame, counted from 0.
    pub frame: u64,
    /// When it began, in microseconds after the start of the trace.
    pub start_us: f64,
    /// How long it took, in microseconds.
    pub length_us: f64,
}

impl Trace {
    /// Starts the clock.
    pub(super) fn start() -> Self {
        Self { started: Instant::now(), spans: Mutex::default() }
    }

    /// When the clock started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Notes a piece of work of a thread.
    pub(super) fn add(&self, track: &str, name: &str, frame: u64, begin: Instant, end: Instant) {
        let start_us = begin.duration_since(self.started).as_secs_f64() * 1e6;
        let length_us = end.duration_since(begin).as_secs_f64() * 1e6;
        self.note(Span { track: track.to_owned(), name: name.to_owned(), frame, start_us, length_us });
    }

    /// Notes a piece of work whose times are known, as those of a GPU are.
    pub fn note(&self, span: Span) {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner).push(span);
    }

    /// All pieces of work so far, in no order.
    pub fn spans(&self) -> Vec<Span> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The file that the viewers read. Tracks appear in the order of the data path.
    pub fn chrome(&self) -> Value {
        const TRACKS: [&str; 6] = ["decode", "filter", "upload", "compute", "download", "encode"];
        let lane = |track: &str| TRACKS.iter().position(|known| *known == track).unwrap_or(TRACKS.len());
        let names = TRACKS.iter().enumerate().map(
            |(tid, track)| json!({ "ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": { "name": track } }),
        );
        let spans = self.spans();
        let events = spans.iter().map(|span| {
            let Span { track, name, frame, start_us, length_us } = span;
            let args = json!({ "frame": frame });
            json!({ "ph": "X", "name": name, "pid": 1, "tid": lane(track), "ts": start_us, "dur": length_us, "args": args })
        });
        json!({ "displayTimeUnit": "ms", "traceEvents": names.chain(events).collect::<Vec<_>>() })
    }
}
