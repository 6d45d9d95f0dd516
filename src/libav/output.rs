//! Packets put together into files and pipes.

use std::ffi::{CStr, CString, c_int};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use anyhow::{Result, anyhow, bail, ensure};
use ffmpeg_sys_next as ffi;

use super::avio;
use super::dictionary::{self, Dictionary};
use super::encoder::{Codec, Encoder};
use super::error::check;
use super::heritage::Heritage;
use super::input::Kind;
use super::packet::{Packet, rational};
use crate::frame::Rational;

/// One of FFmpeg's container formats.
#[derive(Clone, Copy)]
pub(crate) struct Muxer {
    raw: *const ffi::AVOutputFormat,
}

/// A file or a stream that is being written.
pub(crate) struct Output {
    raw: *mut ffi::AVFormatContext,
    stream: Option<avio::Stream>,
}

// SAFETY: the context has no tie to a thread, and only the owner uses it.
unsafe impl Send for Output {}

impl Muxer {
    /// The container for a file of this name, or by its own name or usual ending: `mkv`, `matroska`, `mp4`.
    ///
    /// # Errors
    /// If there is none, or it is no single file and no sequence of images.
    pub fn find(container: Option<&str>, name: &str) -> Result<Self> {
        Self::named(container, name)?.ensure_single()
    }

    /// Refuses what writes files beside the one that it is told to, which would escape every care for them.
    fn ensure_single(self) -> Result<Self> {
        let name = self.name();
        ensure!(
            !self.has(ffi::AVFMT_NOFILE) || ["image2", "null"].contains(&name),
            "the container {name} is several files or none, which are not made here; write .mp4 or .ts, or pipe: \
             warpreel … --container nut - | ffmpeg -i - -f {name} …"
        );
        Ok(self)
    }

    fn named(container: Option<&str>, name: &str) -> Result<Self> {
        let guess = |short: Option<&CStr>, file: Option<&CStr>| {
            let pointer = |text: Option<&CStr>| text.map_or(ptr::null(), CStr::as_ptr);
            // SAFETY: both are null or end with a zero.
            let raw = unsafe { ffi::av_guess_format(pointer(short), pointer(file), ptr::null()) };
            (!raw.is_null()).then_some(Self { raw })
        };
        let Some(container) = container else {
            let file = CString::new(name)?;
            return guess(None, Some(&file)).ok_or_else(|| {
                anyhow!("the name {name:?} does not say which container to write; end it in .mp4, .mkv, .mov or .webm, or add --container")
            });
        };
        let short = CString::new(container)?;
        let file = CString::new(format!("x.{container}"))?;
        guess(Some(&short), None).or_else(|| guess(None, Some(&file))).ok_or_else(|| {
            anyhow!("this FFmpeg cannot write the container {container:?}; take mp4, mkv, mov or webm, or list them with: ffmpeg -muxers")
        })
    }

