//! FFmpeg's own messages, sent to the `log` crate instead of stderr.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

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
}

/// An error that one of FFmpeg's libraries reported.
struct Complaint {
    text: String,
    /// What complained, by FFmpeg's name of its class.
    class: Option<&'static CStr>,
}

/// The last error that FFmpeg reported on this thread since this was last asked: what its codes do not say.
pub fn complaint() -> Option<String> {
    COMPLAINT.take().map(|complaint| complaint.text)
}

/// Whether that error holds; it stays to be asked for.
pub fn last_complaint(holds: impl FnOnce(&str) -> bool) -> bool {
    COMPLAINT.with_borrow(|complaint| complaint.as_ref().is_some_and(|complaint| holds(&complaint.text)))
}

/// The same, if it was a container's reader or writer that complained, and not a parser or a codec, which also do so
/// about things that are allowed.
pub fn container_complaint() -> Option<String> {
    COMPLAINT.take().filter(|complaint| complaint.class == Some(c"AVFormatContext")).map(|complaint| complaint.text)
}

/// The same, if it was a decoder or an encoder that complained.
pub fn codec_complaint() -> Option<String> {
    COMPLAINT.take().filter(|complaint| complaint.class == Some(c"AVCodecContext")).map(|complaint| complaint.text)
}

/// How often decoders said that they made up a part of a picture, by what their context calls `opaque`. With frame
/// threads the flags of the pictures themselves are lost on the way, and this is the only trace.
static CONCEALED: Mutex<Vec<(usize, Arc<AtomicU64>)>> = Mutex::new(Vec::new());

/// What every FFmpeg says when it has mended a picture.
const CONCEALING: &[u8] = b"concealing %d DC";

/// Counts the pictures that a decoder had to mend, for as long as it is kept.
pub struct Concealments {
    opaque: usize,
    count: Arc<AtomicU64>,
}

impl Concealments {
    /// Watches the decoder whose context calls this `opaque`.
    pub fn new(opaque: usize) -> Self {
        let count = Arc::new(AtomicU64::new(0));
        CONCEALED.lock().unwrap_or_else(PoisonError::into_inner).push((opaque, count.clone()));
        Self { opaque, count }
    }

    /// How many pictures there were so far.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

impl Drop for Concealments {
    fn drop(&mut self) {
        CONCEALED.lock().unwrap_or_else(PoisonError::into_inner).retain(|(known, _)| *known != self.opaque);
    }
}

/// A decoder has mended a picture.
fn count_concealed(opaque: usize) {
    let watched = CONCEALED.lock().unwrap_or_else(PoisonError::into_inner);
    for (_, count) in watched.iter().filter(|(known, _)| *known == opaque) {
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// A C argument list as a parameter, as the bindings spell it. Where a list is an array, which C passes by its address:
#[cfg(any(target_arch = "x86_64", target_arch = "s390x", target_arch = "powerpc"))]
type Arguments = *mut ffi::__va_list_tag;
/// And where it is a pointer or a structure, as on aarch64.
#[cfg(not(any(target_arch = "x86_64", target_arch = "s390x", target_arch = "powerpc")))]
type Arguments = ffi::va_list;

/// What a message comes from.
#[derive(Clone, Copy)]
struct Origin {
    /// FFmpeg's name of its class.
    class: Option<&'static CStr>,
    /// The `opaque` of a codec's context, if the message is that of a mended picture.
    mended: Option<usize>,
}

impl Origin {
    /// # Safety
    /// Both must be what FFmpeg passes to its log.
    unsafe fn of(source: *mut c_void, format: *const c_char) -> Self {
        // SAFETY: what FFmpeg passes is null or begins with a pointer to its class, which lives as long as the program,
        // as its name; the class that is compared is that of codec contexts. The format is null or ends with a zero.
        unsafe {
            let class = source.cast::<*const ffi::AVClass>().as_ref().and_then(|class| class.as_ref());
            let class = class.map(|class| class.class_name).filter(|name| !name.is_null());
            let class = class.map(|name| CStr::from_ptr(name));
            let is_mended = class == Some(c"AVCodecContext")
                && !format.is_null()
                && CStr::from_ptr(format).to_bytes().starts_with(CONCEALING);
            let mended = is_mended.then(|| (*source.cast::<ffi::AVCodecContext>()).opaque as usize);
            Self { class, mended }
        }
    }
}

extern "C" fn forward(source: *mut c_void, severity: c_int, format: *const c_char, arguments: Arguments) {
    // SAFETY: FFmpeg passes its own source and format.
    let origin = unsafe { Origin::of(source, format) };
    origin.mended.into_iter().for_each(count_concealed);
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
        COMPLAINT.set(Some(Complaint { text: text.to_owned(), class: origin.class }));
    }
}
