//! Clips into containers and codecs, and into sequences of images, through FFmpeg's libraries.
//!
//! Encoders read frames where they lie. All that the source had besides pictures is written too: copied streams, metadata,
//! chapters, side data.

mod alias;
mod choice;
mod clock;
mod family;
mod header;
mod options;
mod preset;
mod times;

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};

use self::clock::Clock;
use self::family::EncoderFamily;
use self::header::{ContainerHeader, OutputStreams};
use self::times::Times;
use super::Sink;
use super::grid::{Gap, Pace};
use crate::frame::{Attachment, Format, Frame, Rational};
use crate::libav::Strictness;
use crate::libav::convert::coded_colour;
use crate::libav::encoder::{Encoder, Headers, Settings};
use crate::libav::error::is_damage;
use crate::libav::heritage::Heritage;
use crate::libav::output::{Muxer, OutputContext};
use crate::libav::packet::{Packet, rescale};
use crate::libav::picture::Carried;
use crate::sequence::{self, Pattern};

pub use super::encoding::{Encoding, Fidelity};

/// Where a container goes.
pub enum Place {
    /// A file, or for a sequence of images a pattern such as `out%04d.png`.
    File {
        /// Where to write.
        write_to: PathBuf,
        /// The name that it will have in the end, which decides the container and stands in messages.
        named: PathBuf,
    },
    /// A stream that is written once from its beginning, and its name for messages.
    Stream(Box<dyn Write + Send>, String),
}

/// Whether an output of this name is a sequence of files; `container` as in [`Encoding`].
///
/// # Errors
/// If neither tells which container it is, or images have a name that looks like a pattern and is none.
pub fn is_sequence(named: &Path, container: Option<&str>) -> Result<bool> {
    let muxer = Muxer::find(container, &named.to_string_lossy())?;
    ensure!(!muxer.is_images() || !sequence::is_mistyped(named), sequence::EXPECTED);
    Ok(muxer.names_files() && Pattern::of(named).is_some())
}

