//! Samples and nothing else, frame after frame: what FFmpeg's `rawvideo` writes. They are planar, as
//! [`crate::frame::Pixel`] says, or lie as another pixel format of the same samples has them.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};

use super::grid::{Gap, Pace};
use super::{Output, Sink};
use crate::frame::{Attachment, Format, Frame};
use crate::libav::{Converter, Stored};
use crate::strictness::Strictness;

/// A raw clip that is being written.
pub struct Raw {
    output: Output,
    /// What tells whether frames come evenly, where that is watched.
    pace: Option<Pace>,
    /// What puts samples where the pixel format has them, and one picture of it.
    packing: Option<(Converter, Vec<u8>)>,
}

impl Raw {
    /// A clip of planar frames of any format.
    ///
    /// # Errors
    /// If the output is a terminal.
    pub fn create(output: Output) -> Result<Self> {
        output.ensure_not_terminal()?;
        Ok(Self { output, pace: None, packing: None })
    }

    /// Says how the frames of `format` are stored; [`holds`] tells which can be.
    ///
    /// # Errors
    /// If they cannot be stored so.
    pub fn stored(self, stored: Stored, format: &Arc<Format>) -> Result<Self> {
        log::info!("{} is raw {} of {}x{}", self.output.name(), stored.name(), format.width, format.height);
        if stored.is_planar_native() {
            return Ok(self);
        }
        let picture = vec![0; stored.packed_bytes(format.width, format.height)];
        ensure!(!picture.is_empty(), "FFmpeg cannot hold {format} as {}", stored.name());
        Ok(Self { packing: Some((Converter::from_planar(stored, format)?, picture)), ..self })
    }

    /// Says whether times, which are not kept, are an error. `format` is the clip's.
    pub fn strict(self, format: &Format, strict: Strictness) -> Self {
        Self { pace: Some(Pace::new(format, Gap::Closed, strict)), ..self }
    }
}

impl Sink for Raw {
    fn put(&mut self, frame: Frame) -> Result<()> {
        if let Some(pace) = &mut self.pace {
            pace.check(frame.timing.pts, self.output.name())?;
        }
        match &mut self.packing {
            None => self.output.write_frame(&[], &frame),
            Some((converter, picture)) => {
                converter.pack(&frame, picture)?;
                self.output.write_picture(picture, frame.timing.number)
            }
        }
    }

    fn finish(self: Box<Self>, _trailer: Option<Attachment>) -> Result<()> {
        self.output.finish()
    }

    fn finish_partial(self: Box<Self>, _: &[Attachment]) -> Result<Option<PathBuf>> {
        self.output.finish_partial()
    }
}

/// Whether `stored` holds the very samples of `format`.
pub fn holds(stored: Stored, format: &Format) -> bool {
    stored.pixel() == format.pixel && stored.is_lossless()
}
