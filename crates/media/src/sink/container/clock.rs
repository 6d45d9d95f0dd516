//! Times of frames on their way through an encoder and back onto its packets.

use std::collections::{BTreeMap, VecDeque};

use crate::frame::{Format, Rational};
use crate::libav::Strictness;
use crate::libav::muxer::Muxer;
use crate::libav::packet::rescale;
use crate::sink::grid::{Gap, Pace};

/// Tells the encoder when frames are shown, and the container when its packets are.
pub(super) enum Clock {
    /// The encoder gets the true times, and gives them back. Its rate control sees how long frames are shown.
    True {
        /// Duration by time, of frames that are inside the encoder.
        durations: BTreeMap<i64, i64>,
    },
    /// The encoder gets frame numbers, because it takes its time base for the frame rate. Packets get the times that
    /// belong to their numbers.
    Counted {
        /// Time and duration of frames by number, from number `first` on.
        times: VecDeque<(i64, i64)>,
        /// The number of the oldest frame in `times`.
        first: i64,
        /// The time of frame 0.
        origin: i64,
        /// Nominal duration of a frame, at least 1.
        step: i64,
    },
}

/// Leaves out frames that come sooner behind others than a container can tell, so that the others keep their times.
pub(super) struct Thinner {
    unit: Rational,
    /// The least distance in ticks of `tick`.
    distance: i64,
    tick: Rational,
    /// The last frame that was kept, in ticks.
    last: Option<i64>,
}

impl Thinner {
    /// For GIF, which counts hundredths of a second: players show delays of one for a tenth. `None` where frames come
    /// slowly enough.
    pub fn of_gif(format: &Format) -> Option<Self> {
        let is_fast = format.rate.value().is_some_and(|rate| rate > 50.0);
        is_fast.then(|| Self { unit: format.time_base, distance: 2, tick: Rational::new(1, 100), last: None })
    }

    /// Whether a frame at that time is kept.
    pub fn keeps(&mut self, pts: i64) -> bool {
        let now = rescale(pts, self.unit, self.tick);
        let keeps = self.last.is_none_or(|last| now >= last + self.distance);
        if keeps {
            self.last = Some(now);
        }
        keeps
    }
}

/// When a packet is shown and decoded, and for how long, in the clip's time base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub pts: i64,
    pub dts: i64,
    pub duration: i64,
}

impl Clock {
    pub fn new_true() -> Self {
        Self::True { durations: BTreeMap::new() }
    }

    pub fn counted(format: &Format) -> Self {
        let rate = nominal_rate(format);
        let step = rescale(1, rate.inverse(), format.time_base).max(1);
        Self::Counted { times: VecDeque::new(), first: 0, origin: 0, step }
    }

    /// The unit of [`Clock::enter`].
    pub fn unit(&self, format: &Format) -> Rational {
        match self {
            Self::True { .. } => format.time_base,
            Self::Counted { .. } => nominal_rate(format).inverse(),
        }
    }

    /// A frame goes into the encoder: the time and duration to tell it.
    pub fn enter(&mut self, pts: i64, duration: i64) -> (i64, i64) {
        match self {
            Self::True { durations } => {
                durations.insert(pts, duration);
                (pts, duration)
            }
            Self::Counted { times, first, origin, .. } => {
                if *first == 0 && times.is_empty() {
                    *origin = pts;
                }
                times.push_back((pts, duration));
                (*first + times.len() as i64 - 1, 1)
            }
        }
    }

    /// A packet came out of the encoder: its true times.
    pub fn leave(&mut self, pts: Option<i64>, dts: Option<i64>) -> Moment {
        match self {
            Self::True { durations } => {
                let pts = pts.or(dts).unwrap_or(0);
                let duration = durations.remove(&pts).unwrap_or(0);
                Moment { pts, dts: dts.unwrap_or(pts), duration }
            }
            Self::Counted { times, first, origin, step } => {
                let at = |number: i64| match usize::try_from(number - *first).ok().and_then(|index| times.get(index)) {
                    Some(time) => *time,
                    None => (*origin + number * *step, *step),
                };
                let number = pts.or(dts).unwrap_or(*first);
                let (pts, duration) = at(number);
                let decoded = dts.unwrap_or(number).min(number);
                let moment = Moment { pts, dts: at(decoded).0, duration };
                // Packets come in the order of decoding, and none that follows is shown before it is decoded.
                while *first < decoded && times.len() > 1 {
                    times.pop_front();
                    *first += 1;
                }
                moment
            }
        }
    }
}

/// The unit of the times of a stream: what has one fixed rate counts frames, what has not gets the clip's own clock.
pub(super) fn unit_of_stream(muxer: Muxer, format: &Format) -> Rational {
    if muxer.has_variable_rate() { format.time_base } else { nominal_rate(format).inverse() }
}

/// Watch over the times of frames in a container whose unit of time is `unit`; `None` where the unit is fine enough for any.
pub(super) fn watched(muxer: Muxer, unit: Rational, format: &Format, strict: Strictness) -> Option<Pace> {
    let rate = nominal_rate(format);
    let halves = 2 * i128::from(unit.num) * i128::from(rate.num);
    let counts_frames = !muxer.has_variable_rate() && halves >= i128::from(unit.den) * i128::from(rate.den);
    let gap = if muxer.has_times() { Gap::Kept } else { Gap::Closed };
    let format = Format { rate, ..format.clone() };
    (counts_frames || gap == Gap::Closed).then(|| Pace::new(&format, gap, strict))
}

/// Frames per second, 25 where the clip does not say.
pub(super) fn nominal_rate(format: &Format) -> Rational {
    if format.rate.value().is_some() { format.rate } else { Rational::new(25, 1) }
}
