//! Names of clips that filters read beside their own.

use std::fs;
use std::sync::Arc;

/// The name of a file that can be read as a clip, as far as the file system knows.
///
/// # Errors
/// The fault, worded to follow the name.
pub(super) fn named(path: &str) -> Result<Arc<str>, String> {
    if path == "-" {
        return Err("would be read from stdin, and a second clip is a file".to_owned());
    }
    let found = fs::metadata(path).map_err(|error| format!("cannot be read: {}", super::matrix::reason(&error)))?;
    if found.is_dir() {
        return Err("is a folder".to_owned());
    }
    Ok(path.into())
}
