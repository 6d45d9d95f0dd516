//! What an output inherits from its input: everything but the pictures.

use std::ffi::{CStr, CString};
use std::sync::Arc;

use anyhow::Result;
use ffmpeg_next::codec::Id;
use ffmpeg_next::format::context;
use ffmpeg_next::{StreamMut, ffi};

use super::chapter::Chapter;
use super::dictionary::Metadata;
use super::input::{InputContext, Stream, StreamKind};
use super::light::{Content, Mastering};
use super::packet::{Packet, raw_rational};
use super::picture::Picture;
use super::stream::{StreamProperties, VideoStream};
use super::timecode;
use crate::frame::{LightLevel, Rational, Turn};
use crate::still::StillMetadata;

/// A file's streams, metadata and chapters, without its packets.
pub struct SourceInfo {
    metadata: Metadata,
    chapters: Vec<Chapter>,
    properties: Vec<StreamProperties>,
    /// The picture of each stream that is a cover.
    covers: Vec<Option<Packet>>,
    pub(crate) streams: Vec<Stream>,
    /// Which of the streams is filtered.
    pub video: usize,
    /// Camera data of the first picture, where the pictures are stills.
    pub(crate) still: Option<Arc<StillMetadata>>,
}

/// The beginning of a timecode that counts frames from the first.
const ZERO: &str = "00:00:00";

/// The side data of a video stream that stay true when its pictures are filtered and encoded anew, whatever becomes of them.
const KEPT: [ffi::AVPacketSideDataType; 5] = [
    ffi::AVPacketSideDataType::AV_PKT_DATA_STEREO3D,
    ffi::AVPacketSideDataType::AV_PKT_DATA_SPHERICAL,
    ffi::AVPacketSideDataType::AV_PKT_DATA_ICC_PROFILE,
    ffi::AVPacketSideDataType::AV_PKT_DATA_AFD,
    ffi::AVPacketSideDataType::AV_PKT_DATA_S12M_TIMECODE,
];

/// Frame side data that a stream should have too, and what it is called there.
const FROM_FRAME: [(ffi::AVFrameSideDataType, ffi::AVPacketSideDataType); 5] = [
    (
        ffi::AVFrameSideDataType::AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
        ffi::AVPacketSideDataType::AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
    ),
    (
        ffi::AVFrameSideDataType::AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
        ffi::AVPacketSideDataType::AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
    ),
    (ffi::AVFrameSideDataType::AV_FRAME_DATA_STEREO3D, ffi::AVPacketSideDataType::AV_PKT_DATA_STEREO3D),
    (ffi::AVFrameSideDataType::AV_FRAME_DATA_DISPLAYMATRIX, ffi::AVPacketSideDataType::AV_PKT_DATA_DISPLAYMATRIX),
    (ffi::AVFrameSideDataType::AV_FRAME_DATA_SPHERICAL, ffi::AVPacketSideDataType::AV_PKT_DATA_SPHERICAL),
];

impl SourceInfo {
    /// The tags of the file, such as its title, as names and values.
    pub fn tag_texts(&self) -> Vec<(String, String)> {
        self.metadata.texts().collect()
    }

    /// Indexes of the streams beside the video that is filtered.
    pub(crate) fn companions(&self) -> impl Iterator<Item = usize> {
        (0..self.streams.len()).filter(|&index| index != self.video)
    }

    /// Number of streams of the input.
    pub fn count(&self) -> usize {
        self.streams.len()
    }

    /// The videos beside the first, without covers, by their index in the input.
    pub fn extra_videos(&self) -> Vec<usize> {
        self.companions().filter(|index| self.streams[*index].kind == StreamKind::Video).collect()
    }

    /// The number of a stream among those of its kind, from 1.
    pub(crate) fn number(&self, index: usize) -> usize {
        let kind = self.streams[index].kind;
        self.streams[..=index].iter().filter(|stream| stream.kind == kind).count()
    }

    /// The language of a stream by its tag, such as `eng`; `None` where it has none, or says that it is undetermined.
    pub fn language(&self, index: usize) -> Option<String> {
        let tag = self.properties.get(index)?.metadata().get(c"language")?.to_string_lossy().into_owned();
        Some(tag).filter(|tag| !tag.is_empty() && tag != "und")
    }

    /// What messages call a stream: `stream 1 (audio, aac)`.
    pub fn title(&self, index: usize) -> String {
        let stream = &self.streams[index];
        format!("stream {index} ({}, {})", format!("{:?}", stream.kind).to_lowercase(), stream.codec)
    }

