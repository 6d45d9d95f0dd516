//! What to type where a chain is not understood, guessed from what it looks like.

use std::path::Path;

use super::cookbook;
use super::elsewhere;
use super::geometry;
use super::number::number;
use super::parameter::{Kind, Parameter};
use super::picture::is_png;
use super::purpose;
use super::slip;
use super::spec::{Group, Spec};
use super::syntax::MOST;
use super::table;

/// How a comma is kept in a value, from the shell as well.
const QUOTED: &str =
    "commas separate filters: quote a value that contains one, and quote the whole chain for the shell";

/// The hint for a name that no filter has. `text` is the chain from the name on, `call` the part of it up to the next
/// filter, `before` what precedes it.
pub(super) fn name(name: &str, before: &str, text: &str, call: &str) -> String {
    const LIST: &str = "list them with: warpreel filters";
    if let Some(hint) = labelled(text).or_else(|| slip::comma(before, name)).or_else(|| slip::common(name, call)) {
        return hint;
    }
    if let Some(inner) = text.strip_prefix(['"', '“']).map(|inner| inner.trim_end_matches(['"', '”'])) {
        return format!("leave out the quotes within the chain: type -f \"{inner}\"");
    }
    let call_here = || reshaped(text).map(|call| format!("type {call}"));
    if let Some(hint) = separated(call).or_else(call_here).or_else(|| coloned(call)) {
        return hint;
    }
    let is_cut = name.starts_with(|c: char| c.is_ascii_digit() || "-+.[".contains(c)) || name.ends_with([')', ']']);
    if is_cut {
        // `16:9` and `8mm` are no rest of a value.
        if let Some(hint) = purpose::advice(call.trim()).filter(|_| before.is_empty()) {
            return hint;
        }
        return format!("{QUOTED}: -f \"kernel='1,2,1'\"");
    }
    if let Some(hint) = file(call) {
        return hint;
    }
    // The function of a module of Python's, as `cv2.GaussianBlur(…`.
    let name = name.split('(').next().unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or_default();
    if cookbook::known(name).is_some() {
        return format!("a recipe is read with @: type @{name}");
    }
    if let Some(spec) = table::find(&name.to_lowercase()) {
        return format!("did you mean \"{}\"? as in {}; {LIST}", spec.name, spec.example);
    }
    if let Some(name) = table::known_elsewhere(name) {
        let example = table::find(name).map_or(name, |spec| spec.example);
        return format!("did you mean \"{name}\"? as in {example}; {LIST}");
    }
    elsewhere::advice(name, text).or_else(|| purpose::advice(name)).unwrap_or_else(|| {
        match table::nearest_filter(name) {
            Some(guess) => format!("did you mean \"{guess}\"? {LIST}"),
            None => LIST.to_owned(),
        }
    })
}

/// Two filters without a comma between them, `gaussian=2 unsharp`, as they are typed here.
fn separated(call: &str) -> Option<String> {
    const SEPARATORS: [char; 5] = [' ', ';', '|', '+', '\t'];
    let word = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    table::find(&call[..word(call)])?;
    call.match_indices(SEPARATORS).find_map(|(at, _)| {
        let (before, behind) = (call[..at].trim_end_matches(SEPARATORS), call[at..].trim_start_matches(SEPARATORS));
        let end = word(behind);
        let is_call = behind[end..].is_empty() || behind[end..].starts_with(['=', ' ', ';', '|', '+']);
        let is_whole = call.chars().count() <= MOST && before.matches('\'').count() % 2 == 0;
        (is_call && is_whole && table::find(&behind[..end]).is_some())
            .then(|| format!("filters are separated by commas: type \"{before},{behind}\""))
    })
}

/// A chain with labels of streams, `[0:v]gblur=2[out]`, as it is typed here.
fn labelled(text: &str) -> Option<String> {
    let (mut bare, mut is_label, mut is_quoted) = (String::new(), false, false);
    for letter in text.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            '[' if !is_quoted => is_label = true,
            ']' if !is_quoted && is_label => {
                is_label = false;
                continue;
            }
            _ => {}
        }
        if !is_label {
            bare.push(letter);
        }
    }
    let begins_so = text.starts_with('[') && text.contains(']');
    let is_split = text.starts_with("split") && text.contains('[');
    if is_split || begins_so && bare.contains(';') {
        return Some(
            "a chain makes one video of one, and its streams have no labels; run a graph in FFmpeg first".to_owned(),
        );
    }
    let is_chain = bare.starts_with(|c: char| c.is_ascii_alphabetic()) && bare.chars().count() <= MOST;
    (begins_so && is_chain && !is_label).then(|| format!("streams have no labels here: type \"{bare}\""))
}

