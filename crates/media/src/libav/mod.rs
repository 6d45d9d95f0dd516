//! The corner where FFmpeg's libraries are called: the only home of their unsafe code, behind safe wrappers.
//!
//! It rests on the safe types of `ffmpeg-next`: contexts, parameters, packets, dictionaries, rationals, errors, codecs,
//! streams of bytes. Its raw bindings are called where those types do less than is needed (the pool's memory lent to
//! decoders, what is left of options, covers, side data), or panic or fail at input that they do not expect (names that
//! are no UTF-8, metadata likewise, colours without a name); a line at each such place says which.
//!
//! Its parts know nothing of sources and sinks. [`pixel`] and [`convert`] are for everybody who meets packed pixels,
//! [`condition`] is for filters that act on some frames only; the others serve [`crate::source::container`] and
//! [`crate::sink::container`].

mod adapter;
pub mod address;
mod avio;
mod buffer;
mod caption;
mod chapter;
pub(crate) mod codec;
mod colour;
pub mod convert;
pub(crate) mod decoder;
mod device;
mod dictionary;
pub(crate) mod encoder;
mod fields;
mod hardware;
mod image;
pub(crate) mod input;
pub(crate) mod light;
pub(crate) mod limit;
mod loan;
pub(crate) mod muxer;
mod naming;
mod on_device;
mod opacity;
pub(crate) mod outcome;
pub(crate) mod output;
pub(crate) mod packet;
mod palette;
pub(crate) mod passed;
pub(crate) mod picture;
pub mod pixel;
mod recode;
mod repack;
mod replay;
mod retained;
mod sample;
mod scaler;
mod sound;
pub mod source_info;
pub mod stored;
pub(crate) mod stream;
mod surface;
pub(crate) mod timecode;
pub(crate) mod transcoder;
mod unreferenced;
mod version;
pub(crate) mod whitelist;

use std::sync::Arc;

use crate::frame::{Format, Pixel, Rational};

pub use crate::strictness::Strictness;
pub use adapter::VideoAdapter;
pub use convert::Converter;
pub use pixel::Stored;
pub use source_info::SourceInfo;
pub use surface::SurfacePool;
pub use warpreel_ffmpeg::condition::Condition;
use warpreel_ffmpeg::damage;
pub use warpreel_ffmpeg::{condition, error, log};

/// FFmpeg's version as its libraries give it: `5.1.9-0+deb12u1`.
pub fn version() -> String {
    // SAFETY: the function gives a string that ends with a zero and lives as long as the program.
    unsafe { std::ffi::CStr::from_ptr(ffmpeg_next::ffi::av_version_info()) }.to_string_lossy().into_owned()
}

/// Whether this FFmpeg has a video encoder of that name, and the device that it needs is there. Takes some tenths of a
/// second for an encoder on a GPU, which is opened.
pub fn encoder_works(name: &str) -> bool {
    let Ok(codec) = codec::Codec::find(name) else { return false };
    !name.ends_with("_nvenc") || opens(codec)
}

/// Whether an encoder opens for an everyday clip.
fn opens(codec: codec::Codec) -> bool {
    let format = Arc::new(Format::new(Pixel::yuv420p(8), 640, 360, Rational::new(25, 1)));
    let Some(stored) = Stored::planar(format.pixel) else { return false };
    let settings = encoder::Settings {
        colour: format.colour,
        stored,
        time_base: Rational::new(1, 25),
        threads: 1,
        options: Vec::new(),
        headers: encoder::Headers::InStream,
        coding: encoder::Coding::Frames,
        surfaces: None,
        format,
    };
    encoder::Encoder::open(codec, settings).is_ok()
}
