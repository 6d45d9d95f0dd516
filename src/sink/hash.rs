//! `hash:`, one checksum a frame, as `ffmpeg -i CLIP -f framemd5 -` prints it but for the line `#software`.
//!
//! The checksum is the MD5 of the frame's samples, planar, without padding. Times are in frames of the clip's nominal
//! rate, as FFmpeg's are; where a time lies between two of them it is rounded, with a warning. A clip without a
//! nominal rate has its times in its own time base.

use std::sync::Arc;

use anyhow::Result;
use md5::{Digest, Md5};

use super::grid::{Fit, Grid};
use super::{Output, Sink};
use crate::frame::{Attachment, Format, Frame, Rational};

/// A list of checksums that is being written.
pub struct Hash {
    output: Output,
    grid: Option<Grid>,
    /// The place of the last frame, while no time was rounded.
    last: Option<i64>,
}

impl Hash {
    /// Writes the head of the list.
    ///
    /// # Errors
    /// If that fails.
    pub fn create(mut output: Output, format: &Arc<Format>) -> Result<Self> {
        let grid = Grid::new(format);
        let Rational { num, den } = if grid.is_some() { format.rate.inverse() } else { format.time_base };
        let aspect = if format.aspect.value().is_some() { format.aspect } else { Rational::new(0, 1) };
        let head = format!(
            "#format: frame checksums\n\
             #version: 2\n\
             #hash: MD5\n\
             #software: {name} {version}\n\
             #tb 0: {num}/{den}\n\
             #media_type 0: video\n\
             #codec_id 0: rawvideo\n\
             #dimensions 0: {width}x{height}\n\
             #sar 0: {aspect_num}/{aspect_den}\n\
             #stream#, dts,        pts, duration,     size, hash\n",
            name = env!("CARGO_PKG_NAME"),
            version = env!("CARGO_PKG_VERSION"),
            width = format.width,
            height = format.height,
            aspect_num = aspect.num,
            aspect_den = aspect.den,
        );
        output.write_bytes(head.as_bytes())?;
        Ok(Self { output, grid, last: Some(i64::MIN) })
    }

    /// Time and length of a frame in the unit of the list.
    fn time(&mut self, frame: &Frame) -> (i64, i64) {
        let timing = &frame.timing;
        let Some(grid) = &self.grid else { return (timing.pts, timing.duration) };
        let (place, fit) = grid.place(timing.pts);
        if let Some(last) = self.last {
            self.last = (fit == Fit::On && place > last).then_some(place);
            if self.last.is_none() {
                let (name, number, rate) = (self.output.name(), timing.number, frame.format.rate);
                log::warn!(
                    "frame {number} does not lie on the grid of {rate} frames a second; {name} has rounded times"
                );
            }
        }
        (place, 1)
    }
}

impl Sink for Hash {
    fn put(&mut self, frame: Frame) -> Result<()> {
        let mut hasher = Md5::new();
        match frame.packed_bytes() {
            Some(samples) => hasher.update(samples),
            None => (0..frame.plane_count()).flat_map(|plane| frame.rows(plane)).for_each(|row| hasher.update(row)),
        }
        let (pts, duration) = self.time(&frame);
        let size = frame.format.packed_bytes();
        let sum = u128::from_be_bytes(hasher.finalize().into());
        let line = format!("0, {pts:10}, {pts:10}, {duration:8}, {size:8}, {sum:032x}\n");
        self.output.write_bytes(line.as_bytes())
    }

    fn finish(self: Box<Self>, _trailer: Option<Attachment>) -> Result<()> {
        self.output.finish()
    }
}
