//! When a frame is shown, and what rides along.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::{FrameFields, LiveMark, Motion};

/// Whatever a source hangs on a frame for the sink of its own kind: side data, packets of copied streams.
/// Stages in between carry it along unseen.
pub type Attachment = Arc<dyn Any + Send + Sync>;

/// What came with several frames, of which one goes on and the others were dropped. That of the one is the last.
#[derive(Debug)]
pub struct Bundle(Vec<Attachment>);

impl Bundle {
    /// Several attachments as one; none of none, and one as it is.
    pub fn of(attachments: impl IntoIterator<Item = Attachment>) -> Option<Attachment> {
        let mut parts: Vec<Attachment> = Vec::new();
        attachments.into_iter().for_each(|attachment| parts.extend_from_slice(Self::parts(&attachment)));
        if parts.len() > 1 { Some(Arc::new(Self(parts))) } else { parts.pop() }
    }

    /// The attachments that one stands for: itself where it is no bundle.
    pub fn parts(attachment: &Attachment) -> &[Attachment] {
        attachment.downcast_ref().map_or(std::slice::from_ref(attachment), |Self(parts)| parts)
    }
}

/// When a frame is shown, and what came with it: all of a frame but its samples.
#[derive(Clone, Default)]
pub struct Timing {
    /// Position in the clip, from 0: `n` of conditions, and what messages say. Where a clip is entered in its middle, it is
    /// what the time says, unless [`Margin::counts`] asked for more.
    pub number: u64,
    /// The number of the frame of the input that it was made of, where filters change how many frames there are; elsewhere
    /// `None`, and that is `number`.
    pub origin: Option<u64>,
    /// Presentation time in the output, in units of [`super::Format::time_base`]; sources always set it, in ascending
    /// order. Of a part it is counted from its start.
    pub pts: i64,
    /// How much later the frame is shown in the clip of which a part is read: `pts + offset` is `t` of conditions.
    pub offset: i64,
    /// Whether it lies outside the part that was asked for, and is there for the frames beside it: it is filtered and not
    /// written.
    pub is_margin: bool,
    /// How long the frame is shown, in the same unit; 0 where unknown.
    pub duration: i64,
    /// The frame's fields, where its source knows them frame by frame; else they are those of [`super::Format::fields`].
    pub fields: Option<FrameFields>,
    /// Side data and packets that ride along.
    pub attachment: Option<Attachment>,
    /// What filters were told to say of its motion; of frames on the host alone.
    pub motion: Option<Arc<Motion>>,
    /// When it was decoded, if its source is live.
    pub live: Option<LiveMark>,
}

impl fmt::Debug for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, origin, pts, offset, is_margin, duration, fields, attachment: _, motion, live: _ } = self;
        f.debug_struct("Timing")
            .field("number", number)
            .field("origin", origin)
            .field("pts", pts)
            .field("offset", offset)
            .field("is_margin", is_margin)
            .field("duration", duration)
            .field("fields", fields)
            .field("has_motion", &motion.is_some())
            .finish_non_exhaustive()
    }
}

impl Timing {
    /// The number of the frame of the input that it was made of.
    pub fn origin(&self) -> u64 {
        self.origin.unwrap_or(self.number)
    }

    /// Of frame `number` of a clip whose time base is one frame: nothing rides along.
    pub fn at(number: u64) -> Self {
        Self { number, pts: number as i64, duration: 1, ..Self::default() }
    }
}

/// What filters have to know of a clip beyond the part of it that is read, so that the part becomes a slice of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin {
    /// Frames before the part; `u64::MAX` for all.
    pub before: u64,
    /// Frames behind it.
    pub after: u64,
    /// Whether the frames' numbers have to be those of the clip, so that frames before the part are counted.
    pub counts: bool,
}
