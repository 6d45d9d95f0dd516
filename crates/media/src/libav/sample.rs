//! Samples of sound: what they are, a queue of them, and the resampler that turns one kind into another.

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use anyhow::{Result, ensure};
use ffmpeg_next::{ffi, frame};

use super::error::check;
use super::fields::Fields as _;

/// Which channel is which.
pub(super) struct Channels {
    inner: ffi::AVChannelLayout,
}

// SAFETY: the layout belongs to `self` and has no tie to a thread; `&Channels` only reads it.
unsafe impl Send for Channels {}
// SAFETY: as above.
unsafe impl Sync for Channels {}

impl Channels {
    /// The usual ones, so many.
    pub fn usual(count: c_int) -> Self {
        // SAFETY: all zeros are a layout without channels, and the function fills it in.
        unsafe {
            let mut inner = std::mem::zeroed();
            ffi::av_channel_layout_default(&mut inner, count);
            Self { inner }
        }
    }

    /// Those of a structure of FFmpeg's, or the usual ones where it only says how many.
    ///
    /// # Errors
    /// If there are none, or memory runs out.
    pub fn of(from: &ffi::AVChannelLayout) -> Result<Self> {
        ensure!(from.nb_channels > 0, "it has no channels");
        if from.order == ffi::AVChannelOrder::AV_CHANNEL_ORDER_UNSPEC {
            return Ok(Self::usual(from.nb_channels));
        }
        let mut copy = Self::usual(1);
        // SAFETY: both layouts are alive.
        check(unsafe { ffi::av_channel_layout_copy(&mut copy.inner, from) })?;
        Ok(copy)
    }

    /// How many.
    pub fn count(&self) -> c_int {
        self.inner.nb_channels
    }

    /// Whether both have the same channels in the same order.
    pub fn is(&self, other: &Self) -> bool {
        // SAFETY: both layouts are alive.
        unsafe { ffi::av_channel_layout_compare(&self.inner, &other.inner) == 0 }
    }

    /// Gives a structure of FFmpeg's these channels.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn give(&self, to: &mut ffi::AVChannelLayout) -> Result<()> {
        // SAFETY: both layouts are alive; what the second held is freed.
        check(unsafe { ffi::av_channel_layout_copy(to, &self.inner) })?;
        Ok(())
    }

    /// FFmpeg's name: `stereo`, `5.1(side)`.
    pub fn name(&self) -> String {
        let mut text = [0u8; 128];
        // SAFETY: the layout is alive; the text has the length that is passed, and the function ends it with a zero.
        unsafe { ffi::av_channel_layout_describe(&self.inner, text.as_mut_ptr().cast(), text.len()) };
        CStr::from_bytes_until_nul(&text).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

impl Drop for Channels {
    fn drop(&mut self) {
        // SAFETY: the layout belongs to `self`.
        unsafe { ffi::av_channel_layout_uninit(&mut self.inner) };
    }
}

/// What samples are.
pub(super) struct SampleKind {
    pub format: ffi::AVSampleFormat,
    /// Samples a second, at least 1.
    pub rate: c_int,
    pub channels: Channels,
}

impl SampleKind {
    /// Those of a decoded piece of sound.
    ///
    /// # Errors
    /// If it is none.
    pub fn of(sound: &frame::Audio) -> Result<Self> {
        let fields = sound.fields();
        let format = SAMPLE_FORMATS.into_iter().find(|format| *format as c_int == fields.format);
        let format = format.filter(|_| fields.sample_rate > 0);
        let Some(format) = format else { anyhow::bail!("the decoder returned no samples") };
        Ok(Self { format, rate: fields.sample_rate, channels: Channels::of(&fields.ch_layout)? })
    }

    /// Whether both are the same.
    pub fn is(&self, other: &Self) -> bool {
        self.format == other.format && self.rate == other.rate && self.channels.is(&other.channels)
    }

    /// A piece of such sound with room for `count` samples of each channel.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn piece(&self, count: c_int) -> Result<frame::Audio> {
        let mut piece = blank()?;
        // SAFETY: the frame is alive, blank, and nobody else has it; what it is to hold is set before its memory is made.
        unsafe {
            let raw = &mut *piece.as_mut_ptr();
            raw.format = self.format as c_int;
            raw.sample_rate = self.rate;
            raw.nb_samples = count.max(1);
            self.channels.give(&mut raw.ch_layout)?;
            check(ffi::av_frame_get_buffer(raw, 0))?;
            raw.nb_samples = count;
        }
        Ok(piece)
    }

    /// Silence of so many samples.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn silence(&self, count: c_int) -> Result<frame::Audio> {
        let piece = self.piece(count)?;
        let planes = piece.fields().extended_data;
        // SAFETY: the piece has the room, the channels and the format that are passed, and nobody else has it.
        check(unsafe { ffi::av_samples_set_silence(planes, 0, count, self.channels.count(), self.format) })?;
        Ok(piece)
    }

    /// Where the samples of a piece of this kind begin from sample `first` on, plane by plane.
    ///
    /// # Errors
    /// If the piece is of another kind, or has fewer samples.
    fn planes_from(&self, piece: &frame::Audio, first: c_int) -> Result<Vec<*const u8>> {
        ensure!(Self::of(piece)?.is(self) && (0..=piece.fields().nb_samples).contains(&first), "other samples");
        // SAFETY: the functions only compute.
        let (bytes, is_planar) =
            unsafe { (ffi::av_get_bytes_per_sample(self.format), ffi::av_sample_fmt_is_planar(self.format) != 0) };
        let channels = usize::try_from(self.channels.count())?;
        let (planes, step) = if is_planar { (channels, 1) } else { (1, channels) };
        let offset = usize::try_from(bytes)? * step * usize::try_from(first)?;
        let data = piece.fields().extended_data;
        // SAFETY: the piece has a pointer for each plane, to as many samples as it says, of which `first` is at most one
        // past the last.
        Ok((0..planes).map(|plane| unsafe { (*data.add(plane)).cast_const().add(offset) }).collect())
    }
}

