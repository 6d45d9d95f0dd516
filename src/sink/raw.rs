//! Samples and nothing else, frame after frame, planar as [`crate::frame::Pixel`] says: what FFmpeg's `rawvideo` writes
//! for a format of that name.

use anyhow::Result;

use super::{Output, Sink};
use crate::frame::{Attachment, Frame};

/// A raw clip that is being written.
pub struct Raw {
    output: Output,
}

impl Raw {
    /// A clip of any format.
    ///
    /// # Errors
    /// If the output is a terminal.
    pub fn create(output: Output) -> Result<Self> {
        output.ensure_not_terminal()?;
        Ok(Self { output })
    }
}

impl Sink for Raw {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.output.write_frame(&[], &frame)
    }

    fn finish(self: Box<Self>, _trailer: Option<Attachment>) -> Result<()> {
        self.output.finish()
    }
}
