//! The encoder of an output where none is asked for: that of the input's codec, or the container's usual one.

use anyhow::{Context, Result, ensure};
use ffmpeg_next::codec::Id;

use crate::frame::{Family, FieldOrder, Format};
use crate::libav::codec::Codec;
use crate::libav::muxer::Muxer;
use crate::sink::encoding::{Encoding, Fidelity};

/// Codecs that an output keeps: the input's, its encoders, the best first, and the containers that players expect it in.
struct Kept {
    codec: Id,
    encoders: &'static [&'static str],
    containers: &'static [&'static str],
}

const FILMS: &[&str] = &["mp4", "mov", "ipod", "matroska", "webm"];
const STREAMS: &[&str] = &["mp4", "mov", "ipod", "matroska", "webm", "mpegts", "rtsp"];
const PROGRAMS: &[&str] = &["mpeg", "vob", "dvd", "svcd", "mpeg2video", "mxf", "mpegts"];
const ARCHIVES: &[&str] = &["matroska", "avi", "mov", "nut"];

const fn kept(codec: Id, encoders: &'static [&'static str], containers: &'static [&'static str]) -> Kept {
    Kept { codec, encoders, containers }
}

const KEPT: &[Kept] = &[
    kept(Id::H264, &["libx264"], STREAMS),
    kept(Id::HEVC, &["libx265"], STREAMS),
    kept(Id::VP9, &["libvpx-vp9"], FILMS),
    kept(Id::AV1, &["libsvtav1", "libaom-av1", "librav1e"], FILMS),
    kept(Id::PRORES, &["prores_ks"], &["mp4", "mov", "ipod", "matroska", "webm", "mxf"]),
    kept(Id::DNXHD, &["dnxhd"], &["mov", "mxf"]),
    kept(Id::MPEG2VIDEO, &["mpeg2video"], PROGRAMS),
    kept(Id::MPEG1VIDEO, &["mpeg1video"], &["mpeg", "mpeg1video"]),
    kept(Id::DVVIDEO, &["dvvideo"], &["dv", "avi", "mov", "mxf"]),
    kept(Id::MJPEG, &["mjpeg"], &["avi"]),
];

/// Codecs that lose nothing, and the encoders of those that are written.
const LOSSLESS: &[Kept] = &[
    kept(Id::FFV1, &["ffv1"], ARCHIVES),
    kept(Id::HUFFYUV, &["huffyuv", "ffvhuff", "ffv1"], ARCHIVES),
    kept(Id::FFVHUFF, &["ffvhuff", "ffv1"], ARCHIVES),
    kept(Id::UTVIDEO, &["utvideo", "ffv1"], ARCHIVES),
    kept(Id::MAGICYUV, &["magicyuv", "ffv1"], ARCHIVES),
    kept(Id::V210, &["v210", "ffv1"], ARCHIVES),
    kept(Id::QTRLE, &["qtrle", "ffv1"], ARCHIVES),
    kept(Id::LAGARITH, &["ffv1"], ARCHIVES),
];

/// The encoder for a container: that of the input's codec where it is kept, else the usual one.
///
/// # Errors
/// If the container holds no video.
pub(super) fn codec(
    muxer: Muxer,
    named: &str,
    format: &Format,
    source: Option<Id>,
    encoding: &Encoding,
) -> Result<Codec> {
    let holds = |id| muxer.holds(id) == Some(true);
    let is_lossless = encoding.fidelity == Fidelity::Lossless;
    // Of the containers that hold it, these are the ones whose players do too.
    if is_lossless && holds(Id::FFV1) && ARCHIVES.contains(&muxer.name()) {
        return Codec::find("ffv1");
    }
    // Options of quality ask for an encoder that has them.
    let is_lossy =
        encoding.crf.is_some() || encoding.quality.is_some() || encoding.bitrate.is_some() || encoding.preset.is_some();
    let source = source.filter(|source| !(is_lossless || is_lossy && self::is_lossless(*source)));
    if let Some(codec) = source.and_then(|source| follow(muxer, format, source)) {
        return Ok(codec);
    }
    if muxer.name() == "webm" {
        return Codec::find("libvpx-vp9");
    }
    if let Some(codec) = old(muxer, format).and_then(|name| Codec::find(name).ok()) {
        return Ok(codec);
    }
    // Of transport streams FFmpeg does not know what they hold.
    if holds(Id::H264) || muxer.name() == "mpegts" {
        let is_rgb = is_lossless && format.pixel.family == Family::Rgb;
        return Codec::find(if is_rgb { "libx264rgb" } else { "libx264" });
    }
    // One image of a sequence is a still picture, which FFmpeg's first choice for WebP would make a film of.
    if muxer.is_images() && muxer.usual_codec(named).is_some_and(|codec| codec.name() == "libwebp_anim") {
        return Codec::find("libwebp");
    }
    muxer.usual_codec(named).with_context(|| no_video(muxer))
}

/// A refusal of containers without video.
pub(super) fn no_video(muxer: Muxer) -> String {
    format!("the container {} holds no video; name the output .mp4, .mkv, .mov or .webm", muxer.name())
}

/// Refuses outputs that hold sound alone.
///
/// # Errors
/// If it is one, with a command that takes the sound.
pub(super) fn check(muxer: Muxer, named: &str) -> Result<()> {
    ensure!(
        !muxer.is_sound_alone(named),
        "{named} holds no video; name the output .mp4, .mkv or .mov, or take the sound alone: ffmpeg -i INPUT -vn {named}"
    );
    Ok(())
}

/// The encoders of containers whose players are older than H.264, or than FFmpeg's first choice is good.
fn old(muxer: Muxer, format: &Format) -> Option<&'static str> {
    let is_interlaced = matches!(format.fields, FieldOrder::TopFirst | FieldOrder::BottomFirst);
    match muxer.name() {
        "avi" => Some("mpeg4"),
        "asf" | "asf_stream" => Some("wmv2"),
        // MPEG-1 has no fields.
        "mpeg" if is_interlaced => Some("mpeg2video"),
        _ => None,
    }
}

/// The encoder of the source's codec, where that is one that clips are delivered in, and the container one that players
/// expect it in. Encoders that need a device are not taken unasked.
fn follow(muxer: Muxer, format: &Format, source: Id) -> Option<Codec> {
    // SVT-AV1 takes nothing smaller.
    let is_small = format.width.min(format.height) < 64;
    let is_able = |name: &str| !(is_small && name == "libsvtav1");
    // Of some containers FFmpeg does not know what they hold.
    let has_place = |codec: Codec| muxer.holds(codec.id()) != Some(false);
    let found = |kept: &'static Kept, takes: &dyn Fn(Codec) -> bool| {
        let encoders = kept.encoders.iter().filter(|name| is_able(name)).filter_map(|name| Codec::find(name).ok());
        encoders.filter(|codec| has_place(*codec)).find(|codec| takes(*codec))
    };
    let row = |rows: &'static [Kept]| {
        rows.iter().find(|kept| kept.codec == source && kept.containers.contains(&muxer.name()))
    };
    if let Some(codec) = row(KEPT).and_then(|kept| found(kept, &|_| true)) {
        return Some(codec);
    }
    let keeps = |codec: Codec| {
        let pixels = codec.pixels();
        pixels.is_empty() || pixels.iter().any(|stored| stored.pixel() == format.pixel && stored.is_lossless())
    };
    row(LOSSLESS).and_then(|kept| found(kept, &keeps))
}

/// Whether a codec of an input loses nothing, as far as its name tells.
pub(super) fn is_lossless(source: Id) -> bool {
    LOSSLESS.iter().any(|kept| kept.codec == source)
}
