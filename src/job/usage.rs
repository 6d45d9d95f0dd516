//! Mistakes in what was typed, which no other input and no other machine would make right.

use std::fmt;

/// A mistake in what was typed. Displayed as one line: what is wrong, and what to type.
#[derive(Debug)]
pub struct Usage(String);

impl Usage {
    /// Of a fault that was found in what was typed alone; its causes come along.
    pub fn of(fault: impl Into<anyhow::Error>) -> Self {
        Self(format!("{:#}", fault.into()))
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}
