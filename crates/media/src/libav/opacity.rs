//! Decoders that read opacity.

use ffmpeg_next::codec::Id;
use ffmpeg_next::{Codec, Stream, decoder};

use super::dictionary::Metadata;

/// The decoder that also reads the opacity beside the packets of a stream, where there is one and it is needed:
/// FFmpeg's own of VP8 and VP9 leave opacity out.
pub(super) fn with_opacity(stream: &Stream<'_>, id: Id) -> Option<Codec> {
    let name = match id {
        Id::VP8 => "libvpx",
        Id::VP9 => "libvpx-vp9",
        _ => return None,
    };
    if Metadata::read(&stream.metadata()).get(c"alpha_mode") != Some(c"1") {
        return None;
    }
    let codec = decoder::find_by_name(name);
    if codec.is_none() {
        ::log::warn!("opacity is dropped: this FFmpeg lacks the decoder {name:?}");
    }
    codec
}