/// A first value behind a colon, `invert:enable=…`, as it is typed here.
fn coloned(call: &str) -> Option<String> {
    let (name, values) = call.split_once(':')?;
    table::find(name.trim())?;
    let values = values.trim_start_matches(['=', ' ']);
    let is_shown = !values.is_empty() && call.chars().count() <= MOST;
    is_shown.then(|| format!("the first value follows =: type \"{}={values}\"", name.trim()))
}

/// The name of a file where a filter's is due.
fn file(call: &str) -> Option<String> {
    let (stem, ending) = call.rsplit_once('.')?;
    let is_name = !stem.is_empty() && call.chars().count() <= MOST && !call.contains(['=', '\'']);
    match ending.to_ascii_lowercase().as_str() {
        "txt" | "chain" if is_name => Some(format!("a file of filters is read with @: type @{call}")),
        "cube" | "3dl" if is_name => Some(format!("a table of colours is read by a filter: type lut3d={call}")),
        "png" if is_name => {
            Some(format!("a picture is laid over the clip by a filter: type overlay={call}:x=W-w-16:y=16"))
        }
        "npy" | "json" | "csv" if is_name => Some(format!("a kernel from a file is a filter: type kernel={call}")),
        _ => None,
    }
}

/// A call that begins with the name of a filter and goes on as elsewhere, `box:radius=2`, `box(2)`, `box 2`, as it is
/// typed here.
fn reshaped(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = text.split_at(end);
    table::find(name)?;
    let rest = rest.trim_start();
    let values = match rest.strip_prefix('(') {
        Some(inner) => inner.split(')').next()?.replace(',', ":"),
        None => {
            let values = within(rest.trim_start_matches(':'));
            values.split(':').map(quoted_commas).collect::<Vec<_>>().join(":")
        }
    };
    let values = values.split(':').map(str::trim).collect::<Vec<_>>().join(":");
    let call = if values.is_empty() { name.to_owned() } else { format!("{name}={values}") };
    let plain = !rest.starts_with(['=', ',', ';', '|']) && call.chars().count() <= MOST && !rest.contains('\'');
    plain.then_some(call)
}

/// A text up to the first comma that lies in no parentheses.
fn within(text: &str) -> &str {
    let mut open = 0_i32;
    let end = text.find(|c: char| {
        open += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && open <= 0
    });
    &text[..end.unwrap_or(text.len())]
}

/// A value, `enable=gt(t,1)`, with its commas in quotes.
fn quoted_commas(value: &str) -> String {
    match value.split_once('=').filter(|(_, text)| text.contains(',')) {
        Some((name, text)) => format!("{name}='{text}'"),
        None => value.to_owned(),
    }
}

/// The value that a hint is for.
pub(super) struct WrongValue<'a> {
    /// The filter.
    pub spec: &'static Spec,
    /// The parameter that did not take it.
    pub parameter: &'static Parameter,
    /// True if it was typed without a name, so that its position chose the parameter.
    pub is_unnamed: bool,
    /// The value, quotes taken away.
    pub text: &'a str,
    /// The call, as it was typed.
    pub call: &'a str,
    /// True if a comma follows it.
    pub is_cut: bool,
    /// True if clips may be named where pictures are.
    pub opens_clips: bool,
}

/// The hint for a value that its parameter does not take; `None` where the parameter's own range says it all.
pub(super) fn value(wrong: &WrongValue<'_>) -> Option<String> {
    let WrongValue { spec, parameter, is_unnamed, text, call, is_cut, opens_clips } = *wrong;
    let open = |pair: [char; 2]| text.matches(pair[0]).count() > text.matches(pair[1]).count();
    if is_cut && (open(['(', ')']) || open(['[', ']'])) {
        let name = parameter.name;
        let example = if parameter.kind == Kind::Condition { "between(t,1,3)" } else { "1,2,1" };
        return Some(format!("{QUOTED}: -f \"…:{name}='{example}'\""));
    }
    if parameter.kind == Kind::Condition {
        return compared(text);
    }
    if parameter.kind == Kind::Picture {
        return Some(match opens_clips && Path::new(text).is_file() && !is_png(text) {
            true => format!("name a PNG file, or a video that plays, as in {}", spec.example),
            false => picture(spec, is_unnamed, text, call),
        });
    }
    let colours = || file(text).filter(|_| parameter.kind == Kind::Tones && !text.ends_with(".txt"));
    separated(call)
        .or_else(colours)
        .or_else(|| geometry::place(parameter, text))
        .or_else(|| named(spec, is_unnamed, text, call))
        .or_else(|| geometry::by_sides(spec, text))
        .or_else(|| geometry::turned(spec, text))
        .or_else(|| geometry::centred(spec, parameter, text))
        .or_else(|| of_hundred(spec, parameter, text))
        .or_else(|| with_unit(spec, parameter, text))
        .or_else(|| of_number(spec, parameter, is_unnamed, text))
        .or_else(|| expression(spec, parameter, text, call))
        .or_else(|| slip::misfit(spec, parameter, is_unnamed, text))
}

