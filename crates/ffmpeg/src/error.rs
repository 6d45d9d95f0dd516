//! What FFmpeg's error codes say, as errors of this program.

use std::ffi::{CStr, c_int};
use std::io;

use ffmpeg_next::ffi;

/// The end of a file or of a codec's output.
pub const END: c_int = ffi::AVERROR_EOF;
/// More input is wanted before there is output, or the other way round.
pub const AGAIN: c_int = ffi::AVERROR(ffi::EAGAIN);
/// Something failed while bytes were read or written.
pub const IO: c_int = ffi::AVERROR(ffi::EIO);
/// There is not enough memory.
pub const NO_MEMORY: c_int = ffi::AVERROR(ffi::ENOMEM);
/// The data is not what the format asks for.
const INVALID: c_int = ffi::AVERROR_INVALIDDATA;

/// The largest number of an operating system's error; FFmpeg's own codes are four letters and far below.
const LAST_ERRNO: c_int = 4095;

/// A negative return value as an error. Errors of the operating system stay [`io::Error`], so that a broken pipe
/// can be found in the chain by its kind.
pub fn error(code: c_int) -> anyhow::Error {
    if (-LAST_ERRNO..0).contains(&code) {
        return anyhow::Error::new(io::Error::from_raw_os_error(-code));
    }
    if code == INVALID { anyhow::Error::new(Damaged(text(code))) } else { anyhow::Error::msg(text(code)) }
}

/// True for errors without detail, for which FFmpeg's log is quoted.
pub fn is_vague(error: &anyhow::Error) -> bool {
    match error.downcast_ref::<io::Error>() {
        Some(error) => error.raw_os_error() == Some(ffi::EIO),
        None => is_damage(error),
    }
}

/// An error of `ffmpeg-next`, as [`error()`]. Its own words are not used: they need a table that is filled in without a
/// lock, and a function of the C library that threads must not share.
pub fn explain(error: ffmpeg_next::Error) -> anyhow::Error {
    self::error(error.into())
}

/// Whether an error says that data is damaged, rather than that something failed.
pub fn is_damage(error: &anyhow::Error) -> bool {
    let invalid = |error: &io::Error| error.kind() == io::ErrorKind::InvalidInput;
    error.downcast_ref::<Damaged>().is_some() || error.downcast_ref().is_some_and(invalid)
}

/// Data that is not what the format asks for.
#[derive(Debug)]
struct Damaged(String);

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Damaged {}

/// Memory for a picture ran out; the error's cause tells more.
#[derive(Debug)]
pub struct NoMemory;

impl std::fmt::Display for NoMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("out of memory for a picture")
    }
}

/// The value, or the error that a negative one stands for.
pub fn check(code: c_int) -> anyhow::Result<c_int> {
    if code < 0 { Err(error(code)) } else { Ok(code) }
}

/// FFmpeg's words for one of its codes, as this program writes errors.
pub fn text(code: c_int) -> String {
    let mut buffer = [0u8; 128];
    // SAFETY: the buffer is writable and its length is passed; the function ends the text with a zero.
    unsafe { ffi::av_strerror(code, buffer.as_mut_ptr().cast(), buffer.len()) };
    sentence(&CStr::from_bytes_until_nul(&buffer).map(CStr::to_string_lossy).unwrap_or_default())
}

/// Words of FFmpeg's as this program writes errors: without a capital.
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// The operating system's number of an I/O error, or of the nearest that has one.
pub fn errno(error: &io::Error) -> c_int {
    match (error.raw_os_error(), error.kind()) {
        (Some(number), _) => number,
        (None, io::ErrorKind::BrokenPipe) => ffi::EPIPE,
        (None, _) => ffi::EIO,
    }
}
