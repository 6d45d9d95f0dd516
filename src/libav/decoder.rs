//! Packets turned into pictures.

use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail, ensure};
use ffmpeg_sys_next as ffi;

use super::convert::Converter;
use super::error::{self, NoMemory, check};
use super::input::Input;
use super::loan::{self, Loan};
use super::log;
use super::packet::Packet;
use super::picture::Picture;
use super::pixel::Stored;
use super::version;
use crate::frame::{FieldOrder, Format, Frame, Pool, Timing};

/// A decoder of one video stream, on as many threads as it is told.
pub(crate) struct Decoder {
    raw: *mut ffi::AVCodecContext,
    /// What `raw.opaque` points to.
    loan: Arc<Loan>,
    /// Pictures of which the decoder had to make up a part.
    concealed: Arc<AtomicU64>,
    /// For pictures that are not stored as frames are.
    converter: Option<(Stored, Arc<Format>, Converter)>,
}

// SAFETY: the context has no tie to a thread, and only the owner uses it.
unsafe impl Send for Decoder {}

/// What became of a packet or of the wish for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The other side comes first: a packet must be sent, or a picture taken.
    Again,
    End,
    /// FFmpeg's error code; the decoder goes on with the next packet.
    Damaged(c_int),
}

impl Decoder {
    /// A decoder for a stream, on `threads` threads; 0 for one a core.
    ///
    /// # Errors
    /// If FFmpeg has no decoder for it.
    pub fn open(input: &Input, stream: usize, threads: usize) -> Result<Self> {
        let loan = Arc::new(Loan::default());
        // SAFETY: the stream is alive as long as the input, and the functions only read its parameters. The result
        // keeps the loan for longer than the context.
        unsafe {
            let stream = input.raw_stream(stream);
            let parameters = (*stream).codecpar;
            let codec = with_opacity(stream).unwrap_or_else(|| ffi::avcodec_find_decoder((*parameters).codec_id));
            let name = CStr::from_ptr(ffi::avcodec_get_name((*parameters).codec_id)).to_string_lossy();
            ensure!(!codec.is_null(), "this FFmpeg has no decoder for {name}");
            let raw = ffi::avcodec_alloc_context3(codec);
            ensure!(!raw.is_null(), "out of memory");
            let concealed = log::watch(Arc::as_ptr(&loan) as usize);
            let decoder = Self { raw, loan, concealed, converter: None };
            check(ffi::avcodec_parameters_to_context(raw, parameters))?;
            (*raw).pkt_timebase = (*stream).time_base;
            (*raw).framerate = (*stream).avg_frame_rate;
            (*raw).thread_count = c_int::try_from(threads).unwrap_or(0);
            (*raw).thread_type = ffi::FF_THREAD_FRAME | ffi::FF_THREAD_SLICE;
            // Without it frame threads would wait for each other whenever one wants memory.
            version::allow_concurrent_callbacks(&mut *raw);
            // Without it a crop at the left that is no multiple of a vector would be left out.
            (*raw).flags |= ffi::AV_CODEC_FLAG_UNALIGNED as c_int;
            (*raw).opaque = Arc::as_ptr(&decoder.loan).cast_mut().cast();
            (*raw).get_buffer2 = Some(loan::get_buffer);
            check(ffi::avcodec_open2(raw, codec, ptr::null_mut()))
                .with_context(|| format!("open the decoder of {name}"))?;
            Ok(decoder)
        }
    }

    /// From now on pictures are decoded into memory of this pool, where the codec can.
    pub fn set_pool(&mut self, pool: &Pool) {
        self.loan.set_pool(pool);
    }

    /// Gives it a packet; `None` once after the last.
    ///
    /// # Errors
    /// [`NoMemory`].
    pub fn send(&mut self, packet: Option<&Packet>) -> Result<Outcome> {
        let packet = packet.map_or(ptr::null(), Packet::as_ptr);
        // SAFETY: the context is open and the packet null or alive; the function only reads it.
        let code = unsafe { ffi::avcodec_send_packet(self.raw, packet) };
        self.outcome(code)
    }

    /// Takes a picture.
    ///
    /// # Errors
    /// [`NoMemory`].
    pub fn receive(&mut self, picture: &mut Picture) -> Result<Outcome> {
        // SAFETY: the context is open and the frame alive.
        let code = unsafe { ffi::avcodec_receive_frame(self.raw, picture.as_mut_ptr()) };
        self.outcome(code)
    }

    /// What a code of FFmpeg's means. That a picture had no memory comes before all else: decoders may call it damaged,
    /// or leave it out and say nothing.
    fn outcome(&self, code: c_int) -> Result<Outcome> {
        if let Some(error) = self.loan.failure() {
            return Err(error);
        }
        match code {
            0.. => Ok(Outcome::Done),
            error::AGAIN => Ok(Outcome::Again),
            error::END => Ok(Outcome::End),
            error::NO_MEMORY => Err(error::error(code).context(NoMemory)),
            code => Ok(Outcome::Damaged(code)),
        }
    }

    /// How many pictures the decoder has mended so far; some of them are still to be taken.
    pub fn concealed(&self) -> u64 {
        self.concealed.load(Ordering::Relaxed)
    }

    /// Forgets all that it was given, for another place of the file.
    pub fn flush(&mut self) {
        // SAFETY: the context is open.
        unsafe { ffi::avcodec_flush_buffers(self.raw) };
    }

