//! Subtitles of text in one format turned into another.

use std::ffi::c_int;
use std::ptr;

use anyhow::{Context, Result, ensure};
use ffmpeg_next::codec::Id;
use ffmpeg_next::decoder::Opened;
use ffmpeg_next::{codec, encoder, ffi, packet};

use super::error::check;
use super::fields::Fields as _;
use super::packet::{Packet, known, raw_rational, rescale};
use super::sound::Write;
use super::stream::StreamProperties;
use crate::frame::Rational;

/// Subtitles on their way from one format of text to another.
pub(super) struct CaptionConverter {
    decoder: Opened,
    encoder: codec::Context,
    /// The unit of the times of the packets that come in.
    unit: Rational,
    /// Where the encoder writes.
    room: Vec<u8>,
}

impl CaptionConverter {
    /// The unit of the times of the packets that come out.
    pub const UNIT: Rational = Rational::new(1, 1000);

    /// As much as one subtitle may be, in bytes; FFmpeg's own program has this room too.
    const ROOM_BYTES: usize = 1 << 20;

    /// From a stream whose packets count their time in `unit` to the format `to`, in pictures of this size.
    ///
    /// # Errors
    /// If either is no text, or this FFmpeg cannot read the one or write the other.
    pub fn open(from: &StreamProperties, unit: Rational, to: Id, size: (usize, usize)) -> Result<Self> {
        ensure!(is_text(from.codec()), "its subtitles are pictures and cannot become text");
        ensure!(is_text(to), "{} is not text", to.name());
        let decoder = from.decoder(unit)?;
        let found = encoder::find(to).with_context(|| format!("this FFmpeg has no encoder for {}", to.name()))?;
        let mut encoder = super::codec::context(found)?;
        // SAFETY: both contexts are alive. The encoder's, which nobody else has, is opened once, with the codec that it was
        // made for; the header is a copy in FFmpeg's memory with a zero behind it, which it frees.
        unsafe {
            let raw = &mut *encoder.as_mut_ptr();
            raw.time_base = raw_rational(Self::UNIT).into();
            (raw.width, raw.height) = (c_int::try_from(size.0)?, c_int::try_from(size.1)?);
            let header = decoder.fields();
            if let Ok(length @ 1..) = usize::try_from(header.subtitle_header_size) {
                let copy = ffi::av_mallocz(length + 1).cast::<u8>();
                ensure!(!copy.is_null(), "out of memory");
                ptr::copy_nonoverlapping(header.subtitle_header, copy, length);
                raw.subtitle_header = copy;
                raw.subtitle_header_size = header.subtitle_header_size;
            }
            check(ffi::avcodec_open2(raw, found.as_ptr(), ptr::null_mut()))
                .with_context(|| format!("open the encoder of {}", to.name()))?;
        }
        Ok(Self { decoder, encoder, unit, room: vec![0; Self::ROOM_BYTES] })
    }

    /// The context that tells an output what the new stream is.
    pub fn context(&self) -> &codec::Context {
        &self.encoder
    }

    /// Turns a packet and writes what comes out.
    ///
    /// # Errors
    /// If the packet is damaged (the next may be whole), or `write` fails.
    pub fn send(&mut self, packet: &Packet, write: &mut Write<'_>) -> Result<()> {
        let mut packet = packet.share()?;
        let Some(mut caption) = self.decode(&mut packet)? else { return Ok(()) };
        let begin = packet.pts().or(packet.dts()).unwrap_or(0);
        let begin = rescale(begin, self.unit, Self::UNIT) + i64::from(caption.inner.start_display_time);
        let told = i64::from(caption.inner.end_display_time) - i64::from(caption.inner.start_display_time);
        let is_told = told > 0 && caption.inner.end_display_time != u32::MAX;
        let length = if is_told { told } else { rescale(packet.duration(), self.unit, Self::UNIT) };
        let caption = &mut caption.inner;
        (caption.start_display_time, caption.end_display_time) = (0, u32::try_from(length).unwrap_or(0));
        caption.pts = known(caption.pts).unwrap_or(0);
        let (room, length_bytes) = (self.room.as_mut_ptr(), self.room.len() as c_int);
        // SAFETY: the context is open, the subtitle alive, and the room has the length that is passed.
        let written =
            check(unsafe { ffi::avcodec_encode_subtitle(self.encoder.as_mut_ptr(), room, length_bytes, caption) })?;
        if written == 0 {
            return Ok(());
        }
        let mut made = Packet::new();
        *made.inner_mut() = packet::Packet::copy(&self.room[..usize::try_from(written)?]);
        made.set_times(Some(begin), Some(begin));
        made.set_duration(length);
        write(&mut made)
    }

    /// What a packet shows; `None` if nothing.
    fn decode(&mut self, packet: &mut Packet) -> Result<Option<Caption>> {
        let mut shown = 0;
        // SAFETY: all zeros are an empty subtitle.
        let mut caption = Caption { inner: unsafe { std::mem::zeroed() } };
        let raw = packet::Mut::as_mut_ptr(packet.inner_mut());
        // SAFETY: the context is open, the packet and the subtitle are alive, and the subtitle is blank.
        check(unsafe {
            ffi::avcodec_decode_subtitle2(self.decoder.as_mut_ptr(), &mut caption.inner, &mut shown, raw)
        })?;
        Ok((shown != 0 && caption.inner.num_rects > 0).then_some(caption))
    }
}

/// A decoded subtitle. That of `ffmpeg-next` is never freed.
struct Caption {
    inner: ffi::AVSubtitle,
}

impl Drop for Caption {
    fn drop(&mut self) {
        // SAFETY: what the subtitle points to is its own.
        unsafe { ffi::avsubtitle_free(&mut self.inner) };
    }
}

/// Whether subtitles of a codec are text.
pub(super) fn is_text(codec: Id) -> bool {
    // SAFETY: descriptors live as long as the program.
    let descriptor = unsafe { ffi::avcodec_descriptor_get(codec.into()).as_ref() };
    descriptor.is_some_and(|found| found.props & ffi::AV_CODEC_PROP_TEXT_SUB as c_int != 0)
}
