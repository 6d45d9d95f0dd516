//! What was asked for the streams beside the pictures: sound, subtitles, whatever else a file holds.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Error, Result, bail, ensure};

use super::language::Language;
use crate::libav::input::StreamKind;
use crate::libav::source_info::SourceInfo;
use crate::shell::quoted;

/// What becomes of the streams beside the pictures; unless said, all come along, and what the container cannot hold as it
/// is becomes something that it can.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Which sound.
    pub audio: StreamSelection,
    /// Which subtitles.
    pub subtitles: StreamSelection,
    /// What may be left out.
    pub drop: Dropped,
}

/// Which streams of a kind come along.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StreamSelection {
    /// All; they are converted where they must be.
    #[default]
    All,
    /// All, and none is converted.
    Copy,
    /// None.
    None,
    /// These; they are converted where they must be.
    These(Vec<StreamName>),
}

/// A stream, or streams, of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamName {
    /// The stream with this number among those of its kind, from 1.
    Number(usize),
    /// All of a language.
    Language(Language),
}

/// What is left out without a word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// All sound.
    pub audio: bool,
    /// All subtitles.
    pub subtitles: bool,
    /// All that is neither pictures, nor sound, nor subtitles: data, timecode, attachments.
    pub data: bool,
    /// Streams by their number in the input, counted from 0 as FFmpeg does.
    pub streams: Vec<usize>,
    /// Some sound.
    pub some_audio: Vec<StreamName>,
    /// Some subtitles.
    pub some_subtitles: Vec<StreamName>,
}

impl StreamName {
    fn read(text: &str) -> Option<Self> {
        match text.parse() {
            Ok(number) => Some(number).filter(|number| *number > 0).map(Self::Number),
            Err(_) => Language::parse(text).map(Self::Language),
        }
    }

    /// True if stream `index` is meant.
    fn is(&self, source_info: &SourceInfo, index: usize) -> bool {
        match self {
            Self::Number(number) => source_info.number(index) == *number,
            Self::Language(language) => source_info.language(index).is_some_and(|tag| language.is(&tag)),
        }
    }
}

impl fmt::Display for StreamName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Language(language) => language.fmt(f),
        }
    }
}

impl FromStr for StreamSelection {
    type Err = Error;

    /// Reads `all`, `copy`, `none`, or numbers and languages: `1,3`, `eng`.
    fn from_str(text: &str) -> Result<Self> {
        Ok(match text {
            "all" => Self::All,
            "copy" => Self::Copy,
            "none" => Self::None,
            _ => {
                let add = "it is a file: add it to the output with ffmpeg -i OUTPUT -i";
                ensure!(
                    !Path::new(text).is_file(),
                    "{text:?} names no streams; {add} {} -map 0 -map 1 -c copy ADDED.mkv",
                    quoted(text)
                );
                let names: Option<_> = text.split(',').map(|part| StreamName::read(part.trim())).collect();
                Self::These(names.with_context(|| {
                    format!(
                        "{text:?} names no streams; type all, copy, none, numbers from 1 such as 1,2, or languages such as eng"
                    )
                })?)
            }
        })
    }
}

impl FromStr for Dropped {
    type Err = Error;

    /// Reads `audio`, `subtitles`, `data`, `audio:2`, `subtitles:eng`, languages, and numbers of streams, parted by commas.
    fn from_str(text: &str) -> Result<Self> {
        let mut dropped = Self::default();
        for part in text.split(',').map(str::trim) {
            let (kind, name) = part.split_once(':').map_or((part, None), |(kind, name)| (kind, StreamName::read(name)));
            match (kind, name, part.parse()) {
                ("audio", None, _) if part == kind => dropped.audio = true,
                ("subtitles", None, _) if part == kind => dropped.subtitles = true,
                ("data", None, _) if part == kind => dropped.data = true,
                ("audio", Some(name), _) => dropped.some_audio.push(name),
                ("subtitles", Some(name), _) => dropped.some_subtitles.push(name),
                (_, None, Ok(index)) => dropped.streams.push(index),
                _ => match Language::parse(part) {
                    Some(language) => {
                        dropped.some_audio.push(StreamName::Language(language.clone()));
                        dropped.some_subtitles.push(StreamName::Language(language));
                    }
                    None => bail!(
                        "{part:?} names no stream; type audio, subtitles, data, audio:2 for the second, a language such as eng, \
                         or the number that ffprobe shows"
                    ),
                },
            }
        }
        Ok(dropped)
    }
}

