//! Times that go on where the clock of a container jumps: where files were put behind each other, a recording has a
//! hole, or a counter is full. MPEG-TS, MPEG-PS and Ogg allow that.
//!
//! As FFmpeg's program has it, sound and pictures tell: a packet that is decoded more than 10 s after the end of the
//! one before it in its stream, or more than 0.1 s before that begins, goes on there, and so do all streams from then
//! on. Streams need not come over the jump at once: a packet that goes on from the time before it belongs there. Where
//! a clock jumps and comes back, as with a single wrong time, what comes behind has its own time again; a time that is
//! wrong by up to 10 s ahead cannot be told from a pause, and becomes one.

use std::collections::BTreeMap;

use crate::frame::Rational;
use crate::libav::input::{Stream, StreamKind};
use crate::libav::packet::{Packet, rescale};

/// The unit in which times of all streams are compared. Those of MPEG-TS come out of it as they were.
const NANOSECOND: Rational = Rational::new(1, 1_000_000_000);
const SECOND: i64 = 1_000_000_000;

/// What times of all streams are moved by, so that each stream goes on. Times in it are nanoseconds.
#[derive(Default)]
pub(super) struct Continuity {
    /// At least one, once there was a packet.
    runs: Vec<ClockRun>,
    /// Those to which streams turn: the latest, and the one before.
    current: usize,
    previous: usize,
    streams: BTreeMap<usize, StreamClock>,
}

/// The clock between two jumps.
#[derive(Clone, Copy, Debug)]
struct ClockRun {
    /// What is added to it.
    offset: i64,
    /// Where it began.
    begin: i64,
    /// Where it was last.
    reached: i64,
}

/// How far a stream has come.
#[derive(Clone, Copy, Debug)]
struct StreamClock {
    /// Whether packets follow each other closely: sound and pictures.
    is_dense: bool,
    unit: Rational,
    /// How long a packet lasts that does not say so.
    step: i64,
    /// The place of its run in the list of all; `None` before the first packet.
    run: Option<usize>,
    /// When the last packet begins and ends, moved.
    last: Option<(i64, i64)>,
}

impl StreamClock {
    fn of(stream: &Stream) -> Self {
        let is_dense = matches!(stream.kind, StreamKind::Video | StreamKind::Audio);
        let is_even = stream.kind == StreamKind::Video && stream.rate.value().is_some();
        let step = if is_even { rescale(1, stream.rate.inverse(), NANOSECOND) } else { 0 };
        Self { is_dense, unit: stream.time_base, step, run: None, last: None }
    }

    /// Whether a packet that the clock of `run` calls `time` follows those before it, or belongs to that run if there
    /// are none.
    fn fits(&self, time: i64, run: &ClockRun) -> bool {
        let (moved, reached) = (time + run.offset, run.reached + run.offset);
        match self.last {
            // What other streams have come to shows that the clock has run on without this one.
            Some((begin, end)) => {
                moved >= begin - Continuity::OVERLAP && moved <= end.max(reached) + Continuity::LONGEST_GAP
            }
            None => (moved - reached).abs() <= Continuity::LONGEST_GAP,
        }
    }
}

impl Continuity {
    /// A longer gap is closed.
    const LONGEST_GAP: i64 = 10 * SECOND;
    /// A packet that begins so much before the last one of its stream, or less, is no jump.
    const OVERLAP: i64 = SECOND / 10;
    /// So far apart are packets in a file, by their times, that belong beside each other.
    const INTERLEAVING: i64 = SECOND;
    /// Times beyond are no times.
    const LARGEST: i64 = i64::MAX / 8;

