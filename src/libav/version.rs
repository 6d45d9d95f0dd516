//! Which FFmpeg is linked, and which encoders it has.

use std::ffi::CString;

use ffmpeg_next::ffi;

/// Name and version of each library: `libavcodec 59.37.100`.
pub fn libraries() -> Vec<String> {
    // SAFETY: these functions take nothing and return numbers that are fixed when the libraries are built.
    let versions = unsafe {
        [
            ("libavcodec", ffi::avcodec_version()),
            ("libavformat", ffi::avformat_version()),
            ("libavutil", ffi::avutil_version()),
            ("libswscale", ffi::swscale_version()),
        ]
    };
    let text =
        |(name, version): (&str, u32)| format!("{name} {}.{}.{}", version >> 16, version >> 8 & 0xff, version & 0xff);
    versions.map(text).to_vec()
}

/// Whether FFmpeg has an encoder of this name.
pub fn has_encoder(name: &str) -> bool {
    let Ok(name) = CString::new(name) else { return false };
    // SAFETY: the name is a string that ends in a zero and outlives the call.
    unsafe { !ffi::avcodec_find_encoder_by_name(name.as_ptr()).is_null() }
}
