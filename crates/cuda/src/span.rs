//! The stage's own times: noting them while it works, and giving them out.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::stage::Cuda;
use super::stream::{Event, StreamRole};
use super::trace::WorkStart;
use crate::backend::DeviceSpan;

impl Cuda {
    /// When the clock of [`Cuda::spans`] started; `None` without [`Tracing::On`](crate::backend::Tracing::On).
    pub fn trace_started(&self) -> Option<Instant> {
        self.trace.as_ref().map(|trace| trace.started)
    }

    /// The work that was done since the last call; all of it once every frame was waited for. Does not block.
    ///
    /// # Errors
    /// If the device failed.
    pub fn spans(&mut self) -> Result<Vec<DeviceSpan>> {
        let Some(trace) = &mut self.trace else { return Ok(Vec::new()) };
        trace.collect()?;
        Ok(trace.take(|pass| self.steps.get(pass).map(|step| step.pass.name.as_str())))
    }

    /// Tells when a piece of work that is about to be queued will start, where that is measured. `after` is the event of
    /// another stream that it waits for.
    pub(super) fn begin(&self, stream: StreamRole, after: Option<&Arc<Event>>) -> Result<Option<WorkStart>> {
        self.trace.as_ref().map(|trace| trace.begin(&self.streams, stream, after)).transpose()
    }

    /// Records an event at the end of a piece of work in a stream, and notes it.
    pub(super) fn end(
        &mut self,
        stream: StreamRole,
        frame: u64,
        pass: usize,
        start: Option<WorkStart>,
    ) -> Result<Arc<Event>> {
        let event = self.streams.record(stream)?;
        if let (Some(trace), Some(start)) = (&mut self.trace, start) {
            trace.add(frame, pass, start, event.clone())?;
        }
        Ok(event)
    }
}
