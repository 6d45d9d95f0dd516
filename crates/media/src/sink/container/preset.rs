//! The presets of encoders, so that a wrong one is answered by the right ones.

use anyhow::{Result, bail};

/// What an encoder takes as its preset.
struct Presets {
    encoders: &'static [&'static str],
    words: &'static [&'static str],
    /// From the first to the second.
    numbers: (i32, i32),
}

/// Those of x264 and x265, from the fastest to the slowest.
const X26X: &[&str] =
    &["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo"];

const PRESETS: &[Presets] = &[
    Presets { encoders: &["libx264", "libx264rgb", "libx265"], words: X26X, numbers: (0, 9) },
    Presets { encoders: &["libsvtav1"], words: &[], numbers: (-2, 13) },
    Presets { encoders: &["libaom-av1"], words: &[], numbers: (0, 8) },
    Presets { encoders: &["libvpx-vp9", "libvpx"], words: &[], numbers: (-16, 16) },
    Presets {
        encoders: &["prores_ks"],
        words: &["auto", "proxy", "lt", "standard", "hq", "4444", "4444xq"],
        numbers: (-1, 5),
    },
    Presets {
        encoders: &["h264_nvenc", "hevc_nvenc", "av1_nvenc"],
        words: &[
            "p1",
            "p2",
            "p3",
            "p4",
            "p5",
            "p6",
            "p7",
            "fast",
            "medium",
            "slow",
            "default",
            "hp",
            "hq",
            "bd",
            "ll",
            "llhq",
            "llhp",
            "lossless",
            "losslesshp",
        ],
        numbers: (0, 18),
    },
];

/// Refuses what the encoder does not take, where its presets are known.
///
/// # Errors
/// The good ones.
pub(super) fn check(encoder: &str, preset: &str) -> Result<()> {
    let Some(known) = PRESETS.iter().find(|known| known.encoders.contains(&encoder)) else { return Ok(()) };
    let (low, high) = known.numbers;
    let is_number = preset.parse().is_ok_and(|number: i32| (low..=high).contains(&number));
    if known.words.contains(&preset) || is_number {
        return Ok(());
    }
    let good = match known.words {
        [] => format!("a number from {low}, slow, to {high}, fast"),
        words => words.join(", "),
    };
    bail!("{encoder} has no --preset {preset}; type {good}")
}
