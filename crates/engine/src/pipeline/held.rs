//! What came with frames of the input, until something that is made of them goes on: frames may be dropped, and what came
//! with them is not.

use std::collections::VecDeque;

use crate::frame::{Attachment, Bundle, Frame};

/// What came with frames of which nothing has gone on, in their order.
#[derive(Default)]
pub(super) struct HeldAttachments {
    frames: VecDeque<(u64, Option<Attachment>)>,
}

impl HeldAttachments {
    /// Takes note of the clip's next frame.
    pub(super) fn see(&mut self, number: u64, attachment: Option<Attachment>) {
        self.frames.push_back((number, attachment));
    }

    /// Lets the next frame of the output go on, with what came with all frames of the input up to the one that it is made of;
    /// returns of how many frames it is the first to go on.
    pub(super) fn let_go(&mut self, frame: &mut Frame) -> u64 {
        let origin = frame.timing.origin();
        let (mut count, mut dropped) = (0, Vec::new());
        while self.frames.front().is_some_and(|(number, _)| *number <= origin)
            && let Some((_, attachment)) = self.frames.pop_front()
        {
            count += 1;
            dropped.extend(attachment);
        }
        if count > 1 {
            frame.timing.attachment = Bundle::of(dropped);
        }
        count
    }

    /// What is left, and what came behind, as one.
    pub(super) fn end(&mut self, trailer: Option<Attachment>) -> Option<Attachment> {
        Bundle::of(self.rest().chain(trailer))
    }

    /// What is left.
    pub(super) fn rest(&mut self) -> impl Iterator<Item = Attachment> + '_ {
        self.frames.drain(..).filter_map(|(_, attachment)| attachment)
    }
}
