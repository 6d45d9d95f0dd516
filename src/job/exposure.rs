//! One run over a few frames, kept in memory, and what it cost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};

use super::backend::ChosenBackend;
use super::interrupted::Interrupted;
use crate::frame::{Attachment, Frame};
use crate::gauge::{Doing, Span};
use crate::pipeline::{Monitor, RunOutcome};
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

/// Frames that were filtered.
pub(super) struct Exposed {
    pub(super) frames: Vec<Frame>,
    /// What each pass took for all of them, in milliseconds, in the order of the passes.
    pub(super) costs: Vec<(String, f64)>,
}

/// Filters all frames of a source. Blocks; a cancelled frame of the CPU ends within its bands.
///
/// # Errors
/// As the pipeline, or [`Interrupted`].
pub(super) fn expose(
    backend: &mut ChosenBackend,
    source: &mut dyn Source,
    plan: &Plan,
    interrupt: &CancelToken,
) -> Result<Exposed> {
    backend.stop_within_frames(interrupt);
    let (caught, monitor) = (Catch::default(), Monitor::traced());
    match backend.run(source, plan, Box::new(caught.clone()), &monitor, interrupt)? {
        (RunOutcome::Complete, _) => {}
        (RunOutcome::Interrupted { .. }, _) => bail!(Interrupted),
    }
    let mut frames = std::mem::take(&mut *caught.0.lock().unwrap_or_else(PoisonError::into_inner));
    // Of frames that are made of one frame, the first stands for it.
    frames.dedup_by_key(|frame| frame.timing.origin());
    frames.iter_mut().for_each(|frame| frame.timing.number = frame.timing.origin());
    let spans = monitor.trace.as_ref().map_or_else(Vec::new, |trace| trace.spans());
    let numbers: Vec<u64> = frames.iter().map(|frame| frame.timing.number).collect();
    let costs = pass_costs(plan, &spans, &numbers);
    Ok(Exposed { frames, costs })
}

/// Milliseconds of each pass for some frames. Passes may share a name, and spans have only that: the spans of a frame are in
/// the order of its passes.
fn pass_costs(plan: &Plan, spans: &[Span], numbers: &[u64]) -> Vec<(String, f64)> {
    let tracks = ["filter", "compute"];
    let mut costs: Vec<(String, f64)> = plan.steps().iter().map(|step| (step.pass.name.clone(), 0.0)).collect();
    let mut shared: BTreeMap<(&str, u64), Vec<&Span>> = BTreeMap::new();
    for span in spans {
        if span.doing == Doing::Work && tracks.contains(&span.track) && numbers.contains(&span.frame) {
            shared.entry((&span.name, span.frame)).or_default().push(span);
        }
    }
    for ((name, _), mut own) in shared {
        let places: Vec<usize> = (0..costs.len()).filter(|place| costs[*place].0 == name).collect();
        own.sort_by(|one, other| one.start_us.total_cmp(&other.start_us));
        let total_ms: f64 = own.iter().map(|span| span.length_us / 1e3).sum();
        // Each field goes through all passes. If a pass skipped the frame, its span cannot be assigned.
        let is_complete = !places.is_empty() && own.len() % places.len() == 0;
        for (turn, place) in places.iter().enumerate() {
            let each = own.iter().skip(turn).step_by(places.len());
            let own_ms: f64 = each.map(|span| span.length_us / 1e3).sum();
            costs[*place].1 += if is_complete { own_ms } else { total_ms / places.len() as f64 };
        }
    }
    costs
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{Defaults, parse};
    use crate::frame::{Format, Pixel, Rational};
    use crate::plan::plan;

    fn span(name: &str, frame: u64, start_us: f64, length_us: f64) -> Span {
        Span { track: "filter", part: None, doing: Doing::Work, name: name.to_owned(), frame, start_us, length_us }
    }

    #[test]
    fn passes_of_one_name_have_each_their_own_cost() -> Result<()> {
        let format = Arc::new(Format::new(Pixel::yuv420p(8), 32, 20, Rational::new(25, 1)));
        let filters = parse("median,sobel,median", &Defaults::default()).map_err(|error| anyhow::anyhow!("{error}"))?;
        let plan = plan(&filters, &format)?;
        let names: Vec<&str> = plan.steps().iter().map(|step| step.pass.name.as_str()).collect();
        let [one, other, last] = names[..] else { bail!("{names:?}") };
        assert_eq!(one, last);
        let mut spans = Vec::new();
        for frame in [4, 5, 6] {
            let start = frame as f64 * 100.0;
            spans.push(span(last, frame, start + 50.0, 3000.0));
            spans.push(span(one, frame, start, 1000.0));
            spans.push(span(other, frame, start + 20.0, 500.0));
        }
        let costs: Vec<f64> = pass_costs(&plan, &spans, &[4, 5]).iter().map(|(_, ms)| *ms).collect();
        assert_eq!(costs, [2.0, 1.0, 6.0]);
        // One pass skipped the frame: only the sum is known.
        spans.truncate(1);
        let costs: Vec<f64> = pass_costs(&plan, &spans, &[4]).iter().map(|(_, ms)| *ms).collect();
        assert_eq!(costs, [1.5, 0.0, 1.5]);
        Ok(())
    }
}
