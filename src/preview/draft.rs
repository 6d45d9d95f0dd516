//! Drafts: a chain for a picture of a quarter of the width and height, which shows about what a heavy chain makes while that is made.

use crate::filter::{self, CallPlace, Defaults, Edit, Extent, FILTERS, Group, Kind, Parameter, Preset};
use crate::frame::Format;

/// The picture is so many times as wide and as high as its draft.
const SCALE: usize = 4;
/// A draft is at least so wide and high: smaller pictures are quick, and show too little.
const LEAST: usize = 96;

/// The chain of a draft of a chain without filters that are switched off: the picture is scaled down, and lengths in pixels with it.
/// Filters that remove noise keep theirs, since the size of noise is not that of what the picture shows. `None` where a draft would
/// be of something else: with filters that have places in the picture, or make frames of another size or number.
pub(super) fn draft(text: &str, defaults: &Defaults, format: &Format) -> Option<String> {
    let side = |side: usize| (side / SCALE) & !1;
    let (width, height) = (side(format.width), side(format.height));
    let calls = filter::places(text, defaults).ok()?;
    if width.min(height) < LEAST || calls.is_empty() {
        return None;
    }
    let mut drafted = text.to_owned();
    // Edits of later filters leave the places of earlier ones.
    for (index, call) in calls.iter().enumerate().rev() {
        for (parameter, value) in lengths(call)? {
            drafted = filter::edited(&drafted, &Edit::Set(index, parameter.to_owned(), Some(value))).ok()?;
        }
    }
    let drafted = format!("scale={width}:{height}:bilinear,{drafted}");
    filter::parse(&drafted, defaults).is_ok().then_some(drafted)
}

/// The lengths of a filter in a draft; `None` if it cannot be in one.
fn lengths(call: &CallPlace) -> Option<Vec<(&'static str, String)>> {
    let spec = FILTERS.iter().find(|spec| spec.name == call.name)?;
    let is_within = matches!(spec.extent, Extent::Sample | Extent::Space | Extent::Time | Extent::Brightness);
    let has_place = spec.parameters().any(|parameter| {
        let is_typed = call.arguments.iter().any(|argument| argument.parameter == parameter.name);
        is_typed && matches!(parameter.kind, Kind::Region | Kind::Mask | Kind::Picture | Kind::Clip | Kind::Written)
    });
    if !is_within || has_place || spec.change.is_some() {
        return None;
    }
    let is_scaled = spec.group != Group::Denoise;
    Some(spec.own.iter().filter(|_| is_scaled).filter_map(|parameter| length(call, parameter)).collect())
}

/// The value of a parameter in a draft, where that is a length and another one.
fn length(call: &CallPlace, parameter: &'static Parameter) -> Option<(&'static str, String)> {
    if parameter.unit != "luma pixels" {
        return None;
    }
    let typed = call.arguments.iter().find(|argument| argument.parameter == parameter.name);
    let text = match (typed, parameter.preset) {
        (Some(typed), _) => typed.value.as_str(),
        (None, Preset::Is(preset)) => preset,
        (None, Preset::Derived(_)) => return None,
    };
    let value = text.parse::<f64>().ok()? / SCALE as f64;
    let scaled = match parameter.kind {
        // One sample does something, none does nothing.
        Kind::Count(low, high) => value.round().max(value.ceil().min(1.0)).clamp(low as f64, high as f64),
        Kind::Number(low, high) => value.clamp(low, high),
        _ => return None,
    };
    let scaled = scaled.to_string();
    (scaled != text).then_some((parameter.name, scaled))
}
