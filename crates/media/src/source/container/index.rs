//! Where the frames of a clip in a container are, found out without decoding it, and reading a part of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use super::path::open_path;
use super::seam::Seams;
use super::timeline::MICROSECOND;
use super::{Container, Medium, Options};
use crate::frame::{Pool, Timing};
use crate::libav::input::ReadOutcome;
use crate::libav::packet::{Packet, rescale};
use crate::source::{Approach, Source};
use crate::source::{FrameIndex, FrameTime, Portion};

/// When each frame of a clip up to number `last` is shown, as far as there are so many: its time after the clip's beginning,
/// rounded down to what is not later. Decodes them; blocks until that is done.
///
/// # Errors
/// As [`Container::open`], and if a frame cannot be decoded.
pub fn frame_times(path: &Path, options: Options, last: u64) -> Result<BTreeMap<u64, Duration>> {
    let mut container = Container::open(Medium::Path(path.to_owned()), options)?;
    let pool = Pool::heap();
    let base = container.format.time_base;
    let mut times = BTreeMap::new();
    while let Some(frame) = container.next_frame(&pool)? {
        let Timing { number, pts, .. } = frame.timing;
        let micros = i128::from(pts.max(0)) * 1_000_000 * i128::from(base.num) / i128::from(base.den.max(1));
        times.insert(number, Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX)));
        if number >= last {
            break;
        }
    }
    Ok(times)
}

impl Container {
    /// The frames that are read, by the packets of the file; where packets do not tell when they are shown, all of it is
    /// decoded. Blocks until the file is read.
    pub(super) fn look_through(&self) -> Result<FrameIndex> {
        let Some(path) = &self.path else {
            bail!("{} is a pipe and can be read only once; name a file to cut it into chunks", self.name)
        };
        let mut index = match &self.sequence {
            Some(sequence) => FrameIndex { end: None, ..FrameIndex::even(sequence.length) },
            None => match self.packet_times()? {
                Some(frames) => FrameIndex { frames, end: None },
                None => {
                    log::info!("{}: packets have no display times; decoding the clip to find them", self.name);
                    let container = Self::open(Medium::Path(path.clone()), self.options.clone())?;
                    FrameIndex { frames: decoded_times(container)?, end: None }
                }
            },
        };
        let wanted = |frame: &FrameTime| frame.time >= 0 || !self.timeline.has_start;
        index.frames.retain(|frame| wanted(frame) && self.timeline.end.is_none_or(|end| frame.time < end));
        index.end = self.timeline.end;
        if let Some(most) = self.options.frames.and_then(|most| usize::try_from(most).ok()) {
            index.end = index.frames.get(most).map(|frame| frame.time).or(index.end);
            index.frames.truncate(most);
        }
        Ok(index)
    }

    /// When the video's packets are shown, in that order; `None` where they do not say, or not one by one.
    ///
    /// # Errors
    /// Where times restart or jump ahead, so that they do not tell where a frame is.
    fn packet_times(&self) -> Result<Option<Vec<FrameTime>>> {
        let Some(path) = &self.path else { return Ok(None) };
        let mut input = open_path(path)?;
        let (mut packet, mut frames, mut key) = (Packet::new(), Vec::new(), None);
        let mut seams = Seams::default();
        while input.read(&mut packet) == ReadOutcome::Packet && !self.is_interrupted() {
            seams.place(&input, &mut packet, self.video);
            if packet.stream() != self.video || packet.is_discarded() {
                continue;
            }
            let Some(pts) = packet.pts() else { return Ok(None) };
            // Key frames are shown in the order in which they lie in the file.
            let goes_back = packet.is_key() && key.replace(pts) >= Some(pts);
            if let Some(how) = seams.verb().or(goes_back.then_some("restart")) {
                bail!(
                    "timestamps of {} {how} after {} frames, so frames cannot be found by time; filter it in one run, or write new timestamps with ffmpeg -i IN -c copy OUT.mkv",
                    self.name,
                    frames.len()
                );
            }
            frames.push(FrameTime { time: pts - self.timeline.origin, is_key: packet.is_key(), bytes: packet.bytes() });
        }
        frames.sort_by_key(|frame| frame.time);
        let is_ascending = frames.windows(2).all(|pair| pair[0].time < pair[1].time);
        Ok(Some(frames).filter(|_| is_ascending))
    }

    /// Reads only a part of what would be read; its frames keep their times and numbers. Before the first frame is asked for.
    pub(super) fn keep_to(&mut self, portion: Portion) {
        self.whole.get_or_insert_with(|| (self.timeline.clone(), self.options.clone()));
        let unit = self.unit();
        let time = |ticks: i64| {
            let micros = rescale(ticks, unit, MICROSECOND);
            Duration::from_micros(u64::try_from(micros).unwrap_or(0))
        };
        if portion.first > 0 {
            self.options.start = Some(self.options.start.unwrap_or_default() + time(portion.from));
        }
        self.options.duration = portion.to.map(|to| time(to - portion.from));
        self.options.frames = None;
        // Whoever counted the frames before began at the clip's first.
        self.counted = (!self.timeline.has_start).then_some(portion.first);
        self.timeline.keep_to(portion);
        self.portion = Some(portion);
    }

    /// Keeps to another part, in the file that is open; `false` where there is none, or none in one piece.
    pub(super) fn go_to(&mut self, portion: Portion, approach: Approach) -> bool {
        if self.path.is_none() || self.sequence.is_some() || self.ahead.is_used() || portion.first == 0 {
            return false;
        }
        if let Some((timeline, options)) = &self.whole {
            (self.timeline, self.options) = (timeline.clone(), options.clone());
        }
        (self.is_over, self.is_entered, self.cut) = (false, false, None);
        (self.number, self.first, self.tail) = (0, 0, 0);
        self.lead.clear();
        self.pending.clear();
        self.keep_to(portion);
        self.reads_on = approach == Approach::ReadOn;
        true
    }

    /// Whether the packet's picture lies before the part, and nobody asks for it or counts it.
    pub(super) fn is_passed_over(&self) -> bool {
        let is_before = self.packet.pts().is_some_and(|pts| pts < self.timeline.origin);
        is_before && self.timeline.has_start && self.counted.is_some() && self.margin.before == 0
    }
}

/// When the frames of a clip are shown, by decoding all of it. Where decoding can begin is not known then.
fn decoded_times(mut container: Container) -> Result<Vec<FrameTime>> {
    let (pool, mut frames) = (Pool::heap(), Vec::new());
    while let Some(frame) = container.next_frame(&pool)? {
        frames.push(FrameTime { time: frame.timing.pts, is_key: false, bytes: 0 });
    }
    Ok(frames)
}
