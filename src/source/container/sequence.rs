//! Numbered images: which numbers there are behind a pattern such as `frame%04d.png`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// The numbers that a pattern stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// The smallest number.
    pub first: u64,
    /// How many follow each other without a gap, from `first` on.
    pub length: u64,
    /// The first number that is missing although larger ones exist.
    pub gap: Option<u64>,
}

/// A file name with one `%d` or `%04d` in it.
struct Pattern<'a> {
    before: &'a str,
    after: &'a str,
    /// Digits at least.
    digits: usize,
}

impl<'a> Pattern<'a> {
    fn parse(name: &'a str) -> Option<Self> {
        let (before, rest) = name.split_once('%')?;
        let (digits, after) = rest.split_once('d')?;
        if after.contains('%') || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let digits = if digits.is_empty() { 1 } else { digits.parse().ok().filter(|digits| *digits <= 20)? };
        Some(Self { before, after, digits })
    }

    fn number(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(self.before)?.strip_suffix(self.after)?;
        let number: u64 = digits.parse().ok()?;
        (digits == format!("{number:0width$}", width = self.digits)).then_some(number)
    }
}

/// Whether a path names a sequence of images rather than a file.
pub(super) fn is_sequence(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).and_then(Pattern::parse).is_some() && !path.exists()
}

impl Sequence {
    /// Looks for the files behind a pattern.
    ///
    /// # Errors
    /// If the folder cannot be read or no file fits.
    pub fn find(path: &Path) -> Result<Self> {
        let name = path.file_name().and_then(|name| name.to_str()).context("not a pattern of image names")?;
        let pattern = Pattern::parse(name).context("not a pattern of image names")?;
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_path_buf);
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(&folder).with_context(|| format!("read the folder {folder:?}"))? {
            let entry = entry.with_context(|| format!("read the folder {folder:?}"))?;
            numbers.extend(entry.file_name().to_str().and_then(|name| pattern.number(name)));
        }
        ensure!(!numbers.is_empty(), "no file in {folder:?} fits {name:?}");
        numbers.sort_unstable();
        let first = numbers[0];
        let length = (first..).zip(&numbers).take_while(|(wanted, found)| wanted == *found).count() as u64;
        let gap = (length < numbers.len() as u64).then_some(first + length);
        Ok(Self { first, length, gap })
    }
}
