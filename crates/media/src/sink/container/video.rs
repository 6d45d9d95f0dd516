//! Where the packets of the video come from: an encoder, or chunks that are encoded already.

use std::iter;
use std::sync::Arc;

use anyhow::{Result, anyhow, ensure};

use super::choice::PixelChoice;
use super::clock::{Clock, Moment, Thinner};
use super::family::EncoderFamily;
use super::opacity::OpacityLoss;
use super::passage::Passage;
use super::{alias, choice, options, range, tag};
use crate::frame::{EncodingDevice, Format, Frame, Padder};
use crate::libav::SurfacePool;
use crate::libav::encoder::{Encoder, Headers, Settings};
use crate::libav::muxer::Muxer;
use crate::libav::packet::Packet;
use crate::libav::picture::Picture;
use crate::libav::source_info::SourceInfo;
use crate::libav::stream::VideoStream;
use crate::sink::encoding::Encoding;

/// What gives the packets of the video, and what is said of them.
pub(super) struct Video {
    maker: Maker,
    /// Where the container cannot tell frames apart that come fast.
    thinner: Option<Thinner>,
    opacity_loss: OpacityLoss,
    /// How frames are stored: `h264 crf 18`.
    pub coding: String,
    /// The codec by FFmpeg's name.
    pub codec: &'static str,
    /// The encoder by FFmpeg's name, where there is one.
    pub encoder: Option<String>,
    /// What becomes of the pictures: `becomes h264 crf 18, yuv420p 1280x720`.
    pub fate: String,
}

/// How much of a clip was sent, once no more is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    Whole,
    /// What came before the user stopped it.
    Beginning,
}

enum Maker {
    Encoder(Box<Encoder>, Clock, Option<Padder>),
    Passage(Box<Passage>),
}

impl Video {
    /// An encoder for frames of a format, which may be had on a device.
    ///
    /// # Errors
    /// If the container cannot hold the codec, or the encoder does not accept the clip or an option.
    pub fn encoded(
        muxer: Muxer,
        named: &str,
        format: &Arc<Format>,
        source_info: Option<&SourceInfo>,
        encoding: &Encoding,
        device: Option<&dyn EncodingDevice>,
    ) -> Result<Self> {
        let source = source_info.map(SourceInfo::source_codec);
        let codec = choice::codec(muxer, named, format, source, encoding)?;
        let PixelChoice { stored, opacity_loss } = choice::pixel(codec, muxer, format, source, encoding)?;
        let colour = range::coded(codec, muxer, stored, format, encoding);
        let change = range::change(format, stored, colour);
        let container = muxer.name();
        match change {
            Some(range) => {
                log::info!("samples become {range}, as readers of {} in {container} expect", codec.id().name())
            }
            None if range::is_untold(muxer, codec, stored, format, encoding) => log::warn!(
                "samples stay full range, but {container} cannot say so: players show them as limited; take .mkv"
            ),
            None => {}
        }
        tag::tell_losses(codec, muxer, stored, format, colour);
        tag::tell_lost_timecode(codec, muxer, format, source_info);
        let padder = choice::padding(codec, stored, encoding).and_then(|sides| Padder::new(format, sides));
        let keep = choice::even(codec, stored, muxer, format);
        let given = format;
        let format = padder.as_ref().map_or(format, Padder::format);
        if padder.is_some() {
            let [from, to] = [given, format].map(|format| format!("{}x{}", format.width, format.height));
            let way = keep.as_deref().map(|keep| format!("; {keep}")).unwrap_or_default();
            log::warn!(
                "{from} becomes {to}, the edge repeated: {} has even sides in {}{way}",
                codec.name(),
                stored.name()
            );
        }
        let clock =
            if EncoderFamily::of(codec.name()).knows_times { Clock::new_true() } else { Clock::counted(format) };
        let coding = choice::coding(codec, format);
        choice::tell_losses(codec, muxer, format, source, encoding);
        let options = options::options(codec, stored, format, coding, source_info, encoding)?;
        let quality = options::quality_in_words(codec, encoding, &options);
        let words = iter::once(codec.id().name().to_owned()).chain(quality).collect::<Vec<_>>().join(" ");
        let settings = Settings {
            format: format.clone(),
            stored,
            colour,
            time_base: clock.unit(format),
            threads: encoding.threads,
            options,
            headers: if muxer.has_headers() { Headers::InContainer } else { Headers::InStream },
            coding,
            surfaces: None,
        };
        let device =
            device.filter(|_| change.is_none() && padder.is_none() && choice::reads_device(codec, stored, format));
        let surfaces = device.map(|device| SurfacePool::new(device.lane(format)?, format)).transpose();
        let opened = surfaces.and_then(|surfaces| Encoder::open(codec, Settings { surfaces, ..settings }));
        let encoder = opened.map_err(|error| match keep {
            Some(hint) => anyhow!("{error:#}; {hint}"),
            None => alias::without_gpu(codec.name()).map_or(error, |advice| anyhow!("{advice}")),
        })?;
        let thinner = (muxer.name() == "gif").then(|| Thinner::of_gif(format)).flatten();
        if thinner.is_some() {
            let rate = format.rate.value().unwrap_or_default();
            log::warn!(
                "GIF shows at most 50 frames a second, and the clip has {rate:.0}: some are left out, times stay"
            );
        }
        let changed = change.map(|range| format!(", {range}")).unwrap_or_default();
        let opacity = if opacity_loss.is_whole() { ", without opacity" } else { "" };
        let fate = format!("becomes {words}, {} {}x{}{changed}{opacity}", stored.name(), format.width, format.height);
        Ok(Self {
            maker: Maker::Encoder(Box::new(encoder), clock, padder),
            thinner,
            opacity_loss,
            codec: codec.id().name(),
            encoder: Some(codec.name().to_owned()),
            coding: words,
            fate,
        })
    }

