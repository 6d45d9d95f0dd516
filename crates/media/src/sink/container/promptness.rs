//! Options that keep an encoder from holding frames back, for outputs that are watched as they are made.

use crate::frame::Format;

/// Seconds between key frames, where a viewer can begin.
const KEY_FRAMES_S: f64 = 2.0;

/// The options of an encoder by FFmpeg's name: no look-ahead, no frames that wait for later ones, and a key frame every two
/// seconds. Nothing for encoders that hold back no frame, or whose way is not known.
pub(super) fn options(encoder: &str, format: &Format) -> Vec<(String, String)> {
    let prompt: &[(&str, &str)] = match encoder {
        "libx264" | "libx264rgb" | "libx265" => &[("tune", "zerolatency")],
        "libvpx" | "libvpx-vp9" => &[("lag-in-frames", "0"), ("deadline", "realtime")],
        "libaom-av1" => &[("lag-in-frames", "0"), ("usage", "realtime")],
        name if name.ends_with("_nvenc") => &[("delay", "0"), ("zerolatency", "1"), ("bf", "0")],
        _ => return Vec::new(),
    };
    let group = (KEY_FRAMES_S * format.rate.value().unwrap_or(25.0)).round().max(1.0);
    let own = prompt.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    own.chain([("g".to_owned(), group.to_string())]).collect()
}
