//! Frames of a live input that an encoder holds, until their packets are written.

use std::collections::VecDeque;

use crate::frame::{LiveMark, Timing};

/// Marks of such frames, in the order in which they were sent.
#[derive(Default)]
pub(super) struct Delays(VecDeque<(i64, LiveMark)>);

impl Delays {
    /// An encoder holds fewer frames; further marks replace the oldest.
    const MOST: usize = 512;

    /// A frame was sent to the encoder.
    pub fn enter(&mut self, timing: &Timing) {
        let Some(mark) = &timing.live else { return };
        if self.0.len() == Self::MOST {
            self.0.pop_front();
        }
        self.0.push_back((timing.pts, mark.clone()));
    }

    /// The mark of the frame whose packet came, which is shown at `pts`.
    pub fn leave(&mut self, pts: i64) -> Option<LiveMark> {
        let place = self.0.iter().position(|(known, _)| *known == pts)?;
        self.0.remove(place).map(|(_, mark)| mark)
    }
}