    /// Chunks that are encoded already.
    ///
    /// # Errors
    /// If the container cannot hold what they are coded as.
    pub fn passed(muxer: Muxer, format: &Format, passage: Box<Passage>) -> Result<Self> {
        let codec = passage.stream().codec();
        let (name, container) = (codec.name(), muxer.name());
        ensure!(!muxer.is_images(), "--codec copy joins chunks of video, and {container} holds pictures; use mkv");
        ensure!(muxer.holds(codec) != Some(false), "the container {container} cannot hold {name}; use mkv");
        let coding = format!("{name} of the chunks");
        let stored = passage.stream().stored().map_or_else(|| format.pixel.name(), |stored| stored.name().to_owned());
        let fate = format!("becomes {coding}, {stored} {}x{}", format.width, format.height);
        Ok(Self {
            maker: Maker::Passage(passage),
            thinner: None,
            opacity_loss: OpacityLoss::default(),
            codec: name,
            encoder: None,
            coding,
            fate,
        })
    }

    /// Whether frames must lie on the device.
    pub fn reads_device(&self) -> bool {
        matches!(&self.maker, Maker::Encoder(encoder, ..) if encoder.reads_device())
    }

    /// What a stream has to know of it.
    pub fn stream(&self) -> &dyn VideoStream {
        match &self.maker {
            Maker::Encoder(encoder, ..) => encoder.as_ref(),
            Maker::Passage(passage) => passage.stream(),
        }
    }

    /// Takes a frame. All packets must have been taken before.
    ///
    /// # Errors
    /// If encoding fails.
    pub fn send(&mut self, frame: &Frame, properties: Option<&Picture>) -> Result<()> {
        let (pts, duration) = (frame.timing.pts, frame.timing.duration);
        if self.thinner.as_mut().is_some_and(|thinner| !thinner.keeps(pts)) {
            return Ok(());
        }
        self.opacity_loss.watch(frame);
        match &mut self.maker {
            Maker::Encoder(encoder, clock, padder) => {
                let (pts, duration) = clock.enter(pts, duration);
                let padded = padder.as_ref().map(|padder| padder.run(frame)).transpose()?;
                encoder.send(padded.as_ref().unwrap_or(frame), properties, pts, duration)
            }
            Maker::Passage(passage) => {
                passage.await_frame(pts, duration);
                Ok(())
            }
        }
    }

    /// There are no more frames.
    ///
    /// # Errors
    /// If encoding fails.
    pub fn end(&mut self, completeness: Completeness) -> Result<()> {
        match &mut self.maker {
            Maker::Encoder(encoder, ..) => encoder.end(),
            Maker::Passage(passage) => {
                if completeness == Completeness::Whole {
                    passage.end();
                }
                Ok(())
            }
        }
    }

    /// Takes a packet, and when it is shown; `None` if a frame must be sent first, or after the last.
    ///
    /// # Errors
    /// If encoding fails, or chunks are not those of the clip.
    pub fn receive(&mut self, packet: &mut Packet) -> Result<Option<Moment>> {
        match &mut self.maker {
            Maker::Encoder(encoder, clock, _) => {
                Ok(encoder.receive(packet)?.then(|| clock.leave(packet.pts(), packet.dts())))
            }
            Maker::Passage(passage) => passage.receive(packet),
        }
    }

    /// Looks whether every frame of a whole clip had its packet, once all were taken.
    ///
    /// # Errors
    /// If chunks are missing.
    pub fn check(&self) -> Result<()> {
        match &self.maker {
            Maker::Encoder(..) => Ok(()),
            Maker::Passage(passage) => passage.check(),
        }
    }
}
