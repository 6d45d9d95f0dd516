//! The frames that some passes see, one after another: their numbers, times and margins, and those of the frames that are
//! made of them where a step changes how many there are.

use std::collections::VecDeque;

use super::guard::GuardedFrame;
use super::scene::Scene;
use super::window::Window;
use crate::filter::{RateBlend, RateChange};
use crate::frame::{Format, FrameFields, Rational, Timing};
use crate::pass::Scan;

/// Frames between two steps that change how many there are, or an end of the chain.
pub(super) struct Section {
    /// The number of the first frame.
    first: Option<u64>,
    /// How many frames went in.
    seen: u64,
    /// The position of the first frame that is no margin, and that of the first margin behind it.
    own: [Option<u64>; 2],
    /// Of frames that have not come out of the last pass, and of the one before them. Nothing rides along.
    timings: VecDeque<Timing>,
    /// How many frames have not come out of the last pass.
    under_way: usize,
    /// Fields of frames whose source does not know them.
    usual: FrameFields,
    /// How long a frame is shown, at the nominal rate.
    step: i64,
    /// The unit of times.
    unit: Rational,
    /// The number of the next frame that is made of one of these, where they become two.
    next: Option<u64>,
    /// Where they get another rate, the time of the next one in frames of that, and the time of the one with number 0.
    due: Option<[i64; 2]>,
    /// Where frames are blended to another rate, the time of the clip's first frame.
    start: Option<i64>,
}

/// The frames of another rate that one frame is shown as.
pub(super) struct Repeats {
    /// Their times, in frames of that rate.
    times: std::ops::Range<i64>,
    /// The time of the one with number 0.
    zero: i64,
    /// Of the part that is read.
    offset: i64,
    own: Timing,
    /// Where frames are blended with the next one.
    pair: Option<Pair>,
}

/// Two frames, and the rate that frames between them have.
struct Pair {
    change: RateChange,
    blend: RateBlend,
    /// When the first is shown, from the beginning of the clip, and how long until the second.
    span: [i64; 2],
    unit: Rational,
}

impl Iterator for Repeats {
    /// When it is shown, and the weight of the next frame of the lower rate.
    type Item = (Timing, u32);

    fn next(&mut self) -> Option<(Timing, u32)> {
        let time = self.times.next()?;
        let index = time.saturating_sub(self.zero);
        let weight = self.pair.as_ref().map_or(0, |pair| pair.change.weight(&pair.blend, index, pair.span, pair.unit));
        let number = index.max(0).cast_unsigned();
        let (pts, offset, origin) = (time.saturating_sub(self.offset), self.offset, Some(self.own.origin()));
        Some((Timing { number, pts, offset, origin, duration: 1, ..self.own.clone() }, weight))
    }
}

impl Section {
    /// No frame of it is there yet. `format` is that of its frames, with their rate and unit of times.
    pub(super) fn new(format: &Format) -> Self {
        let usual = FrameFields::from(format.fields);
        let ticks = |ratio: f64| (ratio.round() as i64).max(1);
        let step =
            format.rate.value().zip(format.time_base.value()).map_or(1, |(rate, unit)| ticks(1.0 / (rate * unit)));
        let (own, timings) = ([None; 2], VecDeque::new());
        Self {
            first: None,
            seen: 0,
            own,
            timings,
            under_way: 0,
            usual,
            step,
            unit: format.time_base,
            next: None,
            due: None,
            start: None,
        }
    }

    /// The unit of times.
    pub(super) fn unit(&self) -> Rational {
        self.unit
    }

    /// How long a frame is shown, at the nominal rate.
    pub(super) fn step(&self) -> i64 {
        self.step
    }

    /// Takes note of the next frame, before it goes in.
    pub(super) fn see(&mut self, timing: &Timing) {
        self.first.get_or_insert(timing.number);
        self.own = match (self.own, timing.is_margin) {
            ([Some(start), _], false) => [Some(start), None],
            ([None, _], false) => [Some(self.seen), None],
            ([Some(start), None], true) => [Some(start), Some(self.seen)],
            (own, true) => own,
        };
        self.timings.push_back(Timing { attachment: None, motion: None, ..timing.clone() });
        self.under_way += 1;
        self.seen += 1;
    }

    /// The next frame comes out of the last pass.
    pub(super) fn leave(&mut self) -> Timing {
        let place = self.timings.len().checked_sub(self.under_way).filter(|_| self.under_way > 0);
        let timing = self.timings[place.expect("a frame goes in before it comes out")].clone();
        self.under_way -= 1;
        while self.timings.len() > self.under_way + 1 {
            self.timings.pop_front();
        }
        timing
    }

    /// The frame at a position; `None` if it has left long ago, or is not there yet.
    pub(super) fn timing(&self, position: u64) -> Option<&Timing> {
        let first = self.seen - self.timings.len() as u64;
        position.checked_sub(first).and_then(|place| self.timings.get(place as usize))
    }

    /// The fields of the frames around the centre of a window, and whether a scene begins or ends there.
    pub(super) fn scan<I>(&self, window: &Window<I>, is_progressive: bool) -> Scan {
        let (centre, begins, ends) = (window.centre(), window.scene() == Scene::Begins, window.ends());
        let of = |position: u64| match self.timing(position) {
            _ if is_progressive => FrameFields::default(),
            timing => timing.and_then(|timing| timing.fields).unwrap_or(self.usual),
        };
        let (before, after) = (if begins { centre } else { centre - 1 }, if ends { centre } else { centre + 1 });
        Scan { fields: [before, centre, after].map(of), begins, ends, is_second: false, weave: None }
    }

