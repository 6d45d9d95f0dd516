//! What a stream is beside its packets: copied from a stream of an input, and given to one of an output.

use std::ffi::c_int;
use std::ptr;

use anyhow::{Context, Result, ensure};
use ffmpeg_next::codec::{self, Parameters};
use ffmpeg_next::decoder::Opened;
use ffmpeg_next::{Stream, StreamMut, decoder, ffi, packet};

use super::dictionary::Metadata;
use super::error::{check, explain};
use super::fields::Fields as _;
use super::packet::{Packet, raw_rational};
use super::version;
use crate::frame::Rational;

/// What makes the packets of a video stream of an output.
pub(crate) trait VideoStream {
    /// Gives an output's stream what it must know of the codec.
    ///
    /// # Errors
    /// If memory runs out.
    fn describe(&self, to: &mut StreamMut<'_>) -> Result<()>;

    /// Whether packets come with data of their own for opacity.
    fn codes_alpha_beside(&self) -> bool;

    /// Whether the container has to say how pictures are turned when they are shown.
    fn is_turned_when_shown(&self) -> bool;

    /// Whether static metadata of HDR hold for its pictures.
    fn keeps_light(&self) -> bool;
}

/// All of a stream that is neither its time base nor its packets.
pub(super) struct StreamProperties {
    parameters: CodecParameters,
    metadata: Metadata,
    id: i32,
    disposition: i32,
    aspect: ffi::AVRational,
    average_rate: ffi::AVRational,
    real_rate: ffi::AVRational,
    side_data: Vec<(ffi::AVPacketSideDataType, Vec<u8>)>,
}

/// What a stream's packets are coded as, once nobody writes it any more.
struct CodecParameters(Parameters);

// SAFETY: the parameters belong to `self`, and `&CodecParameters` only reads them.
unsafe impl Sync for CodecParameters {}

impl StreamProperties {
    /// Those of a stream.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn of(stream: &Stream<'_>) -> Result<Self> {
        let from = stream.parameters();
        // SAFETY: the stream's parameters are alive; the copy is there, and nobody else has it. `ffmpeg-next` would look
        // neither whether it is there nor whether it is whole.
        let parameters = unsafe {
            let raw = ffi::avcodec_parameters_alloc();
            ensure!(!raw.is_null(), "out of memory");
            let parameters = Parameters::wrap(raw, None);
            check(ffi::avcodec_parameters_copy(raw, from.as_ptr()))?;
            parameters
        };
        let fields = stream.fields();
        Ok(Self {
            parameters: CodecParameters(parameters),
            metadata: Metadata::read(&stream.metadata()),
            id: fields.id,
            disposition: fields.disposition,
            aspect: fields.sample_aspect_ratio,
            average_rate: fields.avg_frame_rate,
            real_rate: fields.r_frame_rate,
            side_data: version::side_data(stream),
        })
    }

    /// What the packets are coded as.
    pub fn codec(&self) -> codec::Id {
        self.parameters.0.id()
    }

    /// FFmpeg's number of the codec's profile; below 0 where it is not known.
    pub fn profile(&self) -> i32 {
        self.parameters.0.fields().profile
    }

    /// The four letters by which the container names the codec.
    pub fn tag(&self) -> [u8; 4] {
        self.parameters.0.fields().codec_tag.to_le_bytes()
    }

    /// A decoder of sound or subtitles, on one thread; packets count their time in `unit`.
    ///
    /// # Errors
    /// If FFmpeg has no decoder for it.
    pub fn decoder(&self, unit: Rational) -> Result<Opened> {
        let name = self.codec().name();
        let found = decoder::find(self.codec()).with_context(|| format!("this FFmpeg has no decoder for {name}"))?;
        let mut context = super::codec::context(found)?;
        // SAFETY: both are alive, and nobody else has the context. `ffmpeg-next` takes parameters only as its own.
        check(unsafe { ffi::avcodec_parameters_to_context(context.as_mut_ptr(), self.parameters.0.as_ptr()) })?;
        let mut decoder = context.decoder();
        decoder.set_packet_time_base(raw_rational(unit));
        decoder.open_as(found).map_err(explain).with_context(|| format!("open the decoder of {name}"))
    }

    /// What was said about the stream in words.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The same, to be changed.
    pub fn metadata_mut(&mut self) -> &mut Metadata {
        &mut self.metadata
    }

    /// The side data of one kind.
    pub fn side_data(&self, kind: ffi::AVPacketSideDataType) -> Option<&[u8]> {
        self.side_data.iter().find_map(|(found, data)| (*found == kind).then_some(data.as_slice()))
    }

