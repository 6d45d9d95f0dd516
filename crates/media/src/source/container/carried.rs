//! Packets as they are read: those of other streams ride along on the frames.

use std::collections::VecDeque;

use anyhow::Result;

use super::timeline::{EarlyPacket, MICROSECOND};
use super::{Container, PacketRead};
use crate::libav::input::{ReadOutcome, StreamKind};
use crate::libav::packet::{Packet, rescale};

impl Container {
    /// Reads one packet, and takes note of what is wrong with the file there.
    pub(super) fn read(&mut self) -> Result<PacketRead> {
        if let Some(packet) = self.held.pop_front() {
            self.packet = packet;
            return Ok(PacketRead::Video);
        }
        if self.ending.is_reached() {
            return Ok(PacketRead::End);
        }
        loop {
            let outcome = self.input.read(&mut self.packet);
            // A stream that is interrupted may end within a packet.
            if outcome == ReadOutcome::Packet && !(self.packet.is_corrupt() && self.is_interrupted()) {
                return self.take_packet();
            }
            if self.sequence.is_none() || !self.pass_image(outcome)? {
                self.ending.reach(outcome);
                self.check_tail()?;
                return Ok(PacketRead::End);
            }
        }
    }

    /// Takes the packet that was read.
    fn take_packet(&mut self) -> Result<PacketRead> {
        self.check_reader(self.packet.place())?;
        let is_video = self.packet.stream() == self.video;
        let damage = self.damage_known();
        self.ending.note(&self.input, &self.packet, is_video, damage);
        self.live.iter_mut().for_each(|live| live.hear(&mut self.packet, &self.input));
        let restarts = self.seams.place(&self.input, &mut self.packet, self.video);
        self.check_marked(is_video, restarts)?;
        if is_video {
            self.place_image();
            self.stills.note(&self.packet);
            return Ok(PacketRead::Video);
        }
        self.carry()?;
        Ok(PacketRead::Carried)
    }

    /// Keeps a packet of another stream for the frames.
    pub(super) fn carry(&mut self) -> Result<()> {
        let Some((kind, time_base)) = self.source_info.streams.get(self.packet.stream()).map(|s| (s.kind, s.time_base))
        else {
            log::debug!("{}: a stream that starts after the others is dropped", self.name);
            return Ok(());
        };
        let clip = if kind == StreamKind::Subtitle { EarlyPacket::Start } else { EarlyPacket::Keep };
        let packet = self.packet.share()?;
        // A cover has no time of its own.
        let shifted =
            if kind == StreamKind::Cover { Some(packet) } else { self.timeline.shift(packet, time_base, clip) };
        self.pending.entry(self.packet.stream()).or_default().extend(shifted);
        Ok(())
    }

    /// The packets that start before `time`, or all of them; the others wait.
    pub(super) fn take_packets(&mut self, time: Option<i64>) -> Vec<Packet> {
        let mut taken = Vec::new();
        for (index, queue) in &mut self.pending {
            let stream = &self.source_info.streams[*index];
            let is_due = |packet: &Packet| {
                let is_before = |time| self.timeline.is_before(packet, stream.time_base, time);
                stream.kind == StreamKind::Cover || time.is_none_or(is_before)
            };
            while queue.front().is_some_and(is_due) {
                taken.extend(queue.pop_front());
            }
        }
        taken
    }

    /// Reads on for other streams until they have reached the end of the cut.
    pub(super) fn read_rest(&mut self, cut: i64) -> Result<()> {
        let is_short = |container: &Self, index: usize| {
            let unit = container.source_info.streams[index].time_base;
            let last = container.pending.get(&index).and_then(VecDeque::back);
            last.is_none_or(|packet| container.timeline.is_before(packet, unit, cut))
        };
        let streams = 0..self.source_info.streams.len();
        let mut waiting: Vec<_> = streams
            .filter(|index| self.source_info.streams[*index].kind == StreamKind::Audio && is_short(self, *index))
            .collect();
        // Streams are seldom interleaved more loosely than this.
        let limit = cut + rescale(10_000_000, MICROSECOND, self.format.time_base);
        while !waiting.is_empty() && !self.ending.is_reached() {
            if self.input.read(&mut self.packet) != ReadOutcome::Packet {
                break;
            }
            self.seams.place(&self.input, &mut self.packet, self.video);
            let index = self.packet.stream();
            if index == self.video {
                if self.packet.dts().is_some_and(|dts| dts - self.timeline.origin > limit) {
                    break;
                }
                continue;
            }
            self.carry()?;
            waiting.retain(|waiting| *waiting != index || is_short(self, index));
        }
        Ok(())
    }
}
