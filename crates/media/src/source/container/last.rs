//! The last frame of a clip that was returned, which may have to be repeated.

use crate::frame::Frame;

/// The last frame that was returned, and the damage since.
#[derive(Default)]
pub(super) struct LastFrame {
    /// When it ends, from the part's beginning; `None` before the first.
    pub end: Option<i64>,
    /// When the last frame that was decoded ends.
    pub shown: i64,
    /// The damage that takes no more frames.
    pub damage: u64,
    /// The damage that was known at the last frame.
    pub known: u64,
    /// Frames without a gap since damage was found.
    pub quiet: u64,
    /// Itself without packets, where it may have to be repeated.
    pub frame: Option<Frame>,
    /// Whether the gap behind it has been counted.
    pub is_counted: bool,
    /// True once a time behind the end of the clip was reported.
    pub is_beyond: bool,
}

impl LastFrame {
    /// When the last frame ends, also one that was repeated; 0 before the first.
    pub fn reached(&self) -> i64 {
        self.end.unwrap_or(0)
    }
}