    /// Moves the times of the next packet in the file, which is of the stream that `describe` tells of. If it is the
    /// first of its stream behind a jump, by how many nanoseconds it was moved more than those before: less than 0
    /// where a gap was closed.
    pub fn place(&mut self, packet: &mut Packet, describe: impl FnOnce() -> Stream) -> Option<i64> {
        let index = packet.stream();
        let stream = *self.streams.entry(index).or_insert_with(|| StreamClock::of(&describe()));
        let nanoseconds = |time| rescale(time, stream.unit, NANOSECOND);
        let told = if stream.is_dense { packet.dts() } else { packet.dts().or(packet.pts()) };
        let time = told.map(nanoseconds).filter(|time| (-Self::LARGEST..=Self::LARGEST).contains(time));
        let run = match time {
            Some(time) => self.run_of(&stream, time),
            None => stream.run.unwrap_or(self.current),
        };
        let before = stream.run.and_then(|run| self.runs.get(run)).map_or(0, |run| run.offset);
        let offset = self.runs.get(run).map_or(0, |run| run.offset);
        let shift = rescale(offset, NANOSECOND, stream.unit);
        let moved = |time: Option<i64>| time.map(|time| time.saturating_add(shift));
        packet.set_times(moved(packet.pts()), moved(packet.dts()));
        let known = self.streams.entry(index).or_insert(stream);
        if let Some(time) = time {
            known.run = Some(run);
            if stream.is_dense {
                let lasts = if packet.duration() > 0 { nanoseconds(packet.duration()) } else { stream.step };
                known.last = Some((time + offset, time + offset + lasts.clamp(0, Self::LONGEST_GAP)));
                self.runs[run].reached = time;
            }
        }
        let is_over_jump = stream.run.is_some_and(|known| known != run);
        (is_over_jump && offset != before).then_some(offset - before)
    }

    /// By how much the last packet of a stream was moved, in the stream's unit.
    pub fn offset(&self, stream: usize) -> i64 {
        let Some(stream) = self.streams.get(&stream) else { return 0 };
        let run = stream.run.and_then(|run| self.runs.get(run));
        run.map_or(0, |run| rescale(run.offset, NANOSECOND, stream.unit))
    }

