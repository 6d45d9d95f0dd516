//! Streams from the network: opened again where they are lost, and kept up with where that is wanted.

use anyhow::{Result, bail, ensure};

use super::Container;
use super::ending::Ending;
use super::feed::LiveFeed;
use super::open::decoder;
use super::seam::Seams;
use super::suspect::Suspects;
use super::timeline::MICROSECOND;
use crate::libav::error;
use crate::libav::input::InputContext;
use crate::libav::packet::rescale;
use crate::libav::picture::Picture;
use crate::source::Salvage;

impl Container {
    /// The next picture's time and duration as [`Container::advance`] gives it, without those that come too late.
    pub(super) fn advance_in_time(&mut self) -> Result<Option<(i64, i64)>> {
        loop {
            let next = self.advance()?;
            let unit_s = self.format.time_base.value().unwrap_or(0.0);
            let (Some((pts, _)), Some(live)) = (next, &mut self.live) else { return Ok(next) };
            if !live.is_late(pts as f64 * unit_s) {
                return Ok(next);
            }
            if live.gauge.drop_frame() == 1 {
                let (name, bound_s) = (&self.name, LiveFeed::BOUND_S);
                log::warn!(
                    "frames of {name} come more than {bound_s} s late; they are dropped, and counted in the last line"
                );
            }
            self.lifted = None;
            self.picture.leave_device();
            // Their gap is no damage.
            self.last.damage = self.damage_known();
        }
    }

    /// Why a stream from the network ended before its own end; `None` where it did not.
    fn loss(&self, live: &LiveFeed) -> Option<String> {
        if self.input.has_expired() {
            return Some(format!("nothing came for {:?}", live.input.timeout));
        }
        let is_fault_an_end = live.input.address.ends_with_fault() && self.ending.is_fault(error::IO);
        let early =
            self.ending.is_early(&self.input, self.video, self.damage_known(), false).filter(|_| !is_fault_an_end);
        // Lists and sizes tell where a stream ends; elsewhere an end may be a sender that is gone.
        let is_certain = self.input.container().contains("hls") || self.input.size_bytes().is_some();
        let closed =
            || (live.input.reconnects > 0 && !is_certain).then(|| "the sender closed the connection".to_owned());
        early.or_else(closed)
    }

    /// Opens a stream from the network again that was lost, after its last picture; `false` where it is over.
    ///
    /// # Errors
    /// If a decoder cannot be made.
    pub(super) fn reconnect(&mut self) -> Result<bool> {
        let Some(mut live) = self.live.take() else { return Ok(false) };
        let is_back = self.reconnect_to(&mut live);
        self.live = Some(live);
        is_back
    }

    fn reconnect_to(&mut self, live: &mut LiveFeed) -> Result<bool> {
        // What has not begun is an error for the user at once.
        if self.number == 0 || self.is_interrupted() {
            return Ok(false);
        }
        let Some(mut why) = self.loss(live) else { return Ok(false) };
        let (most, name, frames) = (live.input.reconnects, self.name.clone(), self.number);
        while live.attempts < most && !self.is_interrupted() {
            live.attempts += 1;
            let attempt = live.attempts;
            log::warn!("{name} was lost after {frames} frames: {why}; reconnecting, {attempt} of {most}");
            if attempt > 1 {
                live.pause();
            }
            match live.open().and_then(|input| self.resume(input)) {
                Ok(begins_us) => {
                    live.gauge.reconnect();
                    let reached = rescale(self.timeline.reached(), self.format.time_base, MICROSECOND);
                    let gap_s = live.go_on(begins_us, reached + self.timeline.origin_us);
                    self.awaits_key = live.begins_anywhere();
                    log::warn!("{name} is back; its times go on with a gap of {gap_s:.2} s behind frame {frames}");
                    return Ok(true);
                }
                Err(error) => why = format!("{error:#}"),
            }
        }
        if !self.is_interrupted() {
            live.loss = Some(why);
        }
        Ok(false)
    }

    /// Reads from a stream that was opened again; gives when it begins by its own clock, in microseconds.
    fn resume(&mut self, input: InputContext) -> Result<i64> {
        let video = self.options.video.or_else(|| input.best_video()).filter(|index| *index < input.streams());
        let Some(video) = video.filter(|video| *video == self.video) else { bail!("it has other streams than before") };
        let (now, before) = (input.stream(video), self.input.stream(video));
        ensure!(
            (now.kind, &now.codec, now.time_base) == (before.kind, &before.codec, before.time_base),
            "it has another codec or clock than before, {}",
            now.codec
        );
        let fresh = decoder(&input, video, &self.options)?;
        let announced = fresh.announced().map(|(stored, width, height)| (stored.pixel(), width, height));
        let wanted = (self.format.pixel, self.format.width, self.format.height);
        ensure!(announced.is_none_or(|found| found == wanted), "its frames have another size or format than before");
        let pool = self.decoder.pool();
        // It may lie on the device of the decoder that goes.
        self.picture = Picture::new();
        self.decoder = fresh;
        pool.iter().for_each(|pool| self.decoder.set_pool(pool));
        self.input = input;
        (self.ending, self.seams, self.suspects) = (Ending::default(), Seams::default(), Suspects::default());
        (self.lifted, self.mended) = (None, 0);
        self.stills.forget();
        self.held.clear();
        Ok(self.input.start_us())
    }

    /// The last frame of a stream from the network was given: notes whether it was lost.
    pub(super) fn end_live(&mut self, live: &LiveFeed) {
        let Some(why) = live.loss.clone().or_else(|| self.loss(live)) else { return };
        let message = format!("{} was lost after {} frames: {why}", self.name, self.number);
        if self.options.salvage == Salvage::On {
            log::warn!("{message}");
        } else {
            live.gauge.lose(message.clone());
        }
        self.defects.truncated = true;
        self.defects.warnings.push(message);
    }
}