    /// Whether the stream says that it has fields, and which comes first.
    pub fn field_order(&self) -> FieldOrder {
        // SAFETY: the context is alive.
        match unsafe { (*self.raw).field_order } {
            ffi::AVFieldOrder::AV_FIELD_PROGRESSIVE => FieldOrder::Progressive,
            ffi::AVFieldOrder::AV_FIELD_TT | ffi::AVFieldOrder::AV_FIELD_BT => FieldOrder::TopFirst,
            ffi::AVFieldOrder::AV_FIELD_BB | ffi::AVFieldOrder::AV_FIELD_TB => FieldOrder::BottomFirst,
            ffi::AVFieldOrder::AV_FIELD_UNKNOWN => FieldOrder::Unspecified,
        }
    }

    /// The size and pixel of a stream of which no picture was decoded yet.
    pub fn announced(&self) -> Option<(Stored, usize, usize)> {
        // SAFETY: the context is alive.
        let context = unsafe { &*self.raw };
        let stored = Stored::from_number(context.pix_fmt as c_int)?;
        Some((stored, usize::try_from(context.width).ok()?, usize::try_from(context.height).ok()?))
    }

    /// The picture as a frame: where it lies, if it was decoded into the pool as frames are stored, else a copy.
    ///
    /// # Errors
    /// If the picture has another size or pixel than `format`; [`NoMemory`].
    pub fn frame(&mut self, picture: &Picture, format: &Arc<Format>, pool: &Pool, timing: Timing) -> Result<Frame> {
        let stored = picture.stored().filter(|stored| stored.pixel() == format.pixel);
        let (width, height) = picture.size();
        let Some(stored) = stored.filter(|_| (width, height) == (format.width, format.height)) else {
            let pixel = picture.stored().map_or_else(|| "unknown pixels".to_owned(), |stored| stored.pixel().name());
            bail!(
                "it is {pixel} {width}x{height}, but the clip began as {} {}x{}; make it one size with: ffmpeg -i INPUT -vf scale={}:{} OUTPUT",
                format.pixel.name(),
                format.width,
                format.height,
                format.width,
                format.height
            )
        };
        if stored.is_planar_native()
            && let Some(frame) = self.loan.frame(picture, format, &timing)?
        {
            return Ok(frame);
        }
        let fits = |(known, like, _): &(Stored, Arc<Format>, Converter)| *known == stored && Arc::ptr_eq(like, format);
        if !self.converter.as_ref().is_some_and(fits) {
            self.converter = Some((stored, format.clone(), Converter::to_planar(stored, format)?));
        }
        let (_, _, converter) = self.converter.as_mut().context("no converter")?;
        // SAFETY: a decoded picture has all rows of its size and pixel, which were just compared with the format's.
        let frame = unsafe { converter.unpack_image(&picture.image(), pool) }?;
        Ok(frame.freeze(timing))
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: the context belongs to `self` and is freed once; the loan is dropped afterwards.
        unsafe { ffi::avcodec_free_context(&mut self.raw) };
        log::unwatch(Arc::as_ptr(&self.loan) as usize);
    }
}

/// The decoder that also reads the opacity beside the packets of a stream, where there is one and it is needed:
/// FFmpeg's own of VP8 and VP9 leave opacity out.
///
/// # Safety
/// The stream must be alive.
unsafe fn with_opacity(stream: *const ffi::AVStream) -> Option<*const ffi::AVCodec> {
    // SAFETY: the caller vouches for the stream, which has parameters; codecs live as long as the program.
    unsafe {
        let name = match (*(*stream).codecpar).codec_id {
            ffi::AVCodecID::AV_CODEC_ID_VP8 => c"libvpx",
            ffi::AVCodecID::AV_CODEC_ID_VP9 => c"libvpx-vp9",
            _ => return None,
        };
        let entry = ffi::av_dict_get((*stream).metadata, c"alpha_mode".as_ptr(), ptr::null(), 0).as_ref()?;
        if CStr::from_ptr(entry.value) != c"1" {
            return None;
        }
        let codec = ffi::avcodec_find_decoder_by_name(name.as_ptr());
        if codec.is_null() {
            ::log::warn!("opacity is left out: this FFmpeg has no decoder {name:?}, which would read it");
            return None;
        }
        Some(codec)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::frame::{Pixel, Rational};

    /// The caller need not have compared anything.
    #[test]
    fn a_picture_is_no_frame_of_another_kind() -> Result<()> {
        let clip = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/bigbuckbunny-720p.mp4");
        let mut input = Input::open_path(&clip, None)?;
        let video = input.best_video().context("a video")?;
        let mut decoder = Decoder::open(&input, video, 1)?;
        let (mut packet, mut picture, pool) = (Packet::new(), Picture::new(), Pool::heap());
        while decoder.receive(&mut picture)? != Outcome::Done {
            input.read(&mut packet);
            if packet.stream() == video {
                decoder.send(Some(&packet))?;
            }
        }
        let pixel = picture.stored().context("pixels")?.pixel();
        let mut frame = |pixel: Pixel, width, height| {
            let format = Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)));
            decoder.frame(&picture, &format, &pool, Timing::default())
        };
        frame(pixel, 1280, 720)?;
        for (pixel, width, height) in [(pixel, 1280, 722), (pixel, 1282, 720), (Pixel::gray(8), 1280, 720)] {
            let error = frame(pixel, width, height).err().context("an error")?.to_string();
            assert!(error.contains("1280x720") && error.contains(&format!("{width}x{height}")), "{error}");
        }
        Ok(())
    }
}
