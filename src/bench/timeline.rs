//! From the trace of one repetition to times: how long each stage worked on each frame, and how long in all.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use crate::gauge::{DECODERS, Doing, NO_FRAME, Span, track_name};

/// Threads and queues in the order of the data path.
pub const TRACKS: [&str; 7] = ["decode", DECODERS, "filter", "upload", "compute", "download", "encode"];
/// What the filter thread does when it waits for the GPU.
const WAITS: [&str; 2] = ["wait", "read"];

/// The time of one thread or queue.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// One of [`TRACKS`]; of several decoders and GPUs each has its number: `decoder 3`, `GPU 1 upload`.
    pub name: String,
    /// One of [`TRACKS`].
    pub kind: &'static str,
    /// Microseconds of work within the window, waiting for the GPU left out.
    pub busy_us: f64,
    /// Microseconds of waiting for the stage before.
    pub starved_us: f64,
    /// Microseconds of waiting for the stage after.
    pub blocked_us: f64,
    /// Microseconds of waiting for the GPU.
    pub device_us: f64,
    /// Microseconds of the window before the first piece and after the last.
    pub idle_us: f64,
    /// Microseconds of work on each frame; NaN for a frame that it did not work on.
    pub per_frame_us: Vec<f64>,
}

/// One repetition in times.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// Frames that were counted.
    pub frames: u64,
    /// The position in the clip of the first of them.
    pub lead: u64,
    /// Microseconds that they took.
    pub length_us: f64,
    /// When the first frame of all came out.
    pub first_frame_us: f64,
    /// Those of [`TRACKS`] that did something.
    pub tracks: Vec<Track>,
    /// Microseconds that each pass took for each frame, passes in order; NaN where a frame has none.
    pub passes: Vec<Vec<f64>>,
    /// Microseconds of each frame from the end of the call that received it from the decoder until it was written; NaN where
    /// one of both is not known.
    pub latency_us: Vec<f64>,
    /// Some frames from the middle.
    pub pieces: Vec<Piece>,
}

/// A piece of work, for the picture of the overlap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Piece {
    /// Which stage.
    pub stage: String,
    /// What was done.
    pub name: String,
    /// To which frame, counted from 0 in the order of the stage.
    pub frame: u64,
    /// When it began, in milliseconds after the start of the timeline.
    pub start_ms: f64,
    /// How long it took.
    pub length_ms: f64,
}

/// What is counted: a window of time, and a range of frames.
struct Counted<'a> {
    spans: &'a [Span],
    /// Microseconds.
    window: [f64; 2],
    /// The number in the input of the clip's first frame.
    first: u64,
    lead: usize,
    frames: usize,
    /// Whether a GPU works; without one the filter thread has nothing to wait for but itself.
    has_queues: bool,
}

impl Timeline {
    /// Frames in [`Timeline::pieces`].
    const SHOWN: usize = 12;

    /// Times from spans. The first `lead` frames are not counted: the window begins when the last of them has come
    /// out, and ends with the last work of all (without a lead it begins with the trace). `passes` names the passes.
    /// Work is a frame's by the frame's number, in whatever order and at whatever time it was done.
    pub fn of(spans: &[Span], passes: &[String], lead: usize) -> Self {
        let mut out: Vec<&Span> = spans.iter().filter(|span| span.track == "encode" && span.name == "encode").collect();
        out.sort_by(|a, b| a.start_us.total_cmp(&b.start_us));
        let (Some(begin), Some(first)) = (out.first(), out.iter().map(|span| span.frame).min()) else {
            return Self::default();
        };
        let (frames, lead) = (out.len(), lead.min(out.len()));
        let from = if lead > 0 { end_of(out[lead - 1]) } else { 0.0 };
        let to = spans.iter().map(end_of).fold(from, f64::max);
        let has_queues = spans.iter().any(|span| span.track == "download");
        let counted = Counted { has_queues, spans, window: [from, to], first, lead, frames };

        let parts: BTreeSet<Option<usize>> = spans.iter().map(|span| span.part).collect();
        let each = |kind| parts.iter().map(move |part| (kind, *part));
        let tracks = TRACKS.into_iter().flat_map(each).filter_map(|(kind, part)| counted.track(kind, part)).collect();
        let lane = if has_queues { "compute" } else { "filter" };
        let times = passes.iter().map(|name| {
            // Passes that are called alike share their time.
            let alike = passes.iter().filter(|other| *other == name).count();
            let times = counted.times(|span| span.track == lane && span.name == *name);
            times.into_iter().map(|us| us / alike as f64).collect()
        });
        Self {
            frames: (frames - lead) as u64,
            lead: lead as u64,
            length_us: to - from,
            first_frame_us: end_of(begin),
            passes: times.collect(),
            latency_us: counted.latencies(),
            tracks,
            pieces: pieces(spans, &out, first, lead + (frames - lead) / 2),
        }
    }
}

