//! The chain of filters as passes: lowered to the arithmetic of [`crate::pass`], factored where that is exact,
//! checked against the format before the first frame, and explained.
//!
//! A plan depends on the chain and the format alone, never on the machine, and so neither do the bytes. Each filter's
//! result is a frame of the clip's own format, rounded as such; neighbours are joined only where that changes no byte.

mod explain;
mod factor;
mod join;
mod lower;
mod tone;

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::filter::Filter;
use crate::frame::Format;
use crate::pass::{Op, Pass};
use join::Step;

pub use explain::{Explanation, FilterReport, PassReport, PlaneReport, Roofline};
pub use lower::Note;

/// What is to be done, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of the frames that go in and come out.
    pub format: Arc<Format>,
    /// The steps of the filters that change something, in the order of the chain, neighbours as one where that gives the
    /// same bytes.
    pub passes: Arc<[Pass]>,
    /// How each op of each pass came about.
    pub notes: Vec<Vec<Note>>,
    /// Why each pass does the work of several steps, a sentence for each that was added.
    pub joins: Vec<Vec<String>>,
    /// What each filter of the chain would take by itself.
    pub filters: Vec<FilterReport>,
    /// The filters that change nothing in this format, as they were typed, and neighbours that undo each other.
    pub dropped: Vec<String>,
}

impl Plan {
    /// Passes that nobody had to plan.
    pub fn of(format: &Arc<Format>, passes: Vec<Pass>) -> Self {
        let notes = passes.iter().map(|pass| pass.ops.iter().map(|_| Note::given()).collect()).collect();
        let joins = vec![Vec::new(); passes.len()];
        let (format, passes) = (format.clone(), passes.into());
        Self { format, passes, notes, joins, filters: Vec::new(), dropped: Vec::new() }
    }

    /// How many frames go in before the first comes out, less one.
    pub fn latency(&self) -> usize {
        self.passes.iter().map(Pass::reach).sum()
    }
}

/// Makes passes of a chain.
///
/// # Errors
/// If a filter names planes that the format has not.
pub fn plan(chain: &[Filter], format: &Arc<Format>) -> Result<Plan> {
    let (mut steps, mut filters, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
    for filter in chain {
        let own = separate(filter, format).with_context(|| format!("plan \"{}\"", filter.text))?;
        if own.is_empty() {
            dropped.push(filter.text.clone());
        }
        filters.push(explain::alone(format, &filter.text, &own));
        steps.extend(own);
    }
    let (steps, cancelled) = join::joined(steps, format.pixel);
    dropped.extend(cancelled);
    let (mut passes, mut notes, mut joins) = (Vec::new(), Vec::new(), Vec::new());
    for step in steps {
        passes.push(step.pass);
        notes.push(step.notes);
        joins.push(step.joins);
    }
    Ok(Plan { format: format.clone(), passes: passes.into(), notes, joins, filters, dropped })
}

/// The steps of one filter that change something.
fn separate(filter: &Filter, format: &Format) -> Result<Vec<Step>> {
    let pixel = format.pixel;
    filter.check_planes(pixel)?;
    let lowered = (0..pixel.planes()).map(|plane| Ok(lower::lower(&filter.wanted(pixel, plane)?, pixel)));
    let lowered = lowered.collect::<Result<Vec<_>>>()?;
    let steps = (0..lowered.iter().map(Vec::len).max().unwrap_or(0)).map(|step| {
        // A plane with fewer steps than another waits for it.
        let nth = |plane: &Vec<(Op, Note)>| plane.get(step).cloned().unwrap_or_else(|| (Op::Copy, Note::waiting()));
        let (ops, notes): (Vec<Op>, Vec<Note>) = lowered.iter().map(nth).unzip();
        Step { pass: Pass::new(&filter.text, ops, filter.border_t()), notes, joins: Vec::new() }
    });
    Ok(steps.filter(|step| step.pass.ops.iter().any(|op| *op != Op::Copy)).collect())
}
