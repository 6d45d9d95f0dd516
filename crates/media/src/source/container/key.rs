//! Key frames here and there in a clip, for small pictures of all of it.

use anyhow::Result;

use super::Container;
use crate::frame::{Frame, Pool, Rational, Timing};
use crate::libav::input::ReadOutcome;
use crate::libav::outcome::Outcome;
use crate::libav::packet::rescale;

impl Container {
    /// The last key frame up to frame `number`, as far as times tell where that is; its own number is estimated likewise.
    /// `None` where the file cannot be entered in its middle. Decodes one picture, and blocks until that is done.
    ///
    /// # Errors
    /// If the picture cannot be made a frame of the clip.
    pub(super) fn key_frame_before(&mut self, number: u64, pool: &Pool) -> Result<Option<Frame>> {
        let is_plain = self.path.is_some() && self.sequence.is_none() && !self.ahead.is_used();
        let rate = self.input.stream(self.video).rate;
        if !is_plain || rate.value().is_none() || self.input.may_restart() {
            return Ok(None);
        }
        let (step, unit) = (Rational::new(rate.den, rate.num), self.unit());
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        let target = self.timeline.origin.saturating_add(rescale(number, step, unit));
        if self.input.seek(self.video, target).is_err() {
            return Ok(None);
        }
        self.decoder.flush();
        self.decoder.set_pool(pool);
        loop {
            if self.is_interrupted() || self.input.read(&mut self.packet) != ReadOutcome::Packet {
                return Ok(None);
            }
            if self.packet.stream() == self.video && self.packet.is_key() && !self.packet.is_discarded() {
                break;
            }
        }
        // It is given without those that refer to it, which come before it is shown.
        for packet in [Some(&self.packet), None] {
            self.decoder.send(packet)?;
        }
        if !matches!(self.decoder.receive(&mut self.picture)?, Outcome::Done) {
            return Ok(None);
        }
        let since = self.picture.pts().unwrap_or(target) - self.timeline.origin;
        let number = u64::try_from(rescale(since, unit, step)).unwrap_or(0);
        self.frame(pool, Timing { number, ..Timing::default() }, Vec::new()).map(Some)
    }
}
