//! The packets that are needed to decode a stream again from the last place where that can begin.

use std::collections::VecDeque;

use anyhow::Result;

use super::packet::Packet;

/// Packets of a stream from a key frame on, all of whose pictures behind a certain time can be made of them.
#[derive(Default)]
pub(super) struct RetainedPackets {
    packets: VecDeque<Packet>,
    bytes: usize,
    /// Whether there were too many.
    is_overfull: bool,
}

impl RetainedPackets {
    /// The most bytes that are kept; a stream with fewer key frames cannot be decoded again.
    const MOST_BYTES: usize = 256 << 20;

    /// Keeps a packet that was sent to a decoder whose latest picture was shown at `given`. What lies before the last key
    /// frame that is not later is needed no more: pictures that are decoded from there on and shown before it were given.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn push(&mut self, packet: &Packet, given: Option<i64>) -> Result<()> {
        if packet.is_key() {
            let is_settled = |key: &Packet| key.is_key() && key.pts().is_some_and(|pts| Some(pts) <= given);
            let settled = self.packets.iter().rposition(is_settled).unwrap_or(0);
            self.bytes -= self.packets.drain(..settled).map(|gone| gone.bytes()).sum::<usize>();
            // A packet that begins all anew makes good what was too much.
            if self.is_overfull {
                self.packets.clear();
                (self.bytes, self.is_overfull) = (0, false);
            }
        }
        if self.is_overfull {
            return Ok(());
        }
        self.bytes += packet.bytes();
        self.packets.push_back(packet.share()?);
        if self.bytes > Self::MOST_BYTES {
            self.give_up();
        }
        Ok(())
    }

    /// All of them, in the order in which they were sent; `None` if too many were.
    pub fn take(&mut self) -> Option<VecDeque<Packet>> {
        self.bytes = 0;
        let packets = std::mem::take(&mut self.packets);
        (!self.is_overfull).then_some(packets)
    }

    /// Pictures have no times by which they could be told apart.
    pub fn give_up(&mut self) {
        self.packets.clear();
        (self.bytes, self.is_overfull) = (0, true);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
