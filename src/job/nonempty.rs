//! Any sink of a file: an output without a single frame would be none, and takes no other's place.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::request::{Request, TypedCut};
use crate::frame::{Attachment, Frame};
use crate::sink::Sink;

/// A sink that finishes only if it was given a frame.
pub(super) struct NonEmpty {
    sink: Box<dyn Sink>,
    is_empty: bool,
    /// What is said otherwise.
    problem: String,
}

impl NonEmpty {
    pub(super) fn new(sink: Box<dyn Sink>, request: &Request) -> Self {
        Self { sink, is_empty: true, problem: problem(request) }
    }
}

impl Sink for NonEmpty {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.is_empty = false;
        self.sink.put(frame)
    }

    fn describe(&self) -> Vec<String> {
        self.sink.describe()
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        ensure!(!self.is_empty, self.problem);
        self.sink.finish(trailer)
    }

    /// What was stopped before its first frame is nobody's mistake, and leaves nothing.
    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        if self.is_empty { Ok(None) } else { self.sink.finish_partial(rest) }
    }
}

/// Why there is no frame, and what to do.
fn problem(request: &Request) -> String {
    let Request { input, output, cut: TypedCut { start, end, duration, frames }, .. } = request;
    let frames = frames.map(|count| count.to_string());
    let cut = [("--start", start), ("--end", end), ("--duration", duration), ("--frames", &frames)];
    let part: Vec<String> =
        cut.iter().filter_map(|(option, value)| value.as_ref().map(|value| format!("{option} {value}"))).collect();
    let name = if input == "-" { "stdin".to_owned() } else { format!("{input:?}") };
    if part.is_empty() {
        return format!("{name} has no frames, so {output:?} is not written; name another input");
    }
    format!("{name} has no frames with {}, so {output:?} is not written; type a longer part", part.join(" "))
}
