//! The chain of filters as passes: lowered to the arithmetic of [`crate::pass`], factored where that is exact,
//! checked against the format before the first frame, and explained.
//!
//! A plan depends on the chain and the format alone, never on the machine, and so neither do the bytes. Neighbouring
//! filters are not joined: each one's result is a frame of the clip's own format, rounded as such.

mod explain;
mod factor;
mod guard;
mod lower;
mod tone;

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::filter::{Filter, Want};
use crate::frame::Format;
use crate::pass::{Op, Pass};

pub use explain::{Explanation, PassReport, PlaneReport, Roofline};
pub use guard::{Cuts, Guard, Mean, Steady};
pub use lower::Note;

/// What is to be done, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of the frames that go in and come out.
    pub format: Arc<Format>,
    /// One for each step of each filter that changes something, in the order of the chain.
    pub passes: Arc<[Pass]>,
    /// What has to be known of the frames that go into each pass.
    pub guards: Vec<Guard>,
    /// How each op of each pass came about.
    pub notes: Vec<Vec<Note>>,
    /// The filters that change nothing in this format, as they were typed.
    pub dropped: Vec<String>,
}

impl Plan {
    /// Passes that nobody had to plan.
    pub fn of(format: &Arc<Format>, passes: Vec<Pass>) -> Self {
        let notes = passes.iter().map(|pass| pass.ops.iter().map(|_| Note::given()).collect()).collect();
        let guards = vec![Guard::default(); passes.len()];
        Self { format: format.clone(), passes: passes.into(), guards, notes, dropped: Vec::new() }
    }

    /// How many frames go in before the first comes out, less one, where a backend does not run ahead.
    pub fn latency(&self) -> usize {
        let compares = |guard: &Guard| usize::from(matches!(guard.cuts, Cuts::Above(_)));
        let guarded = |guard: &Guard| compares(guard) + guard.steady.map_or(0, |steady| steady.reach());
        self.passes.iter().map(Pass::reach).sum::<usize>() + self.guards.iter().map(guarded).sum::<usize>()
    }
}

/// Makes passes of a chain.
///
/// # Errors
/// If a filter names planes that the format has not.
pub fn plan(chain: &[Filter], format: &Arc<Format>) -> Result<Plan> {
    let (mut passes, mut guards, mut notes, mut dropped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for filter in chain {
        let pixel = format.pixel;
        filter.check_planes(pixel).with_context(|| format!("plan \"{}\"", filter.text))?;
        let mut steady = None;
        let lowered = (0..pixel.planes()).map(|plane| {
            let wanted = filter.wanted(pixel, plane).with_context(|| format!("plan \"{}\"", filter.text))?;
            if let Want::Steady(wanted) = &wanted.want {
                steady = Some(Steady::of(wanted, pixel));
            }
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
        guards.extend(guarded(&passes[before..], filter.scene(), steady));
        if passes.len() == before {
            dropped.push(filter.text.clone());
        }
    }
    Ok(Plan { format: format.clone(), passes: passes.into(), guards, notes, dropped })
}

/// The guards of a filter's passes. Cuts are looked for in what goes into the first, and only if one of them looks at
/// other frames.
fn guarded(passes: &[Pass], scene: Option<f64>, steady: Option<Steady>) -> Vec<Guard> {
    let scene = scene.filter(|_| steady.is_some() || passes.iter().any(|pass| pass.reach() > 0));
    let cuts = |index: usize| match scene {
        Some(threshold) if index == 0 => Cuts::Above(threshold),
        Some(_) => Cuts::Inherited,
        None => Cuts::None,
    };
    (0..passes.len()).map(|index| Guard { cuts: cuts(index), steady }).collect()
}