/// All formats of samples that there may be in frames.
const SAMPLE_FORMATS: [ffi::AVSampleFormat; 12] = [
    ffi::AVSampleFormat::AV_SAMPLE_FMT_U8,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_S16,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_S32,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_FLT,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_DBL,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_U8P,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_S16P,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_S32P,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_FLTP,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_DBLP,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_S64,
    ffi::AVSampleFormat::AV_SAMPLE_FMT_S64P,
];

/// A frame for sound that holds nothing. `ffmpeg-next` would not look whether it is there.
///
/// # Errors
/// If memory runs out.
pub(super) fn blank() -> Result<frame::Audio> {
    // SAFETY: the frame is there, and nobody else has it.
    unsafe {
        let raw = ffi::av_frame_alloc();
        ensure!(!raw.is_null(), "out of memory");
        Ok(frame::Audio::wrap(raw))
    }
}

/// Samples that wait until there are enough of them.
pub(super) struct SampleQueue {
    inner: *mut ffi::AVAudioFifo,
    kind: SampleKind,
}

// SAFETY: the queue belongs to `self` and has no tie to a thread.
unsafe impl Send for SampleQueue {}

impl SampleQueue {
    /// An empty queue.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn new(kind: SampleKind) -> Result<Self> {
        // SAFETY: the function only allocates.
        let inner = unsafe { ffi::av_audio_fifo_alloc(kind.format, kind.channels.count(), 1) };
        ensure!(!inner.is_null(), "out of memory");
        Ok(Self { inner, kind })
    }

    /// What its samples are.
    pub fn kind(&self) -> &SampleKind {
        &self.kind
    }

    /// How many samples of each channel wait.
    pub fn len(&self) -> c_int {
        // SAFETY: the queue is alive.
        unsafe { ffi::av_audio_fifo_size(self.inner) }
    }

    /// Adds a piece of sound of the queue's kind.
    ///
    /// # Errors
    /// If it is of another kind, or memory runs out.
    pub fn push(&mut self, piece: &frame::Audio) -> Result<()> {
        ensure!(SampleKind::of(piece)?.is(&self.kind), "the sample format changed");
        let fields = piece.fields();
        // SAFETY: the piece has the queue's format and channels, and as many samples as it says; they are only read.
        check(unsafe {
            ffi::av_audio_fifo_write(self.inner, fields.extended_data.cast::<*mut c_void>(), fields.nb_samples)
        })?;
        Ok(())
    }

    /// Takes the oldest samples, at most so many.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn take(&mut self, most: c_int) -> Result<frame::Audio> {
        let piece = self.kind.piece(most.min(self.len()))?;
        let fields = piece.fields();
        // SAFETY: the piece is of the queue's kind with room for the number that it says, and nobody else has it.
        check(unsafe {
            ffi::av_audio_fifo_read(self.inner, fields.extended_data.cast::<*mut c_void>(), fields.nb_samples)
        })?;
        Ok(piece)
    }
}

