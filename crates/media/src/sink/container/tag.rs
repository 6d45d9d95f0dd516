//! Tags of colour and of the shape of pixels that an output has no place for.

use ffmpeg_next::codec::Id;

use crate::frame::{Colour, Family, Format, Rational};
use crate::libav::Stored;
use crate::libav::codec::Codec;
use crate::libav::convert::guessed_matrix;
use crate::libav::muxer::Muxer;
use crate::libav::source_info::SourceInfo;

/// Codecs with tags of matrix, primaries and transfer in the stream itself, as FFmpeg writes them.
const ALL_IN_STREAM: [Id; 5] = [Id::H264, Id::HEVC, Id::AV1, Id::MPEG2VIDEO, Id::PRORES];
/// Codecs with a tag of the matrix alone.
const MATRIX_IN_STREAM: [Id; 3] = [Id::VP9, Id::DNXHD, Id::UTVIDEO];
/// Containers that have tags of colour and of fields, whatever the codec is.
pub(super) const IN_CONTAINER: [&str; 6] = ["matroska", "webm", "mp4", "mov", "ipod", "mxf"];
/// Codecs whose matrix is part of their definition.
const FIXED_MATRIX: [Id; 5] = [Id::MJPEG, Id::LJPEG, Id::AMV, Id::VP8, Id::WEBP];

/// Returns whether readers of the output learn the matrix of its YUV.
pub(super) fn keeps_matrix(codec: Codec, muxer: Muxer) -> bool {
    let id = codec.id();
    IN_CONTAINER.contains(&muxer.name())
        || [&ALL_IN_STREAM[..], &MATRIX_IN_STREAM, &FIXED_MATRIX].concat().contains(&id)
}

/// Returns whether readers of the output learn its primaries and its transfer.
fn keeps_transfer(codec: Codec, muxer: Muxer) -> bool {
    IN_CONTAINER.contains(&muxer.name()) || ALL_IN_STREAM.contains(&codec.id())
}

/// Returns whether two matrices are one: BT.601 has two numbers.
fn is_same(one: u8, other: u8) -> bool {
    let known = |matrix| if matrix == 5 { 6 } else { matrix };
    known(one) == known(other)
}

/// The matrix that players guess, under the number that the clip has for it.
pub(super) fn as_guessed(matrix: u8, format: &Format) -> u8 {
    let guessed = guessed_matrix(format);
    if is_same(matrix, guessed) { matrix } else { guessed }
}

/// Says in one line which tags of colour are lost, where players would show other colours, and in another that pixels get
/// another shape.
pub(super) fn tell_losses(codec: Codec, muxer: Muxer, stored: Stored, format: &Format, colour: Colour) {
    let container = muxer.name();
    let advice = if muxer.is_images() { "" } else { "; take .mkv or .mp4" };
    let mut lost = Vec::new();
    let is_yuv = stored.pixel().family == Family::Yuv && format.pixel.family == Family::Yuv;
    if is_yuv && !keeps_matrix(codec, muxer) {
        let (was, coded, guessed) = (format.colour.matrix, colour.matrix, guessed_matrix(format));
        if was != 2 && coded != was && !is_same(was, coded) {
            let [was, coded] = [was, coded].map(colour_name);
            log::info!(
                "the matrix becomes {coded}, as players expect of {} in {container}: it has no tag for {was}",
                codec.id().name()
            );
        } else if coded != 2 && !is_same(coded, guessed) {
            lost.push(format!("matrix {}", colour_name(coded)));
        }
    }
    // Those of standard and high definition differ little, and players guess them too.
    if !keeps_transfer(codec, muxer) {
        lost.extend(primaries_name(colour.primaries).map(|name| format!("primaries {name}")));
        lost.extend(transfer_name(colour.transfer).map(|name| format!("transfer {name}")));
    }
    if !lost.is_empty() {
        log::warn!(
            "colour tags are dropped ({}): {} in {container} has none, and players guess{advice}",
            lost.join(", "),
            codec.id().name()
        );
    }
    if let Some(found) = shape(codec, muxer, format) {
        let Rational { num, den } = format.aspect;
        let advice = if muxer.is_images() { "" } else { "; take --codec libx264 in .mkv or .mp4" };
        log::warn!("the pixel aspect ratio {num}:{den} becomes {found}{advice}");
    }
}

fn colour_name(matrix: u8) -> &'static str {
    match matrix {
        1 => "bt709",
        4 => "fcc",
        5 | 6 => "bt601",
        7 => "smpte240m",
        8 => "ycgco",
        9 | 10 => "bt2020",
        14 => "ictcp",
        _ => "of the input",
    }
}

