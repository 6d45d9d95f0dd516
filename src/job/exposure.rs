//! One run over a few frames, kept in memory, and what it cost.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};

use super::backend::ChosenBackend;
use super::interrupted::Interrupted;
use crate::frame::{Attachment, Frame};
use crate::gauge::{Doing, Span};
use crate::pipeline::{Monitor, RunOutcome};
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{Interrupt, Source};

/// Frames that were filtered.
pub(super) struct Exposed {
    pub(super) frames: Vec<Frame>,
    /// What each pass took for all of them, in milliseconds, in the order of the passes.
    pub(super) costs: Vec<(String, f64)>,
}

/// Filters all frames of a source. Blocks.
///
/// # Errors
/// As the pipeline, or [`Interrupted`].
pub(super) fn expose(
    backend: &mut ChosenBackend,
    source: &mut dyn Source,
    plan: &Plan,
    interrupt: &Interrupt,
) -> Result<Exposed> {
    let (caught, monitor) = (Catch::default(), Monitor::traced());
    match backend.run(source, plan, Box::new(caught.clone()), &monitor, interrupt)? {
        (RunOutcome::Complete, _) => {}
        (RunOutcome::Interrupted { .. }, _) => bail!(Interrupted),
    }
    let frames = std::mem::take(&mut *caught.0.lock().unwrap_or_else(PoisonError::into_inner));
    let spans = monitor.trace.as_ref().map_or_else(Vec::new, |trace| trace.spans());
    let numbers: Vec<u64> = frames.iter().map(|frame| frame.timing.number).collect();
    let costs = pass_costs(plan, &spans, &numbers);
    Ok(Exposed { frames, costs })
}

/// How long passes worked on some frames.
fn pass_costs(plan: &Plan, spans: &[Span], numbers: &[u64]) -> Vec<(String, f64)> {
    let tracks = ["filter", "compute"];
    let is_wanted =
        |span: &&Span| span.doing == Doing::Work && tracks.contains(&span.track) && numbers.contains(&span.frame);
    let cost = |name: &str| {
        let own = spans.iter().filter(is_wanted).filter(|span| span.name == name);
        own.map(|span| span.length_us / 1e3).sum()
    };
    plan.steps.iter().map(|step| (step.pass.name.clone(), cost(&step.pass.name))).collect()
}

/// A sink that keeps what it is given.
#[derive(Clone, Default)]
struct Catch(Arc<Mutex<Vec<Frame>>>);

impl Sink for Catch {
    fn put(&mut self, mut frame: Frame) -> Result<()> {
        frame.timing.motion = None;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(frame);
        Ok(())
    }

    fn finish(self: Box<Self>, _: Option<Attachment>) -> Result<()> {
        Ok(())
    }
}
