//! Pictures turned into packets.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use ffmpeg_sys_next as ffi;

use super::colour::Tags;
use super::convert::{Converter, check_frame};
use super::dictionary::Dictionary;
use super::error::{self, check};
use super::packet::{Packet, raw_rational};
use super::picture::Picture;
use super::pixel::Stored;
use super::version;
use crate::frame::{Colour, FieldOrder, Format, Frame, Pool, Rational};

/// One of FFmpeg's video encoders.
#[derive(Clone, Copy)]
pub(crate) struct Codec {
    raw: *const ffi::AVCodec,
}

/// How an encoder is set up.
pub(crate) struct Settings {
    /// What frames are.
    pub format: Arc<Format>,
    /// How the encoder takes them.
    pub stored: Stored,
    /// What the colours mean when they are stored so.
    pub colour: Colour,
    /// The unit of the times given to [`Encoder::send`].
    pub time_base: Rational,
    /// Threads; 0 for as many as the encoder thinks right.
    pub threads: usize,
    /// The encoder's own options.
    pub options: Vec<(String, String)>,
    /// Whether the container wants the codec's headers once, in its own.
    pub headers: Headers,
    /// Whether the encoder should treat the two fields apart.
    pub coding: Coding,
}

/// Where the codec's headers go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Headers {
    InContainer,
    InStream,
}

/// What is coded as one picture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Frames,
    Fields,
}

/// An encoder at work.
pub(crate) struct Encoder {
    raw: *mut ffi::AVCodecContext,
    settings: Settings,
    /// For pictures that the encoder does not take as frames are.
    converter: Option<Converter>,
    /// Memory of converted pictures.
    pool: Pool,
}

// SAFETY: the context has no tie to a thread, and only the owner uses it.
unsafe impl Send for Encoder {}

impl Codec {
    /// A video encoder by FFmpeg's name.
    ///
    /// # Errors
    /// If this FFmpeg has none of that name, naming the nearest.
    pub fn find(name: &str) -> Result<Self> {
        let raw_name = CString::new(name).with_context(|| format!("unknown video encoder {name:?}"))?;
        // SAFETY: the name ends with a zero.
        let mut raw = unsafe { ffi::avcodec_find_encoder_by_name(raw_name.as_ptr()) };
        if raw.is_null() {
            // SAFETY: as above; `h264` names a codec, and FFmpeg has a preferred encoder for each.
            raw = unsafe {
                let descriptor = ffi::avcodec_descriptor_get_by_name(raw_name.as_ptr());
                descriptor.as_ref().map_or(ptr::null(), |descriptor| ffi::avcodec_find_encoder(descriptor.id))
            };
        }
        // SAFETY: codecs live as long as the program.
        if unsafe { raw.as_ref() }.is_some_and(|codec| codec.type_ == ffi::AVMediaType::AVMEDIA_TYPE_VIDEO) {
            return Ok(Self { raw });
        }
        let near = Self::all()
            .map(|codec| (strsim::jaro_winkler(name, codec.name()), codec.name()))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match near {
            Some((likeness, known)) if likeness > 0.8 => {
                bail!(
                    "this FFmpeg has no video encoder {name:?}; did you mean {known:?}? list them with: ffmpeg -encoders"
                )
            }
            _ => bail!("this FFmpeg has no video encoder {name:?}; list them with: ffmpeg -encoders"),
        }
    }

    /// The encoder that FFmpeg prefers for a codec.
    pub fn preferred(id: ffi::AVCodecID) -> Option<Self> {
        // SAFETY: the function only looks it up.
        let raw = unsafe { ffi::avcodec_find_encoder(id) };
        (!raw.is_null()).then_some(Self { raw })
    }

    fn all() -> impl Iterator<Item = Self> {
        let mut state: *mut c_void = ptr::null_mut();
        std::iter::from_fn(move || {
            // SAFETY: the state starts as null and is only changed by the function.
            let raw = unsafe { ffi::av_codec_iterate(&mut state) };
            (!raw.is_null()).then_some(Self { raw })
        })
        // SAFETY: codecs live as long as the program.
        .filter(|codec| unsafe {
            ffi::av_codec_is_encoder(codec.raw) != 0 && (*codec.raw).type_ == ffi::AVMediaType::AVMEDIA_TYPE_VIDEO
        })
    }

