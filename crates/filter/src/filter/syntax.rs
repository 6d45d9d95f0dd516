//! The grammar of chains: text cut into calls and arguments, each with its place in the text. What names and values
//! mean is none of its business.
//!
//! ```text
//! chain     = call { "," call }
//! call      = name [ "=" argument { ":" argument } ]
//! argument  = [ key "=" ] value
//! ```
//!
//! As in FFmpeg, a chain is read in two steps, so that an argument of its `-vf` can be pasted unchanged: first it is cut at
//! commas, then each call at colons. In each step `'…'` protects everything up to the next quote, `\` protects one
//! character, and both are taken away. So a comma in a value needs one protection, a colon one in the second step:
//! `kernel='1, 2, 1'`, `kernel=C\\:/taps.txt`. A value that is numbers in brackets needs none: `[[1, 2], [3, 4]]`. White
//! space around names and values is dropped.

use std::fmt;
use std::ops::Range;

/// The most characters of a call that is repeated in a hint.
pub(super) const MOST: usize = 60;

/// Which text an error is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainOrigin {
    /// A chain, as it was typed.
    Chain,
    /// One of several chains, counted from 1.
    Nth(usize),
    /// The file of this name.
    File(String),
    /// Nowhere: it is about a file as a whole.
    Nowhere,
}

/// What is wrong with a chain, where, and what to type instead. Displayed as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The chain as it was typed, or as its file has it.
    pub text: String,
    /// Where that text stands.
    pub origin: ChainOrigin,
    /// The offending bytes of [`SyntaxError::text`]; empty at its end where something is missing.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to type next.
    pub hint: String,
}

impl SyntaxError {
    /// The most characters of a line that [`SyntaxError::caret`] shows.
    pub const EXCERPT: usize = 60;

    pub(super) fn new(text: &str, span: &Range<usize>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let (message, hint) = (message.into(), hint.into());
        Self { text: text.to_owned(), origin: ChainOrigin::Chain, span: span.clone(), message, hint }
    }

    /// Of the chain with this number, counted from 1, of several; what stands in a file keeps the file's name.
    #[must_use]
    pub fn nth(self, number: usize) -> Self {
        match self.origin {
            ChainOrigin::File(_) | ChainOrigin::Nowhere => self,
            _ => Self { origin: ChainOrigin::Nth(number), ..self },
        }
    }

    /// Two lines for a terminal: the text, and carets below the offending part. Of a file it is the line in question,
    /// of a long line the [`SyntaxError::EXCERPT`] characters around that part.
    pub fn caret(&self) -> String {
        let (start, line) = self.line();
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let line: Vec<char> = line.chars().map(plain).collect();
        let count = |range: Option<&str>| range.unwrap_or_default().chars().count();
        let before = count(self.text.get(start..self.span.start));
        let marked = count(self.text.get(self.span.clone())).clamp(1, (line.len() - before).max(1));
        // As much before the carets as behind their first, as far as there is.
        let most = Self::EXCERPT;
        let first = before.saturating_sub(most / 2).min(line.len().saturating_sub(most));
        let shown = &line[first..line.len().min(first + most)];
        let (head, tail) = (first > 0, first + shown.len() < line.len());
        let dots = |yes: bool| if yes { "…" } else { "" };
        let marked = marked.min((shown.len() + first - before).max(1));
        let margin = " ".repeat(before - first + usize::from(head));
        format!("{}{}{}\n{margin}{}", dots(head), String::from_iter(shown), dots(tail), "^".repeat(marked))
    }

    /// The line that the offending part begins in, and where it begins; all of the text where that is no file.
    fn line(&self) -> (usize, &str) {
        let (before, after) = self.text.split_at_checked(self.span.start).unwrap_or((&self.text, ""));
        if !matches!(self.origin, ChainOrigin::File(_)) {
            return (0, &self.text);
        }
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let end = before.len() + after.find('\n').unwrap_or(after.len());
        (start, self.text[start..end].trim_end_matches('\r'))
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.text.get(..self.span.start).unwrap_or_default();
        let (start, _) = self.line();
        let place = before.get(start..).unwrap_or_default().chars().count() + 1;
        let place = match &self.origin {
            ChainOrigin::Nowhere => String::new(),
            ChainOrigin::Chain => format!(" at character {place} of the chain"),
            ChainOrigin::Nth(number) => format!(" at character {place} of -f number {number}"),
            ChainOrigin::File(name) => {
                format!(" at line {}, character {place} of {name}", before.matches('\n').count() + 1)
            }
        };
        let line = format!("{}{place}; {}", self.message, self.hint);
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
    // Where the numbers in brackets end, in which nothing else does.
    let mut inside = 0;
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
            char if i >= inside && stops.contains(&char) => break,
            '[' if i >= inside && kept.last().is_none_or(|l| ['=', ':'].contains(&l.char)) => {
                inside = i + bracketed(&letters[i..]);
                kept.push(Letter { protected: false, ..letter });
            }
            _ => kept.push(Letter { protected: false, ..letter }),
        }
        i += 1;
    }
    while kept.last().is_some_and(|l| l.char.is_whitespace() && !l.protected) {
        kept.pop();
    }
    Ok((kept, &letters[i.min(letters.len())..]))
}

/// How many letters from a bracket to its partner, if there are but numbers between them; 0 if not.
fn bracketed(letters: &[Letter]) -> usize {
    let mut depth = 0usize;
    for (at, letter) in letters.iter().enumerate() {
        match letter.char {
            '[' => depth += 1,
            ']' if depth == 1 => return at + 1,
            ']' => depth -= 1,
            char if char.is_ascii_digit() || char.is_whitespace() || ",;|.+-/eE".contains(char) => {}
            _ => break,
        }
    }
    0
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
