//! Second clips without files: noise that depends on nothing but the number of the frame, at a rate and a length of their own.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use warpreel::filter::Defaults;
use warpreel::frame::{Format, Frame, Pool, Rational, Timing};
use warpreel::pass::{ClipOpener, ClipShape, Clips, CompanionClip, Op};
use warpreel::source::Source;

use crate::agreement::Random;

/// Frames of a second clip, of which each is shown for a tenth of a second.
pub const LENGTH: u64 = 3;

/// Opens them under any name.
struct NoiseClips;

/// One of them.
struct NoiseClip {
    of: Arc<Format>,
    format: Arc<Format>,
    number: u64,
}

impl ClipOpener for NoiseClips {
    fn open(&self, clip: &CompanionClip, format: &Arc<Format>, _: Duration) -> Result<Box<dyn Source>> {
        let (of, rate) = (clip.format(format), Rational::new(10, 1));
        let format = Arc::new(Format { rate, time_base: rate.inverse(), ..Format::clone(format) });
        Ok(Box::new(NoiseClip { of, format, number: 0 }))
    }

    /// Those of an MP4 file have no opacity.
    fn shape(&self, path: &str) -> Result<ClipShape> {
        Ok(ClipShape { width: 13, height: 9, has_alpha: !path.ends_with(".mp4") })
    }
}

impl Source for NoiseClip {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, _: &Pool) -> Result<Option<Frame>> {
        let number = self.number;
        self.number += 1;
        Ok((number < LENGTH).then(|| frame(&self.of, number)))
    }

    fn length(&self) -> Option<u64> {
        Some(LENGTH)
    }
}

/// A frame of every second clip of a format.
pub fn frame(format: &Arc<Format>, number: u64) -> Frame {
    let case = Random::new(9_000).finished(9_000, Format::clone(format), vec![Op::Copy; format.pixel.planes()]);
    let mut frame = case.frame(number as usize, &Pool::heap());
    frame.timing = Timing::at(number);
    frame
}

/// Defaults of chains whose second clips are these.
pub fn defaults() -> Defaults {
    Defaults { clips: Some(Clips::new(NoiseClips)), ..Defaults::default() }
}