    /// FFmpeg's name of the encoder.
    pub fn name(self) -> &'static str {
        // SAFETY: codecs and their names live as long as the program.
        unsafe { CStr::from_ptr((*self.raw).name) }.to_str().unwrap_or("?")
    }

    /// What it encodes to.
    pub fn id(self) -> ffi::AVCodecID {
        // SAFETY: codecs live as long as the program.
        unsafe { (*self.raw).id }
    }

    /// Whether it codes opacity apart, into data beside the packets of colour.
    pub fn has_alpha_beside(self) -> bool {
        [ffi::AVCodecID::AV_CODEC_ID_VP8, ffi::AVCodecID::AV_CODEC_ID_VP9].contains(&self.id())
    }

    /// The pixel formats that it takes and this program can make; empty where it takes any.
    pub fn pixels(self) -> Vec<Stored> {
        // SAFETY: codecs live as long as the program.
        let formats = unsafe { version::pixel_formats(self.raw) };
        formats.into_iter().filter_map(Stored::new).collect()
    }
}

impl Encoder {
    /// Sets an encoder up.
    ///
    /// # Errors
    /// If it takes no such pictures, or an option does not exist or has no such value.
    pub fn open(codec: Codec, settings: Settings) -> Result<Self> {
        super::log::install();
        let name = codec.name();
        let format = settings.format.clone();
        let converter = if settings.stored.is_planar_native() && settings.stored.pixel() == format.pixel {
            None
        } else {
            Some(Converter::from_planar(settings.stored, &format)?)
        };
        let mut options = Dictionary::new();
        for (key, value) in &settings.options {
            options.set(key, value)?;
        }
        // SAFETY: the function has no conditions.
        let raw = unsafe { ffi::avcodec_alloc_context3(codec.raw) };
        ensure!(!raw.is_null(), "out of memory");
        let encoder = Self { raw, settings, converter, pool: Pool::heap() };
        let settings = &encoder.settings;
        // SAFETY: the context was just made and is filled in before it is opened.
        unsafe {
            (*raw).width = format.width as c_int;
            (*raw).height = format.height as c_int;
            (*raw).pix_fmt = settings.stored.raw();
            (*raw).sample_aspect_ratio = raw_rational(format.aspect);
            (*raw).time_base = raw_rational(settings.time_base);
            if format.rate.value().is_some() {
                (*raw).framerate = raw_rational(format.rate);
            }
            (*raw).thread_count = c_int::try_from(settings.threads).unwrap_or(0);
            Tags::of_codec(raw).write(settings.colour);
            (*raw).field_order = match format.fields {
                FieldOrder::Progressive => ffi::AVFieldOrder::AV_FIELD_PROGRESSIVE,
                FieldOrder::TopFirst => ffi::AVFieldOrder::AV_FIELD_TT,
                FieldOrder::BottomFirst => ffi::AVFieldOrder::AV_FIELD_BB,
                FieldOrder::Unspecified | FieldOrder::Mixed => ffi::AVFieldOrder::AV_FIELD_UNKNOWN,
            };
            if settings.coding == Coding::Fields {
                (*raw).flags |= (ffi::AV_CODEC_FLAG_INTERLACED_DCT | ffi::AV_CODEC_FLAG_INTERLACED_ME) as c_int;
            }
            if settings.headers == Headers::InContainer {
                (*raw).flags |= ffi::AV_CODEC_FLAG_GLOBAL_HEADER as c_int;
            }
            // What this program asks for by name may be what FFmpeg calls experimental or unofficial.
            (*raw).strict_std_compliance = ffi::FF_COMPLIANCE_EXPERIMENTAL;
            super::log::complaint();
            if let Err(error) = check(ffi::avcodec_open2(raw, codec.raw, options.as_mut_ptr())) {
                let said = super::log::complaint().map(|said| format!(" ({said})")).unwrap_or_default();
                return Err(anyhow!("the encoder {name} does not accept {format} with these options: {error:#}{said}"));
            }
        }
        if let Some(unknown) = options.keys().first() {
            bail!("the encoder {name} has no option {unknown:?}; list them with: ffmpeg -h encoder={name}");
        }
        Ok(encoder)
    }

