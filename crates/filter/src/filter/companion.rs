//! Clips that filters read beside their own: their names, and which filter reads one.

use std::fs;
use std::sync::Arc;

use super::chain::Filter;
use super::value::Value;
use crate::pass::{Companion, PastEnd};

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

impl Filter {
    /// The clip that it reads beside its own, if it reads one.
    pub fn companion(&self) -> Option<Companion> {
        let path = self.spec.own.iter().find_map(|parameter| match self.given(parameter.name)? {
            Value::Clip(path) => Some(path.clone()),
            _ => None,
        })?;
        let past_end = match self.values().typed_word("eof_action") {
            Some("pass") => PastEnd::Pass,
            _ => PastEnd::Repeat,
        };
        Some(Companion { path, past_end, clips: self.clips().cloned() })
    }
}
