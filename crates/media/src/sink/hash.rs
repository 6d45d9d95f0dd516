//! `hash:`, one checksum a frame, as `ffmpeg -i CLIP -f framemd5 -` prints it but for the line `#software`.
//!
//! The checksum is the MD5 of the frame's samples, planar, without padding; several threads form those of several frames. Times are in frames of the clip's nominal
//! rate, as FFmpeg's are; where a time lies between two of them it is rounded, with a warning or an error. A clip without a
//! nominal rate has its times in its own time base.

use std::path::PathBuf;
use std::sync::Arc;

use super::grid::{Gap, Grid, Pace};
use super::sum::FrameSums;
use super::{Output, Sink};
use crate::frame::{Attachment, Format, Frame, Rational};
use crate::strictness::Strictness;
use anyhow::Result;

/// A list of checksums that is being written.
pub struct Hash {
    output: Output,
    grid: Option<Grid>,
    /// What tells whether a time is rounded.
    pace: Pace,
    /// Frames whose checksum is formed, each with the beginning of its line.
    sums: FrameSums<String>,
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
            name = "warpreel",
            version = env!("CARGO_PKG_VERSION"),
            width = format.width,
            height = format.height,
            aspect_num = aspect.num,
            aspect_den = aspect.den,
        );
        output.write_bytes(head.as_bytes())?;
        Ok(Self {
            output,
            grid,
            pace: Pace::new(format, Gap::Kept, Strictness::Lenient).since_zero(),
            sums: FrameSums::new("encoder sum"),
        })
    }

    /// Says whether rounded times are an error. `format` is the clip's.
    pub fn strict(self, format: &Format, strict: Strictness) -> Self {
        Self { pace: Pace::new(format, Gap::Kept, strict).since_zero(), ..self }
    }

    /// Time and length of a frame in the unit of the list.
    fn time(&self, frame: &Frame) -> (i64, i64) {
        let timing = &frame.timing;
        self.grid.as_ref().map_or((timing.pts, timing.duration), |grid| (grid.place(timing.pts).0, 1))
    }

    /// Writes what is left.
    fn end(self) -> Result<Output> {
        let Self { mut output, mut sums, .. } = self;
        write(&mut output, sums.rest()?)?;
        Ok(output)
    }
}

/// Writes the lines of frames whose checksums are there.
fn write(output: &mut Output, finished: Vec<(String, u128)>) -> Result<()> {
    finished.into_iter().try_for_each(|(begin, sum)| output.write_bytes(format!("{begin}, {sum:032x}\n").as_bytes()))
}

impl Sink for Hash {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.pace.check(frame.timing.pts, self.output.name())?;
        let (pts, duration) = self.time(&frame);
        let size = frame.format().packed_bytes();
        let begin = format!("0, {pts:10}, {pts:10}, {duration:8}, {size:8}");
        let finished = self.sums.put(begin, frame)?;
        write(&mut self.output, finished)
    }

    fn finish(self: Box<Self>, _trailer: Option<Attachment>) -> Result<()> {
        self.end()?.finish()
    }

    fn finish_partial(self: Box<Self>, _: &[Attachment]) -> Result<Option<PathBuf>> {
        self.end()?.finish_partial()
    }
}