    /// The run to which a packet belongs; a new one where the clock jumps.
    fn run_of(&mut self, stream: &StreamClock, time: i64) -> usize {
        if self.runs.is_empty() {
            self.runs.push(ClockRun { offset: 0, begin: time, reached: time });
        }
        let current = self.runs[self.current];
        let own = stream.run.unwrap_or(self.previous);
        let is_behind = own != self.current;
        let fits = |run: usize| stream.fits(time, &self.runs[run]);
        let is_beside = |run: usize| (time - self.runs[run].reached).abs() <= Self::INTERLEAVING;
        let is_new = current.reached - current.begin <= Self::INTERLEAVING;
        let is_nearer = |run: usize| is_new && (time - self.runs[run].reached).abs() < (time - current.reached).abs();
        let comes_back = !is_behind && stream.is_dense && is_beside(self.previous) && fits(self.previous);
        if comes_back && (is_nearer(self.previous) || !fits(self.current)) {
            std::mem::swap(&mut self.current, &mut self.previous);
            return self.current;
        }
        if fits(self.current) {
            return if is_behind && is_nearer(own) && fits(own) { own } else { self.current };
        }
        if is_behind && fits(own) {
            return own;
        }
        if !stream.is_dense {
            return self.current;
        }
        let end = stream.last.map_or(current.reached + current.offset, |(_, end)| end);
        // Whole ticks, so that rounding does not add up from jump to jump.
        let offset = rescale(rescale(end - time, NANOSECOND, stream.unit), stream.unit, NANOSECOND);
        if is_behind && is_beside(self.current) {
            // It is the same jump, over which this stream has more to bring.
            self.runs[self.current].offset = offset;
            return self.current;
        }
        self.previous = self.current;
        self.current = self.runs.len();
        self.runs.push(ClockRun { offset, begin: time, reached: time });
        self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICKS: i64 = 90_000;
    const PICTURE: i64 = 3_600;
    const SOUND: i64 = 2_160;

    fn stream(kind: StreamKind) -> Stream {
        let (time_base, rate) = (Rational::new(1, 90_000), Rational::new(25, 1));
        Stream {
            kind,
            codec: String::new(),
            time_base,
            duration: None,
            frames: None,
            rate,
            aspect: Rational::new(1, 1),
        }
    }

    /// What becomes of packets: pictures of stream 0, sound of 1 and subtitles of 2, by their times.
    fn placed(continuity: &mut Continuity, packets: &[(usize, i64)]) -> Vec<i64> {
        let mut place = |&(index, time): &(usize, i64)| {
            let (kind, duration) =
                [(StreamKind::Video, 0), (StreamKind::Audio, SOUND), (StreamKind::Subtitle, 0)][index];
            let mut packet = Packet::new();
            packet.set_stream(index);
            packet.set_times(Some(time + PICTURE), Some(time));
            packet.set_duration(duration);
            continuity.place(&mut packet, || stream(kind));
            assert_eq!(packet.pts(), packet.dts().map(|dts| dts + PICTURE));
            packet.dts().expect("a time")
        };
        packets.iter().map(&mut place).collect()
    }

    fn all(packets: &[(usize, i64)]) -> Vec<i64> {
        placed(&mut Continuity::default(), packets)
    }

    /// So many seconds of a stream from a time on.
    fn lasting(index: usize, from: i64, seconds: i64) -> Vec<(usize, i64)> {
        let step = [PICTURE, SOUND][index];
        (0..seconds * TICKS / step).map(|number| (index, from + number * step)).collect()
    }

    /// Pictures and sound side by side, in the order of their times.
    fn both(from: i64, seconds: i64) -> Vec<(usize, i64)> {
        let mut packets = [lasting(0, from, seconds), lasting(1, from, seconds)].concat();
        packets.sort_by_key(|(index, time)| (*time, *index));
        packets
    }

    fn times(packets: &[(usize, i64)]) -> Vec<i64> {
        packets.iter().map(|(_, time)| *time).collect()
    }

    #[test]
    fn a_clock_that_runs_on_is_left_alone() {
        let late = [both(0, 3), both(11 * TICKS, 2)].concat();
        for packets in [both(-500, 20), lasting(0, 1 << 33, 3), late] {
            assert_eq!(all(&packets), times(&packets));
        }
        // Sound that pauses for long, and pictures that go a little back.
        let pause = [both(0, 2), lasting(0, 2 * TICKS, 40), both(42 * TICKS, 2)].concat();
        assert_eq!(all(&pause), times(&pause));
        let back = [(0, 0), (0, PICTURE), (0, 0), (0, 2 * PICTURE)];
        assert_eq!(all(&back), times(&back));
    }

    #[test]
    fn what_begins_again_or_has_a_hole_goes_on() {
        let expected = times(&both(0, 9));
        for starts in [[0, 0, 0], [0, 100 * TICKS, 300 * TICKS], [50 * TICKS, 1 << 33, 7]] {
            let packets = starts.map(|start| both(start, 3)).concat();
            let shifted: Vec<_> = expected.iter().map(|time| time + starts[0]).collect();
            assert_eq!(all(&packets), shifted, "{starts:?}");
        }
    }

    #[test]
    fn streams_come_over_the_jump_one_after_the_other() {
        let part = both(0, 6);
        for index in [0, 1] {
            // The last packets of a stream come behind the first ones of the other in the next part.
            let is_late = |packet: &(usize, i64)| packet.0 == index && packet.1 > 6 * TICKS - 5 * PICTURE;
            let is_early = |packet: &(usize, i64)| packet.0 != index && packet.1 < 3 * PICTURE;
            let some = |is_wanted: &dyn Fn(&(usize, i64)) -> bool, offset| -> Vec<_> {
                part.iter().filter(|packet| is_wanted(packet)).map(|packet| (*packet, packet.1 + offset)).collect()
            };
            let first = [some(&|packet| !is_late(packet), 0), some(&is_early, 6 * TICKS), some(&is_late, 0)].concat();
            let (packets, expected): (Vec<_>, Vec<_>) =
                [first, some(&|packet| !is_early(packet), 6 * TICKS)].concat().into_iter().unzip();
            assert_eq!(all(&packets), expected, "stream {index} is late");
        }
    }

    #[test]
    fn pictures_wait_for_sound_that_is_longer() {
        let first = [lasting(0, 0, 10), lasting(1, 0, 12)].concat();
        let mut continuity = Continuity::default();
        placed(&mut continuity, &first);
        let got =
            placed(&mut continuity, &[(0, 0), (0, PICTURE), (1, 0), (0, 2 * PICTURE), (1, SOUND), (0, 3 * PICTURE)]);
        let sound = 12 * TICKS;
        let pictures = 10 * TICKS;
        let expected = [pictures, pictures + PICTURE, sound, sound + 2 * PICTURE, sound + SOUND, sound + 3 * PICTURE];
        assert_eq!(got, expected);
    }

    #[test]
    fn a_single_wrong_time_moves_nothing_else() {
        for wrong in [-7_000 * TICKS, 7_000 * TICKS, -5 * TICKS, -TICKS / 2] {
            let mut packets = both(0, 4);
            let expected = times(&packets);
            packets[150].1 += wrong;
            let got = all(&packets);
            for (place, (got, expected)) in got.iter().zip(&expected).enumerate() {
                assert!((got - expected).abs() <= if place == 150 { PICTURE } else { 0 }, "{place}: {got} {expected}");
            }
        }
    }

    #[test]
    fn a_hole_of_one_stream_alone_stays() {
        let packets = [both(0, 2), lasting(1, 2 * TICKS, 30), both(32 * TICKS, 2)].concat();
        assert_eq!(all(&packets), times(&packets));
    }

    #[test]
    fn sound_and_pictures_stay_in_step_over_a_short_step() {
        // The clock of all goes 5 s ahead and then back by as much.
        let mut continuity = Continuity::default();
        let ahead = both(0, 4);
        placed(&mut continuity, &[ahead, vec![(0, 9 * TICKS)]].concat());
        placed(&mut continuity, &both(4 * TICKS, 3));
        assert_eq!(continuity.offset(0), continuity.offset(1));
    }

    #[test]
    fn subtitles_follow_and_do_not_lead() {
        let mut continuity = Continuity::default();
        placed(&mut continuity, &both(0, 10));
        assert_eq!(placed(&mut continuity, &[(2, 3 * TICKS), (2, 12 * TICKS)]), [3 * TICKS, 12 * TICKS]);
        assert_eq!(placed(&mut continuity, &[(0, 0)]), [10 * TICKS]);
        assert_eq!(placed(&mut continuity, &[(2, 10 * TICKS - 9)]), [10 * TICKS - 9], "it is late");
        placed(&mut continuity, &both(PICTURE, 4));
        assert_eq!(placed(&mut continuity, &[(2, 3 * TICKS)]), [13 * TICKS]);
    }

    #[test]
    fn programs_with_clocks_of_their_own_stay_as_they_are() {
        let apart = 40_000 * TICKS;
        let beside = |(index, time): &(usize, i64)| (*index, if *index == 1 { time + apart } else { *time });
        let packets: Vec<_> = both(0, 30).iter().map(beside).collect();
        let mut continuity = Continuity::default();
        let got = placed(&mut continuity, &packets);
        for index in [0, 1] {
            let of = |times: &[i64]| -> Vec<i64> {
                let own = packets.iter().zip(times).filter(|((stream, _), _)| *stream == index);
                own.map(|(_, time)| *time).collect()
            };
            let got = of(&got);
            assert!(got.windows(2).all(|pair| pair[1] - pair[0] == [PICTURE, SOUND][index]), "{got:?}");
        }
    }

    #[test]
    fn no_time_is_too_large() {
        let wild = [i64::MIN + 1, i64::MAX, 0, i64::MAX / 2, -1, i64::MIN / 3, i64::MAX - 1];
        let packets: Vec<_> = wild.iter().flat_map(|time| [(0, *time), (1, *time), (2, *time)]).collect();
        let mut continuity = Continuity::default();
        for (index, time) in packets {
            let mut packet = Packet::new();
            packet.set_stream(index);
            packet.set_times(Some(time), Some(time));
            packet.set_duration(i64::MAX);
            continuity.place(&mut packet, || stream(StreamKind::Video));
        }
    }
}
