//! Deinterlacers, with FFmpeg's parameters.

pub(super) mod bwdif;
pub(super) mod fieldmatch;
pub(super) mod w3fdif;
pub(super) mod yadif;

use anyhow::{Result, ensure};

use super::parameter::{Kind, Parameter, Preset};
use super::value::Values;
use crate::pass::{self, Deinterlacing, Parity};

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

/// The frames and the field that were typed; `both` makes a frame of each field.
///
/// # Errors
/// If only a part of the result is wanted then.
fn fields(values: &Values, both: bool, spares_pulldown: bool) -> Result<Deinterlacing> {
    let is_mixed = values.typed("mix").is_some_and(|mix| mix != 1.0 && mix != 0.0);
    let is_part = is_mixed || ["roi", "mask"].iter().any(|name| values.find(name).is_some());
    ensure!(!both || !is_part, "{}", pass::ONE_FOR_ONE);
    let parity = match values.word("parity") {
        "tff" => Parity::Top,
        "bff" => Parity::Bottom,
        _ => Parity::Auto,
    };
    Ok(Deinterlacing { parity, both, marked_only: values.word("deint") == "interlaced", spares_pulldown })
}
