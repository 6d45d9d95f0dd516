//! When a frame is shown, and what rides along.

use std::any::Any;
use std::sync::Arc;

/// Whatever a source hangs on a frame for the sink of its own kind: side data, packets of copied streams.
/// Stages in between carry it along unseen.
pub type Attachment = Arc<dyn Any + Send + Sync>;

/// When a frame is shown, and what came with it: all of a frame but its samples.
#[derive(Clone, Default)]
pub struct Timing {
    /// Position in the input, from 0, for messages.
    pub number: u64,
    /// Presentation time in units of [`super::Format::time_base`]; sources always set it, in ascending order.
    pub pts: i64,
    /// How long the frame is shown, in the same unit; 0 where unknown.
    pub duration: i64,
    /// Side data and packets that ride along.
    pub attachment: Option<Attachment>,
}

impl Timing {
    /// Of frame `number` of a clip whose time base is one frame: nothing rides along.
    pub fn at(number: u64) -> Self {
        Self { number, pts: number as i64, duration: 1, attachment: None }
    }
}
