//! Matrices in brackets, as MATLAB (`[0 -1 0; -1 5 -1]`) and Python (`[[0, -1, 0], [-1, 5, -1]]`) write them.

use std::borrow::Cow;

/// The text without its brackets, `;` between rows and `|` between frames; as it is where it begins with none.
///
/// # Errors
/// A bracket without its partner, numbers beside brackets, more than three brackets deep.
pub(in super::super) fn opened(text: &str) -> Result<Cow<'_, str>, String> {
    let text = text.trim();
    if !text.starts_with('[') {
        return Ok(Cow::Borrowed(text));
    }
    let depths = text.chars().scan(0usize, |depth, c| {
        *depth += usize::from(c == '[');
        let here = *depth;
        *depth = depth.saturating_sub(usize::from(c == ']'));
        Some((c, here))
    });
    let depths: Vec<(char, usize)> = depths.collect();
    let count = |bracket: char| text.matches(bracket).count();
    let deepest = depths.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
    if count('[') != count(']') || depths.iter().any(|(_, depth)| *depth == 0) {
        return Err("has a bracket without its partner".to_owned());
    }
    if deepest > 3 {
        return Err(format!("is {deepest} brackets deep, where a kernel has 1, 2 or 3"));
    }
    let mut plain = String::with_capacity(text.len());
    for (c, depth) in depths {
        match c {
            '[' => plain.push(' '),
            // What closes the whole ends nothing; what closes a row of several ends a row, and so on.
            ']' => plain.push_str(match (deepest, depth) {
                (_, 1) => " ",
                (3, 2) => "| ",
                _ => "; ",
            }),
            ',' if depth < deepest => plain.push(' '),
            // In Python the ends of lines say nothing.
            '\n' if deepest > 1 => plain.push(' '),
            c if depth < deepest && !c.is_whitespace() => return Err(format!("has \"{c}\" between its rows")),
            c => plain.push(c),
        }
    }
    Ok(Cow::Owned(plain))
}
