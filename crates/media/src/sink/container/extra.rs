//! Videos beside the first that are filtered too: a job of its own encodes each, and the sink of the first writes its packets
//! in the order of their times.

use std::fmt;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};
use ffmpeg_next::StreamMut;

use super::clock::{self, Moment};
use super::times::Times;
use super::video::{Completeness, Video};
use crate::frame::{Attachment, Format, Frame, Rational, Turner};
use crate::libav::muxer::Muxer;
use crate::libav::output::OutputContext;
use crate::libav::packet::{Packet, rescale};
use crate::libav::picture::Carried;
use crate::libav::source_info::SourceInfo;
use crate::libav::stream::VideoStream;
use crate::sink::Sink;
use crate::sink::encoding::Encoding;
use crate::sink::grid::Pace;

/// Packets that wait for the muxer: enough for the encoder's bursts of a few groups of frames in flight.
const PACKETS: usize = 64;

/// Another video of the output failed or was given up, which has its own error.
#[derive(Debug)]
pub struct PeerStopped;

impl fmt::Display for PeerStopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another video of the output stopped")
    }
}

impl std::error::Error for PeerStopped {}

/// What comes from an encoder. A channel that closes without an end is a failure.
enum ExtraMessage {
    Packet(Packet, Moment),
    End,
}

/// A video for the sink of the first one.
pub struct ExtraVideo {
    pub(super) stream: Arc<ExtraStream>,
    pieces: Receiver<ExtraMessage>,
}

/// What a container has to know of the stream.
pub(super) struct ExtraStream {
    video: Mutex<Video>,
    format: Arc<Format>,
    pub source_info: Arc<SourceInfo>,
    /// The unit of times, which the container may replace.
    pub time_base: Rational,
    /// How frames are stored: `h264 crf 18`.
    pub coding: String,
    /// What becomes of the pictures.
    pub fate: String,
}

/// Encodes the frames of such a video.
pub struct ExtraSink {
    stream: Arc<ExtraStream>,
    turner: Option<Turner>,
    pace: Option<Pace>,
    pieces: SyncSender<ExtraMessage>,
    name: String,
    number: u64,
}

/// The packets of such a video, on their way into the container.
pub(super) struct ExtraPackets {
    pieces: Receiver<ExtraMessage>,
    /// The stream's index in the output.
    place: usize,
    /// The unit of moments.
    unit: Rational,
    /// A packet whose time has not come.
    held: Option<(Packet, Moment)>,
    is_over: bool,
}

impl ExtraVideo {
    /// Opens an encoder for frames of a format, for the container of that name. `source_info` is that of the video.
    ///
    /// # Errors
    /// As [`super::Container::create`].
    pub fn open(
        named: &str,
        format: &Arc<Format>,
        source_info: Arc<SourceInfo>,
        encoding: &Encoding,
    ) -> Result<(ExtraSink, Self)> {
        let muxer = Muxer::find(encoding.container.as_deref(), named)?;
        let turner = if muxer.keeps_turn() { None } else { Turner::new(format) };
        let format = turner.as_ref().map_or(format, Turner::format).clone();
        let video = Video::encoded(muxer, named, &format, Some(&source_info), encoding, None)?;
        let time_base = clock::unit_of_stream(muxer, &format);
        let (sender, pieces) = sync_channel(PACKETS);
        let pace = clock::watched(muxer, time_base, &format, encoding.strict);
        let name = format!("{} of {named:?}", source_info.title(source_info.video));
        let (coding, fate) = (video.coding.clone(), video.fate.clone());
        let stream = Arc::new(ExtraStream { video: Mutex::new(video), format, source_info, time_base, coding, fate });
        let sink = ExtraSink { stream: stream.clone(), turner, pace, pieces: sender, name, number: 0 };
        Ok((sink, Self { stream, pieces }))
    }

    /// The stream's index in the input.
    pub fn index(&self) -> usize {
        self.stream.source_info.video
    }

    /// Its packets, for a stream of an output.
    pub(super) fn packets(self, place: usize) -> ExtraPackets {
        let unit = self.stream.format.time_base;
        ExtraPackets { pieces: self.pieces, place, unit, held: None, is_over: false }
    }
}

impl ExtraStream {
    fn video(&self) -> MutexGuard<'_, Video> {
        self.video.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl VideoStream for ExtraStream {
    fn describe(&self, to: &mut StreamMut<'_>) -> Result<()> {
        self.video().stream().describe(to)
    }

    fn codes_alpha_beside(&self) -> bool {
        self.video().stream().codes_alpha_beside()
    }

    fn is_turned_when_shown(&self) -> bool {
        self.video().stream().is_turned_when_shown()
    }

    fn keeps_light(&self) -> bool {
        self.video().stream().keeps_light()
    }
}

impl ExtraSink {
    fn send(&self, piece: ExtraMessage) -> Result<()> {
        if self.pieces.send(piece).is_err() {
            bail!(PeerStopped);
        }
        Ok(())
    }

