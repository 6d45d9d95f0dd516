//! The slowest second of a run: what every thread and queue did in the second in which the fewest frames were written.

use super::timeline::{Piece, piece};
use crate::gauge::{Doing, Span};

/// The slowest second of a repetition.
#[derive(Clone, Debug, Default)]
pub struct SlowSecond {
    /// Number of frames that were written in it.
    frames: usize,
    /// When it began, in microseconds after the start of the trace.
    from_us: f64,
    /// All work and waits that lie in it or reach into it.
    spans: Vec<Span>,
}

impl SlowSecond {
    const LENGTH_US: f64 = 1e6;
    /// Most pieces of a picture; the shortest are left out.
    const SHOWN: usize = 1500;

    /// Of the spans of a repetition, after so many frames; all of it where it is shorter than a second.
    pub fn of(spans: &[Span], lead: usize) -> Self {
        let end_of = |span: &Span| span.start_us + span.length_us;
        let written = spans.iter().filter(|span| span.track == "encode" && span.name == "encode");
        let mut ends: Vec<f64> = written.map(end_of).collect();
        ends.sort_by(f64::total_cmp);
        let begin = if lead > 0 { ends.get(lead - 1).copied().unwrap_or(0.0) } else { 0.0 };
        let last = ends.last().copied().unwrap_or(0.0);
        let begins = [begin].into_iter().chain(ends.iter().copied().filter(|end| *end > begin));
        let count = |from: f64| {
            let place = |time: f64| ends.partition_point(|end| *end <= time);
            place(from + Self::LENGTH_US) - place(from)
        };
        let whole = begins.take_while(|from| from + Self::LENGTH_US <= last).map(|from| (count(from), from));
        let (frames, from_us) =
            whole.min_by(|a, b| a.0.cmp(&b.0)).unwrap_or((ends.len() - lead.min(ends.len()), begin));
        let to = from_us + Self::LENGTH_US;
        let is_within = |span: &&Span| span.start_us < to && end_of(span) > from_us;
        Self { frames, from_us, spans: spans.iter().filter(is_within).cloned().collect() }
    }

    /// The slowest of several.
    pub fn slowest<'a>(seconds: impl Iterator<Item = &'a Self>) -> Option<&'a Self> {
        seconds.min_by_key(|second| second.frames)
    }

    /// All work and waits, with times after the start of their trace.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Its work, for a picture: the longest pieces, in order, cut to the second.
    pub fn pieces(&self) -> Vec<Piece> {
        let work = self.spans.iter().filter(|span| span.doing == Doing::Work);
        let mut pieces: Vec<Piece> = work.map(|span| piece(span, self.from_us)).collect();
        pieces.sort_by(|a, b| b.length_ms.total_cmp(&a.length_ms));
        pieces.truncate(Self::SHOWN);
        for piece in &mut pieces {
            let end = (piece.start_ms + piece.length_ms).min(Self::LENGTH_US / 1e3);
            piece.start_ms = piece.start_ms.max(0.0);
            piece.length_ms = end - piece.start_ms;
        }
        pieces.sort_by(|a, b| a.start_ms.total_cmp(&b.start_ms));
        pieces
    }
}
