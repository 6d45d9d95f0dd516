//! Packets beside the video: those that frames bring along, and those of other videos.

use anyhow::{Context, Result};

use super::Container;
use super::times::write_beside;
use crate::frame::{Attachment, Rational};
use crate::libav::Strictness;
use crate::libav::error::is_damage;
use crate::libav::packet::Packet;
use crate::libav::picture::Carried;
use crate::libav::transcoder::Transcoder;

impl Container {
    /// Writes packets of other videos up to a time, or all.
    pub(super) fn write_extras(&mut self, until: Option<(i64, Rational)>) -> Result<()> {
        self.extras.iter_mut().try_for_each(|extra| extra.write(&mut self.output, &mut self.times, until))
    }

    /// Writes packets of other streams, transcoded where they are.
    pub(super) fn carry<'a>(&mut self, packets: impl IntoIterator<Item = &'a Packet>) -> Result<()> {
        for packet in packets {
            let Some(place) = self.companions.get(&packet.stream()).copied() else { continue };
            let carried = match self.transcoders.get_mut(&packet.stream()) {
                Some(conversion) => conversion
                    .send(Some(packet), &mut |made| write_beside(&mut self.output, &mut self.times, place, made)),
                None => write_beside(&mut self.output, &mut self.times, place, &mut packet.share()?),
            };
            match carried {
                Err(error) if self.strict == Strictness::Lenient && is_damage(&error) => {
                    let (index, _) = place;
                    if self.damaged.insert(index) {
                        log::warn!("damaged packets of stream {index} are dropped from {}: {error:#}", self.name);
                    }
                }
                carried => carried.with_context(|| format!("stream {}", packet.stream()))?,
            }
        }
        Ok(())
    }

    /// Writes what transcoders still hold.
    pub(super) fn end_transcoders(&mut self) -> Result<()> {
        for (index, conversion) in &mut self.transcoders {
            let Some(place) = self.companions.get(index).copied() else { continue };
            conversion.send(None, &mut |made| write_beside(&mut self.output, &mut self.times, place, made))?;
        }
        Ok(())
    }

    /// Of the packets that came with frames which are not written, those that belong to the ones which are.
    pub(super) fn carry_rest(&mut self, rest: &[Attachment]) -> Result<()> {
        for packet in rest.iter().flat_map(Carried::packets) {
            let copied = || self.companions.get(&packet.stream()).map(|(_, unit)| *unit);
            let unit = self.transcoders.get(&packet.stream()).map(Transcoder::unit_in).or_else(copied);
            if unit.is_some_and(|unit| packet.starts_before(unit, self.end, self.format.time_base)) {
                self.carry([packet])?;
            }
        }
        Ok(())
    }
}
