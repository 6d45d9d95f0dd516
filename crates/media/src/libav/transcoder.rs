//! Streams beside the pictures, turned into a codec that the output can hold.

use anyhow::{Result, bail};
use ffmpeg_next::StreamMut;
use ffmpeg_next::codec::{Context, Id};

use super::caption::CaptionConverter;
use super::encoder::Headers;
use super::fields::Fields as _;
use super::input::StreamKind;
use super::packet::{Packet, rational};
use super::sound::{SoundConverter, Write};
use super::source_info::SourceInfo;
use super::stream;
use crate::frame::{Format, Rational};

/// A stream that becomes another.
pub(crate) struct Transcoder {
    /// Its index in the input.
    index: usize,
    /// The unit of its times there.
    from: Rational,
    converter: Transcoding,
    title: String,
}

enum Transcoding {
    Sound(Box<SoundConverter>),
    Caption(Box<CaptionConverter>),
}

impl Transcoder {
    /// From a stream of sound or subtitles to a codec, in a clip of this format; sound at `rate` samples a second where that
    /// is given.
    ///
    /// # Errors
    /// If this FFmpeg cannot do it, or nobody can; the message does not name the stream.
    pub fn open(
        source_info: &SourceInfo,
        index: usize,
        (to, rate): (Id, Option<i32>),
        format: &Format,
        headers: Headers,
    ) -> Result<Self> {
        super::log::install();
        let (from, stream) = (source_info.properties(index), &source_info.streams[index]);
        let unit = stream.time_base;
        let (converter, title) = match stream.kind {
            StreamKind::Audio => {
                let sound = SoundConverter::open(from, unit, to, rate, headers)?;
                let title = sound.title().to_owned();
                (Transcoding::Sound(Box::new(sound)), title)
            }
            StreamKind::Subtitle => {
                let caption = CaptionConverter::open(from, unit, to, (format.width, format.height))?;
                (Transcoding::Caption(Box::new(caption)), to.name().to_owned())
            }
            _ => bail!("only sound and subtitles can be converted"),
        };
        Ok(Self { index, from: unit, converter, title })
    }

    /// The stream's index in the input.
    pub fn index(&self) -> usize {
        self.index
    }

    /// What the stream becomes: `aac 192 kbit/s`.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The unit of the times of the packets that go in.
    pub fn unit_in(&self) -> Rational {
        self.from
    }

    /// The unit of the times of the packets that come out.
    pub fn unit(&self) -> Rational {
        match &self.converter {
            Transcoding::Sound(_) => rational(self.context().fields().time_base),
            Transcoding::Caption(_) => CaptionConverter::UNIT,
        }
    }

    /// Turns a packet of the stream, or with `None` what is left after the last, and writes what comes out.
    ///
    /// # Errors
    /// If the packet is damaged (the next may be whole), encoding fails, or `write` does.
    pub fn send(&mut self, packet: Option<&Packet>, write: &mut Write<'_>) -> Result<()> {
        match (&mut self.converter, packet) {
            (Transcoding::Sound(sound), packet) => sound.send(packet, write),
            (Transcoding::Caption(caption), Some(packet)) => caption.send(packet, write),
            (Transcoding::Caption(_), None) => Ok(()),
        }
    }

    /// Gives an output's stream what it must know of the codec.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn describe(&self, to: &mut StreamMut<'_>) -> Result<()> {
        stream::describe(to, self.context())
    }

    fn context(&self) -> &Context {
        match &self.converter {
            Transcoding::Sound(sound) => sound.context(),
            Transcoding::Caption(caption) => caption.context(),
        }
    }
}
