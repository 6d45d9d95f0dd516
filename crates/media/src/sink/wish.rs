//! What was asked for the streams beside the pictures: sound, subtitles, whatever else a file holds.

use std::str::FromStr;

use anyhow::{Context, Error, Result, bail, ensure};

use crate::libav::heritage::Heritage;
use crate::libav::input::StreamKind;

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
    /// These, counted from 1 among those of the kind; they are converted where they must be.
    Numbers(Vec<usize>),
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
}

impl FromStr for StreamSelection {
    type Err = Error;

    /// Reads `all`, `copy`, `none`, or numbers: `1,3`.
    fn from_str(text: &str) -> Result<Self> {
        Ok(match text {
            "all" => Self::All,
            "copy" => Self::Copy,
            "none" => Self::None,
            _ => {
                let number = |part: &str| part.trim().parse().ok().filter(|number| *number > 0);
                let numbers: Option<_> = text.split(',').map(number).collect();
                Self::Numbers(numbers.with_context(|| {
                    format!("{text:?} names no streams; type all, copy, none, or numbers starting at 1, such as 1,2")
                })?)
            }
        })
    }
}

impl FromStr for Dropped {
    type Err = Error;

    /// Reads `audio`, `subtitles`, `data` and numbers of streams, parted by commas.
    fn from_str(text: &str) -> Result<Self> {
        let mut dropped = Self::default();
        for part in text.split(',').map(str::trim) {
            match (part, part.parse()) {
                ("audio", _) => dropped.audio = true,
                ("subtitles", _) => dropped.subtitles = true,
                ("data", _) => dropped.data = true,
                (_, Ok(index)) => dropped.streams.push(index),
                _ => bail!("{part:?} names no stream; type audio, subtitles, data, or the number that ffprobe shows"),
            }
        }
        Ok(dropped)
    }
}

impl Wishes {
    /// Whether stream `index` of an input is wanted.
    pub fn want(&self, heritage: &Heritage, index: usize) -> bool {
        let kind = heritage.streams[index].kind;
        let (selection, is_dropped) = match kind {
            StreamKind::Audio => (&self.audio, self.drop.audio),
            StreamKind::Subtitle => (&self.subtitles, self.drop.subtitles),
            StreamKind::Data | StreamKind::Attachment => (&StreamSelection::All, self.drop.data),
            StreamKind::Video | StreamKind::Cover => (&StreamSelection::All, false),
        };
        let is_selected = match selection {
            StreamSelection::All | StreamSelection::Copy => true,
            StreamSelection::None => false,
            StreamSelection::Numbers(numbers) => numbers.contains(&heritage.number(index)),
        };
        is_selected && !is_dropped && !self.drop.streams.contains(&index)
    }

    /// Whether stream `index` of an input may be converted.
    pub(crate) fn allow_conversion(&self, heritage: &Heritage, index: usize) -> bool {
        match heritage.streams[index].kind {
            StreamKind::Audio => self.audio != StreamSelection::Copy,
            StreamKind::Subtitle => self.subtitles != StreamSelection::Copy,
            _ => false,
        }
    }

    /// Refuses numbers of streams that an input does not have.
    ///
    /// # Errors
    /// If there is such a number, naming it.
    pub fn check(&self, heritage: &Heritage) -> Result<()> {
        let kinds = [
            ("--audio", "sound", &self.audio, StreamKind::Audio),
            ("--subtitles", "subtitles", &self.subtitles, StreamKind::Subtitle),
        ];
        for (option, name, selection, kind) in kinds {
            let StreamSelection::Numbers(numbers) = selection else { continue };
            let count = heritage.streams.iter().filter(|stream| stream.kind == kind).count();
            if let Some(number) = numbers.iter().find(|number| **number > count) {
                let plural = if count == 1 { "" } else { "s" };
                bail!("{option} {number}: the input has {count} stream{plural} of {name}; list them with ffprobe");
            }
        }
        for index in &self.drop.streams {
            let count = heritage.streams.len();
            ensure!(
                *index < count,
                "--drop {index}: the input has {count} streams, numbered from 0; list them with ffprobe"
            );
            ensure!(*index != heritage.video, "--drop {index}: that stream is the video, which is filtered");
        }
        Ok(())
    }
}
