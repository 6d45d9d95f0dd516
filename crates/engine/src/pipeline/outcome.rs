//! How a run ends, and which of several causes is the first.

use std::any::Any;
use std::panic::resume_unwind;
use std::path::PathBuf;

use anyhow::Result;

use super::message::Stopped;

/// How a run ended that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    /// The output is complete.
    Complete,
    /// The user stopped it.
    Interrupted {
        /// Where what was written until then stands, if it is a file.
        kept: Option<PathBuf>,
    },
}

/// The outcome of a thread; a panic in it goes on here.
pub(super) fn joined<T>(outcome: Result<Result<T>, Box<dyn Any + Send>>) -> Result<T> {
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// The first outcome that says more than that a neighbour stopped.
pub(super) fn first_cause(outcomes: impl IntoIterator<Item = Result<()>>) -> Result<()> {
    let mut stopped = None;
    for outcome in outcomes {
        match outcome {
            Err(error) if error.is::<Stopped>() => stopped = Some(error),
            Err(error) => return Err(error),
            Ok(()) => {}
        }
    }
    stopped.map_or(Ok(()), Err)
}
