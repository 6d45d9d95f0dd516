//! Which encoder, which pixel format, which options: what was asked for, filled up with what fits.

use anyhow::{Context, Result, bail, ensure};
use ffmpeg_next::codec::Id;
use ffmpeg_next::ffi::AVPacketSideDataType;

use super::encoding::{Encoding, Fidelity};
use crate::frame::{Family, FieldOrder, Format, Pixel, Range};
use crate::libav::Strictness;
use crate::libav::codec::{Codec, Compromise};
use crate::libav::encoder::Coding;
use crate::libav::heritage::Heritage;
use crate::libav::light::{Content, Mastering};
use crate::libav::output::Muxer;
use crate::libav::pixel::Stored;

/// The encoder for a container: the one that was asked for, or the usual one.
pub(super) fn codec(muxer: Muxer, named: &str, format: &Format, encoding: &Encoding) -> Result<Codec> {
    let codec = match &encoding.codec {
        Some(name) => Codec::find(name)?,
        None => default_codec(muxer, named, format, encoding)?,
    };
    if muxer.holds(codec.id()) == Some(false) {
        let able = ["libx264", "libx265", "libvpx-vp9", "libsvtav1", "libaom-av1", "prores_ks", "ffv1", "png"];
        let able: Vec<_> = able
            .into_iter()
            .filter(|name| Codec::find(name).is_ok_and(|codec| muxer.holds(codec.id()) == Some(true)))
            .collect();
        let container = muxer.name();
        ensure!(!able.is_empty(), "the container {container} cannot hold video; take mp4, mkv, mov or webm");
        bail!("the container {container} cannot hold {}; it can hold {}, or take mkv", codec.name(), able.join(", "));
    }
    Ok(codec)
}

