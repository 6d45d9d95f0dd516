//! What becomes of the streams beside the pictures: copied, converted, left out, refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Error, Result, anyhow};
use ffmpeg_next::codec::Id;

use super::extra::{ExtraStream, ExtraVideo};
use crate::frame::Format;
use crate::libav::Strictness;
use crate::libav::encoder::Headers;
use crate::libav::input::StreamKind;
use crate::libav::muxer::Muxer;
use crate::libav::source_info::SourceInfo;
use crate::libav::transcoder::Transcoder;
use crate::sink::encoding::Encoding;
use crate::sink::lose;

/// A stream that comes along.
pub(super) enum Companion {
    /// Stream of the input, as it is.
    Copied(usize),
    Converted(Transcoder),
    /// A video that is filtered by itself.
    Filtered(Arc<ExtraStream>),
}

impl Companion {
    /// The stream's index in the input.
    pub fn index(&self) -> usize {
        match self {
            Self::Copied(index) => *index,
            Self::Converted(conversion) => conversion.index(),
            Self::Filtered(extra) => extra.source_info.video,
        }
    }

    /// What becomes of the stream: `copied`, `becomes aac 192 kbit/s`.
    pub fn fate(&self) -> String {
        match self {
            Self::Copied(_) => "copied".to_owned(),
            Self::Converted(conversion) => format!("becomes {}", conversion.title()),
            Self::Filtered(extra) => extra.fate.clone(),
        }
    }

    /// What became of sound, subtitles or a filtered video: `AAC copied`, `pcm_s16le as aac 192 kbit/s`; `None` for other
    /// streams.
    pub fn in_words(&self, source_info: &SourceInfo) -> Option<String> {
        let stream = &source_info.streams[self.index()];
        let is_told =
            matches!(stream.kind, StreamKind::Audio | StreamKind::Subtitle) || matches!(self, Self::Filtered(_));
        is_told.then(|| match self {
            Self::Copied(_) => format!("{} copied", stream.codec.to_uppercase()),
            Self::Converted(conversion) => format!("{} as {}", stream.codec, conversion.title()),
            Self::Filtered(extra) => format!("video {} as {}", source_info.number(self.index()), extra.coding),
        })
    }
}

/// Samples a second that every container for sound holds.
const USUAL_RATE: i32 = 48_000;

/// What becomes of the streams beside the pictures.
#[derive(Default)]
pub(super) struct Companions {
    /// Those that come along, in their order in the input.
    pub taken: Vec<Companion>,
    /// Why others do not, by their index in the input.
    pub left: BTreeMap<usize, String>,
}

impl Companions {
    /// What becomes of the stream of this index.
    pub fn fate(&self, index: usize) -> Option<String> {
        let taken = self.taken.iter().find(|companion| companion.index() == index);
        taken.map(Companion::fate).or_else(|| self.left.get(&index).cloned())
    }
}

/// All that is asked when the streams of an output are chosen.
pub(super) struct CompanionChoice<'a> {
    pub muxer: Muxer,
    pub source_info: &'a SourceInfo,
    pub format: &'a Format,
    pub encoding: &'a Encoding,
    /// Videos that are filtered by themselves.
    pub extras: &'a [ExtraVideo],
}

