//! Clips into containers and codecs, and into sequences of images, through FFmpeg's libraries.
//!
//! Encoders read frames where they lie. All that the source had besides pictures is written too: copied streams, metadata,
//! chapters, side data.

mod alias;
mod choice;
mod clock;
mod companion;
mod delay;
mod extra;
mod family;
mod fate;
mod header;
mod opacity;
mod options;
mod packet;
mod passage;
mod place;
mod preset;
mod profile;
mod promptness;
mod quality;
mod range;
mod still;
mod storage;
mod tag;
mod times;
mod usual;
mod video;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use self::companion::{Companion, CompanionChoice, Companions};
use self::delay::Delays;
use self::extra::ExtraPackets;
use self::fate::fates;
use self::header::{ContainerHeader, OutputStreams};
use self::still::StillWriter;
use self::times::Times;
use self::video::{Completeness, Video};
use super::Sink;
use super::fate::StreamFate;
use super::grid::Pace;
use crate::frame::{Attachment, EncodingDevice, Format, Frame, LiveMark, Rational, Turn, Turner};
use crate::libav::Strictness;
use crate::libav::muxer::Muxer;
use crate::libav::output::OutputContext;
use crate::libav::packet::{Packet, rescale};
use crate::libav::picture::Carried;
use crate::libav::source_info::SourceInfo;
use crate::libav::transcoder::Transcoder;
use crate::sequence::Pattern;

pub use self::extra::{ExtraSink, ExtraVideo, PeerStopped};
pub use self::passage::{NextChunk, Passage};
pub use self::place::{Place, ending, is_sequence};
pub use super::encoding::{Encoding, Fidelity};

/// How the pictures of a container come.
#[derive(Default)]
pub enum Feed {
    /// As frames on the host.
    #[default]
    Host,
    /// As frames on a device where the encoder takes them there ([`Container::reads_device`]), else on the host.
    Device(Arc<dyn EncodingDevice>),
    /// As packets of chunks that are encoded already; of frames only the times are looked at.
    Passage(Box<Passage>),
}

/// A container that is being written.
pub struct Container {
    /// For messages: the output's name in quotes.
    name: String,
    output: OutputContext,
    video: Video,
    /// For pictures that are shown otherwise than they are stored, where the container cannot say so.
    turner: Option<Turner>,
    format: Arc<Format>,
    /// The video's index in the output.
    place: usize,
    /// Other streams: index in the input, and in the output with the unit of the times that its packets bring.
    companions: HashMap<usize, (usize, Rational)>,
    /// Those that become another, by their index in the input.
    transcoders: BTreeMap<usize, Transcoder>,
    /// Other videos that are filtered.
    extras: Vec<ExtraPackets>,
    times: Times,
    /// What tells whether frames keep their times, where the container counts frames.
    pace: Option<Pace>,
    /// Whether the output is one image, which cannot hold a second frame.
    is_single_image: bool,
    is_images: bool,
    stills: Option<StillWriter>,
    packet: Packet,
    /// Whether a damaged packet of a copied stream is an error.
    strict: Strictness,
    /// Copied streams of the output of which packets were left out.
    damaged: HashSet<usize>,
    /// Frames taken so far.
    number: u64,
    /// Where the last of them ends, in the clip's time base.
    end: i64,
    /// How frames are stored, and what comes along.
    description: Vec<String>,
    fates: Vec<StreamFate>,
    /// Frames of a live input that the encoder holds.
    delays: Delays,
}

impl Container {
    /// Makes the output and writes its header.
    ///
    /// # Errors
    /// If the container cannot hold the codec, the encoder does not accept the clip or an option, or the output cannot
    /// be written. With [`Strictness::Strict`] also if something that the input has cannot be carried over.
    pub fn create(
        place: Place,
        format: &Arc<Format>,
        source_info: Option<Arc<SourceInfo>>,
        encoding: &Encoding,
    ) -> Result<Self> {
        Self::with(place, format, source_info, encoding, Feed::Host)
    }

    /// The same for pictures that come in another way.
    ///
    /// # Errors
    /// As [`Container::create`].
    pub fn with(
        place: Place,
        format: &Arc<Format>,
        source_info: Option<Arc<SourceInfo>>,
        encoding: &Encoding,
        feed: Feed,
    ) -> Result<Self> {
        Self::beside(place, format, source_info, encoding, feed, Vec::new())
    }

