//! Waiting for a machine, beside which the CPU may filter.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};

use super::super::backend::ChosenBackend;
use super::super::exposure::Exposed;
use super::super::field::FieldPlan;
use super::super::interrupted::Interrupted;
use super::super::request::Choice;
use super::super::shot_map::ShotTurn;
use super::super::stand_in::StandIn;
use super::super::strip::ReelStrip;
use super::Scrubber;
use super::machine::ScrubMachine;
use crate::source::CancelToken;

impl Scrubber {
    /// How long a GPU may take to be made ready before the CPU begins too: far less than anybody sees.
    const PATIENCE: Duration = Duration::from_millis(10);
    /// How often it is looked what the CPU has done.
    const TICK: Duration = Duration::from_millis(1);

    /// Makes the machine of a chain ready; or frames, where the CPU had made them before that was done.
    pub(super) fn stood_in(
        &mut self,
        text: &Arc<str>,
        planned: &Arc<FieldPlan>,
        wanted: &Range<u64>,
        turn: Option<&ShotTurn>,
        interrupt: &CancelToken,
    ) -> Result<Option<Exposed>> {
        if self.machine.as_ref().is_some_and(|machine| machine.text == *text) {
            return Ok(None);
        }
        // What it does is for another chain or another order.
        self.dismiss();
        if self.ordered.as_ref() != Some(text) {
            self.order(text, planned)?;
        }
        // Who asked for GPUs by name wants to know whether they can do it.
        let mut may_start = self.request.backend == Choice::Auto && self.request.gpus.is_none();
        let mut is_started = false;
        while self.ordered.is_some() {
            let patience = if is_started { Self::TICK } else { Self::PATIENCE };
            if let Some(made) = self.workshop.take(text, patience) {
                self.ordered = None;
                self.use_machine(text, made?);
            } else if interrupt.is_cancelled() {
                self.dismiss();
                bail!(Interrupted);
            } else if is_started {
                match self.stand_in.as_mut().and_then(StandIn::take) {
                    None => {}
                    Some(Ok((exposed, name))) => {
                        self.filterer = Some(name);
                        return Ok(Some(exposed));
                    }
                    Some(Err(error)) => log::debug!("filtering on the CPU failed: {error:#}"),
                }
            } else if may_start && self.stand_in.as_mut().is_none_or(StandIn::is_over) {
                (may_start, is_started) = (false, true);
                let frames =
                    ReelStrip::new(&mut self.reel, &planned.plan, wanted.clone(), turn.cloned(), interrupt).all()?;
                self.stand_in = Some(StandIn::start(&self.request, planned, frames)?);
            }
        }
        self.dismiss();
        Ok(None)
    }

    /// Has a machine made; at once where that takes no time.
    fn order(&mut self, text: &Arc<str>, planned: &Arc<FieldPlan>) -> Result<()> {
        let (request, successor, opening) = (self.request.clone(), self.successor.clone(), self.opening.clone());
        let (is_quick, planned) = (ScrubMachine::is_quick(&request, successor.as_ref()), planned.clone());
        let make = move || ScrubMachine::backend(&request, &planned, successor, &opening);
        if is_quick {
            let backend = make()?;
            self.use_machine(text, backend);
            self.ordered = None;
        } else {
            self.workshop.order(text, make);
            self.ordered = Some(text.clone());
        }
        Ok(())
    }

    pub(super) fn use_machine(&mut self, text: &Arc<str>, backend: ChosenBackend) {
        self.successor = Some(backend.successor());
        self.machine = Some(ScrubMachine { text: text.clone(), backend });
    }

    pub(super) fn dismiss(&self) {
        if let Some(stand_in) = &self.stand_in {
            stand_in.dismiss();
        }
    }
}
