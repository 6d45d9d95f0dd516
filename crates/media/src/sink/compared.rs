//! Any sink that is to show what became of frames beside what they were.

use std::path::PathBuf;
use std::sync::mpsc::Receiver;

use anyhow::{Context, Result, ensure};

use super::Sink;
use crate::frame::{Attachment, Comparer, Frame};

/// A sink that is given each filtered frame together with the one that it was.
pub struct Compared {
    sink: Box<dyn Sink>,
    comparer: Comparer,
    before: Before,
}

/// Frames as they were, in order; each is there before what became of it comes out.
pub struct Before {
    frames: Receiver<Frame>,
    /// Brings them to the format of the filtered frames.
    through: Option<Through>,
}

/// Makes a frame of another format of a frame.
type Through = Box<dyn FnMut(Frame) -> Result<Frame> + Send>;

impl Before {
    /// Frames of the format of what they became.
    pub fn new(frames: Receiver<Frame>) -> Self {
        Self { frames, through: None }
    }

    /// The same, changed by `through`.
    #[must_use]
    pub fn through(self, through: Through) -> Self {
        Self { through: Some(through), ..self }
    }

    fn next(&mut self) -> Result<Frame> {
        let frame = self.frames.try_recv()?;
        match &mut self.through {
            Some(through) => through(frame),
            None => Ok(frame),
        }
    }
}

impl Compared {
    /// Joins them; the sink takes frames of the format that the comparer makes.
    pub fn new(sink: Box<dyn Sink>, comparer: Comparer, before: Before) -> Self {
        Self { sink, comparer, before }
    }
}

impl Sink for Compared {
    fn put(&mut self, frame: Frame) -> Result<()> {
        let number = frame.timing.number;
        let before = self.before.next().with_context(|| format!("frame {number} has no frame to compare with"))?;
        ensure!(before.timing.number == number, "frame {number} came out in place of frame {}", before.timing.number);
        let both = self.comparer.run(&before, &frame).with_context(|| format!("compare frame {number}"))?;
        // Neither is needed while the sink works.
        drop((before, frame));
        self.sink.put(both)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        self.sink.finish(trailer)
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.sink.finish_partial(rest)
    }

    fn describe(&self) -> Vec<String> {
        let mut words = self.sink.describe();
        if !words.is_empty() {
            words.push(self.comparer.pairing().to_string());
        }
        words
    }
}
