//! FFmpeg's own messages, sent to the `log` crate instead of stderr.

use std::cell::RefCell;
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

thread_local! {
    static COMPLAINT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The last error that FFmpeg reported on this thread since this was last asked: what its codes do not say.
pub(crate) fn complaint() -> Option<String> {
    COMPLAINT.take()
}

/// The type of a C argument list, however the platform spells it.
type Arguments = *mut ffi::__va_list_tag;

extern "C" fn forward(source: *mut c_void, severity: c_int, format: *const c_char, arguments: Arguments) {
    let level = if severity <= ffi::AV_LOG_WARNING { ::log::Level::Debug } else { ::log::Level::Trace };
    let complaint = severity <= ffi::AV_LOG_ERROR;
    if !complaint && !::log::log_enabled!(target: "libav", level) {
        return;
    }
    let mut line = [0u8; 1024];
    let mut prefix: c_int = 0;
    // SAFETY: FFmpeg passes its own source, format and arguments, which live for the call; the length of the
    // buffer is passed, and the function ends the text with a zero.
    unsafe {
        let length = line.len() as c_int;
        ffi::av_log_format_line2(source, severity, format, arguments, line.as_mut_ptr().cast(), length, &mut prefix);
    }
    let text = CStr::from_bytes_until_nul(&line).map(CStr::to_string_lossy).unwrap_or_default();
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    ::log::log!(target: "libav", level, "{text}");
    if complaint {
        COMPLAINT.set(Some(text.to_owned()));
    }
}
