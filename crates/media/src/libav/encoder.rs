//! Pictures turned into packets.

use std::ffi::c_int;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use ffmpeg_next::{Dictionary, StreamMut, ffi};

use super::codec::{self, Codec};
use super::convert::{Converter, check_frame};
use super::error::{self, check, explain};
use super::image::roomy;
use super::naming::{self, naming};
use super::packet::{Packet, raw_rational};
use super::picture::Picture;
use super::pixel::Stored;
use super::stream::{self, VideoStream};
use super::surface::SurfacePool;
use super::{colour, dictionary};
use crate::frame::{Colour, FieldOrder, Format, Frame, Pool, Rational, Timing};

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
    /// Where frames come to lie that the encoder reads on a device; they lie there already.
    pub surfaces: Option<SurfacePool>,
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
    opened: ffmpeg_next::codec::encoder::Encoder,
    codec: Codec,
    settings: Settings,
    intake: Intake,
    /// The fixed quantizer, where there is one, which some encoders take from each frame.
    quality: c_int,
    /// Memory of converted pictures.
    pool: Pool,
    progress: EncoderProgress,
}

/// What an encoder was given so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EncoderProgress {
    Nothing,
    Frames,
    End,
}

/// Encoders that wait for ever when they are closed and no frame, or no end, has reached them.
const NEED_AN_END: [&str; 1] = ["libsvtav1"];

/// How frames become pictures that the encoder takes.
enum Intake {
    /// It reads them where they lie.
    Lent,
    Converted(Box<Converter>),
    /// On a device. Dropped after the encoder.
    Joined(SurfacePool),
}

impl Encoder {
    /// Sets an encoder up.
    ///
    /// # Errors
    /// If it takes no such pictures, or an option does not exist or has no such value.
    pub fn open(codec: Codec, mut settings: Settings) -> Result<Self> {
        super::log::install();
        let name = codec.name();
        let format = settings.format.clone();
        let intake = match settings.surfaces.take() {
            Some(surfaces) => Intake::Joined(surfaces),
            None if Converter::is_needed(settings.stored, &format, settings.colour) => {
                Intake::Converted(Box::new(Converter::coded_as(settings.stored, &format, settings.colour)?))
            }
            None => Intake::Lent,
        };
        let options = settings.options.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let options = dictionary::options(options)?;
        let mut context = codec::context(codec.inner())?;
        // SAFETY: the context is alive, nobody else has it, and it is not yet open.
        let raw = unsafe { &mut *context.as_mut_ptr() };
        set_up(raw, &settings);
        if let Intake::Joined(surfaces) = &intake {
            surfaces.serve(raw)?;
        }
        super::log::complaint();
        // SAFETY: the context is alive and is opened once, with the codec that it was made for; the options belong to
        // nobody else. `ffmpeg-next` would forget which of them are left.
        let (opened, left) = unsafe {
            let mut options = options.disown();
            let open = || ffi::avcodec_open2(context.as_mut_ptr(), codec.inner().as_ptr(), &mut options);
            let code = naming(naming::ENCODER, open);
            (check(code), Dictionary::own(options))
        };
        if let Err(error) = opened {
            let said = super::log::complaint().map(|said| format!(" ({said})")).unwrap_or_default();
            return Err(anyhow!("the encoder {name} does not accept {format} with these options: {error:#}{said}"));
        }
        if let Some((unknown, _)) = left.iter().next() {
            bail!("the encoder {name} has no option {unknown:?}; list them with: ffmpeg -h encoder={name}");
        }
        // SAFETY: the context is alive, and nobody else has it.
        let quality = unsafe { (*context.as_ptr()).global_quality };
        Ok(Self {
            opened: context.encoder(),
            codec,
            settings,
            intake,
            quality,
            pool: Pool::heap(),
            progress: EncoderProgress::Nothing,
        })
    }

    /// Gives it a frame to be shown at `pts` for `duration`. All packets must have been taken before.
    ///
    /// # Errors
    /// If the frame is not what the encoder was set up for, encoding fails or memory runs out.
    pub fn send(&mut self, frame: &Frame, properties: Option<&Picture>, pts: i64, duration: i64) -> Result<()> {
        check_frame(frame, &self.settings.format)?;
        let mut picture = match &mut self.intake {
            Intake::Lent => Picture::lend(&*roomy(frame, &self.pool)?, self.settings.stored, properties)?,
            Intake::Converted(converter) => converter.picture(&*roomy(frame, &self.pool)?, &self.pool, properties)?,
            Intake::Joined(surfaces) => surfaces.picture(frame, properties)?,
        };
        picture.set_colour(self.settings.colour);
        picture.set_quality(self.quality);
        picture.set_time(pts, duration);
        self.progress = EncoderProgress::Frames;
        self.opened.send_frame(picture.inner()).map_err(explain)
    }

