//! What an output inherits from its input: everything but the pictures.

use std::ffi::{c_int, c_uint};
use std::ptr;

use anyhow::{Result, ensure};
use ffmpeg_sys_next as ffi;

use super::error::check;
use super::input::{Input, Kind, Stream};
use super::picture::Picture;
use super::version;

/// A file's streams, metadata and chapters, without its packets.
pub struct Heritage {
    /// A context that is never opened; it only holds copies.
    raw: *mut ffi::AVFormatContext,
    pub(crate) streams: Vec<Stream>,
    /// Which of the streams is filtered.
    pub(crate) video: usize,
}

// SAFETY: the context is only read once it is made, and has no tie to a thread.
unsafe impl Send for Heritage {}
// SAFETY: as above.
unsafe impl Sync for Heritage {}

/// The side data of a video stream that stay true when its pictures are filtered and encoded anew.
const KEPT: [ffi::AVPacketSideDataType; 8] = [
    ffi::AVPacketSideDataType::AV_PKT_DATA_DISPLAYMATRIX,
    ffi::AVPacketSideDataType::AV_PKT_DATA_STEREO3D,
    ffi::AVPacketSideDataType::AV_PKT_DATA_SPHERICAL,
    ffi::AVPacketSideDataType::AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
    ffi::AVPacketSideDataType::AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
    ffi::AVPacketSideDataType::AV_PKT_DATA_ICC_PROFILE,
    ffi::AVPacketSideDataType::AV_PKT_DATA_AFD,
    ffi::AVPacketSideDataType::AV_PKT_DATA_S12M_TIMECODE,
];

/// Frame side data that a stream should have too, and what it is called there.
const FROM_FRAME: [(ffi::AVFrameSideDataType, ffi::AVPacketSideDataType); 5] = [
    (
        ffi::AVFrameSideDataType::AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
        ffi::AVPacketSideDataType::AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
    ),
    (
        ffi::AVFrameSideDataType::AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
        ffi::AVPacketSideDataType::AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
    ),
    (ffi::AVFrameSideDataType::AV_FRAME_DATA_STEREO3D, ffi::AVPacketSideDataType::AV_PKT_DATA_STEREO3D),
    (ffi::AVFrameSideDataType::AV_FRAME_DATA_DISPLAYMATRIX, ffi::AVPacketSideDataType::AV_PKT_DATA_DISPLAYMATRIX),
    (ffi::AVFrameSideDataType::AV_FRAME_DATA_SPHERICAL, ffi::AVPacketSideDataType::AV_PKT_DATA_SPHERICAL),
];

impl Heritage {
    /// The streams beside the video that is filtered: `stream 1 (audio, aac)`.
    pub fn companions(&self) -> Vec<String> {
        (0..self.streams.len()).filter(|&index| index != self.video).map(|index| self.title(index)).collect()
    }

    /// What messages call a stream: `stream 1 (audio, aac)`.
    pub(crate) fn title(&self, index: usize) -> String {
        let stream = &self.streams[index];
        format!("stream {index} ({}, {})", format!("{:?}", stream.kind).to_lowercase(), stream.codec)
    }

    /// All that `input` has to pass on. `first` is its first picture, whose side data count for the whole stream
    /// where the container has none. Chapters are counted from `start_us`, those outside `length_us` are left out.
    ///
    /// # Errors
    /// If memory runs out.
    pub(crate) fn of(
        input: &Input,
        video: usize,
        first: Option<&Picture>,
        start_us: i64,
        length_us: Option<i64>,
    ) -> Result<Self> {
        // SAFETY: the function has no conditions.
        let raw = unsafe { ffi::avformat_alloc_context() };
        ensure!(!raw.is_null(), "out of memory");
        let heritage = Self { raw, streams: (0..input.streams()).map(|index| input.stream(index)).collect(), video };
        // SAFETY: both contexts are alive, and every stream of either is.
        unsafe {
            check(ffi::av_dict_copy(&mut (*raw).metadata, input.fields().metadata, 0))?;
            for index in 0..input.streams() {
                let from = input.raw_stream(index);
                let to = ffi::avformat_new_stream(raw, ptr::null());
                ensure!(!to.is_null(), "out of memory");
                copy_stream(from, to)?;
                (*to).time_base = (*from).time_base;
                if heritage.streams[index].kind == Kind::Cover {
                    check(ffi::av_packet_ref(&mut (*to).attached_pic, &(*from).attached_pic))?;
                }
            }
            if let Some(first) = first {
                heritage.adopt(first)?;
            }
            for index in 0..input.fields().nb_chapters as usize {
                let chapter = &**input.fields().chapters.add(index);
                heritage.add_chapter(chapter, start_us, length_us)?;
            }
        }
        Ok(heritage)
    }

