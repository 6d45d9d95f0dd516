//! The grammar of chains: text cut into calls and arguments, each with its place in the text. What names and values
//! mean is none of its business.
//!
//! ```text
//! chain     = call { "," call }
//! call      = name [ "=" argument { ":" argument } ]
//! argument  = [ key "=" ] value
//! ```
//!
//! As in FFmpeg, a chain is read in two steps, so that an argument of its `-vf` can be pasted unchanged: first it is
//! cut at commas, then each call at colons. In each step `'…'` protects everything up to the next quote, `\` protects
//! one character, and both are taken away. So a comma in a value needs one protection, a colon one in the second step:
//! `kernel='1, 2, 1'`, `kernel=C\\:/taps.txt`. White space around names and values is dropped.

use std::fmt;
use std::ops::Range;

/// What is wrong with a chain, where, and what to type instead. Displayed as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The chain as it was typed.
    pub text: String,
    /// The offending bytes of [`SyntaxError::text`]; empty at its end where something is missing.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to type next.
    pub hint: String,
}

impl SyntaxError {
    pub(super) fn new(text: &str, span: &Range<usize>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { text: text.to_owned(), span: span.clone(), message: message.into(), hint: hint.into() }
    }

    /// Two lines for a terminal: the text, and carets below the offending part.
    pub fn caret(&self) -> String {
        let line: String = self.text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let count = |range: &str| range.chars().count();
        let before = count(self.text.get(..self.span.start).unwrap_or_default());
        let marked = count(self.text.get(self.span.clone()).unwrap_or_default()).max(1);
        format!("{line}\n{}{}", " ".repeat(before), "^".repeat(marked))
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.text.get(..self.span.start).unwrap_or_default().chars().count() + 1;
        let line = format!("{} at character {place} of the chain; {}", self.message, self.hint);
        f.write_str(&line.replace(char::is_control, " "))
    }
}

impl std::error::Error for SyntaxError {}

/// A piece of text after quotes and escapes were taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// What it says.
    pub text: String,
    /// The bytes of the chain that it came from, quotes included.
    pub span: Range<usize>,
}

/// A value, and the name that it was given to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    /// `None` where the position decides.
    pub key: Option<Token>,
    /// May be empty.
    pub value: Token,
}

/// One filter of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    /// Before the first `=`.
    pub name: Token,
    /// In the order of the text.
    pub arguments: Vec<Argument>,
    /// The bytes of the chain that it came from.
    pub span: Range<usize>,
}

/// A character, where it began in the text, and whether a quote or a backslash protected it.
#[derive(Clone, Copy)]
struct Letter {
    at: usize,
    end: usize,
    char: char,
    protected: bool,
}

/// Reads a chain; an empty text is an empty chain.
///
/// # Errors
/// A quote that is never closed, a call without a name, a comma with nothing beside it.
pub(super) fn read(text: &str) -> Result<Vec<Call>, SyntaxError> {
    let fault = |span: Range<usize>, message: &str, hint: &str| SyntaxError::new(text, &span, message, hint);
    let letters: Vec<Letter> = text
        .char_indices()
        .map(|(at, char)| Letter { at, end: at + char.len_utf8(), char, protected: false })
        .collect();
    let unclosed =
        |at| fault(at..text.len(), "quote without an end", "close it with ' or write \\' for the sign itself");
    let mut calls = Vec::new();
    if letters.iter().all(|letter| letter.char.is_whitespace()) {
        return Ok(calls);
    }
    let mut rest = &letters[..];
    loop {
        let start = rest.iter().find(|l| !l.char.is_whitespace()).map_or(text.len(), |l| l.at);
        let (name, after) = cut(rest, &['=', ',']).map_err(unclosed)?;
        let name = token(&name, start);
        if name.text.is_empty() {
            let end = after.first().map_or(text.len(), |letter| letter.end);
            return Err(fault(start..end, "a filter's name is missing", "write name=key=value:key=value,name2=…"));
        }
        let mut arguments = Vec::new();
        let mut end = name.span.end;
        rest = after;
        if let [Letter { char: '=', .. }, behind @ ..] = rest {
            let (body, after) = cut(behind, &[',']).map_err(unclosed)?;
            end = body.last().map_or(end + 1, |letter| letter.end);
            arguments = split(&body, end).map_err(unclosed)?;
            rest = after;
            end = after.first().map_or(text.len(), |letter| letter.at);
        }
        let end = start + text[start..end].trim_end().len();
        calls.push(Call { name, arguments, span: start..end });
        match rest {
            [] => return Ok(calls),
            [_comma, behind @ ..] => rest = behind,
        }
    }
}

