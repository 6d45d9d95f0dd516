//! Frames of a video in any order.

use std::fs;

use anyhow::{Context, Result};
use warpreel::frame::{Frame, Pool, Rational};
use warpreel::job::{self, Request, Scrubber};

/// The video of a request once more, for frames by their places.
pub struct Access {
    scrubber: Scrubber,
    /// What is taken from times of the whole clip where a part was opened.
    offset: i64,
}

impl Access {
    /// Memory for frames that are kept, in bytes.
    const ROOM: usize = 256 << 20;

    /// The one that is there, or a new one. Blocks while that is opened.
    ///
    /// # Errors
    /// If the video cannot be opened.
    pub fn get<'a>(kept: &'a mut Option<Self>, request: &Request) -> Result<&'a mut Self> {
        if kept.is_none() {
            *kept = Some(Self::open(request)?);
        }
        kept.as_mut().context("an open video")
    }

    fn open(request: &Request) -> Result<Self> {
        anyhow::ensure!(!Self::is_stream(request), io_error(&request.input));
        let (cut, stop) = (&request.cut, Default::default());
        let is_part = cut.start.is_some() || cut.end.is_some() || cut.duration.is_some() || cut.frames.is_some();
        let offset = match is_part {
            true => job::Reader::open(request, &stop)?
                .source()
                .next_frame(&Pool::heap())?
                .map_or(0, |first| first.timing.offset),
            false => 0,
        };
        Ok(Self { scrubber: Scrubber::open(request.clone(), Self::ROOM, &stop)?, offset })
    }

    /// Whether a video is read once, from its beginning: a pipe, or a device.
    pub fn is_stream(request: &Request) -> bool {
        request.input == "-" || fs::metadata(&request.input).is_ok_and(|found| !found.is_file() && !found.is_dir())
    }

    /// Frames by their places in the part that was opened; those alone that there are. Blocks while they are decoded.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn frames(&mut self, places: &[u64]) -> Result<Vec<Frame>> {
        let mut frames = Vec::new();
        for &place in places {
            let found = self.scrubber.frames(place..place.saturating_add(1))?;
            frames.extend(found.into_iter().map(|mut frame| {
                frame.timing.pts -= self.offset;
                frame
            }));
        }
        Ok(frames)
    }

    /// How many frames there are. Blocks while the file is looked through.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn count(&self) -> Result<Option<u64>> {
        self.scrubber.count()
    }

    /// The place of the first frame that is shown so many seconds after the first, or later. Blocks while the file is looked
    /// through.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn number_from(&self, time: f64, base: Rational) -> Result<u64> {
        let unit = base.value().context("the video has no unit of time")?;
        // A time that was printed lies beside the one that is meant, by less than a microsecond.
        let units = (time / unit - (1e-6 / unit).max(1e-3)).ceil();
        self.scrubber.number_from((units as i64).saturating_add(self.offset))
    }
}

/// What is said of videos that cannot be read in any order.
fn io_error(input: &str) -> std::io::Error {
    let what = format!("{input:?} is read once, from its beginning; read it with a loop, or name a file");
    std::io::Error::new(std::io::ErrorKind::NotSeekable, what)
}
