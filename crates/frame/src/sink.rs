//! Where frames go: the trait [`Sink`].

use std::path::PathBuf;

use anyhow::Result;

use crate::{Attachment, Frame};

/// An output that is being written. Dropping it unfinished removes what was written.
pub trait Sink: Send {
    /// Writes one frame. Blocks while the output does.
    ///
    /// # Errors
    /// If the output cannot be written or encoded; the message names the output and the frame.
    fn put(&mut self, frame: Frame) -> Result<()>;

    /// Writes what is left, and gives the output its final name. `trailer` is what came after the last frame.
    ///
    /// # Errors
    /// As [`Sink::put`].
    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()>;

    /// Completes what was written of a clip that the user stopped. A file gets a name that says so
    /// (`NAME.partial.EXT`), which is returned, and never its final one; `None` where there is no such file. `rest`
    /// is what came with frames that were read and not written, and after them; what belongs to those that were may be among
    /// it. Unless a sink says otherwise, it has no name to give and finishes.
    ///
    /// # Errors
    /// As [`Sink::put`].
    fn finish_partial(self: Box<Self>, _rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.finish(None)?;
        Ok(None)
    }

    /// How frames are stored, and what comes along beside them, in a few words each: `h264 crf 18`, `AAC copied`. Nothing
    /// where frames are not stored.
    fn describe(&self) -> Vec<String> {
        Vec::new()
    }
}
