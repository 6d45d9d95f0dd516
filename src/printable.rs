//! Text of others, such as names, tags and FFmpeg's words, as a terminal may show it.

use std::borrow::Cow;

/// One line: control characters, with which a terminal would be written to and a line begun, as `\n` or `\u{1b}`.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, char::is_control)
}

/// Several lines: control characters but ends of lines and tabs likewise.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| letter.is_control() && !matches!(letter, '\n' | '\t'))
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_hidden(letter) { shown.extend(letter.escape_default()) } else { shown.push(letter) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(line("plain \u{e4}\u{65e5}"), "plain \u{e4}\u{65e5}");
        assert_eq!(line("a\x1b[31mb\nc\rd\u{9b}e\x07"), "a\\u{1b}[31mb\\nc\\rd\\u{9b}e\\u{7}");
        assert_eq!(lines("a\tb\n\x1b]0;t\x07"), "a\tb\n\\u{1b}]0;t\\u{7}");
    }
}
