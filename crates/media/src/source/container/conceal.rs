//! Frames that are lost to damage: counted by the gaps that they leave, and replaced by the frame before with `--conceal`.

use std::sync::Arc;

use anyhow::Result;

use super::Container;
use crate::frame::{Attachment, Frame, Timing};
use crate::libav::picture::{Carried, Picture};
use crate::source::Concealing;

impl Container {
    /// Gaps so many frames behind damage may still be due to it.
    const REORDERED: u64 = 32;

    /// A restart of times so many seconds behind a gap may be its reason.
    const SEAM_MARGIN_S: f64 = 0.5;

    /// So many seconds of a gap are filled where the container does not say how long the clip is.
    const MOST_S: f64 = 60.0;

    /// A time so many seconds behind the end that the container promises is no time of the clip.
    const BEYOND_S: f64 = 1.0;

    /// The time of the picture that was decoded, on the container's clock. With `--conceal`, none where damage has put it behind
    /// the end of the clip: it is shown after the frame before.
    ///
    /// # Errors
    /// If damage is an error.
    pub(super) fn credible_time(&mut self) -> Result<Option<i64>> {
        let pts = self.picture.pts();
        let (Some(time), Some(promised)) = (pts, self.promised_end()) else { return Ok(pts) };
        let is_damaged = self.damage_known() > 0 && self.options.conceal == Concealing::On;
        let unit_s = self.unit().value().unwrap_or(0.0);
        let beyond_s = time.saturating_sub(self.timeline.origin).saturating_sub(promised) as f64 * unit_s;
        if !is_damaged || beyond_s <= Self::BEYOND_S {
            return Ok(pts);
        }
        if !std::mem::replace(&mut self.last.is_beyond, true) {
            let advice = "it is shown after the frame before";
            self.report(format!(
                "{}: a frame's time is {beyond_s:.1} s behind the end of the clip; {advice}",
                self.spot()
            ))?;
        }
        Ok(None)
    }

    /// When the clip ends by its container, from the part's beginning; `None` where that says nothing, its clock jumps, or it
    /// is a sequence of images, which is opened again behind each that cannot be read.
    fn promised_end(&self) -> Option<i64> {
        if self.sequence.is_some() {
            return None;
        }
        let unit_s = self.unit().value().filter(|unit_s| *unit_s > 0.0 && self.seams.offset(self.video) == 0)?;
        let start_s = self.options.start.unwrap_or_default().as_secs_f64();
        Some(((self.whole_s()? - start_s).max(0.0) / unit_s).round() as i64 - self.timeline.kept())
    }

    /// Records a frame that is returned and shown until `end`.
    pub(super) fn note_frame(&mut self, frame: &Frame, end: i64) -> Result<()> {
        // What is wrong before a part takes no frame of it.
        if self.last.end.is_none() && self.timeline.has_start {
            self.last.damage = self.damage_known();
        }
        (self.last.end, self.last.shown, self.last.is_counted) = (Some(end), end, false);
        let known = self.damage_known();
        if std::mem::replace(&mut self.last.known, known) == known {
            self.last.quiet += 1;
        } else {
            self.last.quiet = 0;
        }
        // Damage may leave more than one gap, as frames are decoded in another order than they are shown.
        if self.last.quiet > Self::REORDERED {
            self.last.damage = known;
        }
        if self.options.conceal == Concealing::On {
            let mut kept = frame.clone();
            kept.timing.attachment = Some(Arc::new(Carried { properties: properties(frame)?, ..Carried::default() }));
            self.last.frame = Some(kept);
        }
        Ok(())
    }

    /// Looks whether frames are lost before the one that is shown at `pts`; gives the frame that replaces the next of them.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn replace_lost(&mut self, pts: i64) -> Result<Option<Frame>> {
        let Some(end) = self.last.end.filter(|_| self.damage_known() > self.last.damage) else { return Ok(None) };
        let step = self.timeline.step();
        let unit_s = self.unit().value().unwrap_or(0.0);
        let most = match self.promised_end() {
            Some(promised) => promised,
            // Names of images say which are missing.
            None if self.sequence.is_some() => pts,
            None if unit_s > 0.0 => self.last.shown.saturating_add((Self::MOST_S / unit_s) as i64),
            None => pts,
        };
        let until = pts.min(most.max(end));
        let lost = (until.saturating_sub(end).saturating_add(step / 2)) / step;
        let margin = if unit_s > 0.0 { (Self::SEAM_MARGIN_S / unit_s) as i64 } else { 0 };
        if lost > 0 && self.seams.is_near(pts + self.timeline.origin, margin) {
            // Where a clock restarts, pictures wait for sound.
            self.last.damage = self.damage_known();
            return Ok(None);
        }
        if lost <= 0 {
            return Ok(None);
        }
        if !std::mem::replace(&mut self.last.is_counted, true) {
            let lost = lost.unsigned_abs();
            self.defects.lost_frames += lost;
            let fate = match self.options.conceal {
                Concealing::On => "the frame before is repeated",
                Concealing::Off => "--conceal repeats the frame before in their place",
            };
            let noun = if lost == 1 { "frame is" } else { "frames are" };
            let rest_s = pts.saturating_sub(until) as f64 * unit_s;
            let rest = if until < pts { format!(", and {rest_s:.1} s after them stay a gap") } else { String::new() };
            self.report(format!("{}: {lost} {noun} lost; {fate}{rest}", self.spot_at(end)))?;
        }
        self.last.quiet = 0;
        let is_wanted = self.timeline.end.is_none_or(|until| end < until);
        let Some(frame) = self.last.frame.clone().filter(|_| is_wanted) else { return Ok(None) };
        self.last.end = Some(end + step);
        self.defects.repeated_frames += 1;
        let properties = properties(&frame)?;
        let packets = self.take_packets(Some((end + step).min(self.timeline.end.unwrap_or(i64::MAX))));
        let attachment: Attachment = Arc::new(Carried { properties, packets, still: None });
        let kept = self.timeline.kept();
        let number = self.position();
        self.number += 1;
        let mut repeated = frame;
        repeated.timing = Timing {
            number,
            pts: end + kept,
            duration: step,
            offset: self.timeline.offset() - kept,
            fields: repeated.timing.fields,
            attachment: Some(attachment),
            ..Timing::default()
        };
        Ok(Some(repeated))
    }

    /// The same behind the last picture that could be decoded, up to where the clip ends as far as other streams reach.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn replace_last(&mut self) -> Result<Option<Frame>> {
        if self.options.conceal == Concealing::Off || self.is_interrupted() || self.cut.is_some() {
            return Ok(None);
        }
        let unit = self.unit().value().unwrap_or(0.0);
        let reached_s = self.ending.reached_us().map(|time| (time - self.timeline.origin_us) as f64 / 1e6);
        let Some(end_s) = self.promised_s().zip(reached_s).map(|(promised, reached)| promised.min(reached)) else {
            return Ok(None);
        };
        if unit <= 0.0 {
            return Ok(None);
        }
        self.replace_lost((end_s / unit).round() as i64)
    }
}

/// A copy of what rides on a frame but packets.
fn properties(frame: &Frame) -> Result<Option<Picture>> {
    let carried = frame.timing.attachment.as_ref().and_then(|attachment| attachment.downcast_ref::<Carried>());
    carried.and_then(|carried| carried.properties.as_ref()).map(Picture::properties).transpose()
}