/// The second step: the arguments of one call.
fn split(letters: &[Letter], end: usize) -> Result<Vec<Argument>, usize> {
    let mut arguments = Vec::new();
    let mut rest = letters;
    loop {
        let start = rest.first().map_or(end, |letter| letter.at);
        let (key, behind) = match key(rest) {
            Some((key, behind)) => (Some(key), behind),
            None => (None, rest),
        };
        let (value, after) = cut(behind, &[':'])?;
        let from = behind.first().map_or(end, |letter| letter.at).max(start);
        arguments.push(Argument { key, value: token(&value, from) });
        match after {
            [] => return Ok(arguments),
            [_colon, behind @ ..] => rest = behind,
        }
    }
}

/// A name of letters, digits and underscores before `=`, and what follows the sign.
fn key(letters: &[Letter]) -> Option<(Token, &[Letter])> {
    let blank = letters.iter().take_while(|l| l.char.is_whitespace()).count();
    let word = letters[blank..].iter().take_while(|l| l.char.is_ascii_alphanumeric() || l.char == '_').count();
    let name = &letters[blank..blank + word];
    let behind = &letters[blank + word..];
    let gap = behind.iter().take_while(|l| l.char.is_whitespace()).count();
    let is_key = word > 0 && behind.get(gap).is_some_and(|l| l.char == '=');
    is_key.then(|| (token(name, 0), &behind[gap + 1..]))
}

/// Everything up to one of `stops` that nothing protects, with one layer of protection taken away, and the rest from
/// the stop on. The error is where an unclosed quote began.
fn cut<'a>(letters: &'a [Letter], stops: &[char]) -> Result<(Vec<Letter>, &'a [Letter]), usize> {
    let mut kept: Vec<Letter> = Vec::new();
    let mut i = letters.iter().take_while(|l| l.char.is_whitespace()).count();
    while let Some(&letter) = letters.get(i) {
        match letter.char {
            '\\' if i + 1 < letters.len() => {
                i += 1;
                kept.push(Letter { at: letter.at, protected: true, ..letters[i] });
            }
            '\'' => {
                let length = letters[i + 1..].iter().position(|l| l.char == '\'').ok_or(letter.at)?;
                kept.extend(letters[i + 1..i + 1 + length].iter().map(|l| Letter { protected: true, ..*l }));
                i += length + 1;
            }
            char if stops.contains(&char) => break,
            _ => kept.push(Letter { protected: false, ..letter }),
        }
        i += 1;
    }
    while kept.last().is_some_and(|l| l.char.is_whitespace() && !l.protected) {
        kept.pop();
    }
    Ok((kept, &letters[i.min(letters.len())..]))
}

fn token(letters: &[Letter], at: usize) -> Token {
    let span = match letters {
        [] => at..at,
        [first, .., last] => first.at..last.end,
        [only] => only.at..only.end,
    };
    Token { text: letters.iter().map(|l| l.char).collect(), span }
}

/// A value as the text of a chain that reads back as the same value.
pub(super) fn quote(value: &str) -> String {
    protect(&protect(value, &[':', '\'', '\\']), &[',', '\'', '\\'])
}

/// Backslashes before `special` characters and before white space at either end.
fn protect(text: &str, special: &[char]) -> String {
    let (start, end) = (text.len() - text.trim_start().len(), text.trim_end().len());
    let mut result = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        let edge = char.is_whitespace() && (at < start || at >= end);
        if edge || special.contains(&char) {
            result.push('\\');
        }
        result.push(char);
    }
    result
}
