//! Any sink of planar frames whose output is to have another pixel format than the clip.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use super::Sink;
use crate::frame::{Attachment, Format, Frame, Pool};
use crate::libav::convert::coded_colour;
use crate::libav::{Converter, Stored};

/// A sink that gets frames of another pixel format.
pub struct Converted {
    sink: Box<dyn Sink>,
    packing: Converter,
    planar: Converter,
    picture: Vec<u8>,
    pool: Pool,
}

impl Converted {
    /// Format of the frames that a sink gets as `stored`, which is planar.
    pub fn format(stored: Stored, format: &Format) -> Arc<Format> {
        Arc::new(Format { pixel: stored.pixel(), colour: coded_colour(stored, format), ..format.clone() })
    }

    /// Joins a sink that takes frames of [`Converted::format`] to frames of `format`.
    ///
    /// # Errors
    /// If FFmpeg cannot convert them.
    pub fn new(sink: Box<dyn Sink>, stored: Stored, format: &Arc<Format>) -> Result<Self> {
        let to = Self::format(stored, format);
        let picture = vec![0; stored.packed_bytes(format.width, format.height)];
        let (packing, planar) = (Converter::from_planar(stored, format)?, Converter::to_planar(stored, &to)?);
        Ok(Self { sink, packing, planar, picture, pool: Pool::heap() })
    }
}

impl Sink for Converted {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.packing.pack(&frame, &mut self.picture)?;
        let converted = self.planar.unpack(&self.picture, &self.pool)?;
        self.sink.put(converted.freeze(frame.timing.clone()))
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
