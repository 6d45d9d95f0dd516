//! Whether a file is still the one that was opened.

use std::fs;
use std::time::SystemTime;

/// By which it is noticed that a file has changed: its length, and when it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl FileStamp {
    /// Of a file as it is now; `None` where there is no such file.
    pub(super) fn of(path: &str) -> Option<Self> {
        let found = fs::metadata(path).ok()?;
        Some(Self { bytes: found.len(), modified: found.modified().ok() })
    }
}
