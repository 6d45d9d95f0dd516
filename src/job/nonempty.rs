//! Any sink of a file: an output without a single frame would be none, and takes no other's place.

use std::sync::atomic::Ordering;

use anyhow::{Result, bail};

use super::request::{Request, TypedCut};
use crate::frame::{Attachment, Frame};
use crate::sink::Sink;
use crate::source::Interrupt;

/// A sink that finishes only if it was given a frame.
pub(super) struct NonEmpty {
    sink: Box<dyn Sink>,
    is_empty: bool,
    /// What is said otherwise.
    problem: String,
    interrupt: Interrupt,
}

impl NonEmpty {
    pub(super) fn new(sink: Box<dyn Sink>, request: &Request, interrupt: &Interrupt) -> Self {
        Self { sink, is_empty: true, problem: problem(request), interrupt: interrupt.clone() }
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
        if !self.is_empty {
            return self.sink.finish(trailer);
        }
        // What was stopped before its first frame is nobody's mistake.
        if !self.interrupt.load(Ordering::Relaxed) {
            bail!(self.problem);
        }
        Ok(())
    }
}

/// Why there is no frame, and what to do.
fn problem(request: &Request) -> String {
    let Request { input, output, cut: TypedCut { start, duration, frames }, .. } = request;
    let frames = frames.map(|count| count.to_string());
    let cut = [("--start", start), ("--duration", duration), ("--frames", &frames)];
    let part: Vec<String> =
        cut.iter().filter_map(|(option, value)| value.as_ref().map(|value| format!("{option} {value}"))).collect();
    let name = if input == "-" { "stdin".to_owned() } else { format!("{input:?}") };
    if part.is_empty() {
        return format!("no frame in {name}, so {output:?} is not written; name another input");
    }
    format!("no frame in {name} with {}, so {output:?} is not written; type a longer part", part.join(" "))
}
