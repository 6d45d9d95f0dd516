//! What the GPU did when: the time of every copy and every pass, from events, for `--trace` and `bench`.
//!
//! The ends of all work are marked anyway. A start is marked only where a lane is empty: work that is queued behind
//! other work starts when that ends, so that a GPU that is busy gets no events for the sake of being measured. What
//! stays is three or four questions to the driver for a piece of work, by the thread that starts it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::stream::{Lane, Lanes, Mark};

/// What stands for a pass where images are measured.
pub(super) const MEASURE: usize = usize::MAX;

/// One piece of work on the GPU.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Span {
    /// Number of the frame in the input, from 0.
    pub frame: u64,
    /// `upload`, `download`, `measure`, or the name of the pass.
    pub name: String,
    /// Which queue: `upload`, `compute` or `download`.
    pub lane: &'static str,
    /// When it began, in milliseconds after [`super::Cuda::trace_started`].
    pub start_ms: f64,
    /// When it ended, likewise.
    pub end_ms: f64,
}

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

/// The work of one lane, in order.
struct Queue {
    lane: Lane,
    open: VecDeque<Open>,
    /// The end of the latest work.
    last: Option<Arc<Mark>>,
    /// The end of the latest work whose times were read.
    ended_ms: f64,
}

/// Spans that are being measured.
pub(super) struct Trace {
    /// The host's time at which the GPU's clock of the spans starts.
    pub(super) started: Instant,
    /// A mark that times are measured from, and its own time.
    zero: (Arc<Mark>, f64),
    queues: [Queue; 3],
    done: Vec<Done>,
    /// How often [`Trace::collect_if_due`] was called.
    calls: usize,
}

impl Trace {
    /// The driver tells times as `f32`, in milliseconds: over a second they are exact to 0.06 µs, over a minute to 4 µs.
    const SPAN_MS: f64 = 1000.0;
    /// Frames whose times are read together.
    const BATCH: usize = 16;

    /// Starts the clock. Blocks until the GPU has answered.
    pub(super) fn new(lanes: &Lanes) -> Result<Self> {
        let zero = lanes.mark(Lane::Compute)?;
        zero.wait()?;
        let queue = |lane| Queue { lane, open: VecDeque::new(), last: None, ended_ms: 0.0 };
        let queues = [queue(Lane::Upload), queue(Lane::Compute), queue(Lane::Download)];
        Ok(Self { started: Instant::now(), zero: (zero, 0.0), queues, done: Vec::new(), calls: 0 })
    }

    fn index(lane: Lane) -> usize {
        match lane {
            Lane::Upload => 0,
            Lane::Compute => 1,
            Lane::Download => 2,
        }
    }

    /// When the next work in a lane will start. `after` is the mark of another lane that it waits for.
    pub(super) fn begin(&self, lanes: &Lanes, lane: Lane, after: Option<&Arc<Mark>>) -> Result<Start> {
        let queued = match &self.queues[Self::index(lane)].last {
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

    /// Notes a piece of work that ends at a mark: a pass, or a copy in the other lanes.
    pub(super) fn add(&mut self, frame: u64, pass: usize, start: Start, end: Arc<Mark>) {
        let queue = &mut self.queues[Self::index(end.lane)];
        queue.last = Some(end.clone());
        queue.open.push_back(Open { frame, pass, start, end });
    }

    /// [`Trace::collect`], but not each time: asking for times that are not there yet costs as much as reading them.
    pub(super) fn collect_if_due(&mut self) -> Result<()> {
        self.calls += 1;
        if self.calls.is_multiple_of(Self::BATCH) { self.collect() } else { Ok(()) }
    }

    /// Reads the times of what is done, so that their events can be used again. Does not block.
    pub(super) fn collect(&mut self) -> Result<()> {
        let Self { zero, queues, done, .. } = self;
        for Queue { lane, open: queue, ended_ms, .. } in queues {
            while let Some(open) = queue.front() {
                let Some(end_ms) = open.end.ms_since_if_done(&zero.0)? else { break };
                let end_ms = zero.1 + end_ms;
                // Everything that the work waited for is done too.
                let mut start_ms = if open.start.queued { *ended_ms } else { f64::NEG_INFINITY };
                for mark in [&open.start.begun, &open.start.after].into_iter().flatten() {
                    start_ms = start_ms.max(zero.1 + mark.ms_since(&zero.0)?);
                }
                let (frame, pass, lane) = (open.frame, open.pass, *lane);
                done.push(Done { frame, pass, lane, start_ms: start_ms.min(end_ms), end_ms });
                *ended_ms = end_ms;
                if end_ms > zero.1 + Self::SPAN_MS {
                    *zero = (open.end.clone(), end_ms);
                }
                queue.pop_front();
            }
        }
        Ok(())
    }

    /// The spans read so far, each given once. `names` are those of the passes.
    pub(super) fn take(&mut self, names: &[String]) -> Vec<Span> {
        let span = |Done { frame, pass, lane, start_ms, end_ms }| {
            let (lane, name) = match lane {
                Lane::Upload => ("upload", "upload"),
                Lane::Compute => ("compute", names.get(pass).map_or("measure", String::as_str)),
                Lane::Download => ("download", "download"),
            };
            Span { frame, name: name.to_owned(), lane, start_ms, end_ms }
        };
        self.done.drain(..).map(span).collect()
    }
}