    /// All that `input` has to pass on. `first` is its first picture, whose side data count for the whole stream
    /// where the container has none. Chapters are counted from `start_us`, those outside `length_us` are left out. `groups` is
    /// the timecode of the first group of pictures of the file.
    ///
    /// # Errors
    /// If memory runs out.
    pub(crate) fn of(
        input: &InputContext,
        video: usize,
        first: Option<&Picture>,
        start_us: i64,
        length_us: Option<i64>,
        groups: Option<String>,
    ) -> Result<Self> {
        let streams: Vec<_> = (0..input.streams()).map(|index| input.stream(index)).collect();
        let mut properties = Vec::with_capacity(streams.len());
        let mut covers = Vec::with_capacity(streams.len());
        for (index, stream) in streams.iter().enumerate() {
            properties.push(StreamProperties::of(&input.raw_stream(index))?);
            covers.push(if stream.kind == StreamKind::Cover { Some(input.cover(index)?) } else { None });
        }
        if let (Some(first), Some(properties)) = (first, properties.get_mut(video)) {
            adopt(properties, first);
        }
        let chapters = input.chapters().filter_map(|chapter| Chapter::of(&chapter).within(start_us, length_us));
        let mut metadata = input.metadata();
        let rate = streams[video].rate;
        let frames_in = |us: i64| (us as f64 / 1e6 * rate.value().unwrap_or(0.0)).round() as i64;
        let cut = frames_in(start_us - input.start_us());
        let mut lists: Vec<_> =
            properties.iter_mut().map(StreamProperties::metadata_mut).chain([&mut metadata]).collect();
        if cut > 0 {
            lists.iter_mut().for_each(|list| move_timecode(list, cut, rate));
        }
        let has_timecode = lists.iter().any(|list| list.get(c"timecode").is_some());
        drop(lists);
        // Encoders count from 0 where they know no timecode.
        if let Some(code) = groups.filter(|code| !has_timecode && !code.starts_with(ZERO)) {
            let moved = timecode::later(&code, cut, rate).and_then(|text| CString::new(text).ok());
            if let Some(moved) = moved {
                metadata.set(c"timecode", &moved);
            }
        }
        Ok(Self { metadata, chapters: chapters.collect(), properties, covers, streams, video, still: None })
    }

    /// Takes the camera data of the first picture, which say how it is turned where FFmpeg's decoders do not.
    pub(crate) fn adopt_still(&mut self, still: Option<&Arc<StillMetadata>>) {
        self.still = still.cloned();
        let kind = ffi::AVPacketSideDataType::AV_PKT_DATA_DISPLAYMATRIX;
        let turn = still.and_then(|still| still.turn()).filter(|turn| !turn.is_none());
        let Some(properties) = self.properties.get_mut(self.video) else { return };
        if let Some(turn) = turn.filter(|_| properties.side_data(kind).is_none()) {
            let [a, b, c, d] = turn.matrix().map(|entry| entry << 16);
            let matrix = [a, b, 0, c, d, 0, 0, 0, 1 << 30].map(i32::to_ne_bytes);
            properties.add_side_data(kind, matrix.as_flattened());
        }
    }

    /// The timecode of the first frame, of the video's stream, of the file or of a stream of timecodes.
    pub(crate) fn timecode(&self) -> Option<&str> {
        let own = self.properties.get(self.video).map(StreamProperties::metadata);
        let others = self.properties.iter().map(StreamProperties::metadata);
        let mut lists = own.into_iter().chain([&self.metadata]).chain(others);
        lists.find_map(|list| list.get(c"timecode")?.to_str().ok())
    }

    /// How many chapters lie in the part that is read.
    pub(crate) fn chapters(&self) -> usize {
        self.chapters.len()
    }

    /// How many tags the file has, but for the name of the program that wrote it.
    pub(crate) fn tags(&self) -> usize {
        self.metadata.count() - usize::from(self.metadata.get(c"encoder").is_some())
    }

    /// The side data of the filtered stream, of one kind.
    pub(crate) fn side_data(&self, kind: ffi::AVPacketSideDataType) -> Option<&[u8]> {
        self.properties[self.video].side_data(kind)
    }

    /// All that is known of a stream.
    pub(super) fn properties(&self, index: usize) -> &StreamProperties {
        &self.properties[index]
    }

    /// Static metadata of HDR of the filtered stream.
    pub(crate) fn mastering(&self) -> Option<Mastering> {
        self.side_data(ffi::AVPacketSideDataType::AV_PKT_DATA_MASTERING_DISPLAY_METADATA).and_then(Mastering::parse)
    }

    /// Brightest pixel and average of the filtered stream.
    pub(crate) fn content(&self) -> Option<Content> {
        self.side_data(ffi::AVPacketSideDataType::AV_PKT_DATA_CONTENT_LIGHT_LEVEL).and_then(Content::parse)
    }

    /// Luminance of the filtered stream.
    pub(crate) fn light(&self) -> LightLevel {
        LightLevel {
            brightest: self.content().map_or(0, |content| content.brightest),
            mastered: self.mastering().map_or(0, |display| display.brightest()),
        }
    }

    /// What the filtered stream is coded as.
    pub(crate) fn source_codec(&self) -> Id {
        self.codec(self.video)
    }

    /// FFmpeg's number of the filtered stream's profile, where it is known.
    pub(crate) fn source_profile(&self) -> Option<usize> {
        usize::try_from(self.properties[self.video].profile()).ok()
    }

    /// What a stream is coded as.
    pub(crate) fn codec(&self, index: usize) -> Id {
        self.properties[index].codec()
    }

