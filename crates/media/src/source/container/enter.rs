//! Where the wanted part begins: the frames before it, for filters that look back, and its first frame's number.

use std::sync::Arc;

use anyhow::Result;

use super::Container;
use crate::frame::{Attachment, Frame, Margin, Pool, Timing};
use crate::libav::packet::{Packet, rescale};
use crate::libav::picture::Carried;

use super::timeline::MICROSECOND;

impl Container {
    /// The number in the clip of the part's next frame.
    pub(super) fn position(&self) -> u64 {
        self.first + self.number
    }

    /// Decodes up to the part's first frame, which is then the next, and keeps as many frames before it as are wanted. Where
    /// all are, none is kept: the clip is then read from its beginning, frame by frame.
    pub(super) fn enter(&mut self, pool: &Pool) -> Result<()> {
        if !self.timeline.has_start {
            return Ok(());
        }
        let Margin { before: wanted, counts, .. } = self.margin;
        let counts = counts && self.counted.is_none();
        if self.leads_from_beginning() {
            return if self.is_at_beginning { Ok(()) } else { self.rewind() };
        }
        // Where nothing is wanted before it, the clip has been entered well when it was opened; a pipe has only one way.
        if (wanted == 0 && !counts) || self.path.is_none() {
            // It was entered where all of it begins, of which this is a part.
            if self.portion.is_some() && !std::mem::take(&mut self.reads_on) {
                self.begin()?;
            }
            return self.gather(pool);
        }
        let step_us = rescale(self.timeline.step(), self.unit(), MICROSECOND).max(1);
        let mut back_us = step_us.saturating_mul(i64::try_from(wanted).unwrap_or(i64::MAX));
        loop {
            // Half as far again: where frames come unevenly, there are fewer in the same time.
            back_us = back_us.saturating_add(back_us / 2);
            let is_inside = self.timeline.origin_us.saturating_sub(back_us) > self.input.start_us();
            if !(is_inside && !counts && self.seek_before(back_us)?) {
                self.rewind()?;
            }
            self.gather(pool)?;
            if self.lead.len() as u64 >= wanted || self.is_at_beginning {
                return Ok(());
            }
            back_us = back_us.max(step_us).saturating_mul(4);
        }
    }

    /// Whether every frame of the clip before the part is wanted.
    pub(super) fn leads_from_beginning(&self) -> bool {
        self.margin.before == u64::MAX
    }

    /// Decodes the frames before the part, of which the last ones wanted stay in `lead`. The part's first is then the next.
    fn gather(&mut self, pool: &Pool) -> Result<()> {
        self.lead.clear();
        let mut skipped = 0;
        while let Some((pts, duration)) = self.advance()? {
            if pts >= 0 {
                (self.placed, self.is_ready) = (Some((pts, duration)), true);
                break;
            }
            skipped += 1;
            if self.margin.before == 0 {
                continue;
            }
            if self.lead.len() as u64 >= self.margin.before {
                self.lead.pop_front();
            }
            let timing = Timing { pts, duration, is_margin: true, ..Timing::default() };
            let frame = self.frame(pool, timing, Vec::new())?;
            self.lead.push_back(frame);
        }
        self.number_from(skipped);
        self.mended = self.concealed();
        Ok(())
    }

    /// Numbers the frames around the part's beginning, before which `skipped` were decoded: from the beginning of the clip
    /// where that was seen, and else as the time says.
    fn number_from(&mut self, skipped: u64) {
        let stream = self.input.stream(self.video);
        let seconds = self.timeline.offset() as f64 * stream.time_base.value().unwrap_or(0.0);
        let estimated = (seconds * stream.rate.value().unwrap_or(0.0)).round() as u64;
        let counted = self.counted.or(self.is_at_beginning.then_some(skipped));
        self.first = counted.unwrap_or(estimated.max(skipped)).max(self.lead.len() as u64);
        let before = self.first - self.lead.len() as u64;
        for (number, frame) in (before..).zip(&mut self.lead) {
            frame.timing.number = number;
        }
    }

    /// The next picture's time and duration, from the part's beginning; it is then `picture`. `None` at the end.
    pub(super) fn advance(&mut self) -> Result<Option<(i64, i64)>> {
        if let Some(placed) = self.placed.take() {
            self.is_ready = false;
            return Ok(Some(placed));
        }
        if !self.decode()? {
            return Ok(None);
        }
        let nudged = self.timeline.nudged;
        let time = self.credible_time()?;
        let placed = self.timeline.place(time, self.picture.duration());
        if nudged == 0 && self.timeline.nudged > 0 {
            log::warn!("frame {} of {}: timestamps do not increase; they are adjusted", self.position(), self.name);
        }
        Ok(Some(placed))
    }

    /// The picture as a frame.
    pub(super) fn frame(&mut self, pool: &Pool, timing: Timing, packets: Vec<Packet>) -> Result<Frame> {
        let properties = Some(self.picture.properties()?);
        let still = self.stills.take(self.picture.pts());
        let attachment: Attachment = Arc::new(Carried { properties, packets, still });
        let (pts, offset) = (timing.pts + self.timeline.kept(), self.timeline.offset() - self.timeline.kept());
        let fields = Some(self.picture.frame_fields());
        let timing = Timing { fields, attachment: Some(attachment), pts, offset, ..timing };
        if let Some(mut frame) = self.lifted.take() {
            frame.timing = timing;
            return Ok(frame);
        }
        let frame = self.decoder.frame(&self.picture, &self.format, pool, timing);
        self.picture.leave_device();
        frame.map_err(|error| self.blame(error))
    }
}
