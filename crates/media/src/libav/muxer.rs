//! FFmpeg's container formats, and what each can hold.

use std::ffi::{CStr, CString, c_int};
use std::ptr;

use anyhow::{Result, anyhow, ensure};
use ffmpeg_next::codec::Id;
use ffmpeg_next::{ffi, media};

use super::codec::Codec;
use super::input::StreamKind;

/// One of FFmpeg's container formats.
#[derive(Clone, Copy)]
pub(crate) struct Muxer {
    pub(super) format: &'static ffi::AVOutputFormat,
}

impl Muxer {
    /// The container for a file of this name, or by its own name or usual ending: `mkv`, `matroska`, `mp4`.
    ///
    /// # Errors
    /// If there is none, or it is no single file and no sequence of images.
    pub fn find(container: Option<&str>, name: &str) -> Result<Self> {
        Self::named(container, name)?.ensure_single()
    }

    /// The writer of this name that publishes to a server, which it connects to itself.
    ///
    /// # Errors
    /// If this FFmpeg has none.
    pub fn published(name: &str) -> Result<Self> {
        Self::named(Some(name), "")
    }

    /// True for such a muxer.
    pub fn is_published(self) -> bool {
        self.name() == "rtsp"
    }

    /// Refuses what writes files beside the one that it is told to, which would escape every care for them.
    fn ensure_single(self) -> Result<Self> {
        let name = self.name();
        ensure!(
            !self.has(ffi::AVFMT_NOFILE) || ["image2", "null"].contains(&name),
            "the container {name} is not a single file, and cannot be written; write .mp4 or .ts, or pipe: \
             warpreel … --container nut - | ffmpeg -i - -f {name} …"
        );
        Ok(self)
    }

    fn named(container: Option<&str>, name: &str) -> Result<Self> {
        let guess = |short: Option<&CStr>, file: Option<&CStr>| {
            let pointer = |text: Option<&CStr>| text.map_or(ptr::null(), CStr::as_ptr);
            // SAFETY: both are null or end with a zero, and containers live as long as the program.
            let format = unsafe { ffi::av_guess_format(pointer(short), pointer(file), ptr::null()).as_ref() };
            format.map(|format| Self { format })
        };
        let Some(container) = container else {
            let file = CString::new(name)?;
            return guess(None, Some(&file)).ok_or_else(|| {
                anyhow!("the name {name:?} does not imply a container; end it in .mp4, .mkv, .mov or .webm, or add --container")
            });
        };
        let short = CString::new(container)?;
        let file = CString::new(format!("x.{container}"))?;
        guess(Some(&short), None).or_else(|| guess(None, Some(&file))).ok_or_else(|| {
            anyhow!("this FFmpeg cannot write the container {container:?}; use mp4, mkv, mov or webm, or list them with: ffmpeg -muxers")
        })
    }

