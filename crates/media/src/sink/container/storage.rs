//! The pixel formats in which a reader finds what an encoder wrote: some encoders accept more than that.

use ffmpeg_next::codec::Id;

use crate::libav::Stored;
use crate::libav::codec::Codec;
use crate::libav::muxer::Muxer;

/// Raw formats that come back from a container as they were written: AVI, QuickTime and Matroska name them by four letters,
/// of which FFmpeg has one for few formats, and writes the others as if they were those. Found by writing each with FFmpeg
/// 5.1 and comparing.
const RAW: [(&[&str], &[&str]); 3] = [
    (
        &["avi"],
        &["yuv420p", "yuv422p", "yuv410p", "yuv411p", "nv12", "yuyv422", "uyvy422", "gray", "bgr24", "rgba", "bgra"],
    ),
    (&["mov", "mp4", "ipod"], &["yuyv422", "uyvy422", "rgb24", "bgr24", "rgba", "bgra", "argb", "abgr", "rgb48be"]),
    (
        &["matroska", "webm"],
        &["yuv420p", "yuv422p", "yuv410p", "yuv411p", "nv12", "yuyv422", "uyvy422", "gray", "rgba"],
    ),
];

/// Returns whether a reader of the output finds the pictures again.
pub(super) fn is_readable(codec: Codec, muxer: Muxer, stored: Stored) -> bool {
    match codec.id() {
        Id::RAWVIDEO => {
            let row = RAW.iter().find(|(containers, _)| containers.contains(&muxer.name()));
            row.is_none_or(|(_, names)| names.contains(&stored.name()))
        }
        // FFmpeg's encoder breaks samples of 16 bits: 22 to 28 dB from the source, whatever its options are.
        Id::JPEG2000 if codec.name() == "jpeg2000" => stored.pixel().depth <= 8,
        _ => true,
    }
}