    /// Side data of the first picture, for the stream.
    fn adopt(&self, first: &Picture) -> Result<()> {
        for (kind, name) in FROM_FRAME {
            let Some(data) = first.side_data(kind) else { continue };
            if self.side_data(name).is_none() {
                // SAFETY: the stream is alive, and nobody uses its side data yet.
                unsafe { version::add_side_data(self.raw_stream(self.video), name, data) }?;
            }
        }
        Ok(())
    }

    fn add_chapter(&self, from: &ffi::AVChapter, start_us: i64, length_us: Option<i64>) -> Result<()> {
        let micro = ffi::AVRational { num: 1, den: 1_000_000 };
        let unit = from.time_base;
        // SAFETY: the function only computes; a chapter's time base is not zero.
        let offset = unsafe { ffi::av_rescale_q(start_us, micro, unit) };
        // SAFETY: as above.
        let length = length_us.map_or(i64::MAX, |length| unsafe { ffi::av_rescale_q(length, micro, unit) });
        let (start, end) = (from.start.saturating_sub(offset), from.end.saturating_sub(offset));
        if end <= 0 && start < 0 || start >= length {
            return Ok(());
        }
        append_chapter(self.raw, from, start.max(0), end.min(length))
    }

    /// The side data of the filtered stream, of one kind.
    pub(crate) fn side_data(&self, kind: ffi::AVPacketSideDataType) -> Option<&[u8]> {
        // SAFETY: the stream is alive as long as `self`, and its side data do not change once `self` is made.
        let mut all = unsafe { version::side_data(self.raw_stream(self.video)) };
        all.find_map(|(found, data)| (found == kind).then_some(data))
    }

    /// What a copied stream is coded as.
    pub(crate) fn codec(&self, index: usize) -> ffi::AVCodecID {
        // SAFETY: the stream is alive as long as `self`.
        unsafe { (*(*self.raw_stream(index)).codecpar).codec_id }
    }

    /// Whether FFmpeg writes a stream like this from metadata or chapters, so that copying it would double it.
    pub(crate) fn is_rewritten(&self, index: usize) -> bool {
        // SAFETY: the stream and the context are alive as long as `self`.
        let (tag, chapters) = unsafe { ((*(*self.raw_stream(index)).codecpar).codec_tag, (*self.raw).nb_chapters) };
        match &tag.to_le_bytes() {
            b"tmcd" => true,
            b"text" => chapters > 0,
            _ => false,
        }
    }

    /// By how many degrees the filtered stream is to be turned when it is shown, counter-clockwise.
    pub(crate) fn rotation(&self) -> Option<f64> {
        let data = self.side_data(ffi::AVPacketSideDataType::AV_PKT_DATA_DISPLAYMATRIX)?;
        let matrix: Vec<_> = data.as_chunks::<4>().0.iter().map(|word| i32::from_ne_bytes(*word)).collect();
        if matrix.len() < 9 {
            return None;
        }
        // SAFETY: the matrix has the nine entries that the function reads.
        let angle = unsafe { ffi::av_display_rotation_get(matrix.as_ptr()) };
        angle.is_finite().then_some(angle)
    }

    /// Gives an output the file's metadata and chapters.
    ///
    /// # Safety
    /// The output must be a living context whose header is not yet written.
    pub(super) unsafe fn bestow(&self, output: *mut ffi::AVFormatContext) -> Result<()> {
        // SAFETY: both contexts are alive.
        unsafe {
            check(ffi::av_dict_copy(&mut (*output).metadata, (*self.raw).metadata, 0))?;
            // The writer of the output is another one.
            ffi::av_dict_set(&mut (*output).metadata, c"encoder".as_ptr(), ptr::null(), 0);
            for index in 0..(*self.raw).nb_chapters as usize {
                let chapter = &**(*self.raw).chapters.add(index);
                append_chapter(output, chapter, chapter.start, chapter.end)?;
            }
        }
        Ok(())
    }

    /// Makes `to` a copy of stream `index`, which goes on as it is.
    ///
    /// # Safety
    /// `to` must be a stream of a living output whose header is not yet written.
    pub(super) unsafe fn bestow_stream(&self, index: usize, to: *mut ffi::AVStream) -> Result<()> {
        // SAFETY: the caller vouches for `to`, the other is alive as long as `self`.
        unsafe {
            let from = self.raw_stream(index);
            copy_stream(from, to)?;
            (*to).time_base = (*from).time_base;
            // Another container has other tags for the same codec.
            (*(*to).codecpar).codec_tag = 0;
        }
        Ok(())
    }

    /// Gives `to`, which holds the filtered pictures, what does not depend on how they are encoded.
    ///
    /// # Safety
    /// As [`Heritage::bestow_stream`].
    pub(super) unsafe fn bestow_video(&self, to: *mut ffi::AVStream) -> Result<()> {
        // SAFETY: the caller vouches for `to`, the other is alive as long as `self`.
        unsafe {
            let from = self.raw_stream(self.video);
            copy_properties(from, to)?;
            // The encoder is another one, and whether it codes opacity apart is not yet said.
            for key in [c"encoder", c"alpha_mode"] {
                ffi::av_dict_set(&mut (*to).metadata, key.as_ptr(), ptr::null(), 0);
            }
        }
        Ok(())
    }

