//! What the GPU did when: the time of every copy and every pass, from events, for `--trace` and `bench`.
//!
//! The ends of all work are marked anyway. A start is marked only where a lane is empty: work that is queued behind
//! other work starts when that ends, so that a GPU that is busy gets no events for the sake of being measured. To ask the
//! driver for a time takes four microseconds; so times are read at the end, or when very many have gathered.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::stream::{Lane, Lanes, Mark};
use crate::backend::gpu::Span;

/// What stands for a pass where images are measured.
pub(super) const MEASURE: usize = usize::MAX;

/// When a piece of work starts: at the latest of these.
pub(super) struct Start {
    /// A mark of its own, in a lane that was empty.
    begun: Option<Arc<Mark>>,
    /// Whether work was left before it in its lane.
    queued: bool,
    /// The mark of another lane that it waits for, unless that was done.
    after: Option<Arc<Mark>>,
}

struct Open {
    frame: u64,
    pass: usize,
    start: Start,
    end: Arc<Mark>,
}

struct Done {
    frame: u64,
    pass: usize,
    lane: Lane,
    start_ms: f64,
    end_ms: f64,
}

/// Spans that are being measured.
pub(super) struct Trace {
    /// The host's time at which the GPU's clock of the spans starts.
    pub(super) started: Instant,
    /// A mark that times are measured from, and its own time.
    zero: (Arc<Mark>, f64),
    /// Work whose times were not read yet, in the order in which it was started.
    open: VecDeque<Open>,
    /// The end of the latest work of each lane.
    last: [Option<Arc<Mark>>; 3],
    /// The end of the latest work of each lane whose times were read.
    ended_ms: [f64; 3],
    done: Vec<Done>,
}

fn index(lane: Lane) -> usize {
    match lane {
        Lane::Upload => 0,
        Lane::Compute => 1,
        Lane::Download => 2,
    }
}

impl Trace {
    /// The driver tells times as `f32`, in milliseconds: over a second they are exact to 0.06 µs, over a minute to 4 µs.
    const SPAN_MS: f64 = 1000.0;
    /// How much work may wait for its times to be read, which bounds the events that there are.
    const UNREAD: usize = 1 << 16;

    /// Starts the clock. Blocks until the GPU has answered.
    pub(super) fn new(lanes: &Lanes) -> Result<Self> {
        let zero = lanes.mark(Lane::Compute)?;
        // Awake: the two clocks differ by what it takes to notice.
        while !zero.is_done()? {
            std::hint::spin_loop();
        }
        let (open, last, ended_ms, done) = (VecDeque::new(), [None, None, None], [0.0; 3], Vec::new());
        Ok(Self { started: Instant::now(), zero: (zero, 0.0), open, last, ended_ms, done })
    }

    /// When the next work in a lane will start. `after` is the mark of another lane that it waits for.
    pub(super) fn begin(&self, lanes: &Lanes, lane: Lane, after: Option<&Arc<Mark>>) -> Result<Start> {
        let queued = match &self.last[index(lane)] {
            Some(last) => !last.is_done()?,
            None => false,
        };
        let after = match after {
            Some(after) if after.lane != lane && !after.is_done()? => Some(after.clone()),
            _ => None,
        };
        let begun = if queued || after.is_some() { None } else { Some(lanes.mark(lane)?) };
        Ok(Start { begun, queued, after })
    }

    /// Notes a piece of work that ends at a mark: a pass, or a copy in the other lanes. Where very many are noted, the
    /// times of one are read.
    pub(super) fn add(&mut self, frame: u64, pass: usize, start: Start, end: Arc<Mark>) -> Result<()> {
        self.last[index(end.lane)] = Some(end.clone());
        self.open.push_back(Open { frame, pass, start, end });
        if self.open.len() > Self::UNREAD { self.collect_one().map(drop) } else { Ok(()) }
    }

    /// Reads the times of what is done. Does not block.
    pub(super) fn collect(&mut self) -> Result<()> {
        while self.collect_one()? {}
        Ok(())
    }

    /// Reads the times of the oldest piece of work, so that its events can be used again; false if it is not done, or there is none.
    /// Does not block.
    fn collect_one(&mut self) -> Result<bool> {
        let Some(Open { frame, pass, start, end }) = self.open.front() else { return Ok(false) };
        let zero = &self.zero;
        let Some(end_ms) = end.ms_since_if_done(&zero.0)? else { return Ok(false) };
        let (end_ms, lane) = (zero.1 + end_ms, index(end.lane));
        // Everything that the work waited for is done too, and where it was started earlier, read.
        let mut start_ms = if start.queued { self.ended_ms[lane] } else { f64::NEG_INFINITY };
        for mark in [&start.begun, &start.after].into_iter().flatten() {
            start_ms = start_ms.max(match mark.done_ms.get() {
                Some(done_ms) => *done_ms,
                None => zero.1 + mark.ms_since(&zero.0)?,
            });
        }
        end.done_ms.get_or_init(|| end_ms);
        self.ended_ms[lane] = end_ms;
        self.done.push(Done { frame: *frame, pass: *pass, lane: end.lane, start_ms: start_ms.min(end_ms), end_ms });
        if end_ms > zero.1 + Self::SPAN_MS {
            self.zero = (end.clone(), end_ms);
        }
        self.open.pop_front();
        Ok(true)
    }

    /// The spans read so far, each given once. `name` gives those of the passes.
    pub(super) fn take<'a>(&mut self, name: impl Fn(usize) -> Option<&'a str>) -> Vec<Span> {
        let span = |Done { frame, pass, lane, start_ms, end_ms }| {
            let (lane, name) = match lane {
                Lane::Upload => ("upload", "upload"),
                Lane::Compute => ("compute", name(pass).unwrap_or("measure")),
                Lane::Download => ("download", "download"),
            };
            Span { frame, name: name.to_owned(), lane, start_ms, end_ms }
        };
        self.done.drain(..).map(span).collect()
    }
}
