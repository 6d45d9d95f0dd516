//! The backend of a clip that is looked at: made at once, or beside the work.

use std::sync::{Arc, PoisonError};

use anyhow::Result;

use super::super::backend::ChosenBackend;
use super::super::field::FieldPlan;
use super::super::opening::Opening;
use super::super::request::Choice;
use super::Scrubber;

/// A backend, and the chain that it is for.
pub(super) struct ScrubMachine {
    pub(super) text: Arc<str>,
    pub(super) backend: ChosenBackend,
}

impl Scrubber {
    /// Has a machine made; at once where that takes no time.
    pub(super) fn order(&mut self, text: &Arc<str>, planned: &Arc<FieldPlan>) -> Result<()> {
        let (request, successor) = (self.request.clone(), self.successor.clone());
        if self.request.backend == Choice::Cpu || successor.as_ref().is_some_and(|successor| !successor.is_on_gpu()) {
            let backend = match successor {
                Some(successor) => successor.make(&request, planned)?,
                None => ChosenBackend::choose(&request, planned, None)?,
            };
            self.use_machine(text, backend);
            return Ok(());
        }
        let (planned, opening) = (planned.clone(), self.opening.clone());
        self.workshop.order(text, move || match successor {
            Some(successor) => successor.make(&request, &planned),
            None => {
                let opening = opening.lock().unwrap_or_else(PoisonError::into_inner).take();
                ChosenBackend::choose(&request, &planned, opening.or_else(|| Opening::start(&request)))
            }
        });
        self.ordered = Some(text.clone());
        Ok(())
    }

    pub(super) fn use_machine(&mut self, text: &Arc<str>, backend: ChosenBackend) {
        self.successor = Some(backend.successor());
        self.machine = Some(ScrubMachine { text: text.clone(), backend });
    }
}