    /// FFmpeg's name: `matroska`, `mp4`.
    pub fn name(self) -> &'static str {
        // SAFETY: containers and their names live as long as the program.
        unsafe { CStr::from_ptr((*self.raw).name) }.to_str().unwrap_or("?")
    }

    /// Whether it can hold a codec; `None` where FFmpeg does not know.
    pub fn holds(self, codec: ffi::AVCodecID) -> Option<bool> {
        // FFmpeg's table is that of mp4, but its writer refuses them.
        if self.name() == "mov" && [ffi::AVCodecID::AV_CODEC_ID_VP9, ffi::AVCodecID::AV_CODEC_ID_AV1].contains(&codec) {
            return Some(false);
        }
        // SAFETY: the container lives as long as the program.
        match unsafe { ffi::avformat_query_codec(self.raw, codec, ffi::FF_COMPLIANCE_NORMAL) } {
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
        let id = unsafe { ffi::av_guess_codec(self.raw, ptr::null(), name.as_ptr(), ptr::null(), video) };
        if id == ffi::AVCodecID::AV_CODEC_ID_NONE { None } else { Codec::preferred(id) }
    }

    /// Whether it usually holds streams of a kind.
    pub fn has_usual(self, kind: Kind) -> bool {
        // SAFETY: the container lives as long as the program.
        let format = unsafe { &*self.raw };
        let codec = match kind {
            Kind::Audio => format.audio_codec,
            Kind::Subtitle => format.subtitle_codec,
            Kind::Video | Kind::Cover | Kind::Attachment | Kind::Data => ffi::AVCodecID::AV_CODEC_ID_NONE,
        };
        codec != ffi::AVCodecID::AV_CODEC_ID_NONE
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

    /// Whether it makes files itself, of names that it finds.
    pub fn names_files(self) -> bool {
        self.has(ffi::AVFMT_NOFILE)
    }

    fn has(self, flag: c_int) -> bool {
        // SAFETY: the container lives as long as the program.
        unsafe { (*self.raw).flags & flag != 0 }
    }
}

impl Output {
    /// A file that is made when [`Output::begin`] is called, or a sequence of images.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn file(muxer: Muxer, path: &Path) -> Result<Self> {
        // The prefix keeps a colon in the name from being taken for the end of a protocol.
        let url = CString::new([b"file:", path.as_os_str().as_bytes()].concat())?;
        let output = Self::new(muxer, &url, None)?;
        if !muxer.names_files() {
            // SAFETY: the context is alive and the name ends with a zero.
            check(unsafe { ffi::avio_open(&mut (*output.raw).pb, url.as_ptr(), ffi::AVIO_FLAG_WRITE) })?;
        }
        Ok(output)
    }

    /// A stream.
    ///
    /// # Errors
    /// If memory runs out, or the container is no single file.
    pub fn stream(muxer: Muxer, to: Box<dyn Write + Send>) -> Result<Self> {
        ensure!(!muxer.names_files(), "{} cannot be written into a pipe", muxer.name());
        Self::over(muxer, avio::Stream::output(to)?)
    }

    /// What is written to nobody, to learn what the container refuses.
    ///
    /// # Errors
    /// As [`Output::stream`].
    pub fn nowhere(muxer: Muxer) -> Result<Self> {
        ensure!(!muxer.names_files(), "{} is no single file", muxer.name());
        Self::over(muxer, avio::Stream::nowhere()?)
    }

    fn over(muxer: Muxer, mut stream: avio::Stream) -> Result<Self> {
        let io = stream.as_mut_ptr();
        let output = Self::new(muxer, c"pipe:", Some(stream))?;
        // SAFETY: the context is alive, and keeps the stream.
        unsafe { (*output.raw).pb = io };
        Ok(output)
    }

    fn new(muxer: Muxer, url: &CStr, stream: Option<avio::Stream>) -> Result<Self> {
        super::log::install();
        let mut raw = ptr::null_mut();
        // SAFETY: the container lives as long as the program, and the name ends with a zero.
        check(unsafe { ffi::avformat_alloc_output_context2(&mut raw, muxer.raw, ptr::null(), url.as_ptr()) })?;
        Ok(Self { raw, stream })
    }

    /// Adds the stream of an encoder, with what it inherits; gives its index.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn add_video(&mut self, encoder: &Encoder, time_base: Rational, heritage: Option<&Heritage>) -> Result<usize> {
        let stream = self.add_stream()?;
        // SAFETY: the stream was just made, and the header is not yet written.
        unsafe {
            if let Some(heritage) = heritage {
                heritage.bestow_video(stream)?;
            }
            encoder.describe(stream)?;
            if let Some(heritage) = heritage {
                heritage.bestow_side_data(stream)?;
            }
            if encoder.codes_alpha_beside() {
                // Without it readers do not look for opacity.
                dictionary::set(&mut (*stream).metadata, "alpha_mode", "1")?;
            }
            (*stream).time_base = super::packet::raw_rational(time_base);
            Ok((*stream).index as usize)
        }
    }

    /// Adds a stream that is copied; gives its index.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn add_copy(&mut self, heritage: &Heritage, index: usize) -> Result<usize> {
        let stream = self.add_stream()?;
        // SAFETY: the stream was just made, and the header is not yet written.
        unsafe {
            heritage.bestow_stream(index, stream)?;
            Ok((*stream).index as usize)
        }
    }

    /// Adds a cover as an attached file, for containers that keep it so.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn attach_cover(&mut self, heritage: &Heritage, index: usize) -> Result<()> {
        let stream = self.add_stream()?;
        // SAFETY: the stream was just made, and the header is not yet written; the cover's packet is alive. The copy
        // is made in FFmpeg's memory with the padding that it asks for, and is freed with the stream.
        unsafe {
            heritage.bestow_stream(index, stream)?;
            let packet = heritage.cover(index);
            let parameters = &mut *(*stream).codecpar;
            let size = usize::try_from(packet.size).unwrap_or(0);
            let data = ffi::av_mallocz(size + ffi::AV_INPUT_BUFFER_PADDING_SIZE as usize).cast::<u8>();
            ensure!(!data.is_null(), "out of memory");
            ptr::copy_nonoverlapping(packet.data, data, size);
            ffi::av_freep((&raw mut parameters.extradata).cast());
            parameters.extradata = data;
            parameters.extradata_size = packet.size;
            parameters.codec_type = ffi::AVMediaType::AVMEDIA_TYPE_ATTACHMENT;
            let (file, kind) = match parameters.codec_id {
                ffi::AVCodecID::AV_CODEC_ID_PNG => ("cover.png", "image/png"),
                _ => ("cover.jpg", "image/jpeg"),
            };
            dictionary::set(&mut (*stream).metadata, "filename", file)?;
            dictionary::set(&mut (*stream).metadata, "mimetype", kind)
        }
    }

    fn add_stream(&mut self) -> Result<*mut ffi::AVStream> {
        // SAFETY: the context is alive, and its header is not yet written.
        let stream = unsafe { ffi::avformat_new_stream(self.raw, ptr::null()) };
        ensure!(!stream.is_null(), "out of memory");
        Ok(stream)
    }

    /// Writes the header, with what the file inherits and the container's own options.
    ///
    /// # Errors
    /// If the container refuses a stream or an option, or writing fails.
    pub fn begin(&mut self, heritage: Option<&Heritage>, options: &[(&str, String)]) -> Result<()> {
        let mut dictionary = Dictionary::new();
        for (key, value) in options {
            dictionary.set(key, value)?;
        }
        super::log::complaint();
        // SAFETY: the context is alive, its streams are described, and the header is written once.
        unsafe {
            if let Some(heritage) = heritage {
                heritage.bestow(self.raw)?;
            }
            if let Err(error) = check(ffi::avformat_write_header(self.raw, dictionary.as_mut_ptr())) {
                return match super::log::complaint() {
                    Some(said) => Err(error.context(said)),
                    None => Err(error),
                };
            }
        }
        if let Some(unknown) = dictionary.keys().first() {
            bail!("the container has no option {unknown:?}");
        }
        Ok(())
    }

    /// The unit in which a stream's times are written, once the header is.
    pub fn time_base(&self, stream: usize) -> Rational {
        // SAFETY: the context is alive, and callers pass what `add_video` or `add_copy` gave.
        unsafe {
            assert!(stream < (*self.raw).nb_streams as usize, "stream {stream}");
            rational((**(*self.raw).streams.add(stream)).time_base)
        }
    }

    /// Writes a packet, in the unit of its stream, in order with those of other streams. Blocks while the output does.
    ///
    /// # Errors
    /// If writing fails, or times of one stream do not ascend.
    pub fn write(&mut self, packet: &mut Packet) -> Result<()> {
        // SAFETY: the header is written; the packet is left blank.
        check(unsafe { ffi::av_interleaved_write_frame(self.raw, packet.as_mut_ptr()) })?;
        Ok(())
    }

    /// Writes what is left, and closes the file.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(mut self) -> Result<()> {
        // SAFETY: the header is written, and the trailer is written once.
        check(unsafe { ffi::av_write_trailer(self.raw) })?;
        if let Some(stream) = &mut self.stream {
            return stream.flush();
        }
        // SAFETY: the file is the context's own; afterwards the pointer is null.
        check(unsafe { ffi::avio_closep(&mut (*self.raw).pb) })?;
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // SAFETY: the context belongs to `self` and is freed once; a stream's I/O is not FFmpeg's to close, and is
        // dropped afterwards.
        unsafe {
            if self.stream.is_none() {
                ffi::avio_closep(&mut (*self.raw).pb);
            } else {
                (*self.raw).pb = ptr::null_mut();
            }
            ffi::avformat_free_context(self.raw);
        }
    }
}
