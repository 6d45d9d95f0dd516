//! Encoders by the names that people have for them, and what to take where there is no GPU to encode.

use anyhow::{Result, bail};

use crate::libav;

/// What is meant by a name.
enum Meaning {
    /// This encoder.
    Encoder(&'static str),
    /// None; what to type instead.
    Says(&'static str),
}

use Meaning::{Encoder, Says};

const COPY: &str = "filtered video is always encoded again; leave it out, or type --lossless to lose nothing";
const CONTAINER: &str = "that is a container; use it as the output's extension, or type --container";
const GPU: &str = "NVENC has an encoder for each codec; type --codec h264_nvenc, hevc_nvenc or av1_nvenc";

/// Names in small letters, without dots and dashes.
const NAMES: &[(&[&str], Meaning)] = &[
    (&["x264", "avc", "avc1", "h264avc", "mpeg4avc"], Encoder("libx264")),
    (&["h264"], Encoder("h264")),
    (&["x265", "h265", "hvc1", "h265hevc"], Encoder("libx265")),
    (&["svtav1", "svt"], Encoder("libsvtav1")),
    (&["aom", "libaom", "aomav1"], Encoder("libaom-av1")),
    (&["libvpx9", "vpx", "vp09"], Encoder("libvpx-vp9")),
    (&["mpeg2", "h262", "dvd"], Encoder("mpeg2video")),
    (&["xvid", "divx"], Encoder("mpeg4")),
    (&["jpeg", "mjpg"], Encoder("mjpeg")),
    (&["dnxhr"], Encoder("dnxhd")),
    (&["prores422", "proreshq"], Encoder("prores_ks")),
    (&["h264nvenc", "nvench264"], Encoder("h264_nvenc")),
    (&["h265nvenc", "hevcnvenc", "nvenchevc", "nvench265"], Encoder("hevc_nvenc")),
    (&["av1nvenc", "nvencav1"], Encoder("av1_nvenc")),
    (&["copy", "none", "null"], Says(COPY)),
    (&["nvenc", "cuda", "gpu", "nvidia"], Says(GPU)),
    (&["mp4", "mkv", "mov", "matroska", "avi", "nut"], Says(CONTAINER)),
];

/// The encoder or codec that is meant, which may be what was typed.
///
/// # Errors
/// If it is the name of something else, and what to type.
pub(super) fn meant(name: &str) -> Result<&str> {
    let plain: String = name.chars().filter(|c| !".-_ ".contains(*c)).map(|c| c.to_ascii_lowercase()).collect();
    match NAMES.iter().find(|(names, _)| names.contains(&plain.as_str())) {
        Some((_, Encoder(encoder))) => Ok(encoder),
        Some((_, Says(words))) => bail!("--codec {name}: {words}"),
        None => Ok(name),
    }
}

/// What to take instead of an encoder that is the GPU's and could not be opened, where that is for want of a driver.
pub(super) fn without_gpu(encoder: &str) -> Option<String> {
    let codec = encoder.strip_suffix("_nvenc")?;
    let software = match codec {
        "hevc" => "libx265",
        "av1" => "libsvtav1",
        _ => "libx264",
    };
    let wanted = "needs an NVIDIA GPU that supports it, and its driver; none was found";
    (!libav::encoder_works(encoder)).then(|| format!("the encoder {encoder} {wanted}; type --codec {software}"))
}
