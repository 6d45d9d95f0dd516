//! Packets put together into files and pipes.

use std::ffi::{CStr, CString, c_int};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use ffmpeg_next::codec::Id;
use ffmpeg_next::format::context::{self, StreamIo};
use ffmpeg_next::{Dictionary, StreamMut, ffi};

use super::address::{Address, Flow};
use super::avio::{self, AvioHandle};
use super::dictionary::{self, Metadata};
use super::error::{check, explain};
use super::fields::Fields as _;
use super::limit::CallLimit;
use super::muxer::Muxer;
use super::packet::{Packet, rational, raw_rational};
use super::source_info::SourceInfo;
use super::stream::VideoStream;
use super::transcoder::Transcoder;
use super::{stream, version};
use crate::frame::Rational;
use crate::frame::source::CancelToken;

/// A file or a stream that is being written.
pub(crate) struct OutputContext {
    context: context::Output,
    /// Our end of a stream.
    outlet: Option<AvioHandle>,
    /// Of a stream into the network; dropped after the context, which asks it while it is closed.
    limit: Option<Arc<CallLimit>>,
    /// True if writing the header connects to a server.
    is_published: bool,
    /// Of a stream that is published: options of its protocol, which the header opens.
    options: Vec<(&'static str, &'static str)>,
    /// Whether the header is written.
    has_begun: bool,
    /// What is added to the times of each stream's packets, once the header is written.
    delays: Vec<i64>,
}

