//! Numbered images: which numbers there are behind a pattern such as `frame%04d.png`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::frame::Rational;
use crate::sequence::{self, Pattern};

/// The numbers that a pattern stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// The smallest number.
    pub first: u64,
    /// How many follow each other without a gap, from `first` on.
    pub length: u64,
    /// The first number that is missing although larger ones exist.
    pub gap: Option<u64>,
    /// Images a second, where that was said.
    pub rate: Option<Rational>,
}

impl Sequence {
    /// Looks for the files behind a pattern.
    ///
    /// # Errors
    /// If the folder cannot be read or no file fits.
    pub fn find(path: &Path) -> Result<Self> {
        let pattern = Pattern::of(path).context(sequence::EXPECTED)?;
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_path_buf);
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(&folder).with_context(|| format!("read the folder {folder:?}"))? {
            let entry = entry.with_context(|| format!("read the folder {folder:?}"))?;
            numbers.extend(entry.file_name().to_str().and_then(|name| pattern.number(name)));
        }
        ensure!(!numbers.is_empty(), "no file in {folder:?} matches {:?}", path.file_name().unwrap_or_default());
        numbers.sort_unstable();
        let first = numbers[0];
        let length = (first..).zip(&numbers).take_while(|(wanted, found)| wanted == *found).count() as u64;
        let gap = (length < numbers.len() as u64).then_some(first + length);
        Ok(Self { first, length, gap, rate: None })
    }
}