/// A picture that is none: a clip, a picture of another kind, or FFmpeg's values, which begin with a place.
fn picture(spec: &Spec, is_unnamed: bool, text: &str, call: &str) -> String {
    if Path::new(text).is_file() {
        let command = format!("ffmpeg -i {} -frames:v 1 picture.png", elsewhere::quoted(text));
        return format!("only still pictures are taken, as PNG files: type {command}, and {}=picture.png", spec.name);
    }
    let values = call.split_once('=').map_or("", |(_, values)| values.trim());
    if call.contains("://") {
        return "pictures and second clips are files; save it as one first".to_owned();
    }
    let may_be_one = text.contains(|c: char| c.is_ascii_digit() || "WHwh".contains(c)) && !Path::new(text).exists();
    let is_place =
        is_unnamed && may_be_one && !text.contains('.') && call.chars().count() <= MOST && !call.contains('\'');
    match is_place {
        true => format!("the picture comes first: type {}=logo.png:{values}", spec.name),
        false => format!("type the name of a PNG file or a video, as in {}", spec.example),
    }
}

/// An expression of a filter that has them in FFmpeg, `hue=H=2*PI*t`, and numbers alone here.
fn expression(spec: &Spec, parameter: &Parameter, text: &str, call: &str) -> Option<String> {
    let is_one = ["hue", "eq"].contains(&spec.name) && text.contains(|c: char| c.is_ascii_alphabetic());
    (is_one && matches!(parameter.kind, Kind::Number(..)) && call.is_ascii()).then(|| {
        let command = elsewhere::ffmpeg_first("IN", call);
        format!("type {}, or let FFmpeg evaluate it: {command} | warpreel - OUT -f …", parameter.kind.range())
    })
}

/// A share in percent, `scale=50%`, `saturation=140%`, as it is typed here.
fn of_hundred(spec: &Spec, parameter: &Parameter, text: &str) -> Option<String> {
    let share = number(text.strip_suffix('%')?.trim_end()).ok()?;
    let (filter, name) = (spec.name, parameter.name);
    match (parameter.kind, filter, name) {
        (_, "scale", "w") => Some(format!("a value has no unit: type scale=iw*{}:-2", share / 100.0)),
        (_, "scale", "h") => Some(format!("a value has no unit: type scale=-2:ih*{}", share / 100.0)),
        (Kind::Number(low, high), _, _) if parameter.unit.is_empty() && (low..=high).contains(&(share / 100.0)) => {
            Some(format!("a value has no unit: type {filter}={name}={}", share / 100.0))
        }
        _ => None,
    }
}

/// A number with its unit behind it, `gaussian=5px`, `rotate=90deg`, as it is typed here.
fn with_unit(spec: &Spec, parameter: &Parameter, text: &str) -> Option<String> {
    let bare = text.trim_end_matches(|c: char| c.is_alphabetic() || "°%".contains(c)).trim_end();
    let (unit, number) = (text[bare.len()..].trim_start(), number(bare).ok()?);
    let is_turn = matches!(unit.to_lowercase().as_str(), "°" | "deg" | "degree" | "degrees");
    let value = match (parameter.unit, unit) {
        ("radians", _) if is_turn => format!("{number}*PI/180"),
        (of, "%") if of.contains("fraction") => (number / 100.0).to_string(),
        (_, "" | "%") => return None,
        _ => bare.to_owned(),
    };
    let (filter, name) = (spec.name, parameter.name);
    parameter.kind.read(&value).ok().map(|_| format!("a value has no unit: type {filter}={name}={value}"))
}

/// A name and its value with a colon between them, `gaussian=sigma:2`, as they are typed here.
fn named(spec: &Spec, is_unnamed: bool, text: &str, call: &str) -> Option<String> {
    let own = spec.parameters().find(|parameter| is_unnamed && parameter.is(text))?;
    let value = call.split_once(&format!("{text}:")).map(|(_, rest)| rest.split(':').next().unwrap_or_default().trim());
    let value = value.filter(|value| !value.is_empty()).map_or_else(|| own.preset_text(), str::to_owned);
    Some(format!("a value follows its name with =: type {}={text}={value}", spec.name))
}

