//! Files and pipes taken apart into packets.

use std::ffi::{CStr, CString, c_int};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use anyhow::{Context, Result, ensure};
use ffmpeg_sys_next as ffi;

use super::avio;
use super::dictionary::Dictionary;
use super::error::{self, check};
use super::packet::{Packet, known, rational};
use crate::frame::{Format, Rational};

/// What a stream carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Video,
    /// A still picture that stands for the file.
    Cover,
    Audio,
    Subtitle,
    Attachment,
    Data,
}

/// What the file says about one of its streams.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub kind: Kind,
    /// FFmpeg's name of the codec.
    pub codec: String,
    pub time_base: Rational,
    /// In units of `time_base`, where known.
    pub duration: Option<i64>,
    /// Frames, where the header counts them.
    pub frames: Option<u64>,
    /// Frames per second, guessed as FFmpeg does; `0/1` where unknown.
    pub rate: Rational,
    /// Width of a pixel over its height, by the container where it says so.
    pub aspect: Rational,
}

/// What came out of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// A packet.
    Packet,
    /// The end.
    End,
    /// The end of the file, where the container goes on.
    Torn,
    /// FFmpeg's error code: nothing can be read from here on.
    Failed(c_int),
}

/// A file or a stream that is open for reading.
pub(crate) struct Input {
    raw: *mut ffi::AVFormatContext,
    /// Keeps what `raw.pb` points to, where the input is a stream.
    _stream: Option<avio::Stream>,
}

// SAFETY: the context has no tie to a thread, and only the owner uses it.
unsafe impl Send for Input {}

impl Input {
    /// Opens a file, or with a pattern such as `%04d` a sequence of images from number `first` on.
    ///
    /// # Errors
    /// If it cannot be opened or is nothing that FFmpeg knows.
    pub fn open_path(path: &Path, first: Option<u64>) -> Result<Self> {
        // The prefix keeps a colon in the name from being taken for the end of a protocol.
        let url = [b"file:", path.as_os_str().as_bytes()].concat();
        let mut options = Dictionary::new();
        // A text file that names others, as playlists do, must not reach the network.
        options.set("protocol_whitelist", "file,crypto,data")?;
        let mut format = ptr::null();
        if let Some(first) = first {
            options.set("start_number", &first.to_string())?;
            options.set("pattern_type", "sequence")?;
            // SAFETY: the name ends with a zero, and formats live as long as the program.
            format = unsafe { ffi::av_find_input_format(c"image2".as_ptr()) };
        } else {
            // What looks like a pattern is a name.
            options.set("pattern_type", "none")?;
        }
        Self::open(CString::new(url)?, format, options, None)
    }

    /// Opens a stream.
    ///
    /// # Errors
    /// As [`Input::open_path`].
    pub fn open_stream(from: Box<dyn Read + Send>) -> Result<Self> {
        let stream = avio::Stream::input(from)?;
        Self::open(CString::default(), ptr::null(), Dictionary::new(), Some(stream))
    }

    fn open(
        url: CString,
        format: *const ffi::AVInputFormat,
        mut options: Dictionary,
        mut stream: Option<avio::Stream>,
    ) -> Result<Self> {
        super::log::install();
        // SAFETY: the context is made and filled in before it is opened; the result keeps the stream. On failure FFmpeg
        // frees the context.
        let raw = unsafe {
            let mut raw = ffi::avformat_alloc_context();
            ensure!(!raw.is_null(), "out of memory");
            if let Some(stream) = &mut stream {
                (*raw).pb = stream.as_mut_ptr();
            }
            check(ffi::avformat_open_input(&mut raw, url.as_ptr(), format, options.as_mut_ptr()))?;
            raw
        };
        let input = Self { raw, _stream: stream };
        // SAFETY: the context is open.
        check(unsafe { ffi::avformat_find_stream_info(input.raw, ptr::null_mut()) }).context("look for streams")?;
        Ok(input)
    }

    /// The stream that a player would show, by its index.
    pub fn best_video(&self) -> Option<usize> {
        let kind = ffi::AVMediaType::AVMEDIA_TYPE_VIDEO;
        // SAFETY: the context is open; no decoder is asked for.
        let index = unsafe { ffi::av_find_best_stream(self.raw, kind, -1, -1, ptr::null_mut(), 0) };
        usize::try_from(index).ok().filter(|index| self.stream(*index).kind == Kind::Video)
    }

    /// How many streams there are by now.
    pub fn streams(&self) -> usize {
        self.fields().nb_streams as usize
    }

