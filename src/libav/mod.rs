//! The corner where FFmpeg's libraries are called: the only home of their unsafe code, behind safe wrappers.
//!
//! Its parts know nothing of sources and sinks. [`pixel`] and [`convert`] are for everybody who meets packed pixels,
//! [`condition`] is for filters that act on some frames only; the others serve [`crate::source::container`] and [`crate::sink::container`].

mod avio;
mod colour;
pub mod condition;
pub mod convert;
pub(crate) mod decoder;
mod dictionary;
pub(crate) mod encoder;
pub mod error;
pub mod heritage;
pub(crate) mod input;
pub(crate) mod light;
mod loan;
pub mod log;
pub(crate) mod output;
pub(crate) mod packet;
pub(crate) mod picture;
pub mod pixel;
mod repack;
mod version;

pub use crate::strictness::Strictness;
pub use condition::Condition;
pub use convert::Converter;
pub use heritage::Heritage;
pub use pixel::Stored;

/// FFmpeg's version as its libraries give it: `5.1.9-0+deb12u1`.
pub fn version() -> String {
    // SAFETY: the function gives a string that ends with a zero and lives as long as the program.
    unsafe { std::ffi::CStr::from_ptr(ffmpeg_sys_next::av_version_info()) }.to_string_lossy().into_owned()
}

/// Whether this FFmpeg has a video encoder of that name. It may still need a device that is not there.
pub fn has_encoder(name: &str) -> bool {
    encoder::Codec::find(name).is_ok()
}
