//! What becomes of an input's streams.

use std::fmt;

use serde::Serialize;

/// What becomes of a stream of the input, or of what else it holds, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StreamFate {
    /// `stream 1 (audio, aac)`; `video` where the input is nothing else; `chapters`, `tags`.
    pub name: String,
    /// `copied`, `becomes aac 192 kbit/s`, `left out: the container mp4 cannot hold it`.
    pub fate: String,
}

impl StreamFate {
    /// Of a name and what becomes of it.
    pub fn new(name: impl Into<String>, fate: impl Into<String>) -> Self {
        Self { name: name.into(), fate: fate.into() }
    }
}

impl fmt::Display for StreamFate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.fate)
    }
}
