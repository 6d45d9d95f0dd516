//! Sound in one codec turned into another: decoder, resampler, encoder.
//!
//! Samples keep their times: where sound begins later than the clip it does so afterwards, where some is missing there is
//! silence, where some comes twice it is heard once.

use std::ffi::c_int;

use anyhow::{Context, Result, anyhow, bail};
use ffmpeg_next::codec::Id;
use ffmpeg_next::decoder::Opened;
use ffmpeg_next::{Codec, encoder, ffi, frame};

use super::encoder::Headers;
use super::error::{self, check, explain};
use super::fields::Fields as _;
use super::packet::{Packet, known, raw_rational, rescale};
use super::sample::{Channels, Resampler, SampleKind, SampleQueue, blank};
use super::stream::StreamProperties;
use super::{codec, version};
use crate::frame::Rational;

/// Takes a packet of the new stream.
pub(crate) type Write<'a> = dyn FnMut(&mut Packet) -> Result<()> + 'a;

/// Sound on its way from one codec to another.
pub(super) struct SoundConverter {
    decoder: Opened,
    encoder: encoder::Encoder,
    /// `aac 192 kbit/s`.
    title: String,
    /// From what the decoder gives now to what the encoder takes.
    resampler: Option<Resampler>,
    /// What the encoder has not got yet.
    queue: SampleQueue,
    decoded: frame::Audio,
    packet: Packet,
    /// The unit of the times of the packets that come in.
    unit: Rational,
    /// Samples in a frame of the encoder.
    frame_size: c_int,
    /// When the sample begins that the decoder should give next, in its samples from the beginning of the clip; `None`
    /// before the first.
    expected: Option<i64>,
    /// When the oldest sample of the queue begins, in samples of the encoder from the beginning of the clip.
    next: i64,
}

impl SoundConverter {
    /// How far a time may be from where the samples before it end, in seconds: containers round times, and what is less
    /// than a frame of a codec is not heard.
    const TOLERANCE_S: f64 = 0.02;

    /// More silence than this, in seconds, is no gap but a clock that jumped, which the new stream's does too.
    const LONGEST_GAP_S: i64 = 600;

    /// Samples in a frame where the encoder takes any number.
    const FRAME_SIZE: c_int = 1024;

    /// From a stream whose packets count their time in `unit` to the codec `to`, with `rate` samples a second, or as near to
    /// its own rate as the encoder can.
    ///
    /// # Errors
    /// If this FFmpeg cannot decode the one or encode the other.
    pub fn open(
        from: &StreamProperties,
        unit: Rational,
        to: Id,
        rate: Option<c_int>,
        headers: Headers,
    ) -> Result<Self> {
        let decoder = from.decoder(unit)?;
        let kind = {
            let fields = decoder.fields();
            let known = fields.sample_rate > 0;
            let rate = if known { fields.sample_rate } else { bail!("its sample rate is unknown") };
            SampleKind { format: fields.sample_fmt, rate, channels: Channels::of(&fields.ch_layout)? }
        };
        let (encoder, queue) = open_encoder(to, kind, rate, headers)?;
        let fields = encoder.fields();
        let frame_size = if fields.frame_size > 0 { fields.frame_size } else { Self::FRAME_SIZE };
        let rate = rate.map_or_else(String::new, |rate| format!(" at {} kHz", f64::from(rate) / 1000.0));
        let bits = match fields.bit_rate {
            1.. if rate.is_empty() => format!(" {} kbit/s", fields.bit_rate / 1000),
            _ => String::new(),
        };
        let title = format!("{}{bits}{rate}", to.name());
        let (decoded, packet) = (blank()?, Packet::new());
        Ok(Self {
            decoder,
            encoder,
            title,
            resampler: None,
            queue,
            decoded,
            packet,
            unit,
            frame_size,
            expected: None,
            next: 0,
        })
    }

    /// What the new stream is: `aac 192 kbit/s`.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The context that tells an output what the new stream is.
    pub fn context(&self) -> &ffmpeg_next::codec::Context {
        &self.encoder
    }

