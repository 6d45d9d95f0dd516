//! Clips in y4m, to a file or a pipe. What the input said in y4m is said again, to the letter where it still holds.
//! y4m has one rate and no times: where frames do not come evenly there is a warning, and they become even.

use std::sync::Arc;

use anyhow::Result;

use super::grid::{Fit, Grid};
use super::{Output, Sink};
use crate::frame::{Attachment, Colour, Format, Frame, Rational};
use crate::y4m::{self, Header, Tags};

/// A y4m clip that is being written.
pub struct Y4m {
    output: Output,
    format: Arc<Format>,
    /// What tells whether frames come evenly, until that is known not to be so.
    grid: Option<Grid>,
    /// The place of the first frame, once the header is written.
    first: Option<i64>,
    /// Frames that were written.
    count: i64,
}

impl Y4m {
    const WAY_OUT: &str = "y4m keeps no times; an output in .mkv does, or a pipe with --container nut";

    /// A clip of frames of `format`. Nothing is written before the first frame.
    ///
    /// # Errors
    /// If y4m cannot hold the format, or the output is a terminal.
    pub fn create(output: Output, format: &Arc<Format>) -> Result<Self> {
        output.ensure_not_terminal()?;
        Header::print(format, None)?;
        let Colour { primaries, transfer, matrix, .. } = format.colour;
        if [primaries, transfer, matrix] != [2; 3] {
            log::info!(
                "y4m has no words for colour primaries, transfer and matrix; {} does not say them",
                output.name()
            );
        }
        Ok(Self { output, format: format.clone(), grid: Grid::new(format), first: None, count: 0 })
    }

    /// Writes the header. `first` is the first frame, where there is one.
    fn begin(&mut self, first: Option<&Frame>) -> Result<()> {
        let mut format = Format::clone(&self.format);
        if format.rate.value().is_none() {
            format.rate = first.and_then(rate_of).unwrap_or(Rational::new(25, 1));
            let (name, rate) = (self.output.name(), format.rate);
            log::warn!("the clip has no constant rate, so {name} has {rate} frames a second; {}", Self::WAY_OUT);
        }
        let tags = first.and_then(tags);
        let header = Header::print(&format, tags.map(|tags| &*tags.header))?;
        self.output.write_bytes(&header)
    }

    /// Warns at the first frame that does not come evenly.
    fn check_time(&mut self, pts: i64) {
        let Some(grid) = &self.grid else { return };
        let (place, fit) = grid.place(pts);
        let first = *self.first.get_or_insert(place);
        if fit == Fit::Off || place - first != self.count {
            let name = self.output.name();
            log::warn!(
                "the frames do not come evenly from number {} on, but play evenly in {name}; {}",
                self.count,
                Self::WAY_OUT
            );
            self.grid = None;
        }
    }
}

impl Sink for Y4m {
    fn put(&mut self, frame: Frame) -> Result<()> {
        if self.count == 0 {
            self.begin(Some(&frame))?;
        }
        self.check_time(frame.timing.pts);
        match tags(&frame) {
            Some(tags) if !tags.frame.is_empty() => {
                let head = [y4m::FRAME, &tags.frame, b"\n"].concat();
                self.output.write_frame(&head, &frame)?;
            }
            _ => self.output.write_frame(b"FRAME\n", &frame)?,
        }
        self.count += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>, _trailer: Option<Attachment>) -> Result<()> {
        if self.count == 0 {
            self.begin(None)?;
        }
        self.output.finish()
    }
}

/// What the frame's y4m input said about it.
fn tags(frame: &Frame) -> Option<&Tags> {
    frame.timing.attachment.as_deref()?.downcast_ref()
}

/// The rate of a clip whose frames are all as long as this one.
fn rate_of(frame: &Frame) -> Option<Rational> {
    let Rational { num, den } = frame.format.time_base;
    let ticks = u64::try_from(frame.timing.duration).ok()?;
    let seconds = ticks.checked_mul(u64::try_from(num).ok()?)?;
    Rational::reduced(u64::try_from(den).ok()?, seconds).ok().flatten()
}
