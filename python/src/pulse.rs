//! Ctrl-C while the interpreter is left alone.

use std::time::{Duration, Instant};

use anyhow::Result;
use pyo3::Python;

/// Asks the interpreter from time to time whether it was interrupted.
pub struct Pulse {
    next: Instant,
}

impl Pulse {
    /// How often it is asked.
    pub const BETWEEN: Duration = Duration::from_millis(50);

    /// Not at once: most calls are shorter.
    pub fn start() -> Self {
        Self { next: Instant::now() + Self::BETWEEN }
    }

    /// Lets the interpreter handle signals, if it is time to. Blocks while other threads hold the interpreter.
    ///
    /// # Errors
    /// The exception that a handler raised: `KeyboardInterrupt`.
    pub fn beat(&mut self) -> Result<()> {
        if Instant::now() >= self.next {
            Python::attach(|py| py.check_signals())?;
            self.next = Instant::now() + Self::BETWEEN;
        }
        Ok(())
    }
}
