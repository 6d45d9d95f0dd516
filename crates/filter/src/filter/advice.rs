//! What to type where a chain is not understood, guessed from what it looks like.

use super::elsewhere;
use super::parameter::{Kind, Parameter};
use super::table;

/// How a comma is kept in a value, from the shell as well.
const QUOTED: &str =
    "commas separate filters: quote a value that contains one, and quote the whole chain for the shell";

/// For a name that no filter has. `text` is the chain, from the name on.
pub(super) fn name(name: &str, text: &str) -> String {
    const LIST: &str = "list them with: warpreel filters";
    if let Some(call) = reshaped(text) {
        return format!("type {call}");
    }
    if name.starts_with(|c: char| c.is_ascii_digit() || "-+.[".contains(c)) || name.ends_with([')', ']']) {
        return format!("{QUOTED}: -f \"kernel='1,2,1'\"");
    }
    if let Some(name) = table::known_elsewhere(name) {
        let example = table::find(name).map_or(name, |spec| spec.example);
        return format!("did you mean \"{name}\"? as in {example}; {LIST}");
    }
    elsewhere::advice(name, text).unwrap_or_else(|| match table::nearest_filter(name) {
        Some(guess) => format!("did you mean \"{guess}\"? {LIST}"),
        None => LIST.to_owned(),
    })
}

/// A call that begins with the name of a filter and goes on as elsewhere, `box:radius=2`, `box(2)`, `box 2`, as it is
/// typed here.
fn reshaped(text: &str) -> Option<String> {
    const MOST: usize = 60;
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = text.split_at(end);
    table::find(name)?;
    let rest = rest.trim_start();
    let values = match rest.strip_prefix('(') {
        Some(inner) => inner.split(')').next()?.replace(',', ":"),
        None => rest.trim_start_matches(':').split(',').next()?.to_owned(),
    };
    let values = values.split(':').map(str::trim).collect::<Vec<_>>().join(":");
    let call = if values.is_empty() { name.to_owned() } else { format!("{name}={values}") };
    let plain = !rest.starts_with(['=', ',', ';', '|']) && call.chars().count() <= MOST && !call.contains('\'');
    plain.then_some(call)
}

/// For a value that its parameter does not take; `cut` where a comma follows it. `None` where the parameter's own range
/// says it all.
pub(super) fn value(parameter: &Parameter, text: &str, cut: bool) -> Option<String> {
    let open = |pair: [char; 2]| text.matches(pair[0]).count() > text.matches(pair[1]).count();
    if cut && (open(['(', ')']) || open(['[', ']'])) {
        let name = parameter.name;
        let example = if parameter.kind == Kind::Condition { "between(t,1,3)" } else { "1,2,1" };
        return Some(format!("{QUOTED}: -f \"…:{name}='{example}'\""));
    }
    if parameter.kind == Kind::Condition { compared(text) } else { None }
}

/// FFmpeg's functions for the signs of other languages, the longer signs first.
const SIGNS: [(&str, &str); 6] =
    [(">=", "gte"), ("<=", "lte"), ("==", "eq"), ("!=", "not(eq"), (">", "gt"), ("<", "lt")];

/// What a comparison by signs is in FFmpeg's functions.
fn compared(text: &str) -> Option<String> {
    let (sign, function) = SIGNS.iter().find(|(sign, _)| text.contains(sign))?;
    let plain =
        |side: &str| !side.is_empty() && side.chars().all(|c| c.is_ascii_alphanumeric() || "._*/+-".contains(c));
    let sides = text.split_once(sign).map(|(left, right)| (left.trim(), right.trim()));
    match sides.filter(|(left, right)| plain(left) && plain(right)) {
        Some((left, right)) => {
            let close = if function.contains('(') { "))" } else { ")" };
            Some(format!("type '{function}({left},{right}{close}'"))
        }
        None => {
            Some("FFmpeg compares with functions: gt(t,2) for t>2, lt, gte, lte, eq; * for and, + for or".to_owned())
        }
    }
}