impl Drop for SampleQueue {
    fn drop(&mut self) {
        // SAFETY: the queue belongs to `self`.
        unsafe { ffi::av_audio_fifo_free(self.inner) };
    }
}

/// Turns samples of one kind into those of another with libswresample.
pub(super) struct Resampler {
    inner: *mut ffi::SwrContext,
    from: SampleKind,
}

// SAFETY: the context belongs to `self` and has no tie to a thread.
unsafe impl Send for Resampler {}

impl Resampler {
    /// From one kind to another. The resampler of `ffmpeg-next` knows channels by a mask, which not all have.
    ///
    /// # Errors
    /// If libswresample cannot do it.
    pub fn new(from: SampleKind, to: &SampleKind) -> Result<Self> {
        let mut resampler = Self { inner: ptr::null_mut(), from };
        let (into, of) = (&raw const to.channels.inner, &raw const resampler.from.channels.inner);
        // SAFETY: both layouts are alive and only read, and the context is null or made by the function.
        unsafe {
            check(ffi::swr_alloc_set_opts2(
                &mut resampler.inner,
                into.cast_mut(),
                to.format,
                to.rate,
                of.cast_mut(),
                resampler.from.format,
                resampler.from.rate,
                0,
                ptr::null_mut(),
            ))?;
            check(ffi::swr_init(resampler.inner))?;
        }
        Ok(resampler)
    }

    /// What it reads.
    pub fn from(&self) -> &SampleKind {
        &self.from
    }

    /// Turns a piece of sound from sample `first` on, and puts what is ready into the queue, which must be of the kind
    /// that the resampler makes.
    ///
    /// # Errors
    /// If the piece is not what the resampler reads, or memory runs out.
    pub fn run(&mut self, piece: &frame::Audio, first: c_int, queue: &mut SampleQueue) -> Result<()> {
        let mut planes = self.from.planes_from(piece, first)?;
        self.convert(planes.as_mut_ptr(), piece.fields().nb_samples - first, queue)
    }

    /// Puts what is left into the queue: there is no more, or what follows does not follow at once.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn finish(mut self, queue: &mut SampleQueue) -> Result<()> {
        self.convert(ptr::null_mut(), 0, queue)
    }

    /// `planes` are null, or those of `count` samples of the kind that is read.
    fn convert(&mut self, planes: *mut *const u8, count: c_int, queue: &mut SampleQueue) -> Result<()> {
        // SAFETY: the context is alive. The samples are there as said above, and the piece has the room that is passed.
        unsafe {
            let room = check(ffi::swr_get_out_samples(self.inner, count))?;
            let mut piece = queue.kind.piece(room)?;
            let into = piece.fields().extended_data;
            let made = check(ffi::swr_convert(self.inner, into, room, planes, count))?;
            (*piece.as_mut_ptr()).nb_samples = made;
            if made > 0 { queue.push(&piece) } else { Ok(()) }
        }
    }
}

impl Drop for Resampler {
    fn drop(&mut self) {
        // SAFETY: the context is null or belongs to `self`.
        unsafe { ffi::swr_free(&mut self.inner) };
    }
}
