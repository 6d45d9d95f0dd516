//! FFmpeg's own structures behind the types of `ffmpeg-next`, for the fields that those do not show. They are only read
//! here; who fills one in does so beside the function that makes it.

use ffmpeg_next::format::context;
use ffmpeg_next::{Codec, Stream, codec, ffi, frame};

/// A type that stands for one of FFmpeg's structures.
pub(super) trait Fields {
    /// The structure.
    type Structure;

    /// All fields.
    fn fields(&self) -> &Self::Structure;
}

/// The structures behind types that never hold a null pointer: `ffmpeg-next` takes streams out of a living context, and
/// contexts, parameters, frames and codecs are wrapped in this folder, after a look whether they are there.
macro_rules! fields {
    ($($owner:ty: $structure:ident),* $(,)?) => {$(
        impl Fields for $owner {
            type Structure = ffi::$structure;

            fn fields(&self) -> &Self::Structure {
                // SAFETY: the pointer is not null, as said above, and the structure lives at least as long as `self`,
                // which nobody writes to while it is borrowed.
                unsafe { &*self.as_ptr() }
            }
        }
    )*};
}

fields! {
    context::Input: AVFormatContext,
    context::Output: AVFormatContext,
    Stream<'_>: AVStream,
    codec::Context: AVCodecContext,
    codec::Parameters: AVCodecParameters,
    Codec: AVCodec,
    frame::Video: AVFrame,
    frame::Audio: AVFrame,
}
