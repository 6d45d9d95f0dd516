//! FFmpeg's own messages, sent to the `log` crate instead of stderr.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Once;

use ffmpeg_next::ffi;

use super::damage;

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

/// Keeps SVT-AV1 from writing to stderr on its own, unless the environment says how much it is to say. Has no effect once
/// there are several threads.
pub fn silence_encoders() {
    const NAME: &str = "SVT_LOG";
    let is_alone = std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1);
    if is_alone && std::env::var_os(NAME).is_none() {
        // SAFETY: this is the only thread of the process, so that nobody reads the environment meanwhile.
        unsafe { std::env::set_var(NAME, "1") };
    }
}

thread_local! {
    static COMPLAINT: RefCell<Option<Complaint>> = const { RefCell::new(None) };
    /// The first complaint of a container's reader or writer; parsers that complain later do not hide it.
    static CONTAINER_COMPLAINT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// An error that one of FFmpeg's libraries reported.
struct Complaint {
    text: String,
    /// What complained, by FFmpeg's name of its class.
    class: Option<&'static CStr>,
}

/// The last error that FFmpeg reported on this thread since this was last asked: what its codes do not say.
pub fn complaint() -> Option<String> {
    CONTAINER_COMPLAINT.take();
    COMPLAINT.take().map(|complaint| complaint.text)
}

/// Whether that error holds; it stays to be asked for.
pub fn last_complaint(holds: impl FnOnce(&str) -> bool) -> bool {
    COMPLAINT.with_borrow(|complaint| complaint.as_ref().is_some_and(|complaint| holds(&complaint.text)))
}

/// The first error of a container's reader or writer since then, without those of parsers and codecs, which also complain
/// about things that are allowed.
pub fn container_complaint() -> Option<String> {
    COMPLAINT.take();
    CONTAINER_COMPLAINT.take()
}

/// The same, if it was a decoder or an encoder that complained.
pub fn codec_complaint() -> Option<String> {
    COMPLAINT.take().filter(|complaint| complaint.class == Some(c"AVCodecContext")).map(|complaint| complaint.text)
}

/// A C argument list as a parameter, as the bindings spell it. Where a list is an array, which C passes by its address:
#[cfg(any(target_arch = "x86_64", target_arch = "s390x", target_arch = "powerpc"))]
type Arguments = *mut ffi::__va_list_tag;
/// And where it is a pointer or a structure, as on aarch64.
#[cfg(not(any(target_arch = "x86_64", target_arch = "s390x", target_arch = "powerpc")))]
type Arguments = ffi::va_list;

/// The class of containers' contexts.
const CONTAINER: &CStr = c"AVFormatContext";

/// What a message comes from.
#[derive(Clone, Copy)]
struct Origin {
    /// FFmpeg's name of its class.
    class: Option<&'static CStr>,
    /// The `opaque` of a codec's context.
    codec: Option<usize>,
}

impl Origin {
    /// # Safety
    /// It must be what FFmpeg passes to its log.
    unsafe fn of(source: *mut c_void) -> Self {
        // SAFETY: what FFmpeg passes is null or begins with a pointer to its class, which lives as long as the program,
        // as its name; the class that is compared is that of codec contexts.
        unsafe {
            let class = source.cast::<*const ffi::AVClass>().as_ref().and_then(|class| class.as_ref());
            let class = class.map(|class| class.class_name).filter(|name| !name.is_null());
            let class = class.map(|name| CStr::from_ptr(name));
            let is_codec = class == Some(c"AVCodecContext");
            let codec = is_codec.then(|| (*source.cast::<ffi::AVCodecContext>()).opaque as usize);
            Self { class, codec }
        }
    }
}

/// Messages of the readers of NUT and FLV, none of them an error, where they skip what they cannot read.
const RESYNCING: [&[u8]; 2] = [b"syncing from %", b"Skipping flv packet"];

extern "C" fn forward(source: *mut c_void, severity: c_int, format: *const c_char, arguments: Arguments) {
    // SAFETY: FFmpeg passes its own source.
    let origin = unsafe { Origin::of(source) };
    // SAFETY: FFmpeg passes null or a text that ends with a zero and lives for the call.
    let words = if format.is_null() { b"" } else { unsafe { CStr::from_ptr(format) }.to_bytes() };
    let is_lost = origin.class == Some(CONTAINER) && RESYNCING.iter().any(|text| words.starts_with(text));
    let level = if severity <= ffi::AV_LOG_WARNING { ::log::Level::Debug } else { ::log::Level::Trace };
    let complaint = severity <= ffi::AV_LOG_ERROR || is_lost;
    if let Some(opaque) = origin.codec {
        damage::count_message(opaque, words, complaint);
    }
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
        if origin.class == Some(CONTAINER) {
            CONTAINER_COMPLAINT.with_borrow_mut(|first| first.get_or_insert_with(|| text.to_owned()).len());
        }
        COMPLAINT.set(Some(Complaint { text: text.to_owned(), class: origin.class }));
    }
}
