//! Any source whose frames are wanted a second time, as they were.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use anyhow::Result;

use super::{DecodeLanes, Defects, Source};
use crate::frame::{Attachment, Format, Frame, Margin, Pool};
use crate::gauge::Gauge;

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
    fn format(&self) -> &Arc<Format> {
        self.source.format()
    }

    fn next(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let next = self.source.next(pool)?;
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

    fn codec(&self) -> Option<String> {
        self.source.codec()
    }

    fn decoders(&self) -> usize {
        self.source.decoders()
    }

    fn watch(&mut self, gauges: Vec<Arc<Gauge>>) {
        self.source.watch(gauges);
    }

    fn length(&self) -> Option<u64> {
        self.source.length()
    }

    fn is_plain(&self) -> bool {
        self.source.is_plain()
    }

    fn stored(&self) -> Option<&'static str> {
        self.source.stored()
    }

    fn trailer(&mut self) -> Option<Attachment> {
        self.source.trailer()
    }

    fn defects(&self) -> Defects {
        self.source.defects()
    }
}
