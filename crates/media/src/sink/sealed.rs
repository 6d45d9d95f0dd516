//! Any sink that is to tell a checksum of all that went into it, so that a copy of it can be known.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use anyhow::{Result, ensure};

use super::{FrameSum, Sink};
use crate::frame::{Attachment, Frame};

/// A sink whose frames are counted and added up.
pub struct Sealed {
    sink: Box<dyn Sink>,
    frames_sum: FrameSum,
    frames: u64,
    /// How many frames there have to be, and what is said otherwise.
    due: Option<(u64, String)>,
    sum: Arc<OnceLock<String>>,
}

impl Sealed {
    /// Puts it before a sink. With `due` the output is finished only if so many frames came; the text says what is wrong
    /// else.
    pub fn new(sink: Box<dyn Sink>, due: Option<(u64, String)>) -> Self {
        Self { sink, frames_sum: FrameSum::new("encoder sum"), frames: 0, due, sum: Arc::default() }
    }

    /// The [`FrameSum`] of all frames; there once the sink is finished.
    pub fn sum(&self) -> Arc<OnceLock<String>> {
        self.sum.clone()
    }
}

impl Sink for Sealed {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.frames_sum.add(&frame)?;
        self.frames += 1;
        self.sink.put(frame)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        if let Some((due, otherwise)) = &self.due {
            ensure!(self.frames == *due, "{} frames came, and {due} were expected: {otherwise}", self.frames);
        }
        let Self { sink, frames_sum, sum, .. } = *self;
        let total = frames_sum.finish()?;
        sum.get_or_init(|| total);
        sink.finish(trailer)
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.sink.finish_partial(rest)
    }

    fn describe(&self) -> Vec<String> {
        self.sink.describe()
    }
}
