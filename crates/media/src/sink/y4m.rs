//! Clips in y4m, to a file or a pipe. What the input said in y4m is said again, to the letter where it still holds.
//! y4m has one rate and no times: where frames do not come evenly there is a warning or an error, and they become even.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};

use super::grid::{Gap, Pace};
use super::{Output, Sink};
use crate::frame::{Attachment, Bundle, Colour, Format, Frame, Rational};
use crate::strictness::Strictness;
use crate::y4m::{self, Header, Tags};

/// A y4m clip that is being written.
pub struct Y4m {
    output: Output,
    format: Arc<Format>,
    /// What tells whether frames come evenly.
    pace: Pace,
    /// Whether the header is written.
    is_begun: bool,
}

impl Y4m {
    /// A clip of frames of `format`. Nothing is written before the first frame.
    ///
    /// # Errors
    /// If y4m cannot hold the format, or the output is a terminal.
    pub fn create(output: Output, format: &Arc<Format>) -> Result<Self> {
        output.ensure_not_terminal()?;
        Header::print(format, None)?;
        let Colour { primaries, transfer, matrix, .. } = format.colour;
        if [primaries, transfer, matrix] != [2; 3] {
            log::info!("y4m has no tags for colour primaries, transfer and matrix; {} loses them", output.name());
        }
        let pace = Pace::new(format, Gap::Closed, Strictness::Lenient);
        Ok(Self { output, format: format.clone(), pace, is_begun: false })
    }

    /// Says whether times that y4m does not keep are an error.
    pub fn strict(self, strict: Strictness) -> Self {
        Self { pace: Pace::new(&self.format, Gap::Closed, strict), ..self }
    }

    /// Writes the header. `first` is the first frame, where there is one.
    fn begin(&mut self, first: Option<&Frame>) -> Result<()> {
        let mut format = Format::clone(&self.format);
        if format.rate.value().is_none() {
            format.rate = first.and_then(rate_of).unwrap_or(Rational::new(25, 1));
            self.pace.invent(format.rate, self.output.name())?;
        }
        let tags = first.and_then(tags);
        let pixel = format.pixel;
        // Where the input says so in y4m, somebody knows it.
        ensure!(
            tags.is_some() || y4m::is_common(pixel),
            "{} would be unreadable: ffmpeg does not support y4m with {}; name an output that ends in .mkv and add --codec ffv1, or \
             pipe with --container nut --codec rawvideo",
            self.output.name(),
            pixel.name()
        );
        let header = Header::print(&format, tags.map(|tags| &*tags.header))?;
        self.is_begun = true;
        self.output.write_bytes(&header)
    }

    /// Writes the header, if no frame has brought it.
    fn complete(&mut self) -> Result<()> {
        if self.is_begun { Ok(()) } else { self.begin(None) }
    }
}

impl Sink for Y4m {
    fn put(&mut self, frame: Frame) -> Result<()> {
        if !self.is_begun {
            self.begin(Some(&frame))?;
        }
        self.pace.check(frame.timing.pts, self.output.name())?;
        match tags(&frame) {
            Some(tags) if !tags.frame.is_empty() => {
                let head = [y4m::FRAME, &tags.frame, b"\n"].concat();
                self.output.write_frame(&head, &frame)?;
            }
            _ => self.output.write_frame(b"FRAME\n", &frame)?,
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _trailer: Option<Attachment>) -> Result<()> {
        self.complete()?;
        self.output.finish()
    }

    fn finish_partial(mut self: Box<Self>, _: &[Attachment]) -> Result<Option<PathBuf>> {
        self.complete()?;
        self.output.finish_partial()
    }
}

/// What the frame's y4m input said about it.
fn tags(frame: &Frame) -> Option<&Tags> {
    Bundle::parts(frame.timing.attachment.as_ref()?).last()?.downcast_ref()
}

/// The rate of a clip whose frames are all as long as this one.
fn rate_of(frame: &Frame) -> Option<Rational> {
    let Rational { num, den } = frame.format().time_base;
    let ticks = u64::try_from(frame.timing.duration).ok()?;
    let seconds = ticks.checked_mul(u64::try_from(num).ok()?)?;
    Rational::reduced(u64::try_from(den).ok()?, seconds).ok().flatten()
}
