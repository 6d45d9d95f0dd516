//! Which code values stand for black and white in the output: as in the clip where encoder and container can say so,
//! else as readers of such files take them.

use ffmpeg_next::codec::Id;

use super::tag;
use crate::frame::{Colour, Family, Format, Range};
use crate::libav::Stored;
use crate::libav::codec::Codec;
use crate::libav::convert::coded_colour;
use crate::libav::muxer::Muxer;
use crate::sink::encoding::{Encoding, Fidelity};

/// How readers learn the range of YUV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RangeTag {
    /// The stream itself has a tag.
    InStream,
    /// The stream has none, and decoders leave it to the container.
    InContainer,
    /// Readers take it for limited, whatever the container says.
    Limited,
    /// Readers take it for full range.
    Full,
}

/// Codecs, and how readers learn the range. What is in no row is [`RangeTag::Limited`]. Found by writing a full-range clip
/// with each encoder and reading the tags of stream and frame with ffprobe.
const TAGS: [(&[Id], RangeTag); 4] = [
    // `video_full_range_flag` of the parameter sets; `color_range` of the headers.
    (&[Id::H264, Id::HEVC, Id::VP9, Id::AV1], RangeTag::InStream),
    // No tag, and none that decoders would make up.
    (
        &[
            Id::FFV1,
            Id::HUFFYUV,
            Id::FFVHUFF,
            Id::UTVIDEO,
            Id::MAGICYUV,
            Id::RAWVIDEO,
            Id::V210,
            Id::V308,
            Id::V408,
            Id::V410,
            Id::DIRAC,
        ],
        RangeTag::InContainer,
    ),
    // JFIF: 0 to 255, BT.601.
    (&[Id::MJPEG, Id::LJPEG, Id::AMV], RangeTag::Full),
    // FFmpeg's decoders of these say limited, also where the container says full. VP8 and WebP have no full range.
    (&[Id::PRORES, Id::DNXHD, Id::MPEG1VIDEO, Id::MPEG2VIDEO, Id::VP8, Id::WEBP, Id::DVVIDEO], RangeTag::Limited),
];

/// Containers with a tag of range that readers take from there. QuickTime's `nclc` has none; AVI, Ogg and NUT say nothing.
const TAGGED: [&str; 2] = ["matroska", "webm"];

/// What the colours of `format` mean once an encoder stores them as `stored` in a container.
pub(super) fn coded(codec: Codec, muxer: Muxer, stored: Stored, format: &Format, encoding: &Encoding) -> Colour {
    let colour = coded_colour(stored, format);
    let tag = TAGS.iter().find(|(ids, _)| ids.contains(&codec.id())).map_or(RangeTag::Limited, |(_, tag)| *tag);
    let is_yuv = stored.pixel().family == Family::Yuv;
    // Samples that must come back stay as they are; who joins chunks knows what they mean.
    let is_exact = encoding.fidelity == Fidelity::Lossless || encoding.is_chunk;
    let is_carried =
        tag == RangeTag::InStream || tag == RangeTag::InContainer && (TAGGED.contains(&muxer.name()) || is_exact);
    let is_bt601 = tag == RangeTag::Full || [Id::WEBP, Id::VP8].contains(&codec.id());
    let range = match format.pixel.family {
        _ if stored.is_full_range() => Range::Full,
        _ if is_yuv && tag == RangeTag::Full => Range::Full,
        // What players expect of YUV, unless the clip is full range YUV.
        Family::Rgb => colour.range,
        // No encoder of grey alone has another convention.
        Family::Yuv | Family::Gray if !is_yuv => Range::Full,
        Family::Yuv | Family::Gray if is_carried => colour_range(format),
        Family::Yuv | Family::Gray => match format.whole_range() {
            Range::Full => Range::Limited,
            _ => format.colour.range,
        },
    };
    // JFIF, VP8 and WebP have one matrix, and no tag of it.
    let has_matrix = format.pixel.family == Family::Rgb || format.colour.matrix != 2;
    let matrix = match is_yuv && has_matrix {
        true if is_bt601 => 5,
        // Lossy samples get the matrix that players guess.
        true if !is_exact && !codec.is_lossless() && !tag::keeps_matrix(codec, muxer) => {
            tag::as_guessed(colour.matrix, format)
        }
        _ => colour.matrix,
    };
    Colour { range, matrix, ..colour }
}

/// The range of a clip that keeps it; grey has colour then, and is said to be what it is.
fn colour_range(format: &Format) -> Range {
    if format.pixel.family == Family::Gray { format.range() } else { format.colour.range }
}

/// Whether readers of the output take full range for limited, as its samples must come back and it has no tag.
pub(super) fn is_untold(muxer: Muxer, codec: Codec, stored: Stored, format: &Format, encoding: &Encoding) -> bool {
    let is_yuv = stored.pixel().family == Family::Yuv && format.pixel.family == Family::Yuv;
    let lacks_tag = !TAGGED.contains(&muxer.name()) && TAGS[1].0.contains(&codec.id());
    is_yuv && format.whole_range() == Range::Full && lacks_tag && !encoding.is_chunk
}

/// Says that pictures of one range become another, and what to call that; `None` where they keep it.
pub(super) fn change(format: &Format, stored: Stored, colour: Colour) -> Option<&'static str> {
    let coded = Format { pixel: stored.pixel(), colour, ..format.clone() };
    let is_same_kind = format.pixel.family != Family::Rgb && coded.pixel.family != Family::Rgb;
    match (format.whole_range(), coded.range()) {
        (Range::Full, Range::Limited) if is_same_kind => Some("limited range"),
        (Range::Limited, Range::Full) if is_same_kind => Some("full range"),
        _ => None,
    }
}
