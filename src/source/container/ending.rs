//! Whether an input came to its own end or was cut short.

use std::ffi::c_int;

use crate::libav::error;
use crate::libav::input::{Input, Progress};
use crate::libav::packet::Packet;

/// What is known about the end of the input.
#[derive(Default)]
pub(super) struct Ending {
    reached: Option<Progress>,
    /// The latest time of a packet of the video, in its stream's time base.
    latest: Option<i64>,
    /// Whether the last packet of all was damaged or incomplete.
    is_last_corrupt: bool,
}

impl Ending {
    /// A packet was read.
    pub fn note(&mut self, packet: &Packet, is_video: bool) {
        self.is_last_corrupt = packet.is_corrupt();
        if is_video {
            self.latest = self.latest.max(packet.dts()).max(packet.pts());
        }
    }

    /// Nothing more can be read.
    pub fn reach(&mut self, progress: Progress) {
        self.reached = Some(progress);
    }

    pub fn is_reached(&self) -> bool {
        self.reached.is_some()
    }

    /// Whether reading ended because the user asked for it.
    pub fn is_stopped(&self) -> bool {
        self.reached == Some(Progress::Stopped)
    }

    /// Why the end that was reached is not the input's own; `None` where nothing speaks against it.
    pub fn is_early(&self, input: &Input, video: usize) -> Option<String> {
        if let Some(Progress::Failed(code)) = self.reached {
            return Some(reading(code));
        }
        if let Some(code) = input.io_error() {
            return Some(reading(code));
        }
        if let (Some(indexed), Some(latest)) = (input.last_indexed(video), self.latest)
            && indexed > latest
        {
            return Some("its index lists frames that are not there".to_owned());
        }
        if self.is_last_corrupt {
            return Some("its last packet is incomplete".to_owned());
        }
        // A transport stream has no index, but only whole packets.
        let is_torn = |size: u64| [188, 192, 204].iter().all(|packet| !size.is_multiple_of(*packet));
        if input.container() == "mpegts" && input.size_bytes().is_some_and(is_torn) {
            return Some("its last packet is incomplete".to_owned());
        }
        None
    }
}

fn reading(code: c_int) -> String {
    format!("reading failed ({})", error::text(code))
}
