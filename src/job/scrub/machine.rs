//! The backend of a clip that is looked at: made at once, or beside the work.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use super::super::backend::{ChosenBackend, Successor};
use super::super::field::FieldPlan;
use super::super::opening::Opening;
use super::super::request::{Choice, Request};

/// A backend, and the chain that it is for.
pub(super) struct ScrubMachine {
    pub(super) text: Arc<str>,
    pub(super) backend: ChosenBackend,
}

impl ScrubMachine {
    /// True if a backend takes no time to make.
    pub(super) fn is_quick(request: &Request, successor: Option<&Successor>) -> bool {
        request.backend == Choice::Cpu || successor.is_some_and(|successor| !successor.is_on_gpu())
    }

    /// Makes the backend of a chain, which opens GPUs where neither a backend before it nor `opening` has any.
    pub(super) fn backend(
        request: &Request,
        planned: &Arc<FieldPlan>,
        successor: Option<Successor>,
        opening: &Mutex<Option<Opening>>,
    ) -> Result<ChosenBackend> {
        let Some(successor) = successor else {
            let opening = opening.lock().unwrap_or_else(PoisonError::into_inner).take();
            return ChosenBackend::choose(request, planned, opening.or_else(|| Opening::start(request)));
        };
        successor.make(request, planned)
    }
}
