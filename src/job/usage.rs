//! Mistakes in what was typed, which no other input and no other machine would make right.

use std::fmt;

use crate::filter::SyntaxError;

/// A mistake in what was typed. Displayed as one line: what is wrong, and what to type.
#[derive(Debug)]
pub struct Usage {
    line: String,
    caret: Option<String>,
}

impl Usage {
    /// Of a fault that was found in what was typed alone; its causes come along.
    pub fn of(fault: impl Into<anyhow::Error>) -> Self {
        Self { line: format!("{:#}", fault.into()), caret: None }
    }

    /// Of a fault in a chain.
    pub fn at(fault: &SyntaxError) -> Self {
        Self { line: fault.to_string(), caret: Some(fault.caret()) }
    }

    /// The same in other words.
    pub(super) fn reworded(self, words: impl Fn(&str) -> String) -> Self {
        Self { line: words(&self.line), ..self }
    }

    /// Two lines for a terminal, where the fault has a place in a text: the text, and carets below the place.
    pub fn caret(&self) -> Option<&str> {
        self.caret.as_deref()
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

impl std::error::Error for Usage {}
