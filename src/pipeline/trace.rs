//! What was done when, in the format that `chrome://tracing` and <https://ui.perfetto.dev> show: the "Trace Event
//! Format", complete events in JSON.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};

/// Threads and a GPU's queues, in the order of the data path.
const TRACKS: [&str; 6] = ["decode", "filter", "upload", "compute", "download", "encode"];

/// The frame of work that is no frame's: finding the end, writing what stands there.
pub const NO_FRAME: u64 = u64::MAX;

/// Pieces of time of all stages, from one start.
pub struct Trace {
    started: Instant,
    /// A row for each of the threads, whose lock its thread has almost to itself.
    rows: [(&'static str, Mutex<Row>); 3],
    noted: Mutex<Vec<Span>>,
}

/// What a thread or a queue does in a piece of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It works; the filter thread also where it waits for the GPU, in pieces called `wait`.
    Work,
    /// It waits for the stage before.
    Starved,
    /// It waits for the stage after.
    Blocked,
}

/// One piece of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Who did it: a stage's thread, or a queue of a GPU.
    pub track: &'static str,
    /// Whether it was work.
    pub doing: Doing,
    /// What was done: `decode`, the name of a pass, …
    pub name: String,
    /// To which frame: its number in the input, or [`NO_FRAME`].
    pub frame: u64,
    /// When it began, in microseconds after the start of the trace.
    pub start_us: f64,
    /// How long it took, in microseconds.
    pub length_us: f64,
}

/// The pieces of one thread. Names are few and repeat, so that a piece takes no memory of its own.
#[derive(Default)]
struct Row {
    names: Vec<String>,
    pieces: Vec<Piece>,
}

struct Piece {
    doing: Doing,
    name: usize,
    frame: u64,
    begin_ns: u64,
    end_ns: u64,
}

impl Trace {
    /// A trace whose clock started then.
    pub(super) fn new(started: Instant) -> Self {
        let row = |name| (name, Mutex::default());
        Self { started, rows: [row("decode"), row("filter"), row("encode")], noted: Mutex::default() }
    }

    /// When the clock started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Notes a piece of a thread's time: its begin and its end, in nanoseconds after the start.
    pub(super) fn add(&self, track: &str, doing: Doing, name: &str, frame: u64, [begin_ns, end_ns]: [u64; 2]) {
        let Some((_, row)) = self.rows.iter().find(|(row, _)| *row == track) else { return };
        let mut row = row.lock().unwrap_or_else(PoisonError::into_inner);
        let known = row.names.iter().position(|known| known == name);
        let name = known.unwrap_or_else(|| {
            row.names.push(name.to_owned());
            row.names.len() - 1
        });
        row.pieces.push(Piece { doing, name, frame, begin_ns, end_ns });
    }

    /// Notes a piece of work whose times are known, as those of a GPU are.
    pub fn note(&self, span: Span) {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).push(span);
    }

    /// All pieces of time so far, those of a thread in order.
    pub fn spans(&self) -> Vec<Span> {
        let mut spans = self.noted.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (track, row) in &self.rows {
            let Row { names, pieces } = &*row.lock().unwrap_or_else(PoisonError::into_inner);
            spans.extend(pieces.iter().map(|piece| Span {
                track,
                doing: piece.doing,
                name: names[piece.name].clone(),
                frame: piece.frame,
                start_us: piece.begin_ns as f64 / 1e3,
                length_us: piece.end_ns.saturating_sub(piece.begin_ns) as f64 / 1e3,
            }));
        }
        spans
    }

    /// The file that the viewers read: all work, without the waits between. Tracks appear in the order of the data path.
    pub fn chrome(&self) -> Value {
        let lane = |track: &str| TRACKS.iter().position(|known| *known == track).unwrap_or(TRACKS.len());
        let names = TRACKS.iter().enumerate().map(
            |(tid, track)| json!({ "ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": { "name": track } }),
        );
        let spans = self.spans();
        let events = spans.iter().filter(|span| span.doing == Doing::Work).map(|span| {
            let Span { track, name, frame, start_us, length_us, .. } = span;
            let args = if *frame == NO_FRAME { json!({}) } else { json!({ "frame": frame }) };
            json!({ "ph": "X", "name": name, "pid": 1, "tid": lane(track), "ts": start_us, "dur": length_us, "args": args })
        });
        json!({ "displayTimeUnit": "ms", "traceEvents": names.chain(events).collect::<Vec<_>>() })
    }
}