fn default_codec(muxer: Muxer, named: &str, format: &Format, encoding: &Encoding) -> Result<Codec> {
    let holds = |id| muxer.holds(id) == Some(true);
    let is_lossless = encoding.fidelity == Fidelity::Lossless;
    // Of the containers that hold it, these are the ones whose players do too.
    if is_lossless && holds(Id::FFV1) && ["matroska", "avi", "mov", "nut"].contains(&muxer.name()) {
        return Codec::find("ffv1");
    }
    if muxer.name() == "webm" {
        return Codec::find("libvpx-vp9");
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
    muxer
        .usual_codec(named)
        .with_context(|| format!("the container {} cannot hold video; take mp4, mkv, mov or webm", muxer.name()))
}

/// How the encoder takes the frames, without loss where it can.
pub(super) fn pixel(codec: Codec, muxer: Muxer, format: &Format, encoding: &Encoding) -> Result<Stored> {
    let known = codec.pixels();
    let mut choice = if known.is_empty() { Stored::all().to_vec() } else { known };
    let name = codec.name();
    // The opacity of these codecs lies beside their packets, where other containers have no place.
    if codec.has_alpha_beside() && !["matroska", "webm"].contains(&muxer.name()) {
        choice.retain(|stored| !stored.pixel().alpha);
    }
    // Grey with opacity has no planar format of FFmpeg's; any that holds the same stands for it.
    let like = Stored::planar(format.pixel)
        .or_else(|| Stored::all().iter().copied().find(|stored| stored.pixel() == format.pixel))
        .with_context(|| format!("FFmpeg has no pixel format for {}", format.pixel.name()))?;
    let chosen = match &encoding.pix_fmt {
        Some(wanted) => {
            let wanted = Stored::parse(wanted)?;
            if !choice.contains(&wanted) {
                let names: Vec<_> = choice.iter().map(|stored| stored.name()).collect();
                bail!("the encoder {name} does not take {}; it takes {}", wanted.name(), names.join(", "));
            }
            Some(wanted)
        }
        None => {
            let same = choice.iter().copied().filter(|stored| stored.pixel() == format.pixel && stored.is_lossless());
            // What only its name calls full range would be taken for it.
            same.min_by_key(|stored| {
                let is_misnamed = stored.is_full_range() && format.colour.range != Range::Full;
                (is_misnamed, !stored.is_planar_native(), stored.is_full_range())
            })
        }
    };
    if let Some(stored) = chosen.filter(|stored| stored.pixel() == format.pixel) {
        return Ok(stored);
    }
    let choice = chosen.map_or(choice, |stored| vec![stored]);
    let best = Compromise::find(&choice, like).with_context(|| format!("the encoder {name} takes no pixels at all"))?;
    if best.losses.is_empty() {
        return Ok(best.stored);
    }
    let loss = format!(
        "the encoder {name} does not take {}; {} loses {}",
        format.pixel.name(),
        best.stored.name(),
        best.losses.join(", ")
    );
    let is_asked_for = chosen.is_some();
    if encoding.fidelity == Fidelity::Lossless || (encoding.strict == Strictness::Strict && !is_asked_for) {
        bail!("{loss}; take another encoder with --codec, such as ffv1 in mkv");
    }
    log::warn!("{loss}");
    Ok(best.stored)
}

/// What to type where an encoder does not accept a clip whose sides are odd; `None` where they are not, or nothing helps.
pub(super) fn even(codec: Codec, stored: Stored, muxer: Muxer, format: &Format) -> Option<String> {
    let Pixel { log2_chroma_w, log2_chroma_h, .. } = stored.pixel();
    let is_odd = |side: usize, log2: u8| !side.is_multiple_of(1 << log2);
    if !is_odd(format.width, log2_chroma_w) && !is_odd(format.height, log2_chroma_h) {
        return None;
    }
    let whole = Pixel { log2_chroma_w: 0, log2_chroma_h: 0, ..stored.pixel() };
    let whole = codec.pixels().into_iter().find(|stored| stored.pixel() == whole && !stored.is_full_range());
    let mut ways: Vec<_> = whole.map(|stored| format!("--pix-fmt {}", stored.name())).into_iter().collect();
    let able = |name| Codec::find(name).is_ok_and(|codec| muxer.holds(codec.id()) == Some(true));
    ways.extend(["libvpx-vp9", "ffv1"].into_iter().filter(|name| able(*name)).map(|name| format!("--codec {name}")));
    (!ways.is_empty()).then(|| format!("for odd sides add {}", ways.join(" or ")))
}

/// Whether the encoder should code fields rather than frames.
pub(super) fn coding(codec: Codec, format: &Format) -> Coding {
    let has_fields = matches!(format.fields, FieldOrder::TopFirst | FieldOrder::BottomFirst);
    let can = codec.name().starts_with("libx264") || codec.name().starts_with("prores");
    if has_fields && can { Coding::Fields } else { Coding::Frames }
}

/// Whether the encoder's rate control understands true times; the others take the time base for the frame rate.
pub(super) fn knows_times(codec: Codec) -> bool {
    codec.name().starts_with("libx264") || codec.name().ends_with("_nvenc")
}

/// The encoder's options: quality, speed, losslessness, light, and what was given by name, which wins.
pub(super) fn options(
    codec: Codec,
    format: &Format,
    heritage: Option<&Heritage>,
    encoding: &Encoding,
) -> Result<Vec<(String, String)>> {
    let name = codec.name();
    let mut options: Vec<(String, String)> = Vec::new();
    let mut set = |key: &str, value: String| options.push((key.to_owned(), value));
    let is_lossless = encoding.fidelity == Fidelity::Lossless;
    let quality = match name {
        "libx264" | "libx264rgb" => Some(("crf", 18.0)),
        "libx265" => Some(("crf", 20.0)),
        "libvpx-vp9" | "libvpx" => Some(("crf", 31.0)),
        "libaom-av1" => Some(("crf", 28.0)),
        "libsvtav1" => Some(("crf", 30.0)),
        _ if name.ends_with("_nvenc") => Some(("cq", 20.0)),
        _ => None,
    };
    match (quality, encoding.crf, &encoding.bitrate) {
        (_, Some(_), Some(_)) => bail!("--crf and --bitrate exclude each other; leave one out"),
        (None, Some(_), _) => {
            bail!("the encoder {name} has no --crf; give its own options with --encoder-option KEY=VALUE")
        }
        (_, crf, bitrate) if is_lossless => {
            ensure!(
                crf.is_none() && bitrate.is_none(),
                "--lossless leaves no choice of quality; leave out --crf and --bitrate"
            );
        }
        (_, None, Some(bitrate)) => {
            let number = bitrate.trim_end_matches(|letter: char| !letter.is_ascii_digit());
            let is_rate = number.parse::<f64>().map_or(true, |bits| bits > 0.0);
            ensure!(is_rate, "--bitrate {bitrate} is no rate; type --bitrate 5M, or leave it out for constant quality");
            set("b", bitrate.clone());
        }
        (Some((key, default)), crf, None) => set(key, crf.unwrap_or(default).to_string()),
        (None, None, None) => {}
    }
    if let Some(preset) = &encoding.preset {
        let key = match name {
            "libvpx-vp9" | "libvpx" | "libaom-av1" => "cpu-used",
            "libx264" | "libx264rgb" | "libx265" | "libsvtav1" => "preset",
            "prores_ks" => "profile",
            _ if name.ends_with("_nvenc") => "preset",
            _ => bail!("the encoder {name} has no presets; leave out --preset"),
        };
        set(key, preset.clone());
    }
    let mut inner = Vec::new();
    let light = |kind| heritage.and_then(|heritage| heritage.side_data(kind));
    let mastering = light(AVPacketSideDataType::AV_PKT_DATA_MASTERING_DISPLAY_METADATA).and_then(Mastering::parse);
    let content = light(AVPacketSideDataType::AV_PKT_DATA_CONTENT_LIGHT_LEVEL).and_then(Content::parse);
    match name {
        "libx264" | "libx264rgb" => {
            inner.extend(mastering.map(|light| format!("mastering-display={}", light.in_steps())));
            inner.extend(content.map(|light| format!("cll={},{}", light.brightest, light.average)));
            if is_lossless {
                set("qp", "0".to_owned());
            }
        }
        "libx265" => {
            // It would write to stderr on its own.
            inner.push("log-level=error".to_owned());
            inner.extend(mastering.map(|light| format!("master-display={}", light.in_steps())));
            inner.extend(content.map(|light| format!("max-cll={},{}", light.brightest, light.average)));
            if is_lossless {
                inner.push("lossless=1".to_owned());
            }
            if encoding.threads > 0 {
                inner.push(format!("pools={}", encoding.threads));
            }
        }
        "libsvtav1" => {
            inner.extend(mastering.map(|light| format!("mastering-display={}", light.in_numbers())));
            inner.extend(content.map(|light| format!("content-light={},{}", light.brightest, light.average)));
            if encoding.threads > 0 {
                inner.push(format!("lp={}", encoding.threads));
            }
        }
        "libvpx-vp9" => {
            set("row-mt", "1".to_owned());
            if is_lossless {
                set("lossless", "1".to_owned());
            }
        }
        // It refuses opacity with the hidden frames that it would else make.
        "libvpx" if format.pixel.alpha && !is_lossless => set("auto-alt-ref", "0".to_owned()),
        "libaom-av1" => {
            set("row-mt", "1".to_owned());
            if is_lossless {
                inner.push("lossless=1".to_owned());
                // libaom 3.14 smooths some frames in time even so.
                set("arnr-max-frames", "0".to_owned());
            }
        }
        // Version 3 has slices, which threads can share, and checksums; but of frames that are smaller than its grid of
        // slices FFmpeg 5.1 loses some, and later ones refuse them. 8.0 takes version 3 unless told otherwise.
        "ffv1" => set("level", if format.width.min(format.height) >= 64 { "3" } else { "1" }.to_owned()),
        _ if name.ends_with("_nvenc") && is_lossless => set("tune", "lossless".to_owned()),
        "png" | "apng" | "rawvideo" | "utvideo" | "huffyuv" | "ffvhuff" | "tiff" | "bmp" | "v210" => {}
        _ => ensure!(!is_lossless, "the encoder {name} cannot be lossless; take ffv1 in mkv, or libx264"),
    }
    ensure!(name != "libsvtav1" || !is_lossless, "the encoder {name} cannot be lossless; take libaom-av1 or ffv1");
    merge(name, options, inner, &encoding.options)
}

/// Adds what was given by name. The options that x264 and its like take as one text are joined, the user's last.
fn merge(
    name: &str,
    mut options: Vec<(String, String)>,
    inner: Vec<String>,
    given: &[(String, String)],
) -> Result<Vec<(String, String)>> {
    let key = match name {
        "libx264" | "libx264rgb" => "x264-params",
        "libx265" => "x265-params",
        "libsvtav1" => "svtav1-params",
        "libaom-av1" => "aom-params",
        _ => "",
    };
    let mut inner = inner.join(":");
    for (option, value) in given {
        if option == key {
            inner = if inner.is_empty() { value.clone() } else { format!("{inner}:{value}") };
            continue;
        }
        // One way to set the quality replaces the other.
        if ["b", "qp", "crf", "cq", "global_quality"].contains(&option.as_str()) {
            options.retain(|(known, _)| !["b", "qp", "crf", "cq"].contains(&known.as_str()));
        }
        options.retain(|(known, _)| known != option);
        options.push((option.clone(), value.clone()));
    }
    if !inner.is_empty() {
        options.push((key.to_owned(), inner));
    }
    Ok(options)
}
