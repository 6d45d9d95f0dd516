//! Any source whose frames are wanted a second time, as they were.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use anyhow::Result;

use super::{DecodeLanes, Source};
use crate::frame::{Format, Frame, Margin, Pool};

/// A source that hands a second reader each frame that will be written. Samples are shared, not copied; what rides along
/// goes one way only.
pub struct Tapped {
    source: Box<dyn Source>,
    tap: Sender<Frame>,
}

impl Tapped {
    /// Joins the two. Nothing bounds the channel but how many frames are under way.
    pub fn new(source: Box<dyn Source>, tap: Sender<Frame>) -> Self {
        Self { source, tap }
    }
}

impl Source for Tapped {
    fn inner(&self) -> Option<&dyn Source> {
        Some(self.source.as_ref())
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Source> {
        Some(self.source.as_mut())
    }

    fn format(&self) -> &Arc<Format> {
        self.source.format()
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let next = self.source.next_frame(pool)?;
        if let Some(frame) = next.as_ref().filter(|frame| !frame.timing.is_margin) {
            let mut seen = frame.clone();
            seen.timing.attachment = None;
            // Where nobody reads any more the run is about to end, and says why.
            self.tap.send(seen).ok();
        }
        Ok(next)
    }

    fn widen(&mut self, margin: Margin) {
        self.source.widen(margin);
    }

    fn decode_in_lanes(&mut self, lanes: DecodeLanes) -> Result<(), &'static str> {
        self.source.decode_in_lanes(lanes)
    }

    fn length(&self) -> Option<u64> {
        self.source.length()
    }
}
