//! Deinterlacers, with FFmpeg's parameters.

pub(super) mod bwdif;
pub(super) mod w3fdif;
pub(super) mod yadif;

use anyhow::{Result, ensure};

use super::parameter::{Kind, Parameter, Preset};
use super::value::Values;
use crate::pass::{Deinterlacing, Parity};

const PARITY: Parameter = Parameter::new(
    "parity",
    Kind::Numbered(-1, &["auto", "tff", "bff"]),
    Preset::Is("auto"),
    "field that was taken first, and stays: the top one (tff), the bottom one (bff), or the one that each frame's flags \
     name; auto takes the top one in frames that are not marked as interlaced",
);
const DEINT: Parameter = Parameter::new(
    "deint",
    Kind::Word(&["all", "interlaced"]),
    Preset::Is("all"),
    "frames to deinterlace: all, or those that are marked as interlaced; the others are unchanged",
);

/// Says that one frame for each field is not offered.
fn check_rate(filter: &str, mode: Option<&str>, frames: [&str; 2], fields: [&str; 2]) -> Result<()> {
    let [frame, field] = [frames, fields].map(|names| names[0]);
    ensure!(mode.is_some(), "mode is missing, FFmpeg's default {field} is not supported; type {filter}=mode={frame}");
    let mode = mode.unwrap_or_default();
    let typed = if mode == fields[1] { frames[1] } else { frame };
    let is_field = fields.contains(&mode);
    ensure!(!is_field, "mode={mode}, two frames for one, is not supported; type {filter}=mode={typed}");
    Ok(())
}

/// The frames and the field that were typed.
fn fields(values: &Values, spares_pulldown: bool) -> Deinterlacing {
    let parity = match values.word("parity") {
        "tff" => Parity::Top,
        "bff" => Parity::Bottom,
        _ => Parity::Auto,
    };
    Deinterlacing { parity, marked_only: values.word("deint") == "interlaced", spares_pulldown }
}
