//! Chains taken apart and put together again, for programs that show the filters of a text beside it.

use std::ops::Range;

use super::chain::{matched, parse, read_all};
use super::choice::Defaults;
use super::recipe::{self, Recipe};
use super::syntax::{self, Call, SyntaxError};
use super::table;

/// One filter of a chain, as it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallPlace {
    /// The filter.
    pub name: &'static str,
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// What was typed for its parameters, in that order.
    pub arguments: Vec<ArgumentPlace>,
}

/// A value, as it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentPlace {
    /// The parameter's name, also where another or none was typed.
    pub parameter: &'static str,
    /// The value, without quotes.
    pub value: String,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

/// A change of a chain. Filters are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Gives a parameter of a filter this value; `None` takes it out of the text, so that its default holds.
    Set(usize, String, Option<String>),
    /// Takes a filter out.
    Remove(usize),
    /// Takes a filter out and puts it back where then so many stand before it.
    Move(usize, usize),
    /// Puts calls where then so many filters stand before them.
    Insert(usize, String),
    /// Lets a filter act on no frame, or again on those that it acted on before.
    Switch(usize, bool),
}

/// What stands before and behind the condition of a filter that is switched off.
const OFF: (&str, &str) = ("0*(", ")");

impl CallPlace {
    /// Whether it has not been switched off.
    pub fn is_on(&self) -> bool {
        let enable = self.value("enable");
        enable.is_none_or(|text| text != "0" && within(text).is_none())
    }

    fn value(&self, parameter: &str) -> Option<&str> {
        self.arguments.iter().find(|argument| argument.parameter == parameter).map(|argument| argument.value.as_str())
    }
}

/// The condition of a filter that is switched off.
fn within(text: &str) -> Option<&str> {
    text.strip_prefix(OFF.0)?.strip_suffix(OFF.1)
}

/// The text that a chain stands for: what its file holds in one line, if it is `@FILE`. Blocks while that is read.
///
/// # Errors
/// As [`super::parse`].
pub fn expanded(text: &str) -> Result<String, SyntaxError> {
    let Some(path) = recipe::named(text) else { return Ok(text.to_owned()) };
    // A file that cannot be read is told of as when it is parsed.
    let Ok(recipe) = Recipe::open(path) else {
        return parse(text, &Defaults::default()).map(|_| text.to_owned());
    };
    one_line(&recipe.chain).map_err(|error| recipe.placed(error))
}

/// Converts the text of a chain file (a filter a line, `#` comments) into a chain of one line.
///
/// # Errors
/// If it is no chain; places are those of the text.
pub fn unfolded(text: &str) -> Result<String, SyntaxError> {
    one_line(&recipe::joined(text))
}

/// The calls of a chain without the blanks between them.
fn one_line(chain: &str) -> Result<String, SyntaxError> {
    let closed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let calls = syntax::read(chain)?;
    Ok(calls.iter().map(|call| closed(&chain[call.span.clone()])).collect::<Vec<_>>().join(","))
}

/// The filters of a text that [`super::parse`] accepts, and where they stand. Blocks while files that it names are read.
///
/// # Errors
/// As [`super::parse`].
pub fn places(text: &str, defaults: &Defaults) -> Result<Vec<CallPlace>, SyntaxError> {
    read_all(text, defaults)?;
    Ok(syntax::read(text)?.iter().filter_map(place).collect())
}

/// A call of a filter of the table, its arguments those that are understood.
fn place(call: &Call) -> Option<CallPlace> {
    let spec = table::find(&call.name.text)?;
    let arguments = matched(call, spec).filter_map(|(argument, parameter)| {
        let (value, span) = (argument.value.text.clone(), argument.value.span.clone());
        Some(ArgumentPlace { parameter: parameter.ok()?.name, value, span })
    });
    Some(CallPlace { name: spec.name, span: call.span.clone(), arguments: arguments.collect() })
}

