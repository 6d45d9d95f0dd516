//! The options of an encoder: quality, speed, losslessness, light, and what was given by name, which wins.

use anyhow::{Context as _, Result, bail, ensure};
use ffmpeg_next::codec::Id;

use super::family::{EncoderFamily, Lossless};
use super::quality::{QualityLevel, QualitySetting, USUAL, USUAL_OF_STILLS, fixed_quantizer, quantizer_in_words};
use super::{preset, profile, promptness, tag};
use crate::frame::Format;
use crate::libav::codec::Codec;
use crate::libav::encoder::Coding;
use crate::libav::pixel::Stored;
use crate::libav::source_info::SourceInfo;
use crate::sink::encoding::{Encoding, Fidelity};

/// An option with its value.
type Pair = (String, String);

/// All options for an encoder, in the order in which they are set.
pub(super) fn options(
    codec: Codec,
    stored: Stored,
    format: &Format,
    coding: Coding,
    source_info: Option<&SourceInfo>,
    encoding: &Encoding,
) -> Result<Vec<Pair>> {
    let name = codec.name();
    let family = EncoderFamily::of(name);
    let is_lossless = encoding.fidelity == Fidelity::Lossless;
    let mut options = Vec::new();
    options.extend(quality(codec, family, stored, format, encoding)?);
    options.extend(speed(name, family, encoding)?);
    let is_chosen = options.iter().any(|(key, _)| key == "profile");
    // The scale of quality has profiles of frames of 8 bits.
    let is_bound = codec.id() == Id::DNXHD && (coding == Coding::Fields || stored.pixel().depth > 8);
    // A rate chooses among the sizes of DNxHD.
    if encoding.bitrate.is_none() && (!is_chosen || is_bound) {
        options.retain(|(key, _)| key != "profile");
        options.extend(profile::options(codec, stored, format, coding, source_info));
    }
    options.extend((family.own)(format, is_lossless).map(pair));
    if encoding.is_live {
        options.extend(promptness::options(name, format));
    }
    let timecode = source_info.and_then(|source_info| tag::timecode_of_groups(codec, format, source_info));
    options.extend(timecode.map(|timecode| pair(("gop_timecode", timecode))));
    let mut inner = Vec::new();
    if let Some(known) = &family.inner {
        inner.extend(known.always.iter().map(ToString::to_string));
        if let Some(light) = known.light {
            let source_info = source_info.filter(|_| !format.colour.is_sdr());
            inner.extend(source_info.and_then(SourceInfo::mastering).map(|found| (light.display)(&found)));
            inner.extend(source_info.and_then(SourceInfo::content).map(|found| (light.brightest)(&found)));
        }
    }
    if is_lossless {
        match family.lossless {
            Lossless::Never(_) if codec.is_lossless() => {}
            Lossless::Never(other) => bail!("the encoder {name} cannot be lossless; use {other}"),
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
    merge(name, family, options, inner, &encoding.options)
}

fn pair((key, value): (&str, &str)) -> Pair {
    (key.to_owned(), value.to_owned())
}

/// Constant quality, or a rate of bits; neither where nothing is lost.
fn quality(
    codec: Codec,
    family: &EncoderFamily,
    stored: Stored,
    format: &Format,
    encoding: &Encoding,
) -> Result<Vec<Pair>> {
    let name = codec.name();
    let Encoding { quality, crf, bitrate, .. } = encoding;
    let given = [("--quality", quality.is_some()), ("--crf", crf.is_some()), ("--bitrate", bitrate.is_some())];
    let given: Vec<_> = given.into_iter().filter_map(|(option, is_given)| is_given.then_some(option)).collect();
    if let [one, other, ..] = given[..] {
        bail!("{one} and {other} exclude each other; leave one out");
    }
    if encoding.fidelity == Fidelity::Lossless {
        ensure!(given.is_empty(), "--lossless has no quality setting; leave out --quality, --crf and --bitrate");
        return Ok(Vec::new());
    }
    if let Some(bitrate) = bitrate {
        let number = bitrate.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let is_rate = number.parse::<f64>().map_or(true, |bits| bits > 0.0);
        ensure!(
            is_rate,
            "--bitrate {bitrate} is not a bit rate; type --bitrate 5M, or leave it out for constant quality"
        );
        return Ok(vec![("b".to_owned(), bitrate.clone())]);
    }
    let Some(known) = family.quality.filter(|_| !codec.is_lossless()) else {
        match given.first() {
            Some(option) if codec.is_lossless() => bail!("the encoder {name} has no {option}: it loses nothing"),
            Some(option) => bail!("the encoder {name} has no {option}: its quality is fixed"),
            None => return Ok(Vec::new()),
        }
    };
    let level = match (quality, crf) {
        (Some(quality), _) => {
            ensure!((1..=100).contains(quality), "--quality {quality} is none; type 1, the worst, to 100, the best");
            QualityLevel::Common(*quality)
        }
        (None, Some(crf)) => QualityLevel::Own(*crf),
        (None, None) if known.is_left => return Ok(Vec::new()),
        (None, None) if codec.is_still() => QualityLevel::Common(USUAL_OF_STILLS),
        (None, None) => QualityLevel::Common(USUAL),
    };
    let rate = format.rate.value().unwrap_or(25.0);
    // Colours of every pixel are twice as many samples as those of 4:2:0.
    let pixel = stored.pixel();
    let shares = (0..pixel.planes()).map(|plane| {
        let (wide, high) = pixel.subsampling(plane);
        0.5f64.powi(i32::from(wide) + i32::from(high))
    });
    let samples = shares.sum::<f64>().max(1.5) / 1.5;
    known.options(name, level, (format.width * format.height) as f64 * rate * samples)
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
    if codec.is_lossless() {
        return Some("lossless".to_owned());
    }
    let found = |key: &str| options.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let own = family.quality.and_then(|quality| match quality.setting {
        QualitySetting::Number { option, .. } | QualitySetting::Profile { option, .. } => Some(option),
        QualitySetting::Quantizer { .. } | QualitySetting::BitsPerPixel => None,
    });
    let constant = own.into_iter().chain(["crf", "cq", "qp"]);
    let profile = [Id::PRORES, Id::DNXHD].contains(&codec.id()).then(|| Some(format!("profile {}", found("profile")?)));
    let constant = constant.into_iter().find_map(|key| Some(format!("{key} {}", found(key)?)));
    constant
        .or_else(|| quantizer_in_words(options))
        .or(profile.flatten())
        .or_else(|| Some(format!("{} bit/s", found("b")?)))
}

/// Adds what was given by name. The options that x264 and its like take as one text are joined, the user's last.
fn merge(
    name: &str,
    family: &EncoderFamily,
    mut options: Vec<Pair>,
    inner: Vec<String>,
    given: &[Pair],
) -> Result<Vec<Pair>> {
    const RATES: [&str; 8] = ["b", "qp", "crf", "cq", "global_quality", "qmin", "flags", "quality"];

    let key = family.inner.as_ref().map_or("", |known| known.option);
    let mut inner = inner.join(":");
    for (option, value) in given {
        if option == key {
            inner = if inner.is_empty() { value.clone() } else { format!("{inner}:{value}") };
            continue;
        }
        // FFmpeg's program has these, its libraries do not.
        if ["q", "q:v", "qscale", "qscale:v"].contains(&option.as_str()) {
            let is_fixed =
                family.quality.is_some_and(|quality| matches!(quality.setting, QualitySetting::Quantizer { .. }));
            ensure!(is_fixed, "the encoder {name} has no option {option:?}; type --quality 1 to 100, or --crf N");
            let number = value.parse::<f32>().ok().filter(|number| number.is_finite() && *number >= 0.0);
            let number = number.with_context(|| format!("--encoder-option {option}={value} is no number"))?;
            options.retain(|(known, _)| !RATES.contains(&known.as_str()));
            options.extend(fixed_quantizer(number));
            continue;
        }
        // One way to set the quality replaces the other.
        if ["b", "qp", "crf", "cq", "global_quality"].contains(&option.as_str()) {
            options.retain(|(known, _)| !RATES.contains(&known.as_str()));
        }
        match options.iter_mut().find(|(known, _)| known == option) {
            // Flags add up.
            Some((_, known)) if option == "flags" && value.starts_with(['+', '-']) => known.push_str(value),
            Some((_, known)) => value.clone_into(known),
            None => options.push((option.clone(), value.clone())),
        }
    }
    if !inner.is_empty() {
        options.push((key.to_owned(), inner));
    }
    Ok(options)
}
