//! From the trace of one repetition to times: how long each stage worked on each frame, and how long in all.

use std::collections::HashMap;

use super::schema::Piece;
use crate::pipeline::Span;

/// Threads and queues in the order of the data path.
pub const TRACKS: [&str; 6] = ["decode", "filter", "upload", "compute", "download", "encode"];
/// What the filter thread does when it waits for the GPU.
const WAITS: [&str; 2] = ["wait", "read"];
/// What the encode thread does after the last frame.
const FINISH: &str = "finish";

/// The work of one thread or queue.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// One of [`TRACKS`].
    pub name: String,
    /// Microseconds of work within the window, waiting for the GPU left out.
    pub busy_us: f64,
    /// Microseconds of work on each frame.
    pub per_frame_us: Vec<f64>,
}

/// One repetition in times.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// Frames that were counted.
    pub frames: u64,
    /// Microseconds that they took.
    pub length_us: f64,
    /// When the first frame of all came out.
    pub first_frame_us: f64,
    /// Those of [`TRACKS`] that did something.
    pub tracks: Vec<Track>,
    /// Microseconds that each pass took for each frame, passes in order.
    pub passes: Vec<Vec<f64>>,
    /// Some frames from the middle.
    pub pieces: Vec<Piece>,
}

impl Timeline {
    /// Frames in [`Timeline::pieces`].
    const SHOWN: usize = 12;

    /// Times from spans. The first `lead` frames are not counted: the window begins when the last of them has come
    /// out, and ends with the last work of all (without a lead it begins with the trace). `passes` names the passes.
    pub fn of(spans: &[Span], passes: &[String], lead: usize) -> Self {
        // Spans of a track and name, in their order, which no stage changes.
        let mut rows: HashMap<(&str, &str), Vec<&Span>> = HashMap::new();
        for span in spans {
            rows.entry((span.track.as_str(), span.name.as_str())).or_default().push(span);
        }
        rows.values_mut().for_each(|row| row.sort_by(|a, b| a.start_us.total_cmp(&b.start_us)));
        let end_of = |span: &Span| span.start_us + span.length_us;
        let Some(out) = rows.get(&("encode", "encode")) else { return Self::default() };
        let frames = out.len();
        let lead = lead.min(frames);
        let from = if lead > 0 { end_of(out[lead - 1]) } else { 0.0 };
        let to = spans.iter().map(end_of).fold(from, f64::max);

        let is_work = |track: &str, name: &str| !(track == "filter" && WAITS.contains(&name));
        let tracks = TRACKS.iter().filter_map(|&name| {
            let mine: Vec<_> =
                rows.iter().filter(|((track, what), _)| *track == name && is_work(track, what)).collect();
            if mine.is_empty() {
                return None;
            }
            let mut track = Track { name: name.to_owned(), ..Track::default() };
            track.per_frame_us = vec![0.0; frames - lead];
            for ((_, what), row) in mine {
                track.busy_us +=
                    row.iter().map(|span| (end_of(span).min(to) - span.start_us.max(from)).max(0.0)).sum::<f64>();
                if *what != FINISH {
                    for (index, span) in row.iter().enumerate() {
                        let place = place(name, row, index, out).checked_sub(lead);
                        if let Some(sum) = place.and_then(|place| track.per_frame_us.get_mut(place)) {
                            *sum += span.length_us;
                        }
                    }
                }
            }
            Some(track)
        });
        let tracks: Vec<Track> = tracks.collect();
        let has_queues = tracks.iter().any(|track| track.name == "compute");
        let lane = if has_queues { "compute" } else { "filter" };
        let times = passes.iter().map(|name| times_of(&rows, lane, name, passes, lead)).collect();
        Self {
            frames: (frames - lead) as u64,
            length_us: to - from,
            first_frame_us: end_of(out[0]),
            tracks,
            passes: times,
            pieces: pieces(&rows, lead + (frames - lead) / 2),
        }
    }
}

/// Which frame a span of a row belongs to, counted from the first that came out: the i-th to the i-th, but the one that
/// it names in rows of a pass that some frames went by.
fn place(track: &str, row: &[&Span], index: usize, out: &[&Span]) -> usize {
    if row.len() >= out.len() { index } else { named(track, row[index], out) }
}

/// The same by the span's own word. The GPU names frames as their source does, which may have begun later.
fn named(track: &str, span: &Span, out: &[&Span]) -> usize {
    let first = if track == "compute" { out[0].frame } else { 0 };
    span.frame.saturating_sub(first) as usize
}

/// The times of one pass. Passes that are called alike share a row, in which their spans take turns; the mean of each
/// turn is then the time of each.
fn times_of(
    rows: &HashMap<(&str, &str), Vec<&Span>>,
    lane: &str,
    name: &str,
    passes: &[String],
    lead: usize,
) -> Vec<f64> {
    let alike = passes.iter().filter(|other| *other == name).count().max(1);
    let Some(row) = rows.get(&(lane, name)) else { return Vec::new() };
    let mean = |turn: &[&Span]| turn.iter().map(|span| span.length_us).sum::<f64>() / turn.len() as f64;
    let Some(out) = rows.get(&("encode", "encode")) else { return Vec::new() };
    let whole = row.len() >= alike * out.len();
    let counts = |(turn, spans): &(usize, &[&Span])| {
        let place = if whole { *turn } else { named(lane, spans[0], out) };
        place >= lead
    };
    row.chunks(alike).enumerate().filter(counts).map(|(_, spans)| mean(spans)).collect()
}

/// All work that began while a dozen frames from `middle` on were written.
fn pieces(rows: &HashMap<(&str, &str), Vec<&Span>>, middle: usize) -> Vec<Piece> {
    let Some(out) = rows.get(&("encode", "encode")) else { return Vec::new() };
    let (Some(first), Some(last)) = (out.get(middle), out.get((middle + Timeline::SHOWN).min(out.len() - 1))) else {
        return Vec::new();
    };
    let (from, to) = (first.start_us, last.start_us + last.length_us);
    let mut pieces = Vec::new();
    for ((track, name), row) in rows {
        for (frame, span) in row.iter().enumerate() {
            if span.start_us < to && span.start_us + span.length_us > from {
                pieces.push(Piece {
                    stage: (*track).to_owned(),
                    name: (*name).to_owned(),
                    frame: place(track, row, frame, out) as u64,
                    start_ms: (span.start_us - from) / 1e3,
                    length_ms: span.length_us / 1e3,
                });
            }
        }
    }
    pieces.sort_by(|a, b| a.start_ms.total_cmp(&b.start_ms));
    pieces
}
