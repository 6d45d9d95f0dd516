//! What to type where a comma, a common parameter or a word is in a place that takes none of them.

use super::number::number;
use super::parameter::{Kind, Parameter};
use super::spec::Spec;
use super::syntax::MOST;
use super::table;

/// A number behind a comma, `fps=29,97`, `scale=1280,720`: a decimal, or a value of its own. `before` is the chain up to it.
pub(super) fn comma(before: &str, name: &str) -> Option<String> {
    let before = before.trim_end().strip_suffix(',')?;
    let call = before.rsplit(',').next()?.trim();
    let filter = call.split('=').next()?;
    let last = call.rsplit(['=', ':']).next()?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let spec = table::find(filter).filter(|_| is_number(last) && is_number(name) && call.len() <= MOST)?;
    // Kernels and weights are lists themselves.
    let first = spec.own.first()?.kind;
    if !matches!(first, Kind::Number(..) | Kind::Strength(..) | Kind::Count(..) | Kind::Expression(_)) {
        return None;
    }
    let has = |name: &str| spec.own.iter().any(|own| own.name == name);
    Some(match has("w") && has("h") {
        true => format!("values are separated by colons: type {call}:{name}"),
        false => format!("a decimal has a point: type {call}.{name}"),
    })
}

/// A parameter of all filters in the place of a filter's name, `roi=100x100+0+0`.
pub(super) fn common(name: &str, call: &str) -> Option<String> {
    const COMMON: [&str; 8] = ["planes", "mix", "enable", "roi", "mask", "border", "border_t", "scene"];
    let value = call.split_once('=').map_or("…", |(_, value)| value);
    let is_one = COMMON.contains(&name) && call.chars().count() <= MOST;
    is_one.then(|| {
        format!("{name} is a parameter of a filter: type \"gaussian=2:{name}={value}\"; see: warpreel filters common")
    })
}

/// A time as a parameter of a filter, `gaussian=2:start=1`.
pub(super) fn period(key: &str) -> Option<String> {
    let is_time = ["start", "end", "from", "to", "begin", "time", "duration", "frames_from"].contains(&key);
    is_time.then(|| "frames to filter are chosen by enable: type enable='between(t,1,3)' for seconds 1 to 3".to_owned())
}

/// A value that another parameter takes, or a word in place of a number.
pub(super) fn misfit(spec: &Spec, parameter: &Parameter, is_unnamed: bool, text: &str) -> Option<String> {
    let range = parameter.kind.range();
    match (parameter.kind, number(text)) {
        (Kind::Word(_) | Kind::Name(_), Ok(value)) if is_unnamed => {
            let takes = |own: &&Parameter| matches!(own.kind, Kind::Number(low, high) if (low..=high).contains(&value));
            let other = spec.own.iter().find(takes)?.name;
            Some(format!("type {other}={text} for {other}, or {range} for {}", parameter.name))
        }
        (Kind::Number(..) | Kind::Count(..) | Kind::Strength(..), Err(_))
            if text.starts_with(char::is_alphabetic) && text.parse::<f64>().is_err() =>
        {
            let unit = if parameter.unit.is_empty() { String::new() } else { format!(" ({})", parameter.unit) };
            Some(format!("type {range}{unit}, as in {}", spec.example))
        }
        _ => None,
    }
}
