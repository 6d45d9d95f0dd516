//! Clips that were looked through.

use anyhow::Result;

use super::input;
use super::request::{Request, TypedCut};
use crate::frame::Pool;
use crate::source::{CancelToken, FrameIndex};

/// Index of a clip, and the part of it that a request cuts out.
pub(super) struct KnownClip {
    pub(super) index: FrameIndex,
    /// Frames before the part.
    pub(super) first: u64,
    /// Frames in it.
    pub(super) count: u64,
    pub(super) is_variable: bool,
}

impl KnownClip {
    /// Checks that there is a frame of that number.
    pub(super) fn has(&self, number: u64) -> bool {
        number < self.index.frames.len() as u64
    }

    /// Number in the part of its first frame at a time or later; its length where there is none.
    pub(super) fn number_from(&self, time: i64) -> u64 {
        let number = self.index.frames.partition_point(|frame| frame.time < time) as u64;
        number.saturating_sub(self.first).min(self.count)
    }

    /// Looks through a clip, and finds the part of it that a request cuts out. Blocks.
    pub(super) fn look(request: &Request, whole: &Request, interrupt: &CancelToken) -> Result<Self> {
        let index = input::open(whole, interrupt)?.0.index()?;
        let all = index.frames.len() as u64;
        let is_variable = is_variable(&index);
        if !is_cut(&request.cut) {
            return Ok(Self { index, first: 0, count: all, is_variable });
        }
        let mut part = input::open(request, interrupt)?.0;
        let count = part.index()?.frames.len() as u64;
        let first = part.next_frame(&Pool::heap())?.map_or(0, |frame| {
            let time = frame.timing.pts + frame.timing.offset;
            index.frames.partition_point(|known| known.time < time) as u64
        });
        Ok(Self { index, first, count: count.min(all.saturating_sub(first)), is_variable })
    }
}

/// Checks for a request that reads less than a whole clip.
pub(super) fn is_cut(cut: &TypedCut) -> bool {
    let TypedCut { start, end, duration, frames } = cut;
    start.is_some() || end.is_some() || duration.is_some() || frames.is_some()
}

/// Detects a variable frame rate: durations differ by more than a tenth and more than rounding to the time base explains. A
/// single longer one, such as a gap in a recording, is ignored.
fn is_variable(index: &FrameIndex) -> bool {
    let mut lengths: Vec<i64> = index.frames.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
    lengths.sort_unstable();
    let [shortest, usual, long] =
        [0, lengths.len() / 2, lengths.len().saturating_sub(2)].map(|place| lengths.get(place));
    let (Some(shortest), Some(usual), Some(long)) = (shortest, usual, long) else { return false };
    (long - usual).max(usual - shortest) > (usual / 10).max(1)
}
