//! Files and pipes taken apart into packets.

use std::ffi::{CStr, CString, c_int};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Error, Result, bail, ensure};
use ffmpeg_next::format::context::{self, StreamIo};
use ffmpeg_next::format::stream::Disposition;
use ffmpeg_next::{Dictionary, ffi, media};

use super::address::{Address, Flow};
use super::avio;
use super::dictionary::{self, Metadata};
use super::error::{self, check};
use super::fields::Fields as _;
use super::limit::CallLimit;
use super::packet::{Packet, known, rational};
use super::whitelist::{description, formats, is_list};
use crate::frame::{Format, Rational};

/// What a stream carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamKind {
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
    pub kind: StreamKind,
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
pub(crate) enum ReadOutcome {
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
pub(crate) struct InputContext {
    /// Dropped before its limit, which it asks while it is closed.
    context: context::Input,
    /// Of a stream from the network.
    limit: Option<Arc<CallLimit>>,
    /// True if probing reached the end of the file within an element. The packets before it are still read, and the end after
    /// them is reported without an error.
    is_torn: bool,
}

impl InputContext {
    /// Opens a file, or with a pattern such as `%04d` a sequence of images from number `first` on, of so many a second; 25
    /// unless that is said.
    ///
    /// # Errors
    /// If it cannot be opened or is nothing that FFmpeg knows.
    pub fn open_path(path: &Path, images: Option<(u64, Option<Rational>)>) -> Result<Self> {
        // The prefix keeps a colon in the name from being taken for the end of a protocol.
        let url = [b"file:", path.as_os_str().as_bytes()].concat();
        // A text file that names others, as playlists do, must not reach the network.
        let network = ("protocol_whitelist", "file,crypto,data");
        let formats = formats(is_list(path).then_some("concat"));
        let formats = ("format_whitelist", formats.as_str());
        let url = CString::new(url)?;
        let Some((first, rate)) = images else {
            // What looks like a pattern is a name.
            let options = dictionary::options([network, formats, ("pattern_type", "none")])?;
            let opened = Self::open(&url, None, options, InputOrigin::Named);
            return opened.map_err(|error| description(path).map_or(error, Error::msg));
        };
        let first = first.to_string();
        let rate = rate.unwrap_or(Rational::new(25, 1)).to_string();
        let options = [network, formats, ("start_number", &first), ("pattern_type", "sequence"), ("framerate", &rate)];
        Self::open(&url, Some(c"image2"), dictionary::options(options)?, InputOrigin::Named)
    }

    /// Opens a stream.
    ///
    /// # Errors
    /// As [`InputContext::open_path`].
    pub fn open_stream(from: Box<dyn Read + Send>) -> Result<Self> {
        // What comes through a pipe opens nothing else, neither files nor sockets.
        let options = [("protocol_whitelist", "data"), ("format_whitelist", &formats(None))];
        Self::open(c"", None, dictionary::options(options)?, InputOrigin::Stream(avio::input(from)?))
    }

    /// Opens a stream from the network. Blocks until it has begun, within `limit`.
    ///
    /// # Errors
    /// As [`InputContext::open_path`].
    pub fn open_address(address: &Address, limit: Arc<CallLimit>) -> Result<Self> {
        let (url, mut options) = address.for_ffmpeg(Flow::In)?;
        let formats = formats(address.list());
        options.push(("format_whitelist", &formats));
        Self::open(&url, address.reader(), dictionary::options(options)?, InputOrigin::Network(limit))
    }

    /// Paths need not be UTF-8, which the functions of `ffmpeg-next` that open one would panic at.
    fn open(url: &CStr, format: Option<&CStr>, options: Dictionary<'_>, origin: InputOrigin) -> Result<Self> {
        super::log::install();
        super::log::complaint();
        let (stream, limit) = match origin {
            InputOrigin::Named => (None, None),
            InputOrigin::Stream(stream) => (Some(stream), None),
            InputOrigin::Network(limit) => (None, Some(limit)),
        };
        limit.iter().for_each(|limit| limit.begin(Duration::ZERO));
        // SAFETY: all texts end with a zero, and formats live as long as the program. The context is made and filled in
        // before it is opened; on failure FFmpeg frees it, else it, the stream and the limit belong to the result. The
        // options belong to nobody else.
        let opened = unsafe {
            let mut raw = ffi::avformat_alloc_context();
            ensure!(!raw.is_null(), "out of memory");
            let mut stream = stream;
            if let Some(stream) = &mut stream {
                (*raw).pb = stream.as_mut_ptr();
            }
            if let Some(limit) = &limit {
                (*raw).interrupt_callback = limit.callback();
            }
            let format = format.map_or(ptr::null(), |name| ffi::av_find_input_format(name.as_ptr()));
            let mut options = options.disown();
            let code = ffi::avformat_open_input(&mut raw, url.as_ptr(), format, &mut options);
            drop(Dictionary::own(options));
            if code < 0 && super::log::last_complaint(|said| said.contains("not on whitelist")) {
                super::log::complaint();
                bail!(
                    "it names other files, hosts or programs, and is no video itself; name one of those files, or give a \
                     list of files in FFmpeg's form a name that ends in .ffconcat"
                );
            }
            check(code).and_then(|_| {
                let context = match stream {
                    Some(stream) => context::Input::wrap_with_custom_io(raw, stream),
                    None => context::Input::wrap(raw),
                };
                limit.iter().for_each(|limit| limit.begin(PROBING));
                check(ffi::avformat_find_stream_info(raw, ptr::null_mut())).context("find streams")?;
                Ok(context)
            })
        };
        match (opened, limit) {
            (_, Some(limit)) if limit.has_expired() => {
                bail!("nothing came within {:?}; type a longer --timeout, or check the sender", limit.timeout())
            }
            (opened, limit) => {
                let context = opened?;
                Ok(Self { context, limit, is_torn: is_torn(super::log::container_complaint()) })
            }
        }
    }

