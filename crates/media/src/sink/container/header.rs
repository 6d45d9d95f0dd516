//! The head of a container: the video, the streams beside it, and its own options.

use std::collections::HashMap;

use anyhow::Result;
use ffmpeg_next::codec::Id;

use super::companion::Companion;
use crate::frame::{Format, Rational};
use crate::libav::Strictness;
use crate::libav::input::StreamKind;
use crate::libav::muxer::Muxer;
use crate::libav::output::OutputContext;
use crate::libav::source_info::SourceInfo;
use crate::libav::stream::VideoStream;
use crate::sink::lose;

/// What the header of a container says.
pub(super) struct ContainerHeader<'a> {
    pub muxer: Muxer,
    pub video: &'a dyn VideoStream,
    /// The unit of the video's times, which the container may replace.
    pub time_base: Rational,
    pub source_info: Option<&'a SourceInfo>,
    pub format: &'a Format,
    /// Whether it goes into a pipe.
    pub is_stream: bool,
    /// Whether it is one image.
    pub is_single_image: bool,
    /// Its comment, if that is not the clip's.
    pub comment: Option<&'a str>,
}

/// Where the streams of an output are.
pub(super) struct OutputStreams {
    /// The video's index in the output.
    pub video: usize,
    /// Other streams: index in the input, and in the output with the unit of the times that its packets bring.
    pub companions: HashMap<usize, (usize, Rational)>,
    /// Other videos that are filtered: index in the input, and in the output.
    pub extras: HashMap<usize, usize>,
}

impl ContainerHeader<'_> {
    /// Adds all streams to an output and writes its header.
    ///
    /// # Errors
    /// If the container refuses a stream or an option, or writing fails.
    pub fn write(&self, output: &mut OutputContext, companions: &[Companion]) -> Result<OutputStreams> {
        let mut streams = OutputStreams { video: 0, companions: HashMap::new(), extras: HashMap::new() };
        let Some(source_info) = self.source_info else {
            streams.video = output.add_video(self.video, self.time_base, None)?;
            output.begin(None, self.comment, &self.options(companions))?;
            return Ok(streams);
        };
        for (index, stream) in source_info.streams.iter().enumerate() {
            if index == source_info.video {
                streams.video = output.add_video(self.video, self.time_base, Some(source_info))?;
                continue;
            }
            match companions.iter().find(|companion| companion.index() == index) {
                None => {}
                Some(Companion::Copied(_)) if stream.kind == StreamKind::Cover && self.muxer.name() == "matroska" => {
                    output.attach_cover(source_info, index)?;
                }
                Some(Companion::Copied(_)) => {
                    streams.companions.insert(index, (output.add_copy(source_info, index)?, stream.time_base));
                }
                Some(Companion::Filtered(extra)) => {
                    let place = output.add_video(extra.as_ref(), extra.time_base, Some(&extra.source_info))?;
                    streams.extras.insert(index, place);
                }
                Some(Companion::Converted(conversion)) => {
                    let place = output.add_conversion(source_info, conversion)?;
                    streams.companions.insert(index, (place, conversion.unit()));
                }
            }
        }
        output.begin(Some(source_info), self.comment, &self.options(companions))?;
        Ok(streams)
    }

    /// Whether the container takes the video with these streams: the header is written to nowhere.
    pub fn is_accepted(&self, companions: &[Companion]) -> bool {
        let tried = OutputContext::nowhere(self.muxer).and_then(|mut output| self.write(&mut output, companions));
        if let Err(error) = &tried {
            let streams: Vec<_> = companions.iter().map(Companion::index).collect();
            log::debug!("{} with streams {streams:?}: {error:#}", self.muxer.name());
        }
        tried.is_ok()
    }

    /// The container's own options.
    fn options(&self, companions: &[Companion]) -> Vec<(&'static str, String)> {
        let mut options = Vec::new();
        let mut set = |key, value: &str| options.push((key, value.to_owned()));
        match self.muxer.name() {
            name @ ("mp4" | "mov" | "ipod") => {
                // Players can begin before the whole file is there; a pipe needs fragments, which have no index to move.
                let fragments = "frag_keyframe+empty_moov+default_base_moof";
                set("movflags", if self.is_stream { fragments } else { "faststart" });
                let Rational { num, den } = self.format.time_base;
                if num == 1 && den >= 600 {
                    set("video_track_timescale", &den.to_string());
                }
                // Older versions call these experimental though the way to store them is settled.
                let young = [Id::FLAC, Id::TRUEHD];
                let is_young = |companion: &Companion| {
                    self.source_info.is_some_and(|from| young.contains(&from.codec(companion.index())))
                };
                if name == "mp4" && companions.iter().any(is_young) {
                    set("strict", "experimental");
                }
            }
            // Sound that begins a packet early would else push everything, and no time would be what it was.
            "matroska" | "webm" => {
                set("avoid_negative_ts", "disabled");
                if self.comment.is_some() {
                    // The comment of a chunk is completed at the end, and its checksum covers more than these.
                    set("write_crc32", "0");
                }
            }
            // It stores when packets are shown, never before 0 where pictures are alone, and not when they are decoded.
            "nut" if companions.is_empty() => set("avoid_negative_ts", "disabled"),
            // Rates that television does not have are read all the same.
            "mxf" => set("strict", "unofficial"),
            // What looks like a pattern is a name.
            _ if self.is_single_image => set("update", "1"),
            _ => {}
        }
        options
    }
}

/// Says that a rotation by other angles than whole quarters is lost, where the container has no place for it.
pub(super) fn check_rotation(muxer: Muxer, source_info: &SourceInfo, strict: Strictness) -> Result<()> {
    match source_info.rotation() {
        Some(angle) if angle != 0.0 && source_info.turn().is_none() && !muxer.keeps_turn() => {
            let container = muxer.name();
            let loss = format!("the rotation by {angle}° is dropped: the container {container} cannot hold it");
            lose(&loss, Some("take .mp4 or .mov"), strict)
        }
        _ => Ok(()),
    }
}
