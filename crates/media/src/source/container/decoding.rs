//! Packets given to the decoder, and pictures taken from it.

use anyhow::Result;

use super::feed::LiveFeed;
use super::{Container, PacketRead};
use crate::libav::outcome::Outcome;

impl Container {
    /// Decodes the next picture into `self.picture`; `false` at the end, or where the user asked to stop.
    pub(super) fn decode(&mut self) -> Result<bool> {
        if std::mem::take(&mut self.is_ready) {
            return Ok(true);
        }
        if self.ahead.is_used() {
            return self.take_ahead();
        }
        // A decoder that fails without end while it is drained would never come to its end.
        let mut failures = 0;
        while failures < 1000 {
            match self.decoder.receive(&mut self.picture).map_err(|error| self.blame(error))? {
                Outcome::Done => {
                    self.miss_images(self.picture.pts())?;
                    self.live.iter_mut().for_each(LiveFeed::succeed);
                    return Ok(true);
                }
                Outcome::End if self.reconnect()? => {}
                Outcome::End => {
                    self.miss_images(None)?;
                    return Ok(false);
                }
                Outcome::Again if self.is_interrupted() => return Ok(false),
                Outcome::Again if self.live.as_ref().is_some_and(LiveFeed::is_fruitless) => return Ok(false),
                Outcome::Again => self.feed()?,
                Outcome::Damaged(code) => {
                    failures += u32::from(self.ending.is_reached());
                    self.damage(code)?;
                }
                Outcome::Refused => self.soften()?,
            }
        }
        Ok(false)
    }

    /// Reads one packet: of the video for the decoder, others to be carried along.
    pub(super) fn feed(&mut self) -> Result<()> {
        match self.read()? {
            // Some decoders would make pictures of what lies before the first key frame.
            PacketRead::Video if self.awaits_key && !self.packet.is_key() => {}
            PacketRead::Video => {
                if std::mem::take(&mut self.awaits_key) {
                    self.decoder.land(self.packet.pts().or(self.packet.dts()));
                }
                self.decoder.spare_unreferenced(self.is_passed_over());
                match self.decoder.send(Some(&self.packet)).map_err(|error| self.blame(error))? {
                    Outcome::Damaged(code) => self.damage(code)?,
                    Outcome::Refused => self.soften()?,
                    _ => {}
                }
            }
            PacketRead::Carried => {}
            PacketRead::End => {
                self.decoder.send(None).map_err(|error| self.blame(error))?;
            }
        }
        Ok(())
    }
}