    /// Gives `to` the side data that stay true of the filtered pictures. The parameters of the stream must be those
    /// of its encoder already: to set them is to lose what was there.
    ///
    /// # Safety
    /// As [`Heritage::bestow_stream`].
    pub(super) unsafe fn bestow_side_data(&self, to: *mut ffi::AVStream) -> Result<()> {
        // SAFETY: the caller vouches for `to`, the other is alive as long as `self`.
        unsafe { copy_side_data(self.raw_stream(self.video), to, |kind| KEPT.contains(&kind)) }
    }

    /// The packet of a cover.
    pub(super) fn cover(&self, index: usize) -> &ffi::AVPacket {
        // SAFETY: the stream is alive as long as `self`.
        unsafe { &(*self.raw_stream(index)).attached_pic }
    }

    pub(super) fn raw_stream(&self, index: usize) -> *mut ffi::AVStream {
        assert!(index < self.streams.len(), "stream {index}");
        // SAFETY: the context has as many streams as `streams`.
        unsafe { *(*self.raw).streams.add(index) }
    }
}

impl Drop for Heritage {
    fn drop(&mut self) {
        // SAFETY: the context belongs to `self` and is freed once, with all that it holds.
        unsafe {
            for index in 0..(*self.raw).nb_streams as usize {
                ffi::av_packet_unref(&mut (**(*self.raw).streams.add(index)).attached_pic);
            }
            ffi::avformat_free_context(self.raw);
        }
    }
}

/// # Safety
/// Both streams must be alive.
unsafe fn copy_stream(from: *const ffi::AVStream, to: *mut ffi::AVStream) -> Result<()> {
    // SAFETY: the caller vouches for both.
    unsafe {
        check(ffi::avcodec_parameters_copy((*to).codecpar, (*from).codecpar))?;
        copy_properties(from, to)?;
        copy_side_data(from, to, |_| true)
    }
}

/// All of a stream but its side data and what its codec says.
///
/// # Safety
/// Both streams must be alive.
unsafe fn copy_properties(from: *const ffi::AVStream, to: *mut ffi::AVStream) -> Result<()> {
    // SAFETY: the caller vouches for both.
    unsafe {
        check(ffi::av_dict_copy(&mut (*to).metadata, (*from).metadata, 0))?;
        (*to).id = (*from).id;
        (*to).disposition = (*from).disposition;
        (*to).sample_aspect_ratio = (*from).sample_aspect_ratio;
        (*to).avg_frame_rate = (*from).avg_frame_rate;
        (*to).r_frame_rate = (*from).r_frame_rate;
    }
    Ok(())
}

/// Side data of the kinds that are to be kept.
///
/// # Safety
/// Both streams must be alive, be two, and nobody may use their side data.
unsafe fn copy_side_data(
    from: *const ffi::AVStream,
    to: *mut ffi::AVStream,
    keep: impl Fn(ffi::AVPacketSideDataType) -> bool,
) -> Result<()> {
    // SAFETY: the caller vouches for both.
    unsafe {
        for (kind, data) in version::side_data(from).filter(|(kind, _)| keep(*kind)) {
            version::add_side_data(to, kind, data)?;
        }
    }
    Ok(())
}

/// Adds a chapter with the name of `from`. FFmpeg has no public function for it; muxers and `avformat_free_context`
/// expect the chapter, and the list, in memory of FFmpeg's allocator.
fn append_chapter(output: *mut ffi::AVFormatContext, from: &ffi::AVChapter, start: i64, end: i64) -> Result<()> {
    // SAFETY: callers pass a living context; the memory comes zeroed and of the right size from FFmpeg's allocator,
    // and the list grows by FFmpeg's own function, which frees it on failure.
    unsafe {
        let chapter: *mut ffi::AVChapter = ffi::av_mallocz(size_of::<ffi::AVChapter>()).cast();
        ensure!(!chapter.is_null(), "out of memory");
        (*chapter).id = from.id;
        (*chapter).time_base = from.time_base;
        (*chapter).start = start;
        (*chapter).end = end;
        let copied = ffi::av_dict_copy(&mut (*chapter).metadata, from.metadata, 0);
        let mut count = (*output).nb_chapters as c_int;
        let added = ffi::av_dynarray_add_nofree((&raw mut (*output).chapters).cast(), &mut count, chapter.cast());
        if added < 0 {
            ffi::av_dict_free(&mut (*chapter).metadata);
            ffi::av_free(chapter.cast());
        }
        check(added)?;
        (*output).nb_chapters = count as c_uint;
        check(copied)?;
    }
    Ok(())
}
