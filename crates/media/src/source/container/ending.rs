//! Whether an input came to its own end or was cut short.

use std::ffi::c_int;

use super::timeline::MICROSECOND;
use crate::libav::error;
use crate::libav::input::{InputContext, ReadOutcome};
use crate::libav::packet::{Packet, rescale};

/// What is known about the end of the input.
#[derive(Default)]
pub(super) struct Ending {
    reached: Option<ReadOutcome>,
    /// The latest time of a packet of the video, in its stream's time base.
    latest: Option<i64>,
    /// When the packet of any stream that ends last does so, in microseconds of the file's clock.
    reached_us: Option<i64>,
    /// Whether the last packet of all was damaged or incomplete.
    is_last_corrupt: bool,
    /// How much damage was known when the last packet of the video was read.
    damage: u64,
}

impl Ending {
    /// A packet was read, when so much damage was known.
    pub fn note(&mut self, input: &InputContext, packet: &Packet, is_video: bool, damage: u64) {
        let unit = input.time_base(packet.stream());
        let end = packet.pts().max(packet.dts()).map(|time| time.saturating_add(packet.duration()));
        self.reached_us = self.reached_us.max(end.map(|end| rescale(end, unit, MICROSECOND)));
        self.is_last_corrupt = packet.is_corrupt();
        if is_video {
            self.damage = damage;
            self.latest = self.latest.max(packet.dts()).max(packet.pts());
        }
    }

    /// When the packet of any stream that ends last does so, in microseconds of the file's clock.
    pub fn reached_us(&self) -> Option<i64> {
        self.reached_us
    }

    /// Nothing more can be read.
    pub fn reach(&mut self, progress: ReadOutcome) {
        self.reached = Some(progress);
    }

    pub fn is_reached(&self) -> bool {
        self.reached.is_some()
    }

    /// Whether reading ended with this error of FFmpeg's.
    pub fn is_fault(&self, code: c_int) -> bool {
        self.reached == Some(ReadOutcome::Failed(code))
    }

    /// Why the end that was reached is not the input's own, with all damage known, and where its last packet `is_torn`; `None`
    /// where nothing speaks against it.
    pub fn is_early(&self, input: &InputContext, video: usize, damage: u64, is_torn: bool) -> Option<String> {
        if let Some(ReadOutcome::Failed(code)) = self.reached {
            return Some(reading(code));
        }
        if self.reached == Some(ReadOutcome::Torn) {
            return Some("the container is larger than the file".to_owned());
        }
        if let Some(code) = input.io_error() {
            return Some(reading(code));
        }
        // The index of ASF lists moments, also behind the last packet.
        if let (Some(indexed), Some(latest)) = (input.last_indexed(video), self.latest)
            && indexed > latest
            && input.container() != "asf"
        {
            return Some("its index lists frames that are missing".to_owned());
        }
        if self.is_last_corrupt || is_torn {
            return Some("its last packet is incomplete".to_owned());
        }
        // A transport stream has no index. If it is cut between two packets, the last picture is still torn.
        if input.container() != "mpegts" {
            return None;
        }
        (damage > self.damage).then(|| "its last frame is incomplete".to_owned())
    }
}

fn reading(code: c_int) -> String {
    format!("reading failed ({})", error::text(code))
}
