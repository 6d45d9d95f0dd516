//! What the GPU did when: the time of every copy and every pass, from events, for `--trace`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::stream::{Lane, Lanes, Mark};

/// One piece of work on the GPU.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Span {
    /// Number of the frame in the input, from 0.
    pub frame: u64,
    /// `upload`, `download`, or the name of the pass.
    pub name: String,
    /// Which queue: `upload`, `compute` or `download`.
    pub lane: &'static str,
    /// When it began, in milliseconds after [`Trace::started`].
    pub start_ms: f64,
    /// When it ended, likewise.
    pub end_ms: f64,
}

struct Open {
    frame: u64,
    name: String,
    start: Arc<Mark>,
    end: Arc<Mark>,
}

/// Spans that are being measured.
pub(super) struct Trace {
    /// The host's time at which the GPU's clock of the spans starts.
    pub(super) started: Instant,
    zero: Arc<Mark>,
    open: VecDeque<Open>,
    done: Vec<Span>,
}

impl Trace {
    /// Starts the clock. Blocks until the GPU has answered.
    pub(super) fn new(lanes: &Lanes) -> Result<Self> {
        let zero = lanes.mark(Lane::Compute)?;
        zero.wait()?;
        Ok(Self { started: Instant::now(), zero, open: VecDeque::new(), done: Vec::new() })
    }

    /// Notes a piece of work between two marks of a lane.
    pub(super) fn add(&mut self, frame: u64, name: &str, start: Arc<Mark>, end: Arc<Mark>) {
        self.open.push_back(Open { frame, name: name.to_owned(), start, end });
    }

    /// Reads the times of what is done, so that their events can be used again. Does not block.
    pub(super) fn collect(&mut self) -> Result<()> {
        let mut waiting = VecDeque::new();
        while let Some(open) = self.open.pop_front() {
            if !open.end.is_done()? {
                waiting.push_back(open);
                continue;
            }
            let lane = match open.end.lane {
                Lane::Upload => "upload",
                Lane::Compute => "compute",
                Lane::Download => "download",
            };
            let (start_ms, end_ms) = (open.start.ms_since(&self.zero)?, open.end.ms_since(&self.zero)?);
            self.done.push(Span { frame: open.frame, name: open.name, lane, start_ms, end_ms });
        }
        self.open = waiting;
        Ok(())
    }

    /// The spans read so far, each given once.
    pub(super) fn take(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.done)
    }
}
