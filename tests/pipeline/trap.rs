//! A failure at one call of one stage.

use anyhow::{Result, bail};

/// Where a run fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    Source,
    Upload,
    Run,
    Measure,
    Read,
    Download,
    Wait,
    Sink,
    Finish,
}

/// Fails in one place, at one count of calls.
#[derive(Clone, Copy)]
pub struct Trap {
    pub fault: Option<Fault>,
    pub at: u64,
}

impl Trap {
    pub fn check(self, here: Fault, count: u64) -> Result<()> {
        if self.fault == Some(here) && count == self.at {
            bail!("{here:?} failed at {count}");
        }
        Ok(())
    }
}
