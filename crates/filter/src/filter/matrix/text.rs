//! Kernels as text: numbers between white space or commas; `;` or the end of a line ends a row; `|` or an empty line
//! ends a frame; `&` ends a kernel; `#` begins a comment. Numbers may be fractions, `1/9`, so `/` ends nothing. Each
//! kernel may stand in brackets.

use super::super::number::number;
use super::super::stencil::Matrix;
use super::bracket::opened;
use super::taps::{ParsedKernels, check_size, shaped};

/// Where a text came from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextOrigin {
    Typed,
    /// Messages do not show what it holds: it may be no kernel, and not for everybody's eyes.
    File,
}

impl TextOrigin {
    fn fault(self, word: &str, row: usize, problem: &str) -> String {
        match self {
            Self::Typed => format!("holds \"{word}\", which {problem}"),
            Self::File => format!("holds a word in row {row} that {problem}"),
        }
    }
}

/// Reads kernels: t, y, x as far as they have frames and rows.
///
/// # Errors
/// No numbers, a word that is none, rows or frames of different sizes, too many taps.
pub(super) fn read(text: &str, origin: TextOrigin) -> Result<ParsedKernels, String> {
    // Comments go first: they may hold any sign.
    let bare = |line: &str| line.split_once('#').map_or(line.to_owned(), |(before, _)| format!("{before}#"));
    let text: Vec<String> = text.lines().map(bare).collect();
    let kernels = text.join("\n").split('&').map(|text| read_one(text, origin)).collect::<Result<_, _>>()?;
    Ok(ParsedKernels { kernels, scale: None })
}

/// One kernel. A line of `#` alone was a comment, which is no empty line.
fn read_one(text: &str, origin: TextOrigin) -> Result<Matrix, String> {
    let text = opened(text)?;
    let mut frames: Vec<Vec<Vec<f64>>> = vec![Vec::new()];
    let (mut count, mut row_number) = (0, 0);
    for line in text.lines() {
        if line.trim().is_empty() {
            frames.push(Vec::new());
            continue;
        }
        let line = line.split('#').next().unwrap_or_default();
        for (index, part) in line.split('|').enumerate() {
            if index > 0 {
                frames.push(Vec::new());
            }
            for row in part.split(';') {
                row_number += 1;
                let words = row.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
                let row: Vec<f64> = words
                    .map(|word| number(word).map_err(|problem| origin.fault(word, row_number, &problem)))
                    .collect::<Result<_, _>>()?;
                count += row.len();
                check_size(count)?;
                if let (false, Some(frame)) = (row.is_empty(), frames.last_mut()) {
                    frame.push(row);
                }
            }
        }
    }
    frames.retain(|frame| !frame.is_empty());
    let rows = frames.first().map_or(0, Vec::len);
    let columns = frames.first().and_then(|frame| frame.first()).map_or(0, Vec::len);
    for (t, frame) in frames.iter().enumerate() {
        if frame.len() != rows {
            let found = frame.len();
            return Err(format!("has {rows} rows in frame 1 but {found} in frame {}", t + 1));
        }
        if let Some(y) = frame.iter().position(|row| row.len() != columns) {
            let found = frame[y].len();
            return Err(format!("has {columns} numbers in row 1 but {found} in row {}", t * rows + y + 1));
        }
    }
    let shape = [frames.len(), rows, columns];
    shaped(&shape, frames.into_iter().flatten().flatten().collect())
}
