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

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(pts: i64, is_key: bool) -> Packet {
        let mut packet = Packet::new();
        packet.set_times(Some(pts), Some(pts));
        let flags = if is_key { ffmpeg_next::packet::Flags::KEY } else { ffmpeg_next::packet::Flags::empty() };
        packet.inner_mut().set_flags(flags);
        packet
    }

    fn times(mut retained: RetainedPackets) -> Option<Vec<Option<i64>>> {
        retained.take().map(|packets| packets.iter().map(Packet::pts).collect())
    }

    /// Key frames at 0, 4 and 8; behind the one at 8 come two pictures that are shown before it.
    fn sent(given: impl Fn(i64) -> Option<i64>) -> Result<RetainedPackets> {
        let mut retained = RetainedPackets::default();
        for (pts, is_key) in [(0, true), (2, false), (4, true), (5, false), (8, true), (6, false), (7, false)] {
            retained.push(&packet(pts, is_key), given(pts))?;
        }
        Ok(retained)
    }

    #[test]
    fn what_lies_before_the_last_key_frame_that_was_given_is_dropped() -> Result<()> {
        let all = [0, 2, 4, 5, 8, 6, 7].map(Some).to_vec();
        assert_eq!(times(sent(|_| None)?), Some(all.clone()));
        // At the packet of 8 the picture of 0 was given, and no later key frame.
        assert_eq!(times(sent(|pts| (pts == 8).then_some(3))?), Some(all));
        assert_eq!(times(sent(|pts| (pts == 8).then_some(4))?), Some([4, 5, 8, 6, 7].map(Some).to_vec()));
        Ok(())
    }

    #[test]
    fn where_too_much_was_sent_a_key_frame_begins_anew() -> Result<()> {
        let mut retained = sent(|_| None)?;
        retained.give_up();
        retained.push(&packet(9, false), None)?;
        assert!(retained.take().is_none());
        let mut retained = sent(|_| None)?;
        retained.give_up();
        retained.push(&packet(12, true), None)?;
        retained.push(&packet(13, false), None)?;
        assert_eq!(times(retained), Some(vec![Some(12), Some(13)]));
        Ok(())
    }
}
