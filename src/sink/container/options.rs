//! The options of an encoder: quality, speed, losslessness, light, and what was given by name, which wins.

use anyhow::{Result, bail, ensure};
use ffmpeg_next::ffi::AVPacketSideDataType;

use super::family::{EncoderFamily, Lossless, Quality};
use super::preset;
use crate::frame::Format;
use crate::libav::codec::Codec;
use crate::libav::heritage::Heritage;
use crate::libav::light::{Content, Mastering};
use crate::sink::encoding::{Encoding, Fidelity};

/// An option with its value.
type Pair = (String, String);

/// All options for an encoder, in the order in which they are set.
pub(super) fn options(
    codec: Codec,
    format: &Format,
    heritage: Option<&Heritage>,
    encoding: &Encoding,
) -> Result<Vec<Pair>> {
    let name = codec.name();
    let family = EncoderFamily::of(name);
    let is_lossless = encoding.fidelity == Fidelity::Lossless;
    let mut options = Vec::new();
    options.extend(quality(name, family, encoding)?);
    options.extend(speed(name, family, encoding)?);
    options.extend((family.own)(format, is_lossless).map(pair));
    let mut inner = Vec::new();
    if let Some(known) = &family.inner {
        inner.extend(known.always.iter().map(ToString::to_string));
        if let Some(light) = known.light {
            let data = |kind| heritage.and_then(|heritage| heritage.side_data(kind));
            let mastering = data(AVPacketSideDataType::AV_PKT_DATA_MASTERING_DISPLAY_METADATA);
            let content = data(AVPacketSideDataType::AV_PKT_DATA_CONTENT_LIGHT_LEVEL);
            inner.extend(mastering.and_then(Mastering::parse).map(|found| (light.display)(&found)));
            inner.extend(content.and_then(Content::parse).map(|found| (light.brightest)(&found)));
        }
    }
    if is_lossless {
        match family.lossless {
            Lossless::Never(other) => bail!("the encoder {name} cannot be lossless; take {other}"),
            Lossless::Always => {}
            Lossless::By { options: set, inner: words } => {
                options.extend(set.iter().copied().map(pair));
                inner.extend(words.iter().map(ToString::to_string));
            }
        }
    }
    if let Some(key) = family.inner.as_ref().and_then(|known| known.threads).filter(|_| encoding.threads > 0) {
        inner.push(format!("{key}={}", encoding.threads));
    }
    Ok(merge(family, options, inner, &encoding.options))
}

fn pair((key, value): (&str, &str)) -> Pair {
    (key.to_owned(), value.to_owned())
}

/// Constant quality, or a rate of bits; neither where nothing is lost.
fn quality(name: &str, family: &EncoderFamily, encoding: &Encoding) -> Result<Option<Pair>> {
    Ok(match (family.quality, encoding.crf, &encoding.bitrate) {
        (_, Some(_), Some(_)) => bail!("--crf and --bitrate exclude each other; leave one out"),
        (None, Some(_), _) => {
            bail!("the encoder {name} has no --crf; give its own options with --encoder-option KEY=VALUE")
        }
        (_, crf, bitrate) if encoding.fidelity == Fidelity::Lossless => {
            ensure!(
                crf.is_none() && bitrate.is_none(),
                "--lossless leaves no choice of quality; leave out --crf and --bitrate"
            );
            None
        }
        (_, None, Some(bitrate)) => {
            let number = bitrate.trim_end_matches(|letter: char| !letter.is_ascii_digit());
            let is_rate = number.parse::<f64>().map_or(true, |bits| bits > 0.0);
            ensure!(is_rate, "--bitrate {bitrate} is no rate; type --bitrate 5M, or leave it out for constant quality");
            Some(("b".to_owned(), bitrate.clone()))
        }
        (Some(Quality { option, usual, worst }), crf, None) => {
            let crf = crf.unwrap_or(usual);
            ensure!(crf <= worst, "{name} takes --crf 0 to {worst}, not {crf}; the lower the better");
            Some((option.to_owned(), crf.to_string()))
        }
        (None, None, None) => None,
    })
}

/// The preset: the one that was given, or one that is fast where the encoder's own is slow.
fn speed(name: &str, family: &EncoderFamily, encoding: &Encoding) -> Result<Option<Pair>> {
    match (&encoding.preset, family.speed) {
        (Some(preset), Some((key, _))) => {
            preset::check(name, preset)?;
            Ok(Some((key.to_owned(), preset.clone())))
        }
        (Some(_), None) => bail!("the encoder {name} has no presets; leave out --preset"),
        (None, Some((key, Some(preset)))) => Ok(Some((key.to_owned(), preset.to_owned()))),
        (None, _) => Ok(None),
    }
}

/// What an encoder's options say of quality, in words: `crf 18`.
pub(super) fn quality_in_words(codec: Codec, encoding: &Encoding, options: &[Pair]) -> Option<String> {
    let family = EncoderFamily::of(codec.name());
    if encoding.fidelity == Fidelity::Lossless || matches!(family.lossless, Lossless::Always) {
        return Some("lossless".to_owned());
    }
    let found = |key: &str| options.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let constant = family.quality.map(|quality| quality.option).into_iter().chain(["crf", "cq", "qp"]);
    let constant = constant.into_iter().find_map(|key| Some(format!("{key} {}", found(key)?)));
    constant.or_else(|| Some(format!("{} bit/s", found("b")?)))
}

/// Adds what was given by name. The options that x264 and its like take as one text are joined, the user's last.
fn merge(family: &EncoderFamily, mut options: Vec<Pair>, inner: Vec<String>, given: &[Pair]) -> Vec<Pair> {
    let key = family.inner.as_ref().map_or("", |known| known.option);
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
    options
}