    /// Whether nothing came for too long.
    pub fn has_expired(&self) -> bool {
        self.limit.as_ref().is_some_and(|limit| limit.has_expired())
    }

    /// Whether it comes from the network.
    pub fn is_live(&self) -> bool {
        self.limit.is_some()
    }

    /// The stream that a player would show, by its index.
    pub fn best_video(&self) -> Option<usize> {
        let best = self.context.streams().best(media::Type::Video)?;
        Some(best.index()).filter(|index| self.stream(*index).kind == StreamKind::Video)
    }

    /// How many streams there are by now.
    pub fn streams(&self) -> usize {
        self.context.nb_streams() as usize
    }

    /// What the file says about a stream, which must exist.
    pub fn stream(&self, index: usize) -> Stream {
        let stream = self.raw_stream(index);
        let parameters = stream.parameters();
        let kind = match parameters.medium() {
            media::Type::Video if stream.disposition().contains(Disposition::ATTACHED_PIC) => StreamKind::Cover,
            media::Type::Video => StreamKind::Video,
            media::Type::Audio => StreamKind::Audio,
            media::Type::Subtitle => StreamKind::Subtitle,
            media::Type::Attachment => StreamKind::Attachment,
            media::Type::Data | media::Type::Unknown => StreamKind::Data,
        };
        // SAFETY: the context and its stream are alive; the functions only read them.
        let (rate, aspect) = unsafe {
            let (context, raw) = (self.context.as_ptr().cast_mut(), stream.as_ptr().cast_mut());
            let aspect = ffi::av_guess_sample_aspect_ratio(context, raw, ptr::null_mut());
            (ffi::av_guess_frame_rate(context, raw, ptr::null_mut()), aspect)
        };
        Stream {
            kind,
            codec: parameters.id().name().to_owned(),
            time_base: rational(stream.time_base()),
            duration: known(stream.duration()).filter(|duration| *duration > 0),
            frames: u64::try_from(stream.frames()).ok().filter(|frames| *frames > 0),
            rate: steady(rational(rate), rational(stream.avg_frame_rate())),
            aspect: rational(aspect),
        }
    }

    /// The unit of a stream's times.
    pub fn time_base(&self, index: usize) -> Rational {
        rational(self.raw_stream(index).time_base())
    }

    /// When the earliest stream begins, in microseconds; 0 where unknown.
    pub fn start_us(&self) -> i64 {
        known(self.context.fields().start_time).unwrap_or(0)
    }

    /// How long the file is, in microseconds, where known.
    pub fn duration_us(&self) -> Option<i64> {
        known(self.context.duration()).filter(|duration| *duration > 0)
    }

    /// How long the file is by its header, in microseconds; `None` where it was estimated or found at the end.
    pub fn promised_us(&self) -> Option<i64> {
        let is_promised = self.context.fields().duration_estimation_method
            == ffi::AVDurationEstimationMethod::AVFMT_DURATION_FROM_STREAM;
        self.duration_us().filter(|_| is_promised)
    }

    /// Where in the file the next bytes are read.
    pub fn place(&mut self) -> Option<u64> {
        // SAFETY: the context is open, so its I/O is null or alive; without moving, only the place is asked for.
        let place = unsafe {
            let io = self.context.fields().pb;
            if io.is_null() { -1 } else { ffi::avio_seek(io, 0, 1) }
        };
        u64::try_from(place).ok()
    }

    /// FFmpeg's names of the container format: `mov,mp4,m4a,3gp,3g2,mj2`.
    pub fn container(&self) -> String {
        self.context.format().name().to_owned()
    }

    /// Bytes of the file, where it has a size.
    pub fn size_bytes(&self) -> Option<u64> {
        u64::try_from(self.context.io_size()?).ok()
    }

