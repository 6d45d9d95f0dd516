//! Where FFmpeg's interfaces differ from version to version. Nothing else in this program asks which one it is built
//! against; `build.rs` tells it here, and `cfg(ffmpeg_7_0)` holds from 7.0 on.

use std::ffi::c_int;
use std::{ptr, slice};

use anyhow::{Result, ensure};
use ffmpeg_sys_next as ffi;

/// The bytes that FFmpeg hands to a function that writes them.
#[cfg(ffmpeg_7_0)]
pub type Written = *const u8;
/// The bytes that FFmpeg hands to a function that writes them.
#[cfg(not(ffmpeg_7_0))]
pub type Written = *mut u8;

#[cfg(not(ffmpeg_8_0))]
use ffi as scaling;
#[cfg(ffmpeg_8_0)]
use ffi::SwsFlags as scaling;

/// libswscale at its most exact, and the same on every machine.
pub const EXACT_SCALING: c_int = scaling::SWS_BICUBIC as c_int
    | scaling::SWS_ACCURATE_RND as c_int
    | scaling::SWS_BITEXACT as c_int
    | scaling::SWS_FULL_CHR_H_INT as c_int
    | scaling::SWS_FULL_CHR_H_INP as c_int;

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
///
/// # Safety
/// The codec must be one of FFmpeg's.
pub unsafe fn pixel_formats(codec: *const ffi::AVCodec) -> Vec<ffi::AVPixelFormat> {
    let mut formats = Vec::new();
    // SAFETY: the caller vouches for the codec; the list is null or ends with `AV_PIX_FMT_NONE`, and lives as long as
    // the program.
    unsafe {
        #[cfg(ffmpeg_7_1)]
        let mut next = {
            let (mut list, mut count) = (ptr::null(), 0);
            let wanted = ffi::AVCodecConfig::AV_CODEC_CONFIG_PIX_FORMAT;
            let code = ffi::avcodec_get_supported_config(ptr::null(), codec, wanted, 0, &mut list, &mut count);
            if code < 0 { ptr::null() } else { list.cast::<ffi::AVPixelFormat>() }
        };
        #[cfg(not(ffmpeg_7_1))]
        let mut next = (*codec).pix_fmts;
        while !next.is_null() && *next != ffi::AVPixelFormat::AV_PIX_FMT_NONE {
            formats.push(*next);
            next = next.add(1);
        }
    }
    formats
}

/// The side data of a stream, by their kind. Their home is the stream itself before 6.1, its parameters since.
///
/// # Safety
/// The stream must be alive, and its side data must not change while the result is used.
pub unsafe fn side_data<'a>(
    stream: *const ffi::AVStream,
) -> impl Iterator<Item = (ffi::AVPacketSideDataType, &'a [u8])> {
    // SAFETY: the caller vouches for the stream, which has parameters.
    let (list, count) = unsafe {
        #[cfg(ffmpeg_6_1)]
        let found = ((*(*stream).codecpar).coded_side_data, (*(*stream).codecpar).nb_coded_side_data);
        #[cfg(not(ffmpeg_6_1))]
        let found = ((*stream).side_data, (*stream).nb_side_data);
        found
    };
    (0..usize::try_from(count).unwrap_or(0)).map(move |index| {
        // SAFETY: the list has the length that its owner names, and each piece of data the size that it names.
        unsafe {
            let side = &*list.add(index);
            let bytes = if side.size == 0 { &[] } else { slice::from_raw_parts(side.data, side.size) };
            (side.type_, bytes)
        }
    })
}

/// Adds side data to a stream, or replaces those of the same kind.
///
/// # Errors
/// If memory runs out.
///
/// # Safety
/// The stream must be alive, and nobody may use its side data.
pub unsafe fn add_side_data(stream: *mut ffi::AVStream, kind: ffi::AVPacketSideDataType, data: &[u8]) -> Result<()> {
    // SAFETY: the caller vouches for the stream; what is given back is null or has room for the data.
    unsafe {
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