/// A container that is being written.
pub struct Container {
    /// For messages: the output's name in quotes.
    name: String,
    output: OutputContext,
    encoder: Encoder,
    clock: Clock,
    format: Arc<Format>,
    /// The video's index in the output.
    video: usize,
    /// Copied streams: index in the input, and in the output with its time base in the input.
    copied: HashMap<usize, (usize, Rational)>,
    times: Times,
    /// What tells whether frames keep their times, where the container counts frames.
    pace: Option<Pace>,
    /// Whether the output is one image, which cannot hold a second frame.
    is_single_image: bool,
    packet: Packet,
    /// Whether a damaged packet of a copied stream is an error.
    strict: Strictness,
    /// Copied streams of the output of which packets were left out.
    damaged: HashSet<usize>,
    /// Frames taken so far.
    number: u64,
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
        heritage: Option<Arc<Heritage>>,
        encoding: &Encoding,
    ) -> Result<Self> {
        let named = match &place {
            Place::File { named, .. } => named.to_string_lossy().into_owned(),
            Place::Stream(_, name) => name.clone(),
        };
        let name = format!("{named:?}");
        Self::make(place, &named, format, heritage, encoding).with_context(|| format!("write {name}"))
    }

    fn make(
        place: Place,
        named: &str,
        format: &Arc<Format>,
        heritage: Option<Arc<Heritage>>,
        encoding: &Encoding,
    ) -> Result<Self> {
        let heritage = heritage.as_deref();
        let muxer = Muxer::find(encoding.container.as_deref(), named)?;
        let codec = choice::codec(muxer, named, format, encoding)?;
        let stored = choice::pixel(codec, muxer, format, encoding)?;
        let clock =
            if EncoderFamily::of(codec.name()).knows_times { Clock::new_true() } else { Clock::counted(format) };
        let settings = Settings {
            format: format.clone(),
            stored,
            colour: coded_colour(stored, format),
            time_base: clock.unit(format),
            threads: encoding.threads,
            options: options::options(codec, format, heritage, encoding)?,
            headers: if muxer.has_headers() { Headers::InContainer } else { Headers::InStream },
            coding: choice::coding(codec, format),
        };
        let encoder =
            Encoder::open(codec, settings).map_err(|error| match choice::even(codec, stored, muxer, format) {
                Some(hint) => anyhow!("{error:#}; {hint}"),
                None => alias::without_gpu(codec.name()).map_or(error, |advice| anyhow!("{advice}")),
            })?;
        let is_stream = matches!(place, Place::Stream(..));
        let mut output = match place {
            Place::File { write_to, .. } => OutputContext::file(muxer, &write_to)?,
            Place::Stream(to, _) => OutputContext::stream(muxer, to)?,
        };
        // What has one fixed rate counts frames; what has not gets the clip's own clock.
        let time_base =
            if muxer.has_variable_rate() { format.time_base } else { clock::nominal_rate(format).inverse() };
        let is_single_image = muxer.is_images() && Pattern::of(Path::new(named)).is_none();
        let header =
            ContainerHeader { muxer, encoder: &encoder, time_base, heritage, format, is_stream, is_single_image };
        let copied = header.choose(encoding.strict)?;
        if let Some(heritage) = heritage {
            header::check_rotation(muxer, heritage, encoding.strict)?;
        }
        let OutputStreams { video, copied } = header.write(&mut output, &copied)?;
        let time_base_of_video = output.time_base(video);
        Ok(Self {
            name: format!("{named:?}"),
            output,
            encoder,
            clock,
            format: format.clone(),
            video,
            copied,
            times: Times::new(muxer.takes_equal_times()),
            pace: watched(muxer, time_base_of_video, format, encoding.strict),
            is_single_image,
            packet: Packet::new(),
            strict: encoding.strict,
            damaged: HashSet::new(),
            number: 0,
        })
    }

    /// Writes the packets that the encoder has ready.
    fn drain(&mut self) -> Result<()> {
        let unit = self.output.time_base(self.video);
        while self.encoder.receive(&mut self.packet)? {
            let moment = self.clock.leave(self.packet.pts(), self.packet.dts());
            let end = rescale(moment.pts + moment.duration, self.format.time_base, unit);
            let pts = rescale(moment.pts, self.format.time_base, unit);
            let dts = rescale(moment.dts, self.format.time_base, unit);
            self.packet.set_stream(self.video);
            self.packet.set_duration(end - pts);
            self.packet.set_times(Some(pts), Some(dts));
            self.times.ascend(&mut self.packet);
            self.output.write(&mut self.packet)?;
        }
        Ok(())
    }

    /// Writes packets of copied streams.
    fn carry(&mut self, packets: &[Packet]) -> Result<()> {
        for packet in packets {
            let Some((index, unit)) = self.copied.get(&packet.stream()) else { continue };
            let mut packet = packet.share()?;
            packet.rescale(*unit, self.output.time_base(*index));
            packet.set_stream(*index);
            self.times.ascend(&mut packet);
            match self.output.write(&mut packet) {
                Err(error) if self.strict == Strictness::Lenient && is_damage(&error) => {
                    if self.damaged.insert(*index) {
                        log::warn!("damaged packets of stream {index} are left out of {}: {error:#}", self.name);
                    }
                }
                written => written?,
            }
        }
        Ok(())
    }

    fn encode(&mut self, frame: &Frame) -> Result<()> {
        ensure!(
            !self.is_single_image || self.number == 0,
            "one image cannot hold several frames; number the images as in out%04d.png, or take one with --frames 1"
        );
        if let Some(pace) = &mut self.pace {
            pace.check(frame.timing.pts, &self.name)?;
        }
        let carried = frame.timing.attachment.as_ref().and_then(Carried::of);
        if let Some(carried) = carried {
            self.carry(&carried.packets)?;
        }
        let (pts, duration) = self.clock.enter(frame.timing.pts, frame.timing.duration);
        let properties = carried.and_then(|carried| carried.properties.as_ref());
        self.encoder.send(frame, properties, pts, duration)?;
        self.number += 1;
        self.drain()
    }

    fn complete(mut self, trailer: Option<&Attachment>) -> Result<()> {
        if let Some(carried) = trailer.and_then(Carried::of) {
            self.carry(&carried.packets)?;
        }
        self.encoder.end()?;
        self.drain()?;
        self.output.finish()
    }
}

impl Sink for Container {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.encode(&frame).with_context(|| format!("write frame {} of {}", frame.timing.number, self.name))
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        let message = format!("complete {} after {} frames", self.name, self.number);
        self.complete(trailer.as_ref()).context(message)
    }
}

/// What tells whether frames keep their times in a container whose unit of time is `unit`; `None` where the unit is fine
/// enough for any.
fn watched(muxer: Muxer, unit: Rational, format: &Format, strict: Strictness) -> Option<Pace> {
    let rate = clock::nominal_rate(format);
    let halves = 2 * i128::from(unit.num) * i128::from(rate.num);
    let counts_frames = !muxer.has_variable_rate() && halves >= i128::from(unit.den) * i128::from(rate.den);
    let gap = if muxer.has_times() { Gap::Kept } else { Gap::Closed };
    let format = Format { rate, ..format.clone() };
    (counts_frames || gap == Gap::Closed).then(|| Pace::new(&format, gap, strict))
}