    /// What the file says about a stream, which must exist.
    pub fn stream(&self, index: usize) -> Stream {
        // SAFETY: `raw_stream` gives a living stream, whose parameters live with it.
        unsafe {
            let stream = self.raw_stream(index);
            let parameters = &*(*stream).codecpar;
            let cover = (*stream).disposition & ffi::AV_DISPOSITION_ATTACHED_PIC != 0;
            let kind = match parameters.codec_type {
                ffi::AVMediaType::AVMEDIA_TYPE_VIDEO if cover => Kind::Cover,
                ffi::AVMediaType::AVMEDIA_TYPE_VIDEO => Kind::Video,
                ffi::AVMediaType::AVMEDIA_TYPE_AUDIO => Kind::Audio,
                ffi::AVMediaType::AVMEDIA_TYPE_SUBTITLE => Kind::Subtitle,
                ffi::AVMediaType::AVMEDIA_TYPE_ATTACHMENT => Kind::Attachment,
                _ => Kind::Data,
            };
            Stream {
                kind,
                codec: CStr::from_ptr(ffi::avcodec_get_name(parameters.codec_id)).to_string_lossy().into_owned(),
                time_base: rational((*stream).time_base),
                duration: known((*stream).duration).filter(|duration| *duration > 0),
                frames: u64::try_from((*stream).nb_frames).ok().filter(|frames| *frames > 0),
                rate: self.rate(stream),
                aspect: rational(ffi::av_guess_sample_aspect_ratio(self.raw, stream, ptr::null_mut())),
            }
        }
    }

    /// FFmpeg's guess, unless it is far above the average: then the rate varies, and the average says more.
    ///
    /// # Safety
    /// The stream must be one of this input's.
    unsafe fn rate(&self, stream: *mut ffi::AVStream) -> Rational {
        // SAFETY: the caller vouches for the stream.
        let (guess, average) = unsafe {
            let guess = rational(ffi::av_guess_frame_rate(self.raw, stream, ptr::null_mut()));
            (guess, rational((*stream).avg_frame_rate))
        };
        match (guess.value(), average.value()) {
            (Some(high), Some(low)) if high > 1.5 * low => average,
            (Some(_), _) => guess,
            (None, _) => average,
        }
    }

    /// When the earliest stream begins, in microseconds; 0 where unknown.
    pub fn start_us(&self) -> i64 {
        known(self.fields().start_time).unwrap_or(0)
    }

    /// How long the file is, in microseconds, where known.
    pub fn duration_us(&self) -> Option<i64> {
        known(self.fields().duration).filter(|duration| *duration > 0)
    }

    /// FFmpeg's names of the container format: `mov,mp4,m4a,3gp,3g2,mj2`.
    pub fn container(&self) -> String {
        // SAFETY: an open input has a format, whose name lives as long as the program.
        unsafe { CStr::from_ptr((*self.fields().iformat).name) }.to_string_lossy().into_owned()
    }

    /// Bytes of the file, where it has a size.
    pub fn size_bytes(&self) -> Option<u64> {
        let io = self.fields().pb;
        if io.is_null() {
            return None;
        }
        // SAFETY: the context is open, so its I/O is alive.
        u64::try_from(unsafe { ffi::avio_size(io) }).ok()
    }

    /// The error that the I/O layer keeps, if any.
    pub fn io_error(&self) -> Option<c_int> {
        // SAFETY: the context is open, so its I/O is null or alive.
        let code = unsafe { self.fields().pb.as_ref() }?.error;
        (code < 0 && code != error::END).then_some(code)
    }

    /// The next packet in file order. Blocks while the input does.
    pub fn read(&mut self, packet: &mut Packet) -> Progress {
        packet.clear();
        super::log::complaint();
        // SAFETY: the context is open and the packet blank.
        match unsafe { ffi::av_read_frame(self.raw, packet.as_mut_ptr()) } {
            0.. => Progress::Packet,
            // Matroska's reader knows it, but only says so in its log.
            error::END if super::log::complaint().is_some_and(|said| said.contains("ended prematurely")) => {
                Progress::Torn
            }
            error::END => Progress::End,
            code => Progress::Failed(code),
        }
    }

    /// Goes on at a key frame of the stream at or before `pts`.
    ///
    /// # Errors
    /// If the input cannot be rewound.
    pub fn seek(&mut self, index: usize, pts: i64) -> Result<()> {
        let index = index as c_int;
        // SAFETY: the context is open.
        check(unsafe { ffi::av_seek_frame(self.raw, index, pts, ffi::AVSEEK_FLAG_BACKWARD) })?;
        Ok(())
    }

    /// When the last packet that the file's index lists is decoded; `None` without an index.
    pub fn last_indexed(&self, index: usize) -> Option<i64> {
        // SAFETY: `raw_stream` gives a living stream; the entry is looked at before anything else is called.
        unsafe {
            let stream = self.raw_stream(index);
            let count = ffi::avformat_index_get_entries_count(stream);
            Some(ffi::avformat_index_get_entry(stream, count - 1).as_ref()?.timestamp)
        }
    }

    pub(super) fn fields(&self) -> &ffi::AVFormatContext {
        // SAFETY: the context is open while `self` is alive.
        unsafe { &*self.raw }
    }

    pub(super) fn raw_stream(&self, index: usize) -> *mut ffi::AVStream {
        assert!(index < self.streams(), "stream {index}");
        // SAFETY: the index was just checked.
        unsafe { *self.fields().streams.add(index) }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        // SAFETY: the context belongs to `self` and is closed once. FFmpeg leaves a stream's I/O alone, which is
        // dropped afterwards.
        unsafe { ffi::avformat_close_input(&mut self.raw) };
    }
}

/// The largest picture that this program takes, checked before memory is asked for.
pub(crate) fn fits(width: usize, height: usize) -> bool {
    (1..=Format::MAX_SIDE).contains(&width) && (1..=Format::MAX_SIDE).contains(&height)
}
