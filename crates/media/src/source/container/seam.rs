//! Where the times of a clip go on although the clock of its container jumps, and telling so.

use std::collections::VecDeque;

use super::continuity::Continuity;
use crate::libav::input::InputContext;
use crate::libav::packet::Packet;

/// Where times of a container were let go on.
#[derive(Default)]
pub(super) struct Seams {
    continuity: Continuity,
    /// Those of the video that no frame has come to yet.
    waiting: VecDeque<Seam>,
    /// How many were told of.
    told: usize,
}

/// Where the times of the video go on.
struct Seam {
    /// When the first packet behind it is shown, in its stream's unit.
    time: i64,
    /// By how many seconds what is behind it was moved more than what is before.
    moved_s: f64,
}

impl Seam {
    /// What MPEG's counters of 33 bits count before they restart, in seconds.
    const COUNTER_S: f64 = (1u64 << 33) as f64 / 90_000.0;

    /// For how long nothing is shown by the clock, where that jumps ahead. FFmpeg's readers take a clock that goes back
    /// for one whose counter was full: such a jump is longer than half of what the counter counts.
    fn gap_s(&self) -> Option<f64> {
        Some(-self.moved_s).filter(|gap_s| (0.0..Self::COUNTER_S / 2.0).contains(gap_s))
    }

    /// What the clock does there.
    fn verb(&self) -> &'static str {
        if self.gap_s().is_some() { "jump ahead" } else { "restart" }
    }
}

impl Seams {
    /// So many are described, then no more.
    const WARNINGS: usize = 20;

    /// Moves the times of the next packet of a container that lets them jump, and returns whether they jump there; `video` is
    /// the stream whose jumps are reported.
    pub fn place(&mut self, input: &InputContext, packet: &mut Packet, video: usize) -> bool {
        if !input.may_restart() {
            return false;
        }
        let index = packet.stream();
        let moved = self.continuity.place(packet, || input.stream(index));
        if let (Some(moved), Some(time)) = (moved, packet.pts().or(packet.dts()))
            && index == video
        {
            self.waiting.push_back(Seam { time, moved_s: moved as f64 / 1e9 });
        }
        moved.is_some()
    }

    /// Whether times jump shortly before a frame that is shown at `time`, or up to `margin` behind it: frames are decoded in
    /// another order than they are shown.
    pub fn is_near(&self, time: i64, margin: i64) -> bool {
        self.waiting.front().is_some_and(|seam| seam.time <= time.saturating_add(margin))
    }

    /// By how much the last packet of a stream was moved, in the stream's unit.
    pub fn offset(&self, stream: usize) -> i64 {
        self.continuity.offset(stream)
    }

    /// What times do at the first place that was not told yet; `None` where they run on.
    pub fn verb(&self) -> Option<&'static str> {
        self.waiting.front().map(Seam::verb)
    }

    /// Says where times of the clip `name` were let go on, up to its frame `number`, which is shown at `time`; not of
    /// what lies before `from`.
    pub fn tell(&mut self, name: &str, from: Option<i64>, time: i64, number: u64) {
        while self.waiting.front().is_some_and(|seam| seam.time <= time) {
            let Some(seam) = self.waiting.pop_front() else { return };
            if from.is_some_and(|from| seam.time < from) {
                continue;
            }
            self.told += 1;
            let verb = seam.verb();
            match (self.told, seam.gap_s()) {
                (..=Self::WARNINGS, Some(gap_s)) => {
                    log::warn!("timestamps of {name} {verb} by {gap_s:.1} s at frame {number}; the gap is closed")
                }
                (..=Self::WARNINGS, None) => {
                    log::warn!("timestamps of {name} {verb} at frame {number}; continued without a gap")
                }
                (told, _) if told == Self::WARNINGS + 1 => {
                    log::warn!("{name}: further timestamp jumps are not reported")
                }
                _ => {}
            }
        }
    }
}
