//! Decoding times as containers take them: in each stream they ascend.

use std::collections::HashMap;

use anyhow::Result;

use crate::frame::Rational;
use crate::libav::output::OutputContext;
use crate::libav::packet::Packet;

/// The last decoding time of each stream of an output.
pub(super) struct Times {
    last: HashMap<usize, i64>,
    /// How much later the next packet of a stream is at least: 0 or 1, in the stream's time base.
    step: i64,
}

impl Times {
    /// No packet was written yet. `takes_equal` tells whether a packet may have the time of the one before.
    pub fn new(takes_equal: bool) -> Self {
        Self { last: HashMap::new(), step: i64::from(!takes_equal) }
    }

    /// Moves a packet's decoding time if it does not follow the last of its stream, and its presentation time if that is
    /// before its decoding time then. A packet without any time, as a damaged file may have, follows the one before.
    pub fn ascend(&mut self, packet: &mut Packet) {
        let least = self.last.get(&packet.stream()).map_or(i64::MIN, |last| last + self.step);
        let dts = packet.dts().or(packet.pts()).unwrap_or(least.max(0)).max(least);
        self.last.insert(packet.stream(), dts);
        packet.set_times(Some(packet.pts().map_or(dts, |pts| pts.max(dts))), Some(dts));
    }
}

/// Writes a packet of a stream beside the video: its index in the output, and the unit of the packet's times.
pub(super) fn write_beside(
    output: &mut OutputContext,
    times: &mut Times,
    (index, unit): (usize, Rational),
    packet: &mut Packet,
) -> Result<()> {
    packet.rescale(unit, output.time_base(index));
    packet.set_stream(index);
    times.ascend(packet);
    output.write(packet)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of packets: stream, presentation and decoding time.
    fn ascended(takes_equal: bool, packets: &[(usize, Option<i64>, Option<i64>)]) -> Vec<(i64, i64)> {
        let mut times = Times::new(takes_equal);
        let ascended = packets.iter().map(|&(stream, pts, dts)| {
            let mut packet = Packet::new();
            packet.set_stream(stream);
            packet.set_times(pts, dts);
            times.ascend(&mut packet);
            (packet.pts().expect("a time"), packet.dts().expect("a time"))
        });
        ascended.collect()
    }

    #[test]
    fn times_that_ascend_stay() {
        let packets = [(0, Some(-3), Some(-5)), (1, Some(-9), Some(-9)), (0, Some(9), Some(-4)), (0, Some(4), Some(3))];
        for takes_equal in [false, true] {
            assert_eq!(ascended(takes_equal, &packets), [(-3, -5), (-9, -9), (9, -4), (4, 3)]);
        }
    }

    #[test]
    fn times_that_do_not_ascend_are_moved_in_their_stream_alone() {
        let packets = [(0, Some(7), Some(5)), (0, Some(9), Some(5)), (0, Some(2), Some(2)), (1, Some(2), Some(2))];
        assert_eq!(ascended(false, &packets), [(7, 5), (9, 6), (7, 7), (2, 2)]);
        assert_eq!(ascended(true, &packets), [(7, 5), (9, 5), (5, 5), (2, 2)]);
    }

    #[test]
    fn packets_without_times_follow_the_one_before() {
        let packets = [(0, None, None), (0, None, None), (0, Some(8), None), (0, None, Some(9)), (0, None, None)];
        assert_eq!(ascended(false, &packets), [(0, 0), (1, 1), (8, 8), (9, 9), (10, 10)]);
        assert_eq!(ascended(true, &packets), [(0, 0), (0, 0), (8, 8), (9, 9), (9, 9)]);
    }
}
