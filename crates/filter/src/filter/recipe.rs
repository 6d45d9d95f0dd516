//! Chains that lie in files: `@ink.txt` stands for what the file says, with comments, and a line for each filter. Without
//! such a file, `@vhs` is the recipe of that name.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::cookbook;
use super::matrix::reason;
use super::syntax::{ChainOrigin, SyntaxError};

/// The file that a chain names, if it is to be read from one.
pub(super) fn named(text: &str) -> Option<&str> {
    text.trim().strip_prefix('@')
}

/// The text of the recipe that a chain names; `None` where there is such a file.
pub(super) fn built_in(path: &str) -> Option<&'static str> {
    cookbook::known(path).filter(|_| !Path::new(path).exists()).map(|recipe| recipe.text)
}

/// A chain from a file.
pub(super) struct Recipe {
    path: String,
    /// What the file says.
    text: String,
    /// The same as a chain, every character in its place: blanks for comments, commas between lines.
    pub chain: String,
}

impl Recipe {
    /// Reads a file, or takes the recipe of that name if there is no such file. Blocks while it is read.
    ///
    /// # Errors
    /// What is wrong, worded to follow the name of the file.
    pub(super) fn open(path: &str) -> Result<Self, String> {
        // More filters than any machine could run.
        const MAX_BYTES: u64 = 1 << 20;
        let unreadable = |error: std::io::Error| format!("cannot be read: {}", reason(&error));
        if let Some(text) = built_in(path) {
            return Ok(Self { path: path.to_owned(), text: text.to_owned(), chain: joined(text) });
        }
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(unreadable)?;
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("is longer than {MAX_BYTES} bytes"));
        }
        let text = String::from_utf8(bytes).map_err(|_| "is not text".to_owned())?;
        // The mark that some editors put in front.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        let chain = joined(&text);
        if chain.trim().is_empty() {
            return Err("holds no filter".to_owned());
        }
        Ok(Self { path: path.to_owned(), text, chain })
    }

    /// What is wrong with the chain, where the file has it.
    pub(super) fn placed(&self, error: SyntaxError) -> SyntaxError {
        SyntaxError { text: self.text.clone(), origin: ChainOrigin::File(self.path.clone()), ..error }
    }
}

/// Comments become blanks, and the ends of lines that end a filter commas; nothing else changes, and nothing moves.
pub(super) fn joined(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut breaks = Vec::new();
    let (mut quoted, mut comment, mut escaped) = (false, false, false);
    for at in 0..bytes.len() {
        match bytes[at] {
            b'\n' if comment || !(quoted || escaped) => {
                comment = false;
                breaks.push(at);
            }
            b'\n' | b'\r' if escaped => {
                // A backslash that ends a line joins it to the next.
                bytes[at - 1] = b' ';
                escaped = bytes[at] == b'\r';
                bytes[at] = b' ';
                continue;
            }
            _ if comment => bytes[at] = b' ',
            _ if escaped => {}
            b'\'' => quoted = !quoted,
            b'#' if !quoted => {
                comment = true;
                bytes[at] = b' ';
            }
            b'\\' if !quoted => {
                escaped = true;
                continue;
            }
            _ => {}
        }
        escaped = false;
    }
    for at in breaks {
        let before = bytes[..at].iter().rfind(|byte| !byte.is_ascii_whitespace());
        let after = bytes[at..].iter().find(|byte| !byte.is_ascii_whitespace());
        let goes_on =
            before.is_none_or(|byte| b",:=;|".contains(byte)) || after.is_none_or(|byte| b",:".contains(byte));
        if !goes_on {
            bytes[at] = b',';
        }
    }
    // Only bytes of whole characters were replaced, and by ASCII.
    String::from_utf8(bytes).unwrap_or_default()
}
