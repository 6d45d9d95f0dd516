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

/// Frames as they were, in order; each is there before what became of it comes out, and of some nothing does.
pub struct Before {
    frames: Receiver<Frame>,
    /// Brings them to the format of the filtered frames.
    through: Option<Through>,
    /// The one that the latest frame was; several may be made of it.
    latest: Option<Frame>,
}

/// Makes a frame of another format of a frame.
type Through = Box<dyn FnMut(Frame) -> Result<Frame> + Send>;

impl Before {
    /// Frames of the format of what they became.
    pub fn new(frames: Receiver<Frame>) -> Self {
        Self { frames, through: None, latest: None }
    }

    /// The same, changed by `through`.
    #[must_use]
    pub fn through(self, through: Through) -> Self {
        Self { through: Some(through), ..self }
    }

    /// The frame that a filtered one was.
    ///
    /// # Errors
    /// If there is none, or it cannot be changed to the format of the filtered one.
    pub fn of(&mut self, frame: &Frame) -> Result<&Frame> {
        let (number, origin) = (frame.timing.number, frame.timing.origin());
        let before = match self.latest.take().filter(|latest| latest.timing.number == origin) {
            Some(latest) => latest,
            None => self.next(origin).with_context(|| format!("frame {number} has no frame to compare with"))?,
        };
        let came = before.timing.number;
        ensure!(came == origin, "frame {number}, made of frame {origin}, came out in place of frame {came}");
        Ok(self.latest.insert(before))
    }

    /// The frame of a number. Frames before it were dropped.
    fn next(&mut self, number: u64) -> Result<Frame> {
        let frame = loop {
            let frame = self.frames.try_recv()?;
            if frame.timing.number >= number {
                break frame;
            }
        };
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
        let before = self.before.of(&frame)?;
        let both =
            self.comparer.run(before, &frame).with_context(|| format!("compare frame {}", frame.timing.number))?;
        drop(frame);
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
