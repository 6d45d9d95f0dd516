//! The stage's own times: noting them while it works, and giving them out.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::stage::Cuda;
use super::stream::{Lane, Mark};
use super::trace::Start;
use crate::backend::gpu::Span;

impl Cuda {
    /// When the clock of [`Cuda::spans`] started; `None` without [`Tracing::On`](crate::backend::gpu::Tracing::On).
    pub fn trace_started(&self) -> Option<Instant> {
        self.trace.as_ref().map(|trace| trace.started)
    }

    /// The work that was done since the last call; all of it once every frame was waited for. Does not block.
    ///
    /// # Errors
    /// If the device failed.
    pub fn spans(&mut self) -> Result<Vec<Span>> {
        let Some(trace) = &mut self.trace else { return Ok(Vec::new()) };
        trace.collect()?;
        Ok(trace.take(|pass| self.steps.get(pass).map(|step| step.pass.name.as_str())))
    }

    /// Tells when a piece of work that is about to be queued will start, where that is measured. `after` is the mark of
    /// another lane that it waits for.
    pub(super) fn begin(&self, lane: Lane, after: Option<&Arc<Mark>>) -> Result<Option<Start>> {
        self.trace.as_ref().map(|trace| trace.begin(&self.lanes, lane, after)).transpose()
    }

    /// Marks the end of a piece of work in a lane, and notes it.
    pub(super) fn end(&mut self, lane: Lane, frame: u64, pass: usize, start: Option<Start>) -> Result<Arc<Mark>> {
        let mark = self.lanes.mark(lane)?;
        if let (Some(trace), Some(start)) = (&mut self.trace, start) {
            trace.add(frame, pass, start, mark.clone())?;
        }
        Ok(mark)
    }
}