impl OutputContext {
    /// A file that is made when [`OutputContext::begin`] is called, or a sequence of images.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn file(muxer: Muxer, path: &Path) -> Result<Self> {
        // The prefix keeps a colon in the name from being taken for the end of a protocol.
        let url = CString::new([b"file:", path.as_os_str().as_bytes()].concat())?;
        Self::new(muxer, &url, Carrier::Named)
    }

    /// A stream into the network. Blocks until somebody takes it, at most for `timeout`; each call may later block as long.
    /// A server that it is published to is connected to by [`OutputContext::begin`].
    ///
    /// # Errors
    /// If nobody takes it.
    pub fn live(muxer: Muxer, address: &Address, timeout: Duration) -> Result<Self> {
        ensure!(!muxer.names_files() || muxer.is_published(), "{} is not a single stream", muxer.name());
        let (url, options) = address.for_ffmpeg(Flow::Out)?;
        // A wish to stop does not keep the stream from being completed.
        let limit = CallLimit::new(timeout, CancelToken::default());
        super::log::complaint();
        if muxer.is_published() {
            let mut output = Self::new(muxer, &url, Carrier::Server(limit))?;
            (output.is_published, output.options) = (true, options);
            return Ok(output);
        }
        Self::new(muxer, &url, Carrier::Network(dictionary::options(options)?, limit))
    }

    /// A stream.
    ///
    /// # Errors
    /// If memory runs out, or the container is no single file.
    pub fn stream(muxer: Muxer, to: Box<dyn Write + Send>) -> Result<Self> {
        ensure!(!muxer.names_files(), "{} cannot be written into a pipe", muxer.name());
        let (stream, outlet) = avio::output(to)?;
        Self::new(muxer, c"pipe:", Carrier::Stream(stream, Some(outlet)))
    }

    /// Packets that nobody takes, to learn what the container refuses. NUT, which refuses nothing, replaces a container whose header
    /// connects to a server.
    ///
    /// # Errors
    /// As [`OutputContext::stream`].
    pub fn nowhere(muxer: Muxer) -> Result<Self> {
        let muxer = if muxer.is_published() { Muxer::find(Some("nut"), "")? } else { muxer };
        ensure!(!muxer.names_files(), "{} is not a single file", muxer.name());
        Self::new(muxer, c"pipe:", Carrier::Stream(avio::nowhere()?, None))
    }

    fn new(muxer: Muxer, url: &CStr, carrier: Carrier) -> Result<Self> {
        super::log::install();
        let (mut outlet, mut limit) = (None, None);
        // SAFETY: the container lives as long as the program, and the name ends with a zero. The context, which is there
        // if there is no error, the stream and the limit belong to the result; a file or a connection is opened into the
        // context, which closes it; the options belong to nobody else.
        // The functions of `ffmpeg-next` take names that are UTF-8 only, and leak a context whose file cannot be made.
        let context = unsafe {
            let mut raw = ptr::null_mut();
            check(ffi::avformat_alloc_output_context2(&mut raw, muxer.format, ptr::null(), url.as_ptr()))?;
            match carrier {
                Carrier::Stream(mut stream, end) => {
                    outlet = end;
                    (*raw).pb = stream.as_mut_ptr();
                    context::Output::wrap_with_custom_io(raw, stream)
                }
                Carrier::Named => {
                    let context = context::Output::wrap(raw);
                    if !muxer.names_files() {
                        check(ffi::avio_open(&mut (*raw).pb, url.as_ptr(), ffi::AVIO_FLAG_WRITE))?;
                    }
                    context
                }
                Carrier::Server(bound) => {
                    (*raw).interrupt_callback = limit.insert(bound).callback();
                    context::Output::wrap(raw)
                }
                Carrier::Network(options, bound) => {
                    let bound = limit.insert(bound);
                    let callback = bound.callback();
                    (*raw).interrupt_callback = callback;
                    (*raw).flags |= ffi::AVFMT_FLAG_FLUSH_PACKETS as c_int;
                    let context = context::Output::wrap(raw);
                    bound.begin(Duration::ZERO);
                    let mut options = options.disown();
                    let (pb, name) = (&mut (*raw).pb, url.as_ptr());
                    let code = ffi::avio_open2(pb, name, ffi::AVIO_FLAG_WRITE, &callback, &mut options);
                    drop(Dictionary::own(options));
                    bound.outcome(code)?;
                    context
                }
            }
        };
        Ok(Self {
            context,
            outlet,
            limit,
            is_published: false,
            options: Vec::new(),
            has_begun: false,
            delays: Vec::new(),
        })
    }

    /// The outcome of a call, in the words of a network where it is one.
    fn outcome(&self, code: c_int) -> Result<()> {
        match &self.limit {
            Some(limit) => limit.outcome(code),
            None => check(code).map(drop),
        }
    }

    /// A call of FFmpeg's begins that may block.
    fn begin_call(&self) {
        self.limit.iter().for_each(|limit| limit.begin(Duration::ZERO));
    }

    /// Adds the video, with what it inherits; gives its index.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn add_video(
        &mut self,
        video: &dyn VideoStream,
        time_base: Rational,
        source_info: Option<&SourceInfo>,
    ) -> Result<usize> {
        // QuickTime and others play no other.
        let has_hvc1 = ["mp4", "mov", "ipod"].contains(&self.context.format().name());
        let mut stream = self.add_stream()?;
        // Without it readers do not look for opacity.
        let more: &[_] = if video.codes_alpha_beside() { &[(c"alpha_mode", c"1")] } else { &[] };
        match source_info {
            Some(source_info) => source_info.bestow_video(&mut stream, more)?,
            None => stream.set_metadata(Metadata::of(more).to_list()?),
        }
        video.describe(&mut stream)?;
        if has_hvc1 {
            stream::name_hvc1(&mut stream);
        }
        if let Some(source_info) = source_info {
            source_info.bestow_side_data(&mut stream, video)?;
        }
        stream.set_time_base(raw_rational(time_base));
        Ok(stream.index())
    }

    /// Adds a stream that is copied; gives its index.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn add_copy(&mut self, source_info: &SourceInfo, index: usize) -> Result<usize> {
        let mut stream = self.add_stream()?;
        source_info.bestow_stream(index, &mut stream, &[])?;
        Ok(stream.index())
    }

    /// Adds a stream that becomes another on its way; gives its index.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn add_conversion(&mut self, source_info: &SourceInfo, conversion: &Transcoder) -> Result<usize> {
        let mut stream = self.add_stream()?;
        source_info.bestow_rest(conversion.index(), &mut stream)?;
        conversion.describe(&mut stream)?;
        stream.set_time_base(raw_rational(conversion.unit()));
        Ok(stream.index())
    }

    /// Adds a cover as an attached file, for containers that keep it so.
    ///
    /// # Errors
    /// If the stream is no cover, or memory runs out.
    pub fn attach_cover(&mut self, source_info: &SourceInfo, index: usize) -> Result<()> {
        let cover = source_info.cover(index).with_context(|| format!("stream {index} is not a cover"))?;
        let (file, kind) = match source_info.codec(index) {
            Id::PNG => (c"cover.png", c"image/png"),
            _ => (c"cover.jpg", c"image/jpeg"),
        };
        let mut stream = self.add_stream()?;
        source_info.bestow_stream(index, &mut stream, &[(c"filename", file), (c"mimetype", kind)])?;
        stream::attach(&mut stream, cover)
    }

    fn add_stream(&mut self) -> Result<StreamMut<'_>> {
        ensure!(!self.has_begun, "a stream was added after the header");
        self.context.add_stream(None::<ffmpeg_next::Codec>).map_err(|_| anyhow!("out of memory"))
    }

    /// Writes the header, with what the file inherits, a comment, and the container's own options.
    ///
    /// # Errors
    /// If the container refuses a stream or an option, or writing fails.
    pub fn begin(
        &mut self,
        source_info: Option<&SourceInfo>,
        comment: Option<&str>,
        options: &[(&str, String)],
    ) -> Result<()> {
        ensure!(!self.has_begun, "the header was already written");
        let options = options.iter().map(|(key, value)| (*key, value.as_str()));
        let options = dictionary::options(options.chain(self.options.iter().copied()))?;
        super::log::complaint();
        if let Some(source_info) = source_info {
            source_info.bestow(&mut self.context)?;
        }
        if let Some(comment) = comment {
            let mut metadata = Metadata::read(&self.context.metadata());
            metadata.set(c"comment", &CString::new(comment)?);
            self.context.set_metadata(metadata.to_list()?);
        }
        if self.is_published {
            // RTP's writers take them for payload types.
            // SAFETY: the streams belong to the context, and nobody else has them.
            self.context.streams_mut().for_each(|mut stream| unsafe { (*stream.as_mut_ptr()).id = 0 });
        }
        self.begin_call();
        let limit = self.limit.clone();
        match self.context.write_header_with(options) {
            Ok(left) => {
                if let Some((unknown, _)) = left.iter().next() {
                    bail!("the container has no option {unknown:?}");
                }
            }
            Err(error) => {
                limit.map_or(Ok(()), |limit| limit.outcome(error.into()))?;
                let error = explain(error);
                return match super::log::complaint() {
                    Some(said) => Err(error.context(said)),
                    None => Err(error),
                };
            }
        }
        let container = self.context.format().name().to_owned();
        self.delays = self.context.streams().map(|stream| version::unwritten_delay(&container, &stream)).collect();
        self.has_begun = true;
        Ok(())
    }

    /// The unit in which a stream's times are written, once the header is.
    pub fn time_base(&self, stream: usize) -> Rational {
        rational(self.context.stream(stream).unwrap_or_else(|| panic!("stream {stream}")).time_base())
    }

    /// Writes a packet, in the unit of its stream, in order with those of other streams. Blocks while the output does.
    ///
    /// # Errors
    /// If the header is not written, writing fails, or times of one stream do not ascend.
    pub fn write(&mut self, packet: &mut Packet) -> Result<()> {
        ensure!(self.has_begun, "a packet came before the header");
        if let Some(delay) = self.delays.get(packet.stream()).filter(|delay| **delay != 0) {
            packet.set_times(packet.pts().map(|time| time + delay), packet.dts().map(|time| time + delay));
        }
        self.begin_call();
        let packet = ffmpeg_next::packet::Mut::as_mut_ptr(packet.inner_mut());
        // SAFETY: the header is written; the packet is left blank. `ffmpeg-next` refuses packets without data, which some
        // streams have.
        let code = unsafe { ffi::av_interleaved_write_frame(self.context.as_mut_ptr(), packet) };
        self.outcome(code)
    }

    /// Writes what is left, and closes the file.
    ///
    /// # Errors
    /// If the header is not written, or writing fails.
    pub fn finish(mut self) -> Result<()> {
        ensure!(self.has_begun, "the file was finished before its header");
        self.begin_call();
        let ended = self.context.write_trailer();
        self.outcome(ended.as_ref().map_or_else(|error| c_int::from(*error), |()| 0))?;
        if let Some(outlet) = &self.outlet {
            // SAFETY: the context is alive, so its I/O is null or alive.
            let io = unsafe { self.context.fields().pb.as_ref() };
            check(io.map_or(0, |io| io.error))?;
            return Ok(outlet.close().map_or(Ok(()), |mut to| to.flush())?);
        }
        // SAFETY: the file is the context's own; afterwards the pointer is null.
        let code = unsafe { ffi::avio_closep(&mut (*self.context.as_mut_ptr()).pb) };
        self.outcome(code)
    }
}

impl Drop for OutputContext {
    fn drop(&mut self) {
        // What FFmpeg has not handed on yet is not handed on any more.
        drop(self.outlet.as_ref().and_then(AvioHandle::close));
        self.limit.iter().for_each(|limit| limit.close());
    }
}

/// What carries the bytes of an output.
enum Carrier {
    /// What its name says.
    Named,
    Stream(StreamIo, Option<AvioHandle>),
    Network(Dictionary<'static>, Arc<CallLimit>),
    /// The container itself, which connects.
    Server(Arc<CallLimit>),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FFmpeg would follow pointers that are not there yet.
    #[test]
    fn nothing_is_written_before_the_header() -> Result<()> {
        let muxer = Muxer::find(Some("nut"), "")?;
        let mut output = OutputContext::nowhere(muxer)?;
        assert!(output.write(&mut Packet::new()).is_err());
        assert!(output.finish().is_err());
        Ok(())
    }
}