/// The text after a change. Filters that it does not touch keep theirs; whether the new value can be read is not asked.
///
/// # Errors
/// If the text has no such filter, or cannot be taken apart.
///
/// ```
/// use warpreel_filter::filter::{Edit, edited};
///
/// let text = "gaussian=2,unsharp";
/// assert_eq!(edited(text, &Edit::Set(0, "sigma".into(), Some("3".into())))?, "gaussian=3,unsharp");
/// assert_eq!(edited(text, &Edit::Switch(1, false))?, "gaussian=2,unsharp=enable=0");
/// assert_eq!(edited(text, &Edit::Move(0, 1))?, "unsharp,gaussian=2");
/// # anyhow::Ok(())
/// ```
pub fn edited(text: &str, change: &Edit) -> Result<String, SyntaxError> {
    let calls = syntax::read(text)?;
    let mut texts: Vec<String> = calls.iter().map(|call| text[call.span.clone()].to_owned()).collect();
    let missing = |number: usize| {
        let message = format!("the chain has {} filters, and no number {number}", calls.len());
        SyntaxError::new(text, &(0..text.len()), message, "count them from 0")
    };
    let call = |number: usize| calls.get(number).ok_or_else(|| missing(number));
    match change {
        Edit::Set(number, parameter, value) => texts[*number] = with(call(*number)?, parameter, value.as_deref()),
        Edit::Remove(number) => {
            call(*number)?;
            texts.remove(*number);
        }
        Edit::Move(from, to) => {
            call(*from)?;
            let moved = texts.remove(*from);
            texts.insert((*to).min(texts.len()), moved);
        }
        Edit::Insert(at, more) => texts.insert((*at).min(texts.len()), more.clone()),
        Edit::Switch(number, is_on) => {
            let known = place(call(*number)?).ok_or_else(|| missing(*number))?;
            let condition = known.value("enable").filter(|text| *text != "0");
            let bare = condition.and_then(within).or(condition);
            let value = match (is_on, bare) {
                (true, bare) => bare.map(str::to_owned),
                (false, None) => Some("0".to_owned()),
                (false, Some(bare)) => Some(format!("{}{bare}{}", OFF.0, OFF.1)),
            };
            texts[*number] = with(call(*number)?, "enable", value.as_deref());
        }
    }
    Ok(texts.join(","))
}

/// A call whose parameter has another value.
fn with(call: &Call, parameter: &str, value: Option<&str>) -> String {
    let known = table::find(&call.name.text);
    let names: Vec<Option<&str>> = match known {
        Some(spec) => matched(call, spec).map(|(_, found)| found.ok().map(|found| found.name)).collect(),
        None => Vec::new(),
    };
    let mut parts: Vec<String> = Vec::new();
    let (mut is_set, mut is_named) = (false, false);
    for (argument, name) in call.arguments.iter().zip(names) {
        let own = name == Some(parameter);
        is_set |= own;
        let text = match (own, value) {
            (true, None) => {
                // Values without a name behind it would be taken for others.
                is_named = true;
                continue;
            }
            (true, Some(value)) => value,
            (false, _) => &argument.value.text,
        };
        is_named |= argument.key.is_some();
        let key = argument.key.as_ref().map(|key| key.text.as_str()).or(name).filter(|_| is_named);
        parts.push(key.map_or_else(String::new, |key| format!("{key}=")) + &quoted(text));
    }
    if let Some(value) = value.filter(|_| !is_set) {
        parts.push(format!("{parameter}={}", quoted(value)));
    }
    let mark = if parts.is_empty() { "" } else { "=" };
    format!("{}{mark}{}", call.name.text, parts.join(":"))
}

/// A value as it would be typed: in quotes where commas need them and nothing needs more.
fn quoted(value: &str) -> String {
    let is_trimmed = value.trim() == value;
    match value.contains(',') && is_trimmed && !value.contains([':', '\'', '\\']) {
        true => format!("'{value}'"),
        false => syntax::quote(value),
    }
}