/// The name of primaries that are far from those that players guess.
fn primaries_name(primaries: u8) -> Option<&'static str> {
    Some(match primaries {
        9 => "bt2020",
        10 => "xyz",
        11 => "dci-p3",
        12 => "display-p3",
        _ => return None,
    })
}

/// The name of a transfer that is far from the one that players guess.
fn transfer_name(transfer: u8) -> Option<&'static str> {
    Some(match transfer {
        8 => "linear",
        16 => "pq",
        18 => "hlg",
        _ => return None,
    })
}

/// The timecode that an encoder stores in the headers of groups of pictures.
pub(super) fn timecode_of_groups<'a>(codec: Codec, format: &Format, source_info: &'a SourceInfo) -> Option<&'a str> {
    let is_able = ["mpeg1video", "mpeg2video"].contains(&codec.name());
    // Other rates have no frames to leave out.
    let may_drop = format.rate == Rational::new(30_000, 1001);
    source_info.timecode().filter(|text| is_able && (may_drop || !text.contains([';', '.'])))
}

/// Says that the output has no place for the timecode of the clip.
pub(super) fn tell_lost_timecode(codec: Codec, muxer: Muxer, format: &Format, source_info: Option<&SourceInfo>) {
    const PROGRAMS: [&str; 9] = ["mpegts", "mpeg", "vob", "dvd", "svcd", "vcd", "mpeg2video", "mpeg1video", "hls"];
    const RAW: [&str; 5] = ["h264", "hevc", "ivf", "obu", "m4v"];
    let Some((source_info, timecode)) = source_info.and_then(|found| Some((found, found.timecode()?))) else { return };
    let container = muxer.name();
    let has_none = PROGRAMS.contains(&container) || RAW.contains(&container);
    if has_none && timecode_of_groups(codec, format, source_info).is_none() {
        log::warn!(
            "the timecode {timecode} is dropped: {} in {container} has none; take .mov, .mxf or .mkv",
            codec.id().name()
        );
    }
}

/// Height of a pixel to its width in MPEG-1.
const MPEG1_SHAPES: [f64; 14] =
    [1.0, 0.6735, 0.7031, 0.7615, 0.8055, 0.8437, 0.8935, 0.9157, 0.9815, 1.0255, 1.0695, 1.0950, 1.1575, 1.2015];

/// The shape among several with names that is nearest to one.
fn nearest(known: &[(f64, &'static str)], wanted: f64) -> Option<(f64, &'static str)> {
    known.iter().copied().min_by(|(a, _), (b, _)| (a - wanted).abs().total_cmp(&(b - wanted).abs()))
}

/// The shape that pixels get where the output has no place for theirs.
fn shape(codec: Codec, muxer: Muxer, format: &Format) -> Option<String> {
    let Rational { num, den } = format.aspect;
    if num <= 0 || den <= 0 || (num == den && codec.id() != Id::DVVIDEO) {
        return None;
    }
    let pixels = f64::from(num) / f64::from(den);
    let is_near = |found: f64| (found / pixels - 1.0).abs() < 0.02;
    let whole = format.width as f64 / format.height as f64;
    let in_container =
        ["matroska", "webm", "mp4", "mov", "ipod", "avi", "asf", "asf_stream", "nut"].contains(&muxer.name());
    match codec.id() {
        _ if in_container => None,
        // It has names for three shapes of the whole picture, and for square pixels.
        Id::MPEG2VIDEO => {
            let known =
                [(1.0, "1:1"), (4.0 / 3.0 / whole, "4:3"), (16.0 / 9.0 / whole, "16:9"), (2.21 / whole, "2.21:1")];
            let (found, name) = nearest(&known, pixels)?;
            let name = if found == 1.0 { name.to_owned() } else { format!("that of a picture of {name}") };
            (!is_near(found)).then(|| format!("{name}: MPEG-2 has 1:1, and pictures of 4:3, 16:9 and 2.21:1"))
        }
        Id::MPEG1VIDEO => {
            let known = MPEG1_SHAPES.map(|shape| (1.0 / shape, ""));
            let (found, _) = nearest(&known, pixels)?;
            (!is_near(found)).then(|| format!("{found:.3}: MPEG-1 has 14 others"))
        }
        Id::DVVIDEO => {
            // As its encoder chooses.
            let (found, name) = if pixels * whole < 1.7 { (4.0 / 3.0, "4:3") } else { (16.0 / 9.0, "16:9") };
            let is_other = !is_near(found / whole);
            is_other.then(|| format!("that of a picture of {name}: DV has 4:3 and 16:9"))
        }
        Id::WEBP | Id::BMP => Some(format!("1:1: {} has none", codec.id().name())),
        Id::FLV1 => Some("1:1: flv1 has none".to_owned()),
        Id::DNXHD if muxer.name() == "mxf" => Some("1:1: DNxHD in mxf has none".to_owned()),
        _ => None,
    }
}
