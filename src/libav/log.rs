//! FFmpeg's own messages, sent to the `log` crate instead of stderr.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Once;

use ffmpeg_next::ffi;

/// Sends all that FFmpeg's libraries have to say to the `log` crate, under the target `libav`: what they call errors
/// and warnings as `debug`, the rest as `trace`, because what matters is said again, in this program's words, by
/// whoever called them. May be called any number of times.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: `forward` has the type that the function asks for and may be called from any thread.
        unsafe { ffi::av_log_set_callback(Some(forward)) };
    });
}

/// The type of a C argument list, however the platform spells it.
type Arguments = *mut ffi::__va_list_tag;

extern "C" fn forward(source: *mut c_void, level: c_int, format: *const c_char, arguments: Arguments) {
    let level = if level <= ffi::AV_LOG_WARNING { ::log::Level::Debug } else { ::log::Level::Trace };
    if !::log::log_enabled!(target: "libav", level) {
        return;
    }
    let mut line = [0u8; 1024];
    let mut prefix: c_int = 1;
    // SAFETY: FFmpeg passes its own source, format and arguments, which live for the call; the length of the
    // buffer is passed, and the function ends the text with a zero.
    unsafe {
        let length = line.len() as c_int;
        ffi::av_log_format_line2(
            source,
            level_number(level),
            format,
            arguments,
            line.as_mut_ptr().cast(),
            length,
            &mut prefix,
        );
    }
    let text = CStr::from_bytes_until_nul(&line).map(CStr::to_string_lossy).unwrap_or_default();
    if !text.trim().is_empty() {
        ::log::log!(target: "libav", level, "{}", text.trim_end());
    }
}

/// Only for the prefix of a line, which this program does not ask for by level.
fn level_number(level: ::log::Level) -> c_int {
    if level == ::log::Level::Debug { ffi::AV_LOG_WARNING } else { ffi::AV_LOG_INFO }
}
