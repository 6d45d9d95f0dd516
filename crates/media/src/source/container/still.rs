//! Camera data of stills, between the packet that has them and the frame that takes them along.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::libav::input::InputContext;
use crate::libav::packet::Packet;
use crate::still::{self, StillKind, StillMetadata};

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

    /// Reads the camera data of a packet of the stream.
    pub fn note(&mut self, packet: &Packet) {
        if !self.is_read {
            return;
        }
        let time = packet.pts().or(packet.dts()).unwrap_or(0);
        if let Some(found) = still::read(packet.data()) {
            self.waiting.insert(time, Arc::new(found));
        }
    }

    /// The camera data of the picture of a time, which is the next frame.
    pub fn take(&mut self, time: Option<i64>) -> Option<Arc<StillMetadata>> {
        let time = time.unwrap_or(0);
        let later = self.waiting.split_off(&time.saturating_add(1));
        let due = std::mem::replace(&mut self.waiting, later);
        due.into_iter().next_back().filter(|(shown, _)| *shown == time).map(|(_, found)| found)
    }
}
