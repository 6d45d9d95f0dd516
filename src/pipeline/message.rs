//! What travels between stages, and what a stage says whose neighbour is gone.

use crate::frame::{Attachment, Frame};

/// What travels between stages.
pub(super) enum Message {
    Frame(Frame),
    /// The clip is complete; what came after its last frame.
    End(Option<Attachment>),
    /// The user stopped the clip; what came with frames that are not written, and after them.
    Interrupted(Vec<Attachment>),
}

/// The neighbour is gone; its own outcome tells why.
#[derive(Debug)]
pub struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a neighbouring stage stopped")
    }
}

impl std::error::Error for Stopped {}
