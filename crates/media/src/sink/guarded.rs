//! Any sink over a [`Target`]: the output gets its final name after the sink has finished.

use std::path::PathBuf;

use anyhow::Result;

use super::{Sink, Target};
use crate::frame::{Attachment, Frame};

/// A sink that writes into a target: when it has finished, the target gets its name.
pub struct Guarded {
    sink: Box<dyn Sink>,
    target: Target,
}

impl Guarded {
    /// Joins the two.
    pub fn new(sink: Box<dyn Sink>, target: Target) -> Self {
        Self { sink, target }
    }
}

impl Sink for Guarded {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.sink.put(frame)
    }

    fn describe(&self) -> Vec<String> {
        self.sink.describe()
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        self.sink.finish(trailer)?;
        self.target.commit()
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.sink.finish_partial(rest)?;
        self.target.commit_partial()
    }
}
