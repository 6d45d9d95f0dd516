//! Where FFmpeg's interfaces differ from version to version. Nothing else in this program asks which one it is built
//! against; `build.rs` tells it here, and `cfg(ffmpeg_7_0)` holds from 7.0 on.

use std::ffi::c_int;
use std::{ptr, slice};

use anyhow::{Result, ensure};
use ffmpeg_next::{Codec, Stream, StreamMut, ffi};

use super::fields::Fields as _;

/// What an encoder takes, as FFmpeg's list that lives as long as the program; null where it takes anything.
/// `ffmpeg-next` reads fields up to 8.1 that newer encoders leave to a function since 7.1.
macro_rules! supported {
    ($codec:expr, $config:ident, $field:ident) => {{
        #[cfg(ffmpeg_7_1)]
        let list = {
            let (mut list, mut count) = (ptr::null(), 0);
            let (codec, wanted) = ($codec.as_ptr(), ffi::AVCodecConfig::$config);
            let code = ffi::avcodec_get_supported_config(ptr::null(), codec, wanted, 0, &mut list, &mut count);
            if code < 0 { ptr::null() } else { list.cast() }
        };
        #[cfg(not(ffmpeg_7_1))]
        let list = $codec.fields().$field;
        list
    }};
}

/// Lets the threads of a decoder ask for memory at the same time, as later versions always do.
pub fn allow_concurrent_callbacks(context: &mut ffi::AVCodecContext) {
    #[cfg(not(ffmpeg_6_0))]
    {
        context.thread_safe_callbacks = 1;
    }
    #[cfg(ffmpeg_6_0)]
    let _ = context;
}

/// How long a frame is shown, in its time base; 0 where unknown.
pub fn duration(frame: &ffi::AVFrame) -> i64 {
    #[cfg(ffmpeg_6_0)]
    return frame.duration;
    #[cfg(not(ffmpeg_6_0))]
    return frame.pkt_duration;
}

/// Says how long a frame is shown, in its time base.
pub fn set_duration(frame: &mut ffi::AVFrame, duration: i64) {
    #[cfg(ffmpeg_6_0)]
    {
        frame.duration = duration;
    }
    // Where there are both, encoders believe the older one.
    #[cfg(not(ffmpeg_7_0))]
    {
        frame.pkt_duration = duration;
    }
}

/// Whether a frame has two fields, and whether the upper one comes first.
pub fn fields(frame: &ffi::AVFrame) -> (bool, bool) {
    #[cfg(ffmpeg_6_1)]
    return (frame.flags & ffi::AV_FRAME_FLAG_INTERLACED != 0, frame.flags & ffi::AV_FRAME_FLAG_TOP_FIELD_FIRST != 0);
    #[cfg(not(ffmpeg_6_1))]
    return (frame.interlaced_frame != 0, frame.top_field_first != 0);
}

/// Says whether a frame has two fields, and whether the upper one comes first.
pub fn set_fields(frame: &mut ffi::AVFrame, (are_two, upper_first): (bool, bool)) {
    #[cfg(ffmpeg_6_1)]
    {
        set_flag(frame, ffi::AV_FRAME_FLAG_INTERLACED, are_two);
        set_flag(frame, ffi::AV_FRAME_FLAG_TOP_FIELD_FIRST, upper_first);
    }
    // Where there are both, encoders believe either.
    #[cfg(not(ffmpeg_8_0))]
    {
        frame.interlaced_frame = c_int::from(are_two);
        frame.top_field_first = c_int::from(upper_first);
    }
}

/// Forgets that a frame was a key frame where it comes from.
pub fn forget_key(frame: &mut ffi::AVFrame) {
    #[cfg(ffmpeg_6_1)]
    set_flag(frame, ffi::AV_FRAME_FLAG_KEY, false);
    // As in `set_fields`.
    #[cfg(not(ffmpeg_8_0))]
    {
        frame.key_frame = 0;
    }
}

#[cfg(ffmpeg_6_1)]
fn set_flag(frame: &mut ffi::AVFrame, flag: c_int, value: bool) {
    frame.flags = if value { frame.flags | flag } else { frame.flags & !flag };
}

/// The pixel formats that an encoder takes; empty where it takes any.
pub fn pixel_formats(codec: Codec) -> Vec<ffi::AVPixelFormat> {
    let end = ffi::AVPixelFormat::AV_PIX_FMT_NONE;
    // SAFETY: the list is one of pixel formats and ends with none.
    unsafe { taken(supported!(codec, AV_CODEC_CONFIG_PIX_FORMAT, pix_fmts), end) }
}