    /// Turns a packet, or with `None` what is left after the last. What comes out is written at once, so that nothing
    /// piles up.
    ///
    /// # Errors
    /// If the packet is damaged (the next may be whole), encoding fails, or `write` does.
    pub fn send(&mut self, packet: Option<&Packet>, write: &mut Write<'_>) -> Result<()> {
        match packet {
            Some(packet) => self.decoder.send_packet(packet.inner()).map_err(explain)?,
            // That it is at its end already is no fault.
            None => drop(self.decoder.send_eof()),
        }
        loop {
            match self.decoder.receive_frame(&mut self.decoded).map_or_else(c_int::from, |()| 0) {
                0.. => self.take(write)?,
                error::AGAIN => return Ok(()),
                error::END => break,
                code => return Err(error::error(code)),
            }
        }
        if let Some(resampler) = self.resampler.take() {
            resampler.finish(&mut self.queue)?;
        }
        self.encode(1, write)?;
        self.encoder.send_eof().map_err(explain)?;
        self.drain(write)
    }

    /// Brings decoded sound to the encoder.
    fn take(&mut self, write: &mut Write<'_>) -> Result<()> {
        let fields = self.decoded.fields();
        let (time, count) = (known(fields.best_effort_timestamp), fields.nb_samples);
        let kind = SampleKind::of(&self.decoded)?;
        let sample = Rational::new(1, kind.rate);
        let begin = match (time, self.expected) {
            (Some(time), _) => rescale(time, self.unit, sample),
            (None, Some(expected)) => expected,
            (None, None) => 0,
        };
        let tolerance = (Self::TOLERANCE_S * f64::from(kind.rate)) as i64;
        let is_other = self.resampler.as_ref().is_some_and(|resampler| !resampler.from().is(&kind));
        // At another rate what was expected is counted in other samples.
        let expected = self.expected.filter(|_| !is_other);
        let begin = match expected {
            Some(expected) if (begin - expected).abs() <= tolerance => expected,
            _ => begin,
        };
        // What lies before the clip, or was heard already, is left out.
        let first = (expected.unwrap_or(0) - begin).clamp(0, i64::from(count)) as c_int;
        if first == count {
            return Ok(());
        }
        let heard = begin + i64::from(first);
        if self.expected.is_none() {
            self.next = rescale(heard, sample, self.unit_of_encoder());
        }
        self.expected = Some(begin + i64::from(count));
        if self.resampler.is_some() && (is_other || expected != Some(heard)) {
            let resampler = self.resampler.take();
            resampler.map_or(Ok(()), |resampler| resampler.finish(&mut self.queue))?;
            self.bridge(rescale(heard, sample, self.unit_of_encoder()), write)?;
        }
        let resampler = match &mut self.resampler {
            Some(resampler) => resampler,
            none => none.insert(Resampler::new(kind, self.queue.kind())?),
        };
        resampler.run(&self.decoded, first, &mut self.queue)?;
        self.encode(self.frame_size, write)
    }

    /// Adds silence up to `time`, in samples of the encoder.
    fn bridge(&mut self, time: i64, write: &mut Write<'_>) -> Result<()> {
        let limit = Self::LONGEST_GAP_S * i64::from(self.queue.kind().rate);
        let missing = time - self.next - i64::from(self.queue.len());
        if missing > limit {
            self.next += missing;
            return Ok(());
        }
        let mut missing = missing;
        while missing > 0 {
            let count = missing.min(i64::from(self.frame_size)) as c_int;
            let silence = self.queue.kind().silence(count)?;
            self.queue.push(&silence)?;
            self.encode(self.frame_size, write)?;
            missing -= i64::from(count);
        }
        Ok(())
    }

    /// Encodes what waits, for as long as it is `least` samples or more.
    fn encode(&mut self, least: c_int, write: &mut Write<'_>) -> Result<()> {
        while self.queue.len() >= least {
            let mut piece = self.queue.take(self.frame_size)?;
            let count = piece.fields().nb_samples;
            piece.set_pts(Some(self.next));
            self.next += i64::from(count);
            self.encoder.send_frame(&piece).map_err(explain)?;
            self.drain(write)?;
        }
        Ok(())
    }

    /// Writes what the encoder has ready.
    fn drain(&mut self, write: &mut Write<'_>) -> Result<()> {
        loop {
            self.packet.clear();
            match self.encoder.receive_packet(self.packet.inner_mut()).map_or_else(c_int::from, |()| 0) {
                0.. => write(&mut self.packet)?,
                error::AGAIN | error::END => return Ok(()),
                code => return Err(error::error(code)),
            }
        }
    }

    fn unit_of_encoder(&self) -> Rational {
        Rational::new(1, self.queue.kind().rate)
    }
}