impl Wishes {
    /// Whether stream `index` of an input is wanted.
    pub fn want(&self, source_info: &SourceInfo, index: usize) -> bool {
        let kind = source_info.streams[index].kind;
        let has = |names: &[StreamName]| names.iter().any(|name| name.is(source_info, index));
        let (selection, is_dropped) = match kind {
            StreamKind::Audio => (&self.audio, self.drop.audio || has(&self.drop.some_audio)),
            StreamKind::Subtitle => (&self.subtitles, self.drop.subtitles || has(&self.drop.some_subtitles)),
            StreamKind::Data | StreamKind::Attachment => (&StreamSelection::All, self.drop.data),
            StreamKind::Video | StreamKind::Cover => (&StreamSelection::All, false),
        };
        let is_selected = match selection {
            StreamSelection::All | StreamSelection::Copy => true,
            StreamSelection::None => false,
            StreamSelection::These(names) => has(names),
        };
        is_selected && !is_dropped && !self.drop.streams.contains(&index)
    }

    /// Whether stream `index` of an input may be converted.
    pub(crate) fn allow_conversion(&self, source_info: &SourceInfo, index: usize) -> bool {
        match source_info.streams[index].kind {
            StreamKind::Audio => self.audio != StreamSelection::Copy,
            StreamKind::Subtitle => self.subtitles != StreamSelection::Copy,
            _ => false,
        }
    }

    /// Refuses numbers and languages of streams that an input does not have.
    ///
    /// # Errors
    /// If there is such a one, naming it.
    pub fn check(&self, source_info: &SourceInfo) -> Result<()> {
        let these = |selection: &StreamSelection| match selection {
            StreamSelection::These(names) => names.clone(),
            _ => Vec::new(),
        };
        let numbered = |names: &[StreamName]| {
            let is_number = |name: &&StreamName| matches!(name, StreamName::Number(_));
            names.iter().filter(is_number).cloned().collect::<Vec<_>>()
        };
        // A language to be dropped may be that of the sound, of the subtitles, or of both.
        let Dropped { some_audio, some_subtitles, .. } = &self.drop;
        let kinds = [
            ("--audio", StreamKind::Audio, these(&self.audio)),
            ("--subtitles", StreamKind::Subtitle, these(&self.subtitles)),
            ("--drop audio:", StreamKind::Audio, numbered(some_audio)),
            ("--drop subtitles:", StreamKind::Subtitle, numbered(some_subtitles)),
        ];
        for (option, kind, names) in kinds {
            let of_kind = |index: &usize| source_info.streams[*index].kind == kind;
            let there: Vec<usize> = (0..source_info.streams.len()).filter(of_kind).collect();
            let is_there = |name: &StreamName| there.iter().any(|index| name.is(source_info, *index));
            if let Some(name) = names.iter().find(|name| !is_there(name)) {
                let gap = if option.ends_with(':') { "" } else { " " };
                bail!("{option}{gap}{name}: {}", found(source_info, kind, &there));
            }
        }
        let languages = some_audio.iter().filter(|name| some_subtitles.contains(name));
        for language in languages.filter(|name| matches!(name, StreamName::Language(_))) {
            let is_there = (0..source_info.streams.len()).any(|index| language.is(source_info, index));
            ensure!(is_there, "--drop {language}: no stream is tagged with that language; leave it out");
        }
        for index in &self.drop.streams {
            let count = source_info.streams.len();
            ensure!(
                *index < count,
                "--drop {index}: the input has {count} streams, numbered from 0; list them with ffprobe"
            );
            ensure!(*index != source_info.video, "--drop {index}: that stream is the video, which is filtered");
        }
        Ok(())
    }
}

/// The streams of a kind that an input has, as they are typed: `the input has 2 streams of sound: 1 (eng, aac) or 2 (ger, ac3)`.
fn found(source_info: &SourceInfo, kind: StreamKind, there: &[usize]) -> String {
    let what = if kind == StreamKind::Audio { "sound" } else { "subtitles" };
    if there.is_empty() {
        return format!("the input has no {what}; leave it out");
    }
    let plural = if there.len() == 1 { "" } else { "s" };
    let listed = there.iter().map(|index| {
        let language = source_info.language(*index).map_or_else(String::new, |language| format!("{language}, "));
        format!("{} ({language}{})", source_info.number(*index), source_info.streams[*index].codec)
    });
    let listed: Vec<String> = listed.collect();
    format!("the input has {} stream{plural} of {what}; type {}", there.len(), listed.join(" or "))
}
