//! What travels between stages, and what a stage says whose neighbour is gone.

use crossbeam_channel::{Receiver, Sender};

use crate::Verdict;
use crate::frame::{Attachment, Frame};

/// Frames that wait between two stages. One would let neighbours work at the same time; a decoder with threads gives
/// its frames in bursts, and an encoder takes them so (at a key frame, after a look-ahead), and four evens that out.
/// More only costs memory: at 4K and 4:2:0, 12 MB each.
pub const CHANNEL_FRAMES: usize = 4;

/// What travels between stages.
pub(super) enum Message {
    Frame(Frame),
    /// The clip is complete.
    End(ClipEnd),
    /// The user stopped the clip; what came with frames that are not written, and after them.
    Interrupted(Vec<Attachment>),
}

/// The end of a clip.
#[derive(Clone, Default)]
pub(super) struct ClipEnd {
    /// What came after its last frame.
    pub(super) trailer: Option<Attachment>,
    /// The time of the frame behind the last, where the source has one for another run.
    pub(super) until: Option<i64>,
}

/// What goes into a run.
#[derive(Clone)]
pub(super) enum Deal {
    /// Its next frame, or one around it.
    Frame(Frame, Verdict),
    /// It is complete; the time of the frame behind the last, where none of the run's is there.
    End(Option<i64>),
}

/// What comes of a run.
pub(super) enum Filtered {
    Frame(Frame),
    /// Its lane has failed. Others may wait for the ends of later runs, which are not dealt out before this one has come
    /// back; so that they come to it, they have to have them.
    Lost,
    /// It is complete, and the latest of its own frames that went in has this number.
    End(Option<u64>),
}

/// Some frames of a clip that follow each other, and those around them.
pub(super) struct FrameRun {
    /// Its place among all runs of the clip.
    pub(super) index: u64,
    /// What was taken out of `input` already, by a lane that has failed.
    pub(super) again: Vec<Deal>,
    pub(super) input: Receiver<Deal>,
    pub(super) output: Sender<Filtered>,
    /// How many frames came out of it already.
    pub(super) done: u64,
}

/// What is next in the order of the clip.
pub(super) enum NextPart {
    /// What comes of a run.
    Run(Receiver<Filtered>),
    /// The clip is complete.
    End(ClipEnd),
    /// The user stopped the clip; what came after its last frame.
    Interrupted(Vec<Attachment>),
}

/// The neighbour is gone; its own outcome tells why.
#[derive(Debug)]
pub struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("another stage stopped")
    }
}

impl std::error::Error for Stopped {}
