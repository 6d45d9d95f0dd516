//! Kernels that users bring along: as text in the chain, or as a `.txt`, `.csv`, `.json` or `.npy` file.

mod bracket;
mod json;
mod npy;
mod taps;
mod text;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::stencil::Matrix;

pub(super) use bracket::opened;
pub use taps::ParsedKernels;
use text::TextOrigin;

const ENDINGS: [&str; 4] = [".txt", ".csv", ".json", ".npy"];

/// Whether the text is the name of a file rather than a kernel: it ends like one.
pub(super) fn is_file(text: &str) -> bool {
    ENDINGS.iter().any(|ending| text.ends_with(ending))
}

/// A file if the text ends like the name of one, or else the kernel itself. Blocks while a file is read.
///
/// # Errors
/// What is wrong, worded to follow the text: `holds no numbers`.
pub(super) fn read(text: &str) -> Result<ParsedKernels, String> {
    if is_file(text) {
        return read_file(text);
    }
    text::read(text, TextOrigin::Typed).map_err(|problem| match Path::new(text).is_file() {
        true => format!("names a file of another ending, which file={text} reads"),
        false => problem,
    })
}

/// A file, read by the ending of its name; `.txt` where it has another. Blocks while it is read.
///
/// # Errors
/// What is wrong, worded to follow the name of the file.
pub(super) fn read_file(path: &str) -> Result<ParsedKernels, String> {
    // A tap of a text file takes two bytes at the least and hardly ever more than 32.
    const MAX_BYTES: u64 = 32 * Matrix::MAX_TAPS as u64;
    let unreadable = |err: std::io::Error| format!("cannot be read: {}", reason(&err));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    // The name may be that of a pipe or a device, which has no length beforehand and perhaps no end.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("is longer than {MAX_BYTES} bytes, the most that a kernel has"));
    }
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
    if ending == Some("npy") {
        return Ok(ParsedKernels { kernels: vec![npy::read(&bytes)?], scale: None });
    }
    let words = String::from_utf8(bytes).map_err(|_| "is not text".to_owned())?;
    // The mark that some editors put in front.
    let words = words.strip_prefix('\u{feff}').unwrap_or(&words);
    match ending {
        Some("json") => json::read(words),
        // Where a comma is the decimal sign, spreadsheets put semicolons between numbers; a row is a line.
        Some("csv") => text::read(&words.replace(';', " "), TextOrigin::File),
        _ => text::read(words, TextOrigin::File),
    }
}

/// An error of the system in lower case, without its number.
pub(super) fn reason(err: &std::io::Error) -> String {
    let text = err.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