    /// Sends the packets that the encoder has ready.
    fn drain(&self) -> Result<()> {
        loop {
            let mut packet = Packet::new();
            // The muxer is not waited for while the encoder is locked.
            let Some(moment) = self.stream.video().receive(&mut packet)? else { return Ok(()) };
            self.send(ExtraMessage::Packet(packet, moment))?;
        }
    }

    fn complete(&self, completeness: Completeness) -> Result<()> {
        let message = || format!("finish {} after {} frames", self.name, self.number);
        self.stream.video().end(completeness).with_context(message)?;
        self.drain().with_context(message)?;
        self.send(ExtraMessage::End)
    }
}

impl Sink for ExtraSink {
    fn put(&mut self, frame: Frame) -> Result<()> {
        let place = format!("write frame {} of {}", frame.timing.number, self.name);
        if let Some(pace) = &mut self.pace {
            pace.check(frame.timing.pts, &self.name)?;
        }
        let carried = frame.timing.attachment.as_ref().and_then(Carried::of);
        let properties = carried.and_then(|carried| carried.properties.as_ref());
        let turned = self.turner.as_ref().map(|turner| turner.run(&frame)).transpose()?;
        self.stream.video().send(turned.as_ref().unwrap_or(&frame), properties).context(place)?;
        self.number += 1;
        self.drain()
    }

    fn finish(self: Box<Self>, _trailer: Option<Attachment>) -> Result<()> {
        self.complete(Completeness::Whole)
    }

    fn finish_partial(self: Box<Self>, _rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.complete(Completeness::Beginning).map(|()| None)
    }

    fn describe(&self) -> Vec<String> {
        vec![self.stream.coding.clone()]
    }
}

impl ExtraPackets {
    /// Writes packets that are decoded no later than `until`, a time in a unit; all without one. Blocks until they are there.
    ///
    /// # Errors
    /// [`PeerStopped`] if no more come and the video is not at its end, or writing fails.
    pub fn write(
        &mut self,
        output: &mut OutputContext,
        times: &mut Times,
        until: Option<(i64, Rational)>,
    ) -> Result<()> {
        while !self.is_over {
            let (mut packet, moment) = match self.held.take() {
                Some(held) => held,
                None => match self.pieces.recv() {
                    Ok(ExtraMessage::Packet(packet, moment)) => (packet, moment),
                    Ok(ExtraMessage::End) => {
                        self.is_over = true;
                        break;
                    }
                    Err(_) => bail!(PeerStopped),
                },
            };
            if until.is_some_and(|until| is_after((moment.dts, self.unit), until)) {
                self.held = Some((packet, moment));
                break;
            }
            let unit = output.time_base(self.place);
            let scaled = |time: i64| rescale(time, self.unit, unit);
            packet.set_stream(self.place);
            packet.set_duration(scaled(moment.pts + moment.duration) - scaled(moment.pts));
            packet.set_times(Some(scaled(moment.pts)), Some(scaled(moment.dts)));
            times.ascend(&mut packet);
            output.write(&mut packet)?;
        }
        Ok(())
    }

    /// Drops what is left. Blocks until the video ends.
    ///
    /// # Errors
    /// [`PeerStopped`] if it does not come to its end.
    pub fn drop_rest(&mut self) -> Result<()> {
        self.held = None;
        while !self.is_over {
            match self.pieces.recv() {
                Ok(ExtraMessage::Packet(..)) => {}
                Ok(ExtraMessage::End) => self.is_over = true,
                Err(_) => bail!(PeerStopped),
            }
        }
        Ok(())
    }
}

/// Whether a time is later than another, each in its unit.
fn is_after((time, unit): (i64, Rational), (other, other_unit): (i64, Rational)) -> bool {
    let product = |time: i64, unit: Rational, below: i32| i128::from(time) * i128::from(unit.num) * i128::from(below);
    product(time, unit, other_unit.den) > product(other, other_unit, unit.den)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_different_units_are_compared_exactly() {
        let (film, video) = (Rational::new(1, 24), Rational::new(1001, 30000));
        assert!(is_after((24, film), (29, video)) && !is_after((24, film), (30, video)));
        assert!(!is_after((0, film), (0, video)) && is_after((-1, film), (-2, video)));
    }
}