/// The encoder of a codec for sound like `from`, at the wanted rate or its own and with its channels where it can, and a
/// queue of what it takes.
fn open_encoder(
    to: Id,
    from: SampleKind,
    wanted: Option<c_int>,
    headers: Headers,
) -> Result<(encoder::Encoder, SampleQueue)> {
    let name = to.name();
    let found = encoder::find(to).with_context(|| format!("this FFmpeg has no encoder for {name}"))?;
    let formats = version::sample_formats(found);
    let format = match formats.contains(&from.format) {
        true => from.format,
        false => nearest_format(&formats).unwrap_or(from.format),
    };
    let rates = version::sample_rates(found);
    let least = wanted.unwrap_or(from.rate);
    let above = rates.iter().copied().filter(|rate| *rate >= least).min();
    let rate = above.or(rates.iter().copied().max()).unwrap_or(least);
    let count = from.channels.count();
    // Not all encoders say which channels they take before they are opened.
    let mut refused = None;
    for channels in [from.channels, Channels::usual(count), Channels::usual(count.min(2)), Channels::usual(1)] {
        let title = channels.name();
        match open_for(found, SampleKind { format, rate, channels }, headers) {
            Ok((opened, kind)) => return Ok((opened, SampleQueue::new(kind)?)),
            Err(error) => refused = Some(refused.unwrap_or(anyhow!("{name}, {title}: {error:#}"))),
        }
    }
    Err(refused.unwrap_or_else(|| anyhow!("no channels")))
}

/// The format that loses least of any sound.
fn nearest_format(formats: &[ffi::AVSampleFormat]) -> Option<ffi::AVSampleFormat> {
    const BEST_FIRST: [ffi::AVSampleFormat; 6] = [
        ffi::AVSampleFormat::AV_SAMPLE_FMT_FLTP,
        ffi::AVSampleFormat::AV_SAMPLE_FMT_FLT,
        ffi::AVSampleFormat::AV_SAMPLE_FMT_S32P,
        ffi::AVSampleFormat::AV_SAMPLE_FMT_S32,
        ffi::AVSampleFormat::AV_SAMPLE_FMT_S16P,
        ffi::AVSampleFormat::AV_SAMPLE_FMT_S16,
    ];
    BEST_FIRST.into_iter().find(|format| formats.contains(format)).or(formats.first().copied())
}

fn open_for(found: Codec, kind: SampleKind, headers: Headers) -> Result<(encoder::Encoder, SampleKind)> {
    let mut context = codec::context(found)?;
    // SAFETY: the context is alive, nobody else has it, and it is not yet open.
    let raw = unsafe { &mut *context.as_mut_ptr() };
    raw.sample_fmt = kind.format;
    raw.sample_rate = kind.rate;
    kind.channels.give(&mut raw.ch_layout)?;
    raw.time_base = raw_rational(Rational::new(1, kind.rate)).into();
    if let Some(rate) = bit_rate(found.id(), &kind) {
        raw.bit_rate = rate;
    }
    if headers == Headers::InContainer {
        raw.flags |= ffi::AV_CODEC_FLAG_GLOBAL_HEADER as c_int;
    }
    // Where there is no other encoder of a codec than an experimental one, it is better than no sound.
    raw.strict_std_compliance = ffi::FF_COMPLIANCE_EXPERIMENTAL;
    super::log::complaint();
    // SAFETY: the context is alive and is opened once, with the codec that it was made for.
    let opened = check(unsafe { ffi::avcodec_open2(context.as_mut_ptr(), found.as_ptr(), std::ptr::null_mut()) });
    opened.map_err(|error| match super::log::complaint() {
        Some(said) => error.context(said),
        None => error,
    })?;
    Ok((context.encoder(), kind))
}

/// Bits a second at which the codecs that lose something are hard to tell from what they were made of; `None` where the
/// encoder knows best.
fn bit_rate(codec: Id, kind: &SampleKind) -> Option<i64> {
    let channels = i64::from(kind.channels.count());
    match codec {
        // A frame of AAC has room for 6144 bits a channel.
        Id::AAC => Some((96_000 * channels.min(6)).min(6 * i64::from(kind.rate) * channels)),
        Id::OPUS => Some(64_000 * channels.min(6)),
        Id::MP2 => Some(if channels == 1 { 128_000 } else { 256_000 }),
        Id::MP3 => Some(if channels == 1 { 128_000 } else { 192_000 }),
        _ => None,
    }
}
