//! The chain of filters as passes: lowered to the arithmetic of [`crate::pass`], factored where that is exact,
//! checked against the format before the first frame, and explained.
//!
//! A plan depends on the chain and the format alone, never on the machine, and so neither do the bytes. Neighbouring
//! filters are not joined: each one's result is a frame of the clip's own format, rounded as such.

mod explain;
mod factor;
mod lower;
mod operation;
mod tone;

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::filter::Filter;
use crate::frame::Format;
use crate::pass::{Op, Pass};

pub use explain::{Explanation, PassReport, PlaneReport};
pub use lower::Note;
pub use operation::{Operations, Roofline};

/// What is to be done, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of the frames that go in and come out.
    pub format: Arc<Format>,
    /// One for each step of each filter that changes something, in the order of the chain.
    pub passes: Arc<[Pass]>,
    /// How each op of each pass came about.
    pub notes: Vec<Vec<Note>>,
    /// The filters that change nothing in this format, as they were typed.
    pub dropped: Vec<String>,
}

impl Plan {
    /// Passes that nobody had to plan.
    pub fn of(format: &Arc<Format>, passes: Vec<Pass>) -> Self {
        let notes = passes.iter().map(|pass| pass.ops.iter().map(|_| Note::given()).collect()).collect();
        Self { format: format.clone(), passes: passes.into(), notes, dropped: Vec::new() }
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
    let (mut passes, mut notes, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
    for filter in chain {
        let pixel = format.pixel;
        filter.check_planes(pixel).with_context(|| format!("plan \"{}\"", filter.text))?;
        let lowered = (0..pixel.planes()).map(|plane| {
            let wanted = filter.wanted(pixel, plane).with_context(|| format!("plan \"{}\"", filter.text))?;
            Ok(lower::lower(&wanted, pixel))
        });
        let lowered = lowered.collect::<Result<Vec<_>>>()?;
        let steps = lowered.iter().map(Vec::len).max().unwrap_or(0);
        let before = passes.len();
        for step in 0..steps {
            // A plane with fewer steps than another waits for it.
            let nth = |plane: &Vec<(Op, Note)>| plane.get(step).cloned().unwrap_or_else(|| (Op::Copy, Note::waiting()));
            let (ops, reasons): (Vec<Op>, Vec<Note>) = lowered.iter().map(nth).unzip();
            if ops.iter().all(|op| *op == Op::Copy) {
                continue;
            }
            passes.push(Pass { name: filter.text.clone(), ops, border_t: filter.border_t() });
            notes.push(reasons);
        }
        if passes.len() == before {
            dropped.push(filter.text.clone());
        }
    }
    Ok(Plan { format: format.clone(), passes: passes.into(), notes, dropped })
}
