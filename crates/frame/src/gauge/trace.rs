//! What was done when, in the format that `chrome://tracing` and <https://ui.perfetto.dev> show: the "Trace Event
//! Format", complete events in JSON.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

/// Threads and a GPU's queues, in the order of the data path.
const TRACKS: [&str; 7] = ["decode", DECODERS, "filter", "upload", "compute", "download", "encode"];
/// The track of a decoder where several work side by side.
pub const DECODERS: &str = "decoder";
/// Those of which each of several GPUs has one.
const OF_A_GPU: [&str; 4] = ["filter", "upload", "compute", "download"];

/// What a track is called: `upload`, or of one of several `decoder 3`, `GPU 1 upload`.
pub fn track_name(track: &str, part: Option<usize>) -> String {
    match part {
        None => track.to_owned(),
        Some(part) if track == DECODERS => format!("{track} {part}"),
        Some(part) => format!("GPU {part} {track}"),
    }
}

/// The frame of work that is no frame's: finding the end, writing what stands there.
pub const NO_FRAME: u64 = u64::MAX;

/// Pieces of time of all stages, from one start.
#[derive(Debug)]
pub struct Trace {
    started: Instant,
    /// A row for each of the threads.
    rows: Mutex<Vec<TraceRow>>,
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
    /// Which of several decoders, or on which of several GPUs.
    pub part: Option<usize>,
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

/// Where one thread notes its pieces; clones share it.
#[derive(Clone, Debug)]
pub struct TraceRow {
    track: &'static str,
    part: Option<usize>,
    /// Its thread has the lock almost to itself.
    row: Arc<Mutex<ThreadRow>>,
}

/// The pieces of one thread. Names are few and repeat, so that a piece takes no memory of its own.
#[derive(Debug, Default)]
struct ThreadRow {
    names: Vec<String>,
    pieces: Vec<ThreadPiece>,
}

#[derive(Debug)]
struct ThreadPiece {
    doing: Doing,
    name: usize,
    frame: u64,
    begin_ns: u64,
    end_ns: u64,
}

impl Trace {
    /// A trace whose clock started then.
    pub fn new(started: Instant) -> Self {
        Self { started, rows: Mutex::default(), noted: Mutex::default() }
    }

    /// When the clock started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// A row for another thread.
    pub fn row(&self, track: &'static str, part: Option<usize>) -> TraceRow {
        let row = TraceRow { track, part, row: Arc::default() };
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).push(row.clone());
        row
    }

    /// Notes a piece of work whose times are known, as those of a GPU are.
    pub fn note(&self, span: Span) {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).push(span);
    }

    /// All pieces of time so far, those of a thread in order.
    pub fn spans(&self) -> Vec<Span> {
        let mut spans = self.noted.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for TraceRow { track, part, row } in &*self.rows.lock().unwrap_or_else(PoisonError::into_inner) {
            let ThreadRow { names, pieces } = &*row.lock().unwrap_or_else(PoisonError::into_inner);
            spans.extend(pieces.iter().map(|piece| Span {
                track,
                part: *part,
                doing: piece.doing,
                name: names[piece.name].clone(),
                frame: piece.frame,
                start_us: piece.begin_ns as f64 / 1e3,
                length_us: piece.end_ns.saturating_sub(piece.begin_ns) as f64 / 1e3,
            }));
        }
        spans
    }

    /// The file that the viewers read, as JSON: all work, without the waits between. Tracks appear in the order of the
    /// data path.
    pub fn chrome(&self) -> impl Serialize {
        chrome(self.spans())
    }
}

/// The same file of some of the spans.
pub fn chrome(spans: Vec<Span>) -> impl Serialize {
    Chrome(spans)
}

impl TraceRow {
    /// Notes a piece of the thread's time: its begin and its end, in nanoseconds after the start.
    pub fn add(&self, doing: Doing, name: &str, frame: u64, [begin_ns, end_ns]: [u64; 2]) {
        let mut row = self.row.lock().unwrap_or_else(PoisonError::into_inner);
        let known = row.names.iter().position(|known| known == name);
        let name = known.unwrap_or_else(|| {
            row.names.push(name.to_owned());
            row.names.len() - 1
        });
        row.pieces.push(ThreadPiece { doing, name, frame, begin_ns, end_ns });
    }
}

/// Written event by event: as a tree of JSON values a trace of an hour would take gigabytes.
struct Chrome(Vec<Span>);

impl Serialize for Chrome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut file = serializer.serialize_struct("Chrome", 2)?;
        file.serialize_field("displayTimeUnit", "ms")?;
        file.serialize_field("traceEvents", &Events(&self.0))?;
        file.end()
    }
}

struct Events<'a>(&'a [Span]);

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Without a second GPU each track has its place; with one, each of them has those of a GPU. So it is with decoders.
        let parts = |of_decoders: bool| -> BTreeSet<usize> {
            let own = self.0.iter().filter(|span| (span.track == DECODERS) == of_decoders);
            own.filter_map(|span| span.part).collect()
        };
        let (decoders, gpus) = (parts(true), parts(false));
        let tracks = |track: &'static str| -> Vec<(&str, Option<usize>)> {
            let own = match track {
                DECODERS => &decoders,
                _ if OF_A_GPU.contains(&track) && !gpus.is_empty() => &gpus,
                _ => return vec![(track, None)],
            };
            own.iter().map(|part| (track, Some(*part))).collect()
        };
        let tracks: Vec<(&str, Option<usize>)> = TRACKS.into_iter().flat_map(tracks).collect();
        let lane = |span: &Span| {
            let is_own = |(track, part): &(&str, Option<usize>)| *track == span.track && *part == span.part;
            tracks.iter().position(is_own).unwrap_or(tracks.len())
        };
        let names: Vec<String> = tracks.iter().map(|(track, part)| track_name(track, *part)).collect();
        let titles = names.iter().enumerate().map(|(tid, track)| {
            let args = Args { frame: None, name: Some(track) };
            ChromeEvent { ph: "M", name: "thread_name", pid: 1, tid, ts: None, dur: None, args }
        });
        let work = self.0.iter().filter(|span| span.doing == Doing::Work).map(|span| {
            let args = Args { frame: Some(span.frame).filter(|frame| *frame != NO_FRAME), name: None };
            let (tid, ts, dur) = (lane(span), Some(span.start_us), Some(span.length_us));
            ChromeEvent { ph: "X", name: &span.name, pid: 1, tid, ts, dur, args }
        });
        serializer.collect_seq(titles.chain(work))
    }
}

/// Chrome's trace event format: times in microseconds.
#[derive(Serialize)]
struct ChromeEvent<'a> {
    ph: &'static str,
    name: &'a str,
    pid: u32,
    tid: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    args: Args<'a>,
}

#[derive(Serialize)]
struct Args<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}
