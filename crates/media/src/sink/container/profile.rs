//! The profiles of intermediate codecs: those of the input where its codec stays, else what suits the pixels.

use ffmpeg_next::codec::Id;

use crate::frame::{Format, Pixel};
use crate::libav::codec::Codec;
use crate::libav::encoder::Coding;
use crate::libav::pixel::Stored;
use crate::libav::source_info::SourceInfo;

/// An option with its value.
type Pair = (String, String);

/// ProRes from FFmpeg's number 0 on; the last two have colour at every pixel.
const PRORES: [&str; 6] = ["proxy", "lt", "standard", "hq", "4444", "4444xq"];
/// DNxHR from FFmpeg's number 1 on; the first three have 8 bits.
const DNXHR: [&str; 3] = ["dnxhr_lb", "dnxhr_sq", "dnxhr_hq"];

/// The profile of an encoder, and what belongs to it; nothing for encoders that choose theirs well.
pub(super) fn options(
    codec: Codec,
    stored: Stored,
    format: &Format,
    coding: Coding,
    source_info: Option<&SourceInfo>,
) -> Vec<Pair> {
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let kept =
        source_info.filter(|source_info| source_info.source_codec() == codec.id()).and_then(SourceInfo::source_profile);
    let Pixel { depth, log2_chroma_w, .. } = stored.pixel();
    let is_whole = log2_chroma_w == 0;
    match codec.id() {
        Id::PRORES => {
            let kept = kept.and_then(|number| PRORES.get(number)).filter(|name| name.starts_with("4444") == is_whole);
            let name = *kept.unwrap_or(if is_whole { &"4444" } else { &"hq" });
            // FFmpeg's other encoders have numbers for them.
            let number = PRORES.iter().position(|known| *known == name).filter(|_| codec.name() != "prores_ks");
            vec![("profile".to_owned(), number.map_or_else(|| name.to_owned(), |number| number.to_string()))]
        }
        Id::DNXHD if coding == Coding::Fields => {
            // The only rates for fields of 1920x1080 that suit both countings of seconds.
            let is_slow = format.rate.value().is_none_or(|rate| rate < 27.0);
            vec![pair("profile", "dnxhd"), pair("b", if is_slow { "185M" } else { "220M" })]
        }
        Id::DNXHD => {
            let kept = kept.and_then(|number| DNXHR.get(number.checked_sub(1)?));
            let name = match (is_whole, depth) {
                (true, _) => "dnxhr_444",
                (false, 8) => kept.unwrap_or(&"dnxhr_hq"),
                (false, _) => "dnxhr_hqx",
            };
            vec![pair("profile", name)]
        }
        _ => Vec::new(),
    }
}

/// Whether an encoder codes fields of such frames.
pub(super) fn codes_fields(codec: Codec, format: &Format) -> bool {
    codec.id() != Id::DNXHD || (format.width, format.height) == (1920, 1080)
}