    /// Whether closing it now would wait for ever.
    fn needs_end(&self) -> bool {
        self.progress != EncoderProgress::End && NEED_AN_END.contains(&self.codec.name())
    }

    /// Brings an encoder to its end that would not close else: a black frame where there was none, then the end, and all
    /// packets, which nobody wants.
    ///
    /// # Errors
    /// If encoding fails or memory runs out.
    fn run_out(&mut self) -> Result<()> {
        if self.progress == EncoderProgress::Nothing {
            let mut frame = self.pool.frame(&self.settings.format)?;
            frame.bytes_mut().fill(0);
            self.send(&frame.freeze(Timing::default()), None, 0, 1)?;
        }
        self.progress = EncoderProgress::End;
        self.opened.send_eof().map_err(explain)?;
        let mut packet = Packet::new();
        while self.receive(&mut packet)? {}
        Ok(())
    }

    /// Whether frames must lie on a device, and not on the host.
    pub fn reads_device(&self) -> bool {
        matches!(self.intake, Intake::Joined(_))
    }

    /// There are no more frames.
    ///
    /// # Errors
    /// If encoding fails.
    pub fn end(&mut self) -> Result<()> {
        if self.progress == EncoderProgress::Nothing && self.needs_end() {
            // Its packet belongs to no frame of the clip; it runs out when it is dropped.
            return Ok(());
        }
        self.progress = EncoderProgress::End;
        self.opened.send_eof().map_err(explain)
    }

    /// Takes a packet; `false` if a frame must be sent first, or after the last.
    ///
    /// # Errors
    /// If encoding fails.
    pub fn receive(&mut self, packet: &mut Packet) -> Result<bool> {
        packet.clear();
        if self.progress == EncoderProgress::Nothing {
            return Ok(false);
        }
        match self.opened.receive_packet(packet.inner_mut()).map_or_else(c_int::from, |()| 0) {
            0.. => Ok(true),
            error::AGAIN | error::END => Ok(false),
            code => Err(error::error(code)),
        }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        if self.needs_end()
            && let Err(error) = self.run_out()
        {
            log::debug!("close the encoder {}: {error:#}", self.codec.name());
        }
    }
}

impl VideoStream for Encoder {
    fn describe(&self, to: &mut StreamMut<'_>) -> Result<()> {
        stream::describe(to, &self.opened)?;
        if self.settings.format.rate.value().is_some() {
            to.set_avg_frame_rate(raw_rational(self.settings.format.rate));
            to.set_rate(raw_rational(self.settings.format.rate));
        }
        Ok(())
    }

    fn codes_alpha_beside(&self) -> bool {
        self.codec.has_alpha_beside() && self.settings.stored.pixel().alpha
    }

    fn is_turned_when_shown(&self) -> bool {
        !self.settings.format.turn.is_none()
    }

    fn keeps_light(&self) -> bool {
        !self.settings.colour.is_sdr()
    }
}

/// Fills in what must be known before a context is opened.
fn set_up(raw: &mut ffi::AVCodecContext, settings: &Settings) {
    let format = &settings.format;
    raw.width = format.width as c_int;
    raw.height = format.height as c_int;
    raw.pix_fmt = settings.stored.raw();
    raw.sample_aspect_ratio = raw_rational(format.aspect).into();
    raw.time_base = raw_rational(settings.time_base).into();
    if format.rate.value().is_some() {
        raw.framerate = raw_rational(format.rate).into();
    }
    raw.thread_count = c_int::try_from(settings.threads).unwrap_or(0);
    colour::tag_codec(raw, settings.colour);
    raw.field_order = match format.fields {
        // FFmpeg's encoder of VC-2 codes fields that FFmpeg does not decode, and aborts at high bit rates of them.
        _ if raw.codec_id == ffi::AVCodecID::AV_CODEC_ID_DIRAC => ffi::AVFieldOrder::AV_FIELD_UNKNOWN,
        FieldOrder::Progressive => ffi::AVFieldOrder::AV_FIELD_PROGRESSIVE,
        FieldOrder::TopFirst => ffi::AVFieldOrder::AV_FIELD_TT,
        FieldOrder::BottomFirst => ffi::AVFieldOrder::AV_FIELD_BB,
        FieldOrder::Unspecified | FieldOrder::Mixed => ffi::AVFieldOrder::AV_FIELD_UNKNOWN,
    };
    if settings.coding == Coding::Fields {
        raw.flags |= (ffi::AV_CODEC_FLAG_INTERLACED_DCT | ffi::AV_CODEC_FLAG_INTERLACED_ME) as c_int;
    }
    if settings.headers == Headers::InContainer {
        raw.flags |= ffi::AV_CODEC_FLAG_GLOBAL_HEADER as c_int;
    }
    // What this program asks for by name may be what FFmpeg calls experimental or unofficial.
    raw.strict_std_compliance = ffi::FF_COMPLIANCE_EXPERIMENTAL;
}