impl CompanionChoice<'_> {
    /// What becomes of each. FFmpeg's tables do not tell of all containers what they
    /// hold, so `accept` says whether the container takes some streams beside the video.
    ///
    /// # Errors
    /// If sound or subtitles that are wanted can neither be copied nor converted; where the encoding is strict also if
    /// another stream is left out.
    pub fn make(&self, accept: impl Fn(&[Companion]) -> bool) -> Result<Companions> {
        let chosen = self.choose(accept)?;
        for companion in &chosen.taken {
            let (index, container) = (companion.index(), self.muxer.name());
            let stream = &self.source_info.streams[index];
            if let Companion::Copied(_) = companion {
                if stream.kind == StreamKind::Video {
                    let title = self.source_info.title(index);
                    let ways = format!("filter it too with --video all, or leave it out with --drop {index}");
                    log::warn!("{title} is copied unfiltered; {ways}");
                }
                continue;
            }
            if let Companion::Filtered(_) = companion {
                log::info!("{} {}", self.source_info.title(index), companion.fate());
                continue;
            }
            let (word, number) = (word(stream.kind), self.source_info.number(index));
            log::info!("{word} {number}: {} {}, which {container} holds", stream.codec, companion.fate());
        }
        Ok(chosen)
    }

    fn choose(&self, accept: impl Fn(&[Companion]) -> bool) -> Result<Companions> {
        let (source_info, wishes) = (self.source_info, &self.encoding.wishes);
        wishes.check(source_info)?;
        let Companions { taken: mut chosen, mut left } = Companions::default();
        for index in source_info.companions() {
            if let Some(extra) = self.extras.iter().find(|extra| extra.index() == index) {
                if self.muxer.is_images() {
                    return Err(self.refusal(index, &anyhow!("images hold one video")));
                }
                chosen.push(Companion::Filtered(extra.stream.clone()));
                continue;
            }
            let fate = if wishes.want(source_info, index) { Some(fate(self.muxer, source_info, index)) } else { None };
            match fate {
                Some(Fate::Copied) => chosen.push(Companion::Copied(index)),
                Some(Fate::Rewritten) => drop(left.insert(index, "written again by the container".to_owned())),
                Some(Fate::LeftOut) => chosen.extend(self.convert(index, None, &mut left)?),
                None => drop(left.insert(index, "dropped, as requested".to_owned())),
            }
        }
        // What is wrong without any of them is not theirs, and is said when the header is written.
        if chosen.is_empty() || accept(&chosen) || !accept(&[]) {
            return Ok(Companions { taken: chosen, left });
        }
        let mut taken = Vec::new();
        for companion in chosen {
            let index = companion.index();
            let is_copied = matches!(companion, Companion::Copied(_));
            taken.push(companion);
            if accept(&taken) {
                continue;
            }
            taken.pop();
            // MXF, for one, holds no other rate than the usual one, which FFmpeg's tables do not say.
            let is_sound = source_info.streams[index].kind == StreamKind::Audio;
            let rates = [None, Some(USUAL_RATE)].into_iter();
            let mut is_settled = false;
            for rate in rates.filter(|rate| if rate.is_none() { is_copied } else { is_sound }) {
                taken.extend(self.convert(index, rate, &mut left)?);
                // Where it is left out, that is said.
                is_settled = left.contains_key(&index) || accept(&taken);
                if is_settled {
                    break;
                }
                taken.pop();
            }
            if is_settled {
                continue;
            }
            return Err(self.refusal(index, &anyhow!("the container {} cannot hold it in any form", self.muxer.name())));
        }
        Ok(Companions { taken, left })
    }

    /// A stream that cannot be copied as another, sound at a rate where one is given; `None` where it is left out, which is
    /// said, and why goes to `left`.
    fn convert(
        &self,
        index: usize,
        rate: Option<i32>,
        left: &mut BTreeMap<usize, String>,
    ) -> Result<Option<Companion>> {
        let Self { muxer, source_info, format, encoding, .. } = *self;
        let kind = source_info.streams[index].kind;
        let container = muxer.name();
        let is_needed = matches!(kind, StreamKind::Audio | StreamKind::Subtitle) && !muxer.is_video_alone();
        if !is_needed {
            let able = able(muxer, source_info, index).map(|name| format!("take .{name}"));
            let fate = match muxer.is_images() {
                true => "dropped: only pictures are written".to_owned(),
                false => format!("dropped: the container {container} cannot hold it"),
            };
            // Nobody expects sound in pictures.
            if !(muxer.is_images() && encoding.strict == Strictness::Lenient) {
                lose(&format!("{} is {fate}", source_info.title(index)), able.as_deref(), encoding.strict)?;
            }
            left.insert(index, fate);
            return Ok(None);
        }
        if !encoding.wishes.allow_conversion(source_info, index) {
            return Err(self.refusal(index, &anyhow!("the container {container} cannot hold it as it is")));
        }
        let headers = if muxer.has_headers() { Headers::InContainer } else { Headers::InStream };
        let mut trouble = anyhow!("the container {container} holds no subtitles");
        for codec in targets(muxer, kind) {
            match Transcoder::open(source_info, index, (codec, rate), format, headers) {
                Ok(conversion) => return Ok(Some(Companion::Converted(conversion))),
                Err(error) => trouble = error,
            }
        }
        Err(self.refusal(index, &trouble))
    }

    /// What is said of a stream that is wanted and has no place.
    fn refusal(&self, index: usize, trouble: &Error) -> Error {
        let source_info = self.source_info;
        let kind = source_info.streams[index].kind;
        let mut ways: Vec<_> =
            able(self.muxer, source_info, index).map(|name| format!("take .{name}")).into_iter().collect();
        let is_copy_asked = !self.encoding.wishes.allow_conversion(source_info, index);
        if is_copy_asked && targets(self.muxer, kind).next().is_some() {
            ways.push(format!("convert it with --{} all", option(kind)));
        }
        ways.push(format!("leave it out with --drop {index}"));
        anyhow!("{} cannot be written: {trouble:#}; {}", source_info.title(index), ways.join(", or "))
    }
}