    /// The same with other videos, which are filtered elsewhere and written beside this one.
    ///
    /// # Errors
    /// As [`Container::create`].
    pub fn beside(
        place: Place,
        format: &Arc<Format>,
        source_info: Option<Arc<SourceInfo>>,
        encoding: &Encoding,
        feed: Feed,
        extras: Vec<ExtraVideo>,
    ) -> Result<Self> {
        let named = match &place {
            Place::File { named, .. } => named.to_string_lossy().into_owned(),
            Place::Stream(_, name) | Place::Nowhere { named: name, .. } => name.clone(),
            Place::Live { address, .. } => address.shown(),
        };
        let name = format!("{named:?}");
        Self::make(place, &named, format, source_info, encoding, (feed, extras))
            .with_context(|| format!("write {name}"))
    }

    fn make(
        place: Place,
        named: &str,
        format: &Arc<Format>,
        source_info: Option<Arc<SourceInfo>>,
        encoding: &Encoding,
        (feed, extras): (Feed, Vec<ExtraVideo>),
    ) -> Result<Self> {
        let source_info = source_info.as_deref();
        let muxer = match &place {
            Place::Live { address, .. } => place::muxer_of(address, encoding.container.as_deref())?,
            _ => Muxer::find(encoding.container.as_deref(), named)?,
        };
        let turner = if muxer.keeps_turn() { None } else { Turner::new(format) };
        if turner.is_some() {
            log::info!("the pictures are {}: {} has no rotation tag", format.turn, muxer.name());
        }
        let turn = turner.as_ref().map_or_else(Turn::default, |_| format.turn);
        let format = &turner.as_ref().map_or(format, Turner::format).clone();
        let video = match feed {
            // What is turned is turned on the host.
            Feed::Device(device) if turner.is_none() => {
                Video::encoded(muxer, named, format, source_info, encoding, Some(device.as_ref()))?
            }
            Feed::Host | Feed::Device(_) => Video::encoded(muxer, named, format, source_info, encoding, None)?,
            Feed::Passage(_) if turner.is_some() => {
                bail!("{} has no rotation tag, and these frames are rotated; use .mp4 or .mov", muxer.name())
            }
            Feed::Passage(passage) => Video::passed(muxer, format, passage)?,
        };
        let stills = StillWriter::new(muxer, video.codec, format, turn, source_info, encoding.strict)?;
        let is_stream =
            matches!(place, Place::Stream(..) | Place::Live { .. } | Place::Nowhere { is_stream: true, .. });
        let mut output = match place {
            Place::File { write_to, .. } => OutputContext::file(muxer, &write_to)?,
            Place::Stream(to, _) => OutputContext::stream(muxer, to)?,
            Place::Live { is_dry_run: true, .. } => OutputContext::nowhere(muxer)?,
            Place::Live { address, timeout, .. } => OutputContext::live(muxer, &address, timeout)?,
            // What names files itself makes them with its first packets.
            Place::Nowhere { .. } if muxer.names_files() => OutputContext::file(muxer, Path::new(named))?,
            Place::Nowhere { .. } => OutputContext::nowhere(muxer)?,
        };
        let time_base = clock::unit_of_stream(muxer, format);
        let is_single_image = muxer.is_images() && Pattern::of(Path::new(named)).is_none();
        let comment = encoding.comment.as_deref();
        let header = ContainerHeader {
            muxer,
            video: video.stream(),
            time_base,
            source_info,
            format,
            is_stream,
            is_single_image,
            comment,
        };
        let mut chosen = Companions::default();
        if let Some(source_info) = source_info {
            chosen = CompanionChoice { muxer, source_info, format, encoding, extras: &extras }
                .make(|companions| header.is_accepted(companions))?;
            header::check_rotation(muxer, source_info, encoding.strict)?;
        }
        let told = chosen.taken.iter().filter_map(|companion| companion.in_words(source_info?));
        let description = iter::once(video.coding.clone()).chain(told).collect();
        let turned = turner.as_ref().map_or("", |_| "turned, ");
        let fates = fates(muxer, source_info, &chosen, format!("{turned}{}", video.fate), stills.as_ref());
        let OutputStreams { video: index, companions, extras: places } = header.write(&mut output, &chosen.taken)?;
        let transcoders = chosen.taken.into_iter().filter_map(|companion| match companion {
            Companion::Copied(_) | Companion::Filtered(_) => None,
            Companion::Converted(conversion) => Some((conversion.index(), conversion)),
        });
        let time_base_of_video = output.time_base(index);
        let extras =
            extras.into_iter().filter_map(|extra| places.get(&extra.index()).map(|place| extra.packets(*place)));
        Ok(Self {
            name: format!("{named:?}"),
            output,
            video,
            turner,
            format: format.clone(),
            place: index,
            companions,
            transcoders: transcoders.collect(),
            extras: extras.collect(),
            times: Times::new(muxer.takes_equal_times()),
            pace: clock::watched(muxer, time_base_of_video, format, encoding.strict),
            is_single_image,
            is_images: muxer.is_images(),
            stills,
            packet: Packet::new(),
            strict: encoding.strict,
            damaged: HashSet::new(),
            number: 0,
            end: 0,
            description,
            fates,
            delays: Delays::default(),
        })
    }