/// The sample formats that an encoder takes; empty where it takes any.
pub fn sample_formats(codec: Codec) -> Vec<ffi::AVSampleFormat> {
    let end = ffi::AVSampleFormat::AV_SAMPLE_FMT_NONE;
    // SAFETY: the list is one of sample formats and ends with none.
    unsafe { taken(supported!(codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, sample_fmts), end) }
}

/// The samples a second that an encoder takes; empty where it takes any.
pub fn sample_rates(codec: Codec) -> Vec<c_int> {
    // SAFETY: the list is one of numbers and ends with zero.
    unsafe { taken(supported!(codec, AV_CODEC_CONFIG_SAMPLE_RATE, supported_samplerates), 0) }
}

/// A copy of a list.
///
/// # Safety
/// The list is null, or ends with `end` and lives for the call.
unsafe fn taken<T: Copy + PartialEq>(mut next: *const T, end: T) -> Vec<T> {
    let mut taken = Vec::new();
    // SAFETY: the caller vouches for it.
    unsafe {
        while !next.is_null() && *next != end {
            taken.push(*next);
            next = next.add(1);
        }
    }
    taken
}

/// How much later than they are, in their stream's time base, packets must be called for the writer of Matroska to give
/// them their times: readers take off how long an Opus decoder needs to begin, and writers add it since 6.0 only.
pub fn unwritten_delay(container: &str, stream: &Stream<'_>) -> i64 {
    #[cfg(not(ffmpeg_6_0))]
    if ["matroska", "webm"].contains(&container) {
        use ffmpeg_next::Rescale as _;

        let parameters = stream.parameters();
        let fields = parameters.fields();
        let is_opus = fields.codec_id == ffi::AVCodecID::AV_CODEC_ID_OPUS;
        let unit = ffmpeg_next::Rational::new(1, 48_000);
        return if is_opus { i64::from(fields.initial_padding).rescale(unit, stream.time_base()) } else { 0 };
    }
    let _ = (container, stream);
    0
}

/// The side data of a stream, by their kind. Their home is the stream itself before 6.1, its parameters since; to
/// `ffmpeg-next` it is the stream up to 7.1.
pub fn side_data(stream: &Stream<'_>) -> Vec<(ffi::AVPacketSideDataType, Vec<u8>)> {
    #[cfg(ffmpeg_6_1)]
    let parameters = stream.parameters();
    #[cfg(ffmpeg_6_1)]
    let (list, count) = (parameters.fields().coded_side_data, parameters.fields().nb_coded_side_data);
    #[cfg(not(ffmpeg_6_1))]
    let (list, count) = (stream.fields().side_data, stream.fields().nb_side_data);
    let copy = |index| {
        // SAFETY: the list has the length that its owner names, which is borrowed for the call, and each piece of data
        // the size that it names.
        unsafe {
            let side = &*list.add(index);
            let bytes = if side.size == 0 { &[] } else { slice::from_raw_parts(side.data, side.size) };
            (side.type_, bytes.to_vec())
        }
    };
    (0..usize::try_from(count).unwrap_or(0)).map(copy).collect()
}

/// Adds side data to a stream, or replaces those of the same kind.
///
/// # Errors
/// If memory runs out.
pub fn add_side_data(stream: &mut StreamMut<'_>, kind: ffi::AVPacketSideDataType, data: &[u8]) -> Result<()> {
    // SAFETY: the stream is borrowed for the call, and so are its side data; what is given back is null or has room for
    // the data.
    unsafe {
        let stream = stream.as_mut_ptr();
        #[cfg(ffmpeg_6_1)]
        let copy = {
            let home = &mut *(*stream).codecpar;
            let (list, count) = (&mut home.coded_side_data, &mut home.nb_coded_side_data);
            ffi::av_packet_side_data_new(list, count, kind, data.len(), 0)
                .as_ref()
                .map_or(ptr::null_mut(), |new| new.data)
        };
        #[cfg(not(ffmpeg_6_1))]
        let copy = ffi::av_stream_new_side_data(stream, kind, data.len());
        ensure!(!copy.is_null(), "out of memory");
        ptr::copy_nonoverlapping(data.as_ptr(), copy, data.len());
    }
    Ok(())
}
