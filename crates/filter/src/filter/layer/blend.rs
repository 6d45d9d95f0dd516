//! Another clip blended with the clip, frame by frame.

use anyhow::{Context, Result};

use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::want::Want;
use super::{EOF_ACTION, Kind, Parameter, Preset, SHORTEST, Values};
use crate::pass::{Compose, ComposeMode, ComposePartner, Op};

/// Names of all modes.
const MODES: [&str; ComposeMode::ALL.len()] = {
    let mut names = [""; ComposeMode::ALL.len()];
    let mut n = 0;
    while n < names.len() {
        names[n] = ComposeMode::ALL[n].name();
        n += 1;
    }
    names
};

pub(in super::super) const SPEC: Spec = Spec {
    name: "blend",
    elsewhere: &["merge", "MakeDiff", "MergeDiff", "addWeighted"],
    group: Group::Layer,
    summary: "blends another clip with the clip; FFmpeg's modes",
    description: "Reads a second clip, and makes each frame of the frame here, a, and of that of the second clip, b, with FFmpeg's modes and \
                  the bytes of its blend at 8 to 14 bits; at 16 bits, where FFmpeg's products overflow, they are exact. normal takes \
                  opacity of a and the rest of b, so that opacity=0.5 is the mean of both; with every other mode opacity is the share of the \
                  result against a. Frames meet by their times, counted from the beginning of both files: each \
                  frame meets the latest one of the second clip that is not later, whatever the frame rates are. Before \
                  the second clip's first frame, frames stay as they are; after that of its last frame they meet that, or stay as they are with \
                  eof_action=pass. A second clip of another size is scaled, bilinear, and other pixels, depths and ranges \
                  are converted; both are blended as they are shown, and its sound is left out. The clip ends with the first one, or with shortest after the time of the second one's last frame, as with \
                  --end. FFmpeg's c0_mode and expressions are not offered: name planes with planes, and type one filter for each mode. Chroma and opacity \
                  are numbers like any others, as in FFmpeg; with planes=luma colours stay.",
    own: &[
        Parameter::new("clip", Kind::Clip, Preset::Derived("none"), "video file").or(&["file"]),
        Parameter::new("mode", Kind::Name(&MODES), Preset::Is("normal"), "blend mode").or(&["all_mode"]),
        Parameter::new(
            "opacity",
            Kind::Number(0.0, 1.0),
            Preset::Is("1"),
            "share of the blend; the rest is this frame, or for normal that of the second clip",
        )
        .or(&["all_opacity"]),
        EOF_ACTION,
        SHORTEST,
    ],
    example: "blend=samples/bigbuckbunny-720p.mp4:mode=screen:opacity=0.5",
    extent: Extent::Sample,
    terms: Terms::Ffmpeg,
    gain: DcGain::Any,
    want,
    change: None,
};

fn want(values: &Values, _: FormatPlane) -> Result<Want> {
    values
        .clip("clip")
        .context("there is no second clip; type blend=other.mp4:mode=screen, or tblend for the frame before")?;
    let mode = ComposeMode::named(values.word("mode"))
        .context("there is no such mode; list them with: warpreel filters blend")?;
    let opacity = values.number("opacity") as f32;
    // All of this frame: normal with all of it, any other with none of the result.
    let is_untouched = opacity == if mode == ComposeMode::Normal { 1.0 } else { 0.0 };
    let compose = Compose { mode, opacity, partner: ComposePartner::Second };
    Ok(if is_untouched { Want::Copy } else { Want::Operation(Op::Compose(compose)) })
}
