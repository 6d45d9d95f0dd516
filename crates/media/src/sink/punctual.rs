//! Any sink that writes a frame at once, where frames of a live input are to be timed.

use std::path::PathBuf;

use anyhow::Result;

use super::Sink;
use crate::frame::{Attachment, Frame, LiveMark};

/// A sink that times frames of a live input; a container times their packets itself.
pub struct Punctual(Box<dyn Sink>);

impl Punctual {
    /// Puts it before a sink.
    pub fn new(sink: Box<dyn Sink>) -> Self {
        Self(sink)
    }
}

impl Sink for Punctual {
    fn put(&mut self, frame: Frame) -> Result<()> {
        let mark = frame.timing.live.clone();
        self.0.put(frame)?;
        mark.iter().for_each(LiveMark::written);
        Ok(())
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        self.0.finish(trailer)
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.0.finish_partial(rest)
    }

    fn describe(&self) -> Vec<String> {
        self.0.describe()
    }
}
