//! The corner where FFmpeg's libraries are called: the only home of their unsafe code, behind safe wrappers.
//!
//! Its parts know nothing of sources and sinks. [`pixel`] and [`convert`] are for everybody who meets packed pixels;
//! the others serve [`crate::source::container`] and [`crate::sink::container`].

pub mod convert;
pub mod error;
pub mod log;
pub mod pixel;
mod repack;

pub use convert::Converter;
pub use pixel::Stored;