    /// Gives it a frame to be shown at `pts` for `duration`. All packets must have been taken before.
    ///
    /// # Errors
    /// If the frame is not what the encoder was set up for, encoding fails or memory runs out.
    pub fn send(&mut self, frame: &Frame, properties: Option<&Picture>, pts: i64, duration: i64) -> Result<()> {
        check_frame(frame, &self.settings.format)?;
        let stored = self.settings.stored;
        let mut picture = match &mut self.converter {
            None => Picture::lend(frame.clone(), stored, properties)?,
            Some(converter) => converter.picture(frame, &self.pool, properties)?,
        };
        picture.set_colour(self.settings.colour);
        picture.set_time(pts, duration);
        // SAFETY: the context is open and the frame alive; the encoder takes references of its own.
        check(unsafe { ffi::avcodec_send_frame(self.raw, picture.as_ptr()) })?;
        Ok(())
    }

    /// Whether packets come with data of their own for opacity.
    pub fn codes_alpha_beside(&self) -> bool {
        // SAFETY: the context is alive and knows its codec.
        let codec = Codec { raw: unsafe { (*self.raw).codec } };
        codec.has_alpha_beside() && self.settings.stored.pixel().alpha
    }

    /// There are no more frames.
    ///
    /// # Errors
    /// If encoding fails.
    pub fn end(&mut self) -> Result<()> {
        // SAFETY: the context is open; null means the end.
        check(unsafe { ffi::avcodec_send_frame(self.raw, ptr::null()) })?;
        Ok(())
    }

    /// Takes a packet; `false` if a frame must be sent first, or after the last.
    ///
    /// # Errors
    /// If encoding fails.
    pub fn receive(&mut self, packet: &mut Packet) -> Result<bool> {
        packet.clear();
        // SAFETY: the context is open and the packet blank.
        match unsafe { ffi::avcodec_receive_packet(self.raw, packet.as_mut_ptr()) } {
            0.. => Ok(true),
            error::AGAIN | error::END => Ok(false),
            code => Err(error::error(code)),
        }
    }

    /// Gives an output's stream what it must know of the codec.
    ///
    /// # Safety
    /// The stream must belong to a living output whose header is not yet written.
    pub(super) unsafe fn describe(&self, stream: *mut ffi::AVStream) -> Result<()> {
        // SAFETY: the caller vouches for the stream, and the context is open.
        unsafe {
            check(ffi::avcodec_parameters_from_context((*stream).codecpar, self.raw))?;
            (*stream).time_base = (*self.raw).time_base;
            (*stream).sample_aspect_ratio = (*self.raw).sample_aspect_ratio;
            if self.settings.format.rate.value().is_some() {
                (*stream).avg_frame_rate = raw_rational(self.settings.format.rate);
                (*stream).r_frame_rate = (*stream).avg_frame_rate;
            }
        }
        Ok(())
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // SAFETY: the context belongs to `self` and is freed once, before the pool.
        unsafe { ffi::avcodec_free_context(&mut self.raw) };
    }
}

/// What of a picture would be lost if `from` were stored as the best of `choice`, in words; nothing if all is kept.
pub(crate) struct Compromise {
    pub stored: Stored,
    pub losses: Vec<&'static str>,
}

impl Compromise {
    /// The best of several pixel formats for pictures that are stored as `from`.
    pub fn find(choice: &[Stored], from: Stored) -> Option<Self> {
        let mut list: Vec<_> = choice.iter().map(|stored| stored.raw()).collect();
        list.push(ffi::AVPixelFormat::AV_PIX_FMT_NONE);
        let alpha = c_int::from(from.pixel().alpha);
        let mut loss = 0;
        // SAFETY: the list ends with `AV_PIX_FMT_NONE`, and the number of the loss may be written.
        let best = unsafe { ffi::avcodec_find_best_pix_fmt_of_list(list.as_ptr(), from.raw(), alpha, &mut loss) };
        let stored = choice.iter().find(|stored| stored.raw() == best)?;
        let words = [
            (ffi::FF_LOSS_RESOLUTION, "resolution of colour"),
            (ffi::FF_LOSS_DEPTH, "bits"),
            (ffi::FF_LOSS_COLORSPACE, "exact colours"),
            (ffi::FF_LOSS_ALPHA, "opacity"),
            (ffi::FF_LOSS_COLORQUANT, "colours outside a palette"),
            (ffi::FF_LOSS_CHROMA, "colour"),
        ];
        let losses = words.into_iter().filter(|(bit, _)| loss & bit != 0).map(|(_, word)| word).collect();
        Some(Self { stored: *stored, losses })
    }
}