    /// FFmpeg's name: `matroska`, `mp4`.
    pub fn name(self) -> &'static str {
        // SAFETY: containers and their names live as long as the program.
        unsafe { CStr::from_ptr(self.format.name) }.to_str().unwrap_or("?")
    }

    /// How the names of its files end, the usual one first.
    pub fn endings(self) -> impl Iterator<Item = &'static str> {
        let endings = self.format.extensions;
        // SAFETY: null, or a text that lives as long as the program.
        let text = (!endings.is_null()).then(|| unsafe { CStr::from_ptr(endings) }.to_str().unwrap_or_default());
        text.unwrap_or_default().split(',').filter(|ending| !ending.is_empty())
    }

    /// Whether it can hold a codec; `None` where FFmpeg does not know.
    pub fn holds(self, codec: Id) -> Option<bool> {
        // FFmpeg's table is that of mp4, but its writer refuses them.
        if self.name() == "mov" && [Id::VP9, Id::AV1].contains(&codec) {
            return Some(false);
        }
        // Of transport streams FFmpeg does not know what they hold: it would write any sound, as data that nobody reads.
        if self.name() == "mpegts" && codec.medium() == media::Type::Audio {
            const SOUND: [Id; 10] =
                [Id::MP2, Id::MP3, Id::AAC, Id::AAC_LATM, Id::AC3, Id::EAC3, Id::DTS, Id::TRUEHD, Id::OPUS, Id::S302M];
            return Some(SOUND.contains(&codec));
        }
        // Codecs with a payload format of RTP that FFmpeg writes. Its own table is in the writer of each stream.
        if self.is_published() {
            const SENT: [Id; 18] = [
                Id::H264,
                Id::HEVC,
                Id::H263P,
                Id::MPEG4,
                Id::MPEG2VIDEO,
                Id::MPEG1VIDEO,
                Id::VP8,
                Id::MJPEG,
                Id::AAC,
                Id::MP2,
                Id::MP3,
                Id::OPUS,
                Id::VORBIS,
                Id::SPEEX,
                Id::PCM_ALAW,
                Id::PCM_MULAW,
                Id::PCM_S16BE,
                Id::ADPCM_G722,
            ];
            return Some(SENT.contains(&codec));
        }
        // SAFETY: the container lives as long as the program.
        match unsafe { ffi::avformat_query_codec(self.format, codec.into(), ffi::FF_COMPLIANCE_NORMAL) } {
            0 => Some(false),
            1.. => Some(true),
            _ => None,
        }
    }

    /// The codec of its usual videos, for a file of this name; `None` where it holds none.
    pub fn usual_codec(self, name: &str) -> Option<Codec> {
        let name = CString::new(name).ok()?;
        let video = ffi::AVMediaType::AVMEDIA_TYPE_VIDEO;
        // SAFETY: the container lives as long as the program, and the name ends with a zero.
        let id = unsafe { ffi::av_guess_codec(self.format, ptr::null(), name.as_ptr(), ptr::null(), video) };
        if id == ffi::AVCodecID::AV_CODEC_ID_NONE { None } else { Codec::preferred(id.into()) }
    }

    /// The codec of its usual sound or subtitles; `None` where it holds none, and for other kinds of streams.
    pub fn usual_companion(self, kind: StreamKind) -> Option<Id> {
        let codec = match kind {
            StreamKind::Audio => self.format.audio_codec,
            StreamKind::Subtitle => self.format.subtitle_codec,
            StreamKind::Video | StreamKind::Cover | StreamKind::Attachment | StreamKind::Data => {
                ffi::AVCodecID::AV_CODEC_ID_NONE
            }
        };
        (codec != ffi::AVCodecID::AV_CODEC_ID_NONE).then(|| codec.into())
    }

    /// Whether a file of this name holds sound, and no pictures but covers.
    pub fn is_sound_alone(self, name: &str) -> bool {
        let (video, audio) = (self.format.video_codec, self.format.audio_codec);
        let holds_covers = video == ffi::AVCodecID::AV_CODEC_ID_PNG;
        let has_none = video == ffi::AVCodecID::AV_CODEC_ID_NONE || holds_covers;
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
        let is_named_so = match self.name() {
            "ipod" => ["m4a", "m4b"].contains(&ending.as_str()),
            "asf" => ending == "wma",
            _ => false,
        };
        (has_none && audio != ffi::AVCodecID::AV_CODEC_ID_NONE) || is_named_so
    }

    /// Whether it holds neither sound nor subtitles.
    pub fn is_video_alone(self) -> bool {
        [StreamKind::Audio, StreamKind::Subtitle].into_iter().all(|kind| self.usual_companion(kind).is_none())
    }

    /// Whether it says how pictures are turned when they are shown. Writers of Matroska do in some versions only.
    pub fn keeps_turn(self) -> bool {
        ["mp4", "mov", "ipod", "3gp", "3g2", "psp", "ismv", "f4v"].contains(&self.name())
    }

    /// Whether frames may be shown for different times.
    pub fn has_variable_rate(self) -> bool {
        self.has(ffi::AVFMT_VARIABLE_FPS)
    }

    /// Whether it keeps any times of frames.
    pub fn has_times(self) -> bool {
        !self.has(ffi::AVFMT_NOTIMESTAMPS)
    }

    /// Whether it keeps the codec's headers in its own.
    pub fn has_headers(self) -> bool {
        self.has(ffi::AVFMT_GLOBALHEADER)
    }

    /// Whether packets of one stream may have equal decoding times.
    pub fn takes_equal_times(self) -> bool {
        self.has(ffi::AVFMT_TS_NONSTRICT)
    }

    /// Whether it writes each picture into a file of its own.
    pub fn is_images(self) -> bool {
        self.name() == "image2"
    }

    /// Whether it makes files itself, of names that it finds.
    pub fn names_files(self) -> bool {
        self.has(ffi::AVFMT_NOFILE)
    }

    fn has(self, flag: c_int) -> bool {
        self.format.flags & flag != 0
    }
}
