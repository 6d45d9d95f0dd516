//! What ends a job that was stopped before it began.

use std::fmt;

/// The user asked to stop while the input was opened; nothing was written.
#[derive(Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted while the input was opened")
    }
}

impl std::error::Error for Interrupted {}