fn end_of(span: &Span) -> f64 {
    span.start_us + span.length_us
}

impl Counted<'_> {
    /// Microseconds of some pieces of work for each frame that counts.
    fn times(&self, is_wanted: impl Fn(&Span) -> bool) -> Vec<f64> {
        let mut times = vec![f64::NAN; self.frames - self.lead];
        for span in self.spans.iter().filter(|span| span.doing == Doing::Work && is_wanted(span)) {
            let place = if span.frame == NO_FRAME { None } else { span.frame.checked_sub(self.first) };
            let place = place.and_then(|place| (place as usize).checked_sub(self.lead));
            if let Some(time) = place.and_then(|place| times.get_mut(place)) {
                *time = if time.is_nan() { span.length_us } else { *time + span.length_us };
            }
        }
        times
    }

    fn latencies(&self) -> Vec<f64> {
        let ends = |track: &str| -> HashMap<u64, f64> {
            let own = self.spans.iter().filter(|span| span.track == track && span.name == track);
            own.map(|span| (span.frame, end_of(span))).collect()
        };
        let (decoded, written) = (ends("decode"), ends("encode"));
        let latency = |place: usize| {
            let frame = self.first + place as u64;
            Some(written.get(&frame)? - decoded.get(&frame)?)
        };
        (self.lead..self.frames).map(|place| latency(place).unwrap_or(f64::NAN)).collect()
    }

    /// Microseconds of the window that pieces cover, none counted twice. `pieces` are in order.
    fn covered_us<'a>(&self, pieces: impl Iterator<Item = &'a &'a Span>) -> f64 {
        let [mut at, to] = self.window;
        let mut covered = 0.0;
        for span in pieces {
            let (begin, end) = (span.start_us.max(at), end_of(span).min(to));
            if end > begin {
                covered += end - begin;
                at = end;
            }
        }
        covered
    }

    fn is_wait(&self, span: &Span) -> bool {
        self.has_queues && span.track == "filter" && WAITS.contains(&span.name.as_str())
    }

    fn track(&self, kind: &'static str, part: Option<usize>) -> Option<Track> {
        let is_mine = |span: &&Span| span.track == kind && span.part == part;
        let mut mine: Vec<&Span> = self.spans.iter().filter(is_mine).collect();
        mine.sort_by(|a, b| a.start_us.total_cmp(&b.start_us));
        let (first, last) = (mine.first()?, mine.last()?);
        let [from, to] = self.window;
        let covered = |is_wanted: &dyn Fn(&Span) -> bool| self.covered_us(mine.iter().filter(|span| is_wanted(span)));
        Some(Track {
            name: track_name(kind, part),
            kind,
            busy_us: covered(&|span| span.doing == Doing::Work && !self.is_wait(span)),
            starved_us: covered(&|span| span.doing == Doing::Starved),
            blocked_us: covered(&|span| span.doing == Doing::Blocked),
            device_us: covered(&|span| self.is_wait(span)),
            idle_us: (first.start_us.min(to) - from).max(0.0) + (to - end_of(last).max(from)).max(0.0),
            per_frame_us: self.times(|span| is_mine(&span) && !self.is_wait(span)),
        })
    }
}

/// All work that was done while a dozen frames from `middle` on were written.
/// A span as a piece of a picture that begins at a time.
pub(super) fn piece(span: &Span, from_us: f64) -> Piece {
    Piece {
        stage: track_name(span.track, span.part),
        name: span.name.clone(),
        frame: span.frame,
        start_ms: (span.start_us - from_us) / 1e3,
        length_ms: span.length_us / 1e3,
    }
}

fn pieces(spans: &[Span], out: &[&Span], first: u64, middle: usize) -> Vec<Piece> {
    let (Some(begin), Some(end)) = (out.get(middle), out.get((middle + Timeline::SHOWN).min(out.len() - 1))) else {
        return Vec::new();
    };
    let (from, to) = (begin.start_us, end_of(end));
    let is_shown = |span: &&Span| span.doing == Doing::Work && span.start_us < to && end_of(span) > from;
    let counted = |span: &Span| {
        let frame = if span.frame == NO_FRAME { out.len() as u64 } else { span.frame.saturating_sub(first) };
        Piece { frame, ..piece(span, from) }
    };
    let mut pieces: Vec<Piece> = spans.iter().filter(is_shown).map(counted).collect();
    pieces.sort_by(|a, b| a.start_ms.total_cmp(&b.start_ms));
    pieces
}
