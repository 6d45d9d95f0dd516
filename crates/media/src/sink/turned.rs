//! Any sink whose output cannot say how frames are turned when they are shown: it gets them turned.

use std::path::PathBuf;

use anyhow::Result;

use super::Sink;
use crate::frame::{Attachment, Frame, Turner};

/// A sink that is given frames as they are shown.
pub struct Turned {
    sink: Box<dyn Sink>,
    turner: Turner,
}

impl Turned {
    /// Joins the two; the sink takes frames of the format that the turner makes.
    pub fn new(sink: Box<dyn Sink>, turner: Turner) -> Self {
        Self { sink, turner }
    }
}

impl Sink for Turned {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.sink.put(self.turner.run(&frame)?)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        self.sink.finish(trailer)
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.sink.finish_partial(rest)
    }

    fn describe(&self) -> Vec<String> {
        self.sink.describe()
    }
}