    /// The error that the I/O layer keeps, if any.
    pub fn io_error(&self) -> Option<c_int> {
        // SAFETY: the context is open, so its I/O is null or alive.
        let code = unsafe { self.context.fields().pb.as_ref() }?.error;
        (code < 0 && code != error::END).then_some(code)
    }

    /// Whether the container allows times to begin again within a stream, as where files were put behind each other.
    pub fn may_restart(&self) -> bool {
        // SAFETY: the context is open, and its format is one of FFmpeg's own, which are never freed.
        let format = unsafe { self.context.fields().iformat.as_ref() };
        format.is_some_and(|format| format.flags & ffi::AVFMT_TS_DISCONT as c_int != 0)
    }

    /// The next packet in file order. Blocks while the input does.
    pub fn read(&mut self, packet: &mut Packet) -> ReadOutcome {
        packet.clear();
        super::log::complaint();
        self.limit.iter().for_each(|limit| limit.begin(Duration::ZERO));
        match packet.inner_mut().read(&mut self.context).map_or_else(c_int::from, |()| 0) {
            0.. => ReadOutcome::Packet,
            error::END if self.is_torn || is_torn(super::log::complaint()) => ReadOutcome::Torn,
            error::END => ReadOutcome::End,
            code => ReadOutcome::Failed(code),
        }
    }

    /// The next packet of one stream; `false` behind the last, and where no more can be read. Blocks while the input does.
    pub fn read_of(&mut self, stream: usize, packet: &mut Packet) -> bool {
        loop {
            if self.read(packet) != ReadOutcome::Packet {
                return false;
            }
            if packet.stream() == stream {
                return true;
            }
        }
    }

    /// Goes on at a key frame of the stream at or before `pts`.
    ///
    /// # Errors
    /// If the input cannot be rewound.
    pub fn seek(&mut self, index: usize, pts: i64) -> Result<()> {
        let index = index as c_int;
        // SAFETY: the context is open. `ffmpeg-next` seeks in all streams at once, with another function.
        check(unsafe { ffi::av_seek_frame(self.context.as_mut_ptr(), index, pts, ffi::AVSEEK_FLAG_BACKWARD) })?;
        Ok(())
    }

    /// When the last packet that the file's index lists is decoded; `None` without an index.
    pub fn last_indexed(&self, index: usize) -> Option<i64> {
        let stream = self.raw_stream(index);
        // SAFETY: the stream is alive, and the entry is looked at before anything else is called.
        unsafe {
            let raw = stream.as_ptr().cast_mut();
            let count = ffi::avformat_index_get_entries_count(raw);
            Some(ffi::avformat_index_get_entry(raw, count - 1).as_ref()?.timestamp)
        }
    }

    /// What is said about the file in words.
    pub(super) fn metadata(&self) -> Metadata {
        Metadata::read(&self.context.metadata())
    }

    /// The comment that the file has, if any.
    pub fn comment(&self) -> Option<String> {
        Some(self.metadata().get(c"comment")?.to_string_lossy().into_owned())
    }

    /// The file's chapters.
    pub(super) fn chapters(&self) -> impl Iterator<Item = ffmpeg_next::Chapter<'_>> {
        self.context.chapters()
    }

    /// The picture of a stream that is a cover.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn cover(&self, index: usize) -> Result<Packet> {
        Packet::refer(&self.raw_stream(index).fields().attached_pic)
    }

    /// A stream, which must exist.
    pub(super) fn raw_stream(&self, index: usize) -> ffmpeg_next::Stream<'_> {
        self.context.stream(index).unwrap_or_else(|| panic!("stream {index}"))
    }
}

impl Drop for InputContext {
    fn drop(&mut self) {
        self.limit.iter().for_each(|limit| limit.close());
    }
}

/// What an input is opened from.
enum InputOrigin {
    /// Its name.
    Named,
    Stream(StreamIo),
    Network(Arc<CallLimit>),
}

/// Longest part of a stream that FFmpeg looks at before the first packet, by its default.
const PROBING: Duration = Duration::from_secs(5);

/// True if the log says that the file ends within an element. Matroska's demuxer reports this in its log only.
fn is_torn(complaint: Option<String>) -> bool {
    complaint.is_some_and(|said| said.contains("ended prematurely"))
}

/// FFmpeg's guess of a rate, unless it is far above the average: then the rate varies, and the average says more.
fn steady(guess: Rational, average: Rational) -> Rational {
    match (guess.value(), average.value()) {
        (Some(high), Some(low)) if high > 1.5 * low => average,
        (Some(_), _) => guess,
        (None, _) => average,
    }
}

/// The largest picture that this program takes, checked before memory is asked for.
pub(crate) fn fits(width: usize, height: usize) -> bool {
    (1..=Format::MAX_SIDE).contains(&width) && (1..=Format::MAX_SIDE).contains(&height)
}
