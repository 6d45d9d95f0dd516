//! Numbers and times of the frames of a cycle of which one is dropped.

use std::ops::Range;

use super::section::Section;
use crate::frame::{Rational, Timing};

impl Section {
    /// The next frames come out of the last pass, those at some positions, which are of one cycle: numbers and times of all but the
    /// dropped one, in as many parts of the unit as frames are left of a cycle. These share its time evenly. Frames of an incomplete
    /// cycle keep their times where another engine has the rest of it, which begins before them, or `until`, the time behind the
    /// last and its unit, is known; at the end of a clip they keep the pace of the cycles before.
    pub(super) fn cycle(
        &mut self,
        positions: Range<u64>,
        cycle: u32,
        dropped: Option<usize>,
        until: Option<(i64, Rational)>,
    ) -> Vec<Timing> {
        let (cycle, left) = (u64::from(cycle), i64::from(cycle).saturating_sub(1).max(1));
        let until = until.map(|(time, unit)| self.own_time(time, unit));
        // Of the part that is read, as the times of frames are.
        let next = self.timing(positions.end).map(|next| next.pts);
        let frames: Vec<Timing> = positions.map(|_| self.leave()).collect();
        let [Some(first), Some(last)] = [frames.first(), frames.last()] else { return Vec::new() };
        let (count, start) = (frames.len() as i64, first.pts);
        let next = next.or(until.map(|until| until.saturating_sub(last.offset)));
        let step = match &frames[..] {
            [.., before, last] => last.pts.saturating_sub(before.pts),
            _ => self.step(),
        };
        let end = next.unwrap_or(last.pts.saturating_add(step));
        let begun = (first.number / cycle).saturating_mul(cycle - 1);
        let is_kept = |(place, _): &(usize, &Timing)| Some(*place) != dropped;
        let mut timings = Vec::with_capacity(frames.len());
        for (index, (place, own)) in frames.iter().enumerate().filter(is_kept).enumerate() {
            let index = index as i64;
            let (pts, number) = if dropped.is_some() {
                let whole = end.saturating_sub(start);
                (
                    start.saturating_mul(left).saturating_add(whole.saturating_mul(index)),
                    begun.saturating_add(index as u64),
                )
            } else if first.number % cycle > 0 || next.is_some() {
                // Where the cycle began, nobody knows which frame it lost.
                let place = (own.number % cycle).saturating_sub(u64::from(first.number % cycle > 0));
                (own.pts.saturating_mul(left), begun.saturating_add(place))
            } else {
                let span = end.saturating_sub(start).saturating_mul(index).saturating_mul(left + 1) / count;
                (start.saturating_mul(left).saturating_add(span), begun.saturating_add(place as u64))
            };
            let offset = own.offset.saturating_mul(left);
            timings.push(Timing { number, pts, offset, origin: Some(own.origin()), ..own.clone() });
        }
        let behind = match dropped.is_some() || next.is_some() {
            true => end.saturating_mul(left),
            false => {
                let span = end.saturating_sub(start).saturating_mul(left + 1);
                start.saturating_mul(left).saturating_add(span)
            }
        };
        let ends: Vec<i64> = timings.iter().skip(1).map(|timing| timing.pts).chain([behind]).collect();
        for (timing, end) in timings.iter_mut().zip(ends) {
            timing.duration = end.saturating_sub(timing.pts).max(0);
        }
        timings
    }
}