/// A number that another parameter, another filter or another scale would take.
fn of_number(spec: &Spec, parameter: &Parameter, is_unnamed: bool, text: &str) -> Option<String> {
    let number = number(text).ok()?;
    let takes = |kind: Kind| matches!(kind, Kind::Number(low, high) | Kind::Strength(low, high) if (low..=high).contains(&number));
    match parameter.kind {
        Kind::Count(..) if is_unnamed && number.fract() != 0.0 => {
            let other = spec.own.iter().find(|other| takes(other.kind))?;
            let (name, range) = (other.name, parameter.kind.range());
            Some(format!("type {}={name}={number} for {name}, or {range} for {}", spec.name, parameter.name))
        }
        // 8-bit steps, as OpenCV and most editors have them.
        Kind::Number(low, high) if parameter.unit.contains("fraction") && high <= 2.0 && number.abs() <= 255.0 => {
            let part = (number / 255.0 * 1e4).round() / 1e4;
            (low..=high).contains(&part).then(|| {
                let range = parameter.kind.range();
                format!("{number} of 255 is {part}: type {}={}={part}, or {range}", spec.name, parameter.name)
            })
        }
        Kind::Word(words) | Kind::Name(words) if spec.group == Group::Denoise && words.contains(&"auto") => {
            let range = parameter.kind.range();
            Some(format!(
                "type {range}; the standard deviation of the noise, in steps of 8 bits, is taken by bm3d=sigma={number}"
            ))
        }
        _ => None,
    }
}

/// The hint for a parameter that a filter does not have.
pub(super) fn parameter(key: &str, value: &str, spec: &'static Spec) -> String {
    let list = format!("list them with: warpreel filters {}", spec.name);
    if let Some(hint) = geometry::parameter(key, value, spec).or_else(|| slip::period(key)) {
        return hint;
    }
    if let Some(other) = of_second_clip(key, value, spec) {
        return other;
    }
    if table::find(key).is_some() {
        let separate = format!("{key} is a filter: type \"{},{key}={value}\"", spec.name);
        return if value.contains(['\'', ':', ',']) { list } else { format!("{separate}, or {list}") };
    }
    if spec.name == "scale" && key == "force_original_aspect_ratio" {
        return format!("type scale=fit=1280x720, which keeps the shape within that size; {list}");
    }
    if let Some(call) = geometry::sized(key, value, spec) {
        return format!("type {call}, which is nearest to that size; {list}");
    }
    let names = spec.parameters().flat_map(|p| std::iter::once(p.name).chain(p.aliases.iter().copied()));
    match table::nearest(key, names) {
        Some(guess) => format!("did you mean \"{guess}\"? {list}"),
        None if spec.own.is_empty() => list,
        None => {
            let own: Vec<&str> = spec.own.iter().take(4).map(|parameter| parameter.name).collect();
            format!("it has {}, as in {}; {list}", own.join(", "), spec.example)
        }
    }
}

/// Options of FFmpeg for two inputs, of a filter that reads a second clip.
fn of_second_clip(key: &str, value: &str, spec: &Spec) -> Option<String> {
    spec.own.iter().find(|own| [Kind::Clip, Kind::Picture].contains(&own.kind))?;
    Some(match (key, value) {
        ("eval", _) => format!("leave it out: places of {} stay", spec.name),
        ("format" | "alpha", _) => format!("leave it out: {} keeps the format of the frames", spec.name),
        ("repeatlast", "0") => "type eof_action=pass".to_owned(),
        ("repeatlast", _) => format!("leave it out: {} goes on with the second clip's last frame", spec.name),
        (planes, mode) if planes.ends_with("_mode") || planes.ends_with("_opacity") => {
            format!("type one {} for each mode, and its planes: {}=…:mode={mode}:planes=y", spec.name, spec.name)
        }
        (expression, _) if expression.ends_with("_expr") => {
            "expressions of samples are not offered; type one of the modes, or let FFmpeg blend".to_owned()
        }
        _ => return None,
    })
}

/// FFmpeg's functions for the signs of other languages, the longer signs first.
const SIGNS: [(&str, &str); 6] =
    [(">=", "gte"), ("<=", "lte"), ("==", "eq"), ("!=", "not(eq"), (">", "gt"), ("<", "lt")];

/// What a comparison by signs is in FFmpeg's functions.
fn compared(text: &str) -> Option<String> {
    let (sign, function) = SIGNS.iter().find(|(sign, _)| text.contains(sign))?;
    let plain =
        |side: &str| !side.is_empty() && side.chars().all(|c| c.is_ascii_alphanumeric() || "._*/+-".contains(c));
    let sides = text.split_once(sign).map(|(left, right)| (plain_number(left.trim()), plain_number(right.trim())));
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

/// A number of seconds without its unit; anything else as it is.
fn plain_number(side: &str) -> &str {
    let bare = ["sec", "s"].iter().find_map(|unit| side.strip_suffix(unit)).unwrap_or(side).trim_end();
    if bare.parse::<f64>().is_ok() { bare } else { side }
}