    /// The encoder of the video by FFmpeg's name; `None` where packets are passed on, or each frame is a file.
    pub fn encoder(&self) -> Option<&str> {
        self.video.encoder.as_deref().filter(|_| !self.is_images)
    }

    /// Whether frames have to lie on the device of [`Feed::Device`]; else they have to lie on the host.
    pub fn reads_device(&self) -> bool {
        self.video.reads_device()
    }

    /// What becomes of each stream of the input, and of its chapters and tags.
    pub fn fates(&self) -> &[StreamFate] {
        &self.fates
    }

    /// Writes the packets that the encoder has ready.
    fn drain(&mut self) -> Result<()> {
        let unit = self.output.time_base(self.place);
        while let Some(moment) = self.video.receive(&mut self.packet)? {
            let end = rescale(moment.pts + moment.duration, self.format.time_base, unit);
            let pts = rescale(moment.pts, self.format.time_base, unit);
            let dts = rescale(moment.dts, self.format.time_base, unit);
            let mark = self.delays.leave(moment.pts);
            self.packet.set_stream(self.place);
            self.packet.set_duration(end - pts);
            self.packet.set_times(Some(pts), Some(dts));
            self.times.ascend(&mut self.packet);
            self.write_extras(self.packet.dts().map(|dts| (dts, unit)))?;
            match &mut self.stills {
                Some(stills) => {
                    let packet = std::mem::replace(&mut self.packet, Packet::new());
                    let ready = stills.pass(packet, moment.pts)?;
                    ready.into_iter().try_for_each(|mut packet| self.output.write(&mut packet))?;
                }
                None => self.output.write(&mut self.packet)?,
            }
            mark.iter().for_each(LiveMark::written);
        }
        Ok(())
    }

    fn encode(&mut self, frame: &Frame) -> Result<()> {
        ensure!(
            !self.is_single_image || self.number == 0,
            "one image cannot hold several frames; number the images as in out%04d.png, or write one with --frames 1"
        );
        if let Some(pace) = &mut self.pace {
            pace.check(frame.timing.pts, &self.name)?;
        }
        let attachment = frame.timing.attachment.as_ref();
        self.carry(attachment.into_iter().flat_map(Carried::packets))?;
        let carried = attachment.and_then(Carried::of);
        if let Some(stills) = &mut self.stills {
            stills.take(frame.timing.pts, carried)?;
        }
        let properties = carried.and_then(|carried| carried.properties.as_ref());
        let turned = self.turner.as_ref().map(|turner| turner.run(frame)).transpose()?;
        self.video.send(turned.as_ref().unwrap_or(frame), properties)?;
        self.delays.enter(&frame.timing);
        self.number += 1;
        self.end = frame.timing.pts + frame.timing.duration;
        self.drain()
    }

    fn complete(mut self, completeness: Completeness) -> Result<()> {
        self.end_transcoders()?;
        self.video.end(completeness)?;
        self.drain()?;
        if let Some(mut packet) = self.stills.as_mut().map_or(Ok(None), StillWriter::end)? {
            self.output.write(&mut packet)?;
        }
        self.video.check()?;
        // What was stopped ends with this video.
        let until = (completeness == Completeness::Beginning).then_some((self.end, self.format.time_base));
        self.write_extras(until)?;
        self.extras.iter_mut().try_for_each(ExtraPackets::drop_rest)?;
        self.output.finish()
    }
}

impl Sink for Container {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.encode(&frame).with_context(|| format!("write frame {} of {}", frame.timing.number, self.name))
    }

    fn finish(mut self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        let message = format!("finish {} after {} frames", self.name, self.number);
        let carried = self.carry(trailer.iter().flat_map(Carried::packets));
        carried.and_then(|()| self.complete(Completeness::Whole)).context(message)
    }

    fn finish_partial(mut self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        let message = format!("finish {} after {} frames", self.name, self.number);
        self.carry_rest(rest).and_then(|()| self.complete(Completeness::Beginning)).context(message)?;
        Ok(None)
    }

    fn describe(&self) -> Vec<String> {
        self.description.clone()
    }
}