    /// Numbers and times of the one frame or the two that the frame at a position becomes, in half the unit, as FFmpeg has
    /// them: the second is shown midway to the next frame. Behind the last one that is as far away as the one before.
    pub(super) fn split(&mut self, position: u64, count: u64) -> Vec<Timing> {
        let own = self.timing(position).expect("a frame is there until it has left").clone();
        let after = self.timing(position + 1).map(|next| next.pts.saturating_sub(own.pts));
        let before = || Some(own.pts.saturating_sub(self.timing(position.checked_sub(1)?)?.pts));
        let shown = after.or_else(before).unwrap_or(if own.duration > 0 { own.duration } else { self.step });
        let next = self.next.get_or_insert(own.number.saturating_mul(2));
        let number = *next;
        *next = number.saturating_add(count);
        let origin = Some(own.origin.unwrap_or(own.number));
        let (offset, pts) = (own.offset.saturating_mul(2), own.pts.saturating_mul(2));
        let duration = if count == 1 { shown.saturating_mul(2) } else { shown };
        let of = |k: u64| {
            let pts = pts.saturating_add(shown.saturating_mul(k as i64));
            Timing { number: number.saturating_add(k), pts, offset, duration, origin, ..own.clone() }
        };
        (0..count).map(of).collect()
    }

    /// A time in another unit in the section's, to the nearest.
    pub(super) fn own_time(&self, time: i64, unit: Rational) -> i64 {
        let num = i128::from(time) * i128::from(unit.num) * i128::from(self.unit.den);
        let den = (i128::from(unit.den) * i128::from(self.unit.num)).max(1);
        (2 * num + den).div_euclid(2 * den).clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// Numbers and times of the frames of another rate that the frame at a position is shown as: those from its own time,
    /// rounded, to that of the next; `until` is the time behind the last and its unit, if that is known.
    pub(super) fn repeats(&mut self, position: u64, change: &RateChange, until: Option<(i64, Rational)>) -> Repeats {
        let own = self.timing(position).expect("a frame is there until it has left").clone();
        let clip = |timing: &Timing| timing.pts.saturating_add(timing.offset);
        let [first, start] = match change.blend {
            // Blended frames are counted from the clip's first one, whenever that is shown.
            Some(_) => {
                let start = *self.start.get_or_insert(if own.number == 0 { clip(&own) } else { 0 });
                [change.offset(start, self.unit), start]
            }
            None => change.start(self.unit),
        };
        let rounded = |time: i64| first.saturating_add(change.frames(time.saturating_sub(start), self.unit));
        let next = self.timing(position + 1).map(clip);
        let before = position.checked_sub(1).and_then(|before| self.timing(before)).map(clip);
        let end = match next {
            Some(next) => rounded(next),
            None if let Some((until, unit)) = until => rounded(self.own_time(until, unit)),
            // The last frame is shown as long as the one before, a single frame once.
            None if change.blend.is_some() => match before {
                Some(before) => rounded(clip(&own).saturating_mul(2).saturating_sub(before)),
                None => rounded(clip(&own)).saturating_add(1),
            },
            None => {
                let shown = if own.duration > 0 { own.duration } else { self.step };
                change.end(clip(&own).saturating_add(shown), self.unit)
            }
        };
        let [due, zero] = self.due.unwrap_or_else(|| match (change.start_us, own.number) {
            // The clip's first frame is shown from the start on, before its time too.
            (Some(_), 0) => [first; 2],
            (Some(_), _) => [rounded(clip(&own)).max(first), first],
            (None, 0) => [rounded(clip(&own)); 2],
            (None, _) => [rounded(clip(&own)), 0],
        });
        self.due = Some([due.max(end), zero]);
        let pair = change.blend.zip(next).map(|(blend, next)| {
            let from = clip(&own).saturating_sub(start);
            let span = [from, next.saturating_sub(clip(&own))];
            Pair { change: *change, blend, span, unit: self.unit }
        });
        Repeats { times: due..end, zero, offset: change.offset(own.offset, self.unit), own, pair }
    }

    /// The number of the frame at a position.
    pub(super) fn number(&self, position: u64) -> u64 {
        self.first.unwrap_or(0).wrapping_add(position)
    }

    /// The number of the latest frame that went in.
    pub(super) fn newest(&self) -> u64 {
        self.number(self.seen.saturating_sub(1))
    }

    /// The position of a frame.
    fn position(&self, number: u64) -> u64 {
        number.wrapping_sub(self.first.unwrap_or(0))
    }

    /// A frame that waits before a pass.
    pub(super) fn guarded(&self, number: u64) -> GuardedFrame {
        let (position, [start, end]) = (self.position(number), self.own);
        let is_margin = start.is_none_or(|start| position < start) || end.is_some_and(|end| position >= end);
        GuardedFrame { number, is_margin }
    }

    /// Whether nobody will look at what a pass gives for a frame, because it is margin, and far from all that is not.
    /// `beyond` is how many frames before and behind one that comes out later passes look at.
    pub(super) fn is_unseen(&self, number: u64, [before, after]: [u64; 2]) -> bool {
        let (position, [start, end]) = (self.position(number), self.own);
        // Where no other has come yet, the next may be the first that is no margin.
        position.saturating_add(before) < start.unwrap_or(self.seen)
            || end.is_some_and(|end| position >= end.saturating_add(after))
    }

    /// How many frames went in that are no margin.
    pub(super) fn own(&self) -> u64 {
        let [start, end] = self.own;
        start.map_or(0, |start| end.unwrap_or(self.seen) - start)
    }
}