    /// Whether FFmpeg writes a stream like this from metadata or chapters, so that copying it would double it.
    pub(crate) fn is_rewritten(&self, index: usize) -> bool {
        match &self.properties[index].tag() {
            b"tmcd" => true,
            b"text" => !self.chapters.is_empty(),
            _ => false,
        }
    }

    /// How the filtered stream is turned when it is shown; by nothing where it is not by whole quarters.
    pub(crate) fn turn(&self) -> Turn {
        let turn = self.matrix().and_then(|matrix| Turn::of_matrix([matrix[0], matrix[1], matrix[3], matrix[4]]));
        turn.unwrap_or_default()
    }

    /// The matrix by which the filtered stream is turned when it is shown: nine numbers.
    fn matrix(&self) -> Option<Vec<i32>> {
        let data = self.side_data(ffi::AVPacketSideDataType::AV_PKT_DATA_DISPLAYMATRIX)?;
        let matrix: Vec<_> = data.as_chunks::<4>().0.iter().map(|word| i32::from_ne_bytes(*word)).collect();
        (matrix.len() >= 9).then_some(matrix)
    }

    /// By how many degrees the filtered stream is to be turned when it is shown, counter-clockwise.
    pub(crate) fn rotation(&self) -> Option<f64> {
        let matrix = self.matrix()?;
        // SAFETY: the matrix has the nine entries that the function reads, which only computes.
        let angle = unsafe { ffi::av_display_rotation_get(matrix.as_ptr()) };
        angle.is_finite().then_some(angle)
    }

    /// Gives an output the file's metadata and chapters.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn bestow(&self, output: &mut context::Output) -> Result<()> {
        let mut metadata = self.metadata.clone();
        // The writer of the output is another one.
        metadata.remove(c"encoder");
        output.set_metadata(metadata.to_list()?);
        self.chapters.iter().try_for_each(|chapter| chapter.append(output))
    }

    /// Makes `to` a copy of stream `index`, which goes on as it is, with more metadata.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn bestow_stream(&self, index: usize, to: &mut StreamMut<'_>, more: &[(&CStr, &CStr)]) -> Result<()> {
        let mut metadata = self.properties[index].metadata().clone();
        more.iter().for_each(|(key, value)| metadata.set(key, value));
        self.properties[index].give(to, &metadata)?;
        to.set_time_base(raw_rational(self.streams[index].time_base));
        Ok(())
    }

    /// Gives `to`, which holds stream `index` in another codec, what does not depend on that.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn bestow_rest(&self, index: usize, to: &mut StreamMut<'_>) -> Result<()> {
        let mut metadata = self.properties[index].metadata().clone();
        // The encoder is another one, and what was counted of the stream is not true of what it becomes.
        metadata.remove(c"encoder");
        self.properties[index].give_rest(to, &metadata)
    }

    /// Gives `to`, which holds the filtered pictures, what does not depend on how they are encoded, with more metadata.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn bestow_video(&self, to: &mut StreamMut<'_>, more: &[(&CStr, &CStr)]) -> Result<()> {
        let mut metadata = self.properties[self.video].metadata().clone();
        // The encoder is another one, and whether it codes opacity apart is its own affair.
        metadata.remove(c"encoder");
        metadata.remove(c"alpha_mode");
        more.iter().for_each(|(key, value)| metadata.set(key, value));
        self.properties[self.video].give_rest(to, &metadata)
    }

    /// Gives `to` the side data that stay true of the filtered pictures. The parameters of the stream must be those
    /// of its encoder already: to set them is to lose what was there. Pictures that are turned already are not turned
    /// again when they are shown, and those of SDR have no metadata of HDR.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn bestow_side_data(&self, to: &mut StreamMut<'_>, video: &dyn VideoStream) -> Result<()> {
        let is_kept = |kind| match kind {
            ffi::AVPacketSideDataType::AV_PKT_DATA_DISPLAYMATRIX => video.is_turned_when_shown(),
            ffi::AVPacketSideDataType::AV_PKT_DATA_MASTERING_DISPLAY_METADATA
            | ffi::AVPacketSideDataType::AV_PKT_DATA_CONTENT_LIGHT_LEVEL => video.keeps_light(),
            kind => KEPT.contains(&kind),
        };
        self.properties[self.video].give_side_data(to, is_kept)
    }

    /// The picture of a cover.
    pub(super) fn cover(&self, index: usize) -> Option<&Packet> {
        self.covers[index].as_ref()
    }
}

/// Makes the timecode of a file or a stream that of a later frame.
fn move_timecode(metadata: &mut Metadata, frames: i64, rate: Rational) {
    let moved = metadata.get(c"timecode").and_then(|text| timecode::later(text.to_str().ok()?, frames, rate));
    if let Some(moved) = moved.and_then(|text| CString::new(text).ok()) {
        metadata.set(c"timecode", &moved);
    }
}

/// Side data of the first picture, for the stream.
fn adopt(properties: &mut StreamProperties, first: &Picture) {
    for (kind, name) in FROM_FRAME {
        let Some(data) = first.side_data(kind) else { continue };
        if properties.side_data(name).is_none() {
            properties.add_side_data(name, data);
        }
    }
}