/// A usual container that holds a stream as it is, other than `muxer`; the first can hold almost everything.
fn able(muxer: Muxer, source_info: &SourceInfo, index: usize) -> Option<&'static str> {
    const ABLE: [&str; 3] = ["mkv", "mp4", "mov"];

    ABLE.into_iter().find(|name| {
        let other = Muxer::find(Some(name), "");
        other.is_ok_and(|other| other.name() != muxer.name() && fate(other, source_info, index) == Fate::Copied)
    })
}

/// The codecs that streams of a kind may become in a container, the best first.
fn targets(muxer: Muxer, kind: StreamKind) -> impl Iterator<Item = Id> {
    let usual = muxer.usual_companion(kind);
    let best: &[Id] = match (kind, muxer.name()) {
        (StreamKind::Audio, "webm") => &[Id::OPUS, Id::VORBIS],
        (StreamKind::Audio, "mp4" | "mov" | "ipod" | "matroska" | "mpegts" | "rtsp") => &[Id::AAC],
        (StreamKind::Subtitle, "mp4" | "mov" | "ipod") => &[Id::MOV_TEXT],
        (StreamKind::Subtitle, "matroska") => &[Id::SUBRIP, Id::ASS],
        _ => &[],
    };
    let rest = usual.into_iter().filter(move |codec| !best.contains(codec));
    best.iter().copied().chain(rest).filter(move |codec| muxer.holds(*codec) != Some(false))
}

/// What messages call a stream of a kind.
fn word(kind: StreamKind) -> &'static str {
    if kind == StreamKind::Audio { "audio" } else { "subtitle" }
}

/// The option that says which streams of a kind come along.
fn option(kind: StreamKind) -> &'static str {
    if kind == StreamKind::Audio { "audio" } else { "subtitles" }
}

/// What becomes of a stream as it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Copied,
    /// Timecode and chapter tracks are written anew by FFmpeg from the metadata and the chapters.
    Rewritten,
    LeftOut,
}

/// What becomes of a stream in a container, as far as its kind and FFmpeg's tables tell.
fn fate(muxer: Muxer, source_info: &SourceInfo, index: usize) -> Fate {
    let stream = &source_info.streams[index];
    let is_matroska = muxer.name() == "matroska";
    let can = match stream.kind {
        StreamKind::Attachment => is_matroska,
        StreamKind::Cover => is_matroska || ["mp4", "mov", "ipod"].contains(&muxer.name()),
        StreamKind::Data
            if ["bin_data", "none"].contains(&stream.codec.as_str()) && source_info.is_rewritten(index) =>
        {
            return Fate::Rewritten;
        }
        _ if muxer.is_images() => false,
        kind => muxer.holds(source_info.codec(index)).unwrap_or_else(|| muxer.usual_companion(kind).is_some()),
    };
    if can { Fate::Copied } else { Fate::LeftOut }
}