    /// Adds side data of a kind that there is none of.
    pub fn add_side_data(&mut self, kind: ffi::AVPacketSideDataType, data: &[u8]) {
        self.side_data.push((kind, data.to_vec()));
    }

    /// Makes `to`, which must be blank, a copy.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn give(&self, to: &mut StreamMut<'_>, metadata: &Metadata) -> Result<()> {
        self.give_parameters(to)?;
        self.give_rest(to, metadata)?;
        self.give_side_data(to, |_| true)
    }

    /// Gives `to` what the packets are coded as.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn give_parameters(&self, to: &mut StreamMut<'_>) -> Result<()> {
        // SAFETY: both sets of parameters are alive, and nobody else uses the stream while it is borrowed.
        unsafe {
            let parameters = (*to.as_mut_ptr()).codecpar;
            check(ffi::avcodec_parameters_copy(parameters, self.parameters.0.as_ptr()))?;
            // Another container has other tags for the same codec.
            (*parameters).codec_tag = 0;
        }
        Ok(())
    }

    /// The same, to be read.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters.0
    }

    /// Gives `to`, which must be blank, all but the parameters and the side data, and `metadata` for this stream's.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn give_rest(&self, to: &mut StreamMut<'_>, metadata: &Metadata) -> Result<()> {
        to.set_metadata(metadata.to_list()?);
        // SAFETY: nobody else uses the stream while it is borrowed; these fields are plain numbers.
        let to = unsafe { &mut *to.as_mut_ptr() };
        to.id = self.id;
        to.disposition = self.disposition;
        to.sample_aspect_ratio = self.aspect;
        to.avg_frame_rate = self.average_rate;
        to.r_frame_rate = self.real_rate;
        Ok(())
    }

    /// Gives `to` the side data of the kinds that are to be kept.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn give_side_data(
        &self,
        to: &mut StreamMut<'_>,
        keep: impl Fn(ffi::AVPacketSideDataType) -> bool,
    ) -> Result<()> {
        self.side_data
            .iter()
            .filter(|(kind, _)| keep(*kind))
            .try_for_each(|(kind, data)| version::add_side_data(to, *kind, data))
    }
}

/// Gives a stream what must be known of its encoder: parameters, time base and aspect. Side data that it had are lost.
///
/// # Errors
/// If memory runs out.
pub(super) fn describe(to: &mut StreamMut<'_>, encoder: &codec::Context) -> Result<()> {
    // SAFETY: the context is alive, and nobody else uses the stream while it is borrowed.
    unsafe {
        let to = &mut *to.as_mut_ptr();
        check(ffi::avcodec_parameters_from_context(to.codecpar, encoder.as_ptr()))?;
        to.time_base = encoder.fields().time_base;
        to.sample_aspect_ratio = encoder.fields().sample_aspect_ratio;
        if encoder.fields().pix_fmt == ffi::AVPixelFormat::AV_PIX_FMT_CUDA {
            // Containers want to know how samples are stored, not where.
            (*to.codecpar).format = encoder.fields().sw_pix_fmt as c_int;
        }
    }
    Ok(())
}

/// Names HEVC `hvc1`, by which its headers are in the container alone; other codecs keep their names.
pub(super) fn name_hvc1(to: &mut StreamMut<'_>) {
    // SAFETY: nobody else uses the stream while it is borrowed; its parameters live as long as it.
    let parameters = unsafe { &mut *(*to.as_mut_ptr()).codecpar };
    if parameters.codec_id == ffi::AVCodecID::AV_CODEC_ID_HEVC {
        parameters.codec_tag = u32::from_le_bytes(*b"hvc1");
    }
}

/// Makes a stream an attached file that holds the data of a packet.
///
/// # Errors
/// If memory runs out.
pub(super) fn attach(to: &mut StreamMut<'_>, file: &Packet) -> Result<()> {
    let data = packet::Packet::data(file.inner()).unwrap_or_default();
    // SAFETY: nobody else uses the stream while it is borrowed. The copy is made in FFmpeg's memory with the padding that
    // it asks for, and is freed with the stream, as what was there before is here.
    unsafe {
        let copy = ffi::av_mallocz(data.len() + ffi::AV_INPUT_BUFFER_PADDING_SIZE as usize).cast::<u8>();
        ensure!(!copy.is_null(), "out of memory");
        ptr::copy_nonoverlapping(data.as_ptr(), copy, data.len());
        let parameters = &mut *(*to.as_mut_ptr()).codecpar;
        ffi::av_freep((&raw mut parameters.extradata).cast());
        parameters.extradata = copy;
        parameters.extradata_size = i32::try_from(data.len())?;
        parameters.codec_type = ffi::AVMediaType::AVMEDIA_TYPE_ATTACHMENT;
    }
    Ok(())
}
