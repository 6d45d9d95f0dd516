//! Camera data of stills, between the packet that has them and the frame that takes them along.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Container;
use crate::libav::input::InputContext;
use crate::still::{StillKind, StillMetadata};

/// Camera data that were read and wait for their frames, by the time of the picture.
#[derive(Default)]
pub(super) struct Stills {
    /// Whether packets are files of their own.
    is_read: bool,
    waiting: BTreeMap<i64, Arc<StillMetadata>>,
}

impl Stills {
    /// For a stream of an input.
    pub fn of(input: &InputContext, video: usize) -> Self {
        let container = input.container();
        let is_read = (container == "image2" || container.ends_with("_pipe"))
            && StillKind::of_codec(&input.stream(video).codec).is_some();
        Self { is_read, waiting: BTreeMap::new() }
    }

    /// Forgets what was read, as the input is entered at another place.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }

    /// The camera data of the first picture that waits.
    pub fn first(&self) -> Option<&Arc<StillMetadata>> {
        self.waiting.values().next()
    }
}

impl Container {
    /// Reads the camera data of the packet that was read.
    pub(super) fn note_still(&mut self) {
        if !self.stills.is_read {
            return;
        }
        let time = self.packet.pts().or(self.packet.dts()).unwrap_or(0);
        if let Some(found) = StillMetadata::read(self.packet.data()) {
            self.stills.waiting.insert(time, Arc::new(found));
        }
    }

    /// The camera data of the picture that is the next frame.
    pub(super) fn take_still(&mut self) -> Option<Arc<StillMetadata>> {
        let time = self.picture.pts().unwrap_or(0);
        let later = self.stills.waiting.split_off(&(time + 1));
        let due = std::mem::replace(&mut self.stills.waiting, later);
        due.into_iter().next_back().filter(|(shown, _)| *shown == time).map(|(_, found)| found)
    }
}
