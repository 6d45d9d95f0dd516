//! The head of a container: the video, those copied streams that it can hold, and its own options.

use std::collections::HashMap;

use anyhow::Result;
use ffmpeg_next::codec::Id;

use crate::frame::{Format, Rational};
use crate::libav::Strictness;
use crate::libav::encoder::Encoder;
use crate::libav::heritage::Heritage;
use crate::libav::input::StreamKind;
use crate::libav::output::{Muxer, OutputContext};
use crate::sink::lose;

/// What the header of a container says.
pub(super) struct ContainerHeader<'a> {
    pub muxer: Muxer,
    pub encoder: &'a Encoder,
    /// The unit of the video's times, which the container may replace.
    pub time_base: Rational,
    pub heritage: Option<&'a Heritage>,
    pub format: &'a Format,
    /// Whether it goes into a pipe.
    pub is_stream: bool,
    /// Whether it is one image.
    pub is_single_image: bool,
}

/// Where the streams of an output are.
pub(super) struct OutputStreams {
    /// The video's index in the output.
    pub video: usize,
    /// Copied streams: index in the input, and in the output with its time base in the input.
    pub copied: HashMap<usize, (usize, Rational)>,
}

impl ContainerHeader<'_> {
    /// The streams that are copied, by their index in the input: all that the container takes. FFmpeg's tables do not
    /// tell that of all containers, so where streams are to be copied the header is first written to nowhere.
    ///
    /// # Errors
    /// With [`Strictness::Strict`], if a stream is left out.
    pub fn choose(&self, strict: Strictness) -> Result<Vec<usize>> {
        let Some(heritage) = self.heritage else { return Ok(Vec::new()) };
        let mut wanted = Vec::new();
        for index in (0..heritage.streams.len()).filter(|index| *index != heritage.video) {
            match fate(self.muxer, heritage, index) {
                Fate::Copied => wanted.push(index),
                Fate::Rewritten => log::debug!("stream {index} is written anew by the container"),
                Fate::LeftOut => self.leave_out(heritage, index, strict)?,
            }
        }
        // What is wrong without any of them is not theirs, and is said when the header is written.
        if wanted.is_empty() || self.is_accepted(&wanted) || !self.is_accepted(&[]) {
            return Ok(wanted);
        }
        let mut taken = Vec::new();
        for index in wanted {
            taken.push(index);
            if !self.is_accepted(&taken) {
                taken.pop();
                self.leave_out(heritage, index, strict)?;
            }
        }
        Ok(taken)
    }

    /// Adds all streams to an output and writes its header.
    ///
    /// # Errors
    /// If the container refuses a stream or an option, or writing fails.
    pub fn write(&self, output: &mut OutputContext, copied: &[usize]) -> Result<OutputStreams> {
        let mut streams = OutputStreams { video: 0, copied: HashMap::new() };
        let Some(heritage) = self.heritage else {
            streams.video = output.add_video(self.encoder, self.time_base, None)?;
            output.begin(None, &self.options(copied))?;
            return Ok(streams);
        };
        for (index, stream) in heritage.streams.iter().enumerate() {
            if index == heritage.video {
                streams.video = output.add_video(self.encoder, self.time_base, Some(heritage))?;
            } else if !copied.contains(&index) {
                continue;
            } else if stream.kind == StreamKind::Cover && self.muxer.name() == "matroska" {
                output.attach_cover(heritage, index)?;
            } else {
                streams.copied.insert(index, (output.add_copy(heritage, index)?, stream.time_base));
            }
        }
        output.begin(Some(heritage), &self.options(copied))?;
        Ok(streams)
    }

    /// Whether the container takes the video with these streams.
    fn is_accepted(&self, copied: &[usize]) -> bool {
        let tried = OutputContext::nowhere(self.muxer).and_then(|mut output| self.write(&mut output, copied));
        if let Err(error) = &tried {
            log::debug!("{} with streams {copied:?}: {error:#}", self.muxer.name());
        }
        tried.is_ok()
    }

    fn leave_out(&self, heritage: &Heritage, index: usize, strict: Strictness) -> Result<()> {
        /// What is named where it helps; the first can hold almost everything.
        const ABLE: [&str; 3] = ["mkv", "mp4", "mov"];

        let able = ABLE.into_iter().find(|name| {
            let muxer = Muxer::find(Some(name), "");
            muxer.is_ok_and(|muxer| muxer.name() != self.muxer.name() && fate(muxer, heritage, index) == Fate::Copied)
        });
        let (title, container) = (heritage.title(index), self.muxer.name());
        let loss = format!("{title} is left out: the container {container} cannot hold it");
        lose(&loss, able.map(|name| format!("take .{name}")).as_deref(), strict)
    }

    /// The container's own options.
    fn options(&self, copied: &[usize]) -> Vec<(&'static str, String)> {
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
                let is_young = |index: &usize| self.heritage.is_some_and(|from| young.contains(&from.codec(*index)));
                if name == "mp4" && copied.iter().any(is_young) {
                    set("strict", "experimental");
                }
            }
            // Sound that begins a packet early would else push everything, and no time would be what it was.
            "matroska" | "webm" => set("avoid_negative_ts", "disabled"),
            // Rates that television does not have are read all the same.
            "mxf" => set("strict", "unofficial"),
            // What looks like a pattern is a name.
            _ if self.is_single_image => set("update", "1"),
            _ => {}
        }
        options
    }
}

/// What becomes of a stream beside the video.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Copied,
    /// Timecode and chapter tracks are written anew by FFmpeg from the metadata and the chapters.
    Rewritten,
    LeftOut,
}

/// What becomes of a stream in a container, as far as its kind and FFmpeg's tables tell.
fn fate(muxer: Muxer, heritage: &Heritage, index: usize) -> Fate {
    let stream = &heritage.streams[index];
    let is_matroska = muxer.name() == "matroska";
    let can = match stream.kind {
        StreamKind::Attachment => is_matroska,
        StreamKind::Cover => is_matroska || ["mp4", "mov", "ipod"].contains(&muxer.name()),
        StreamKind::Data if ["bin_data", "none"].contains(&stream.codec.as_str()) && heritage.is_rewritten(index) => {
            return Fate::Rewritten;
        }
        _ if muxer.is_images() => false,
        kind => muxer.holds(heritage.codec(index)).unwrap_or_else(|| muxer.has_usual(kind)),
    };
    if can { Fate::Copied } else { Fate::LeftOut }
}

/// FFmpeg's Matroska writer has no place for a rotation.
pub(super) fn check_rotation(muxer: Muxer, heritage: &Heritage, strict: Strictness) -> Result<()> {
    match heritage.rotation() {
        Some(angle) if angle != 0.0 && !["mp4", "mov", "ipod"].contains(&muxer.name()) => {
            let container = muxer.name();
            let loss = format!("the rotation by {angle}° is left out: the container {container} cannot hold it");
            lose(&loss, Some("take .mp4 or .mov"), strict)
        }
        _ => Ok(()),
    }
}
