//! The chain of filters as passes: lowered to the arithmetic of [`crate::pass`], factored where that is exact,
//! checked against the format before the first frame, and explained.
//!
//! A plan depends on the chain and the format alone, never on the machine, and so neither do the bytes. Each filter's
//! result is a frame of the clip's own format, rounded as such; neighbours are joined only where that changes no byte.

mod bypass;
mod explain;
mod factor;
mod guard;
mod join;
mod lower;
mod roofline;
mod tone;

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::filter::{Filter, Want};
use crate::frame::Format;
use crate::pass::{Op, Pass};

pub use crate::pass::Operations;
pub use bypass::Bypass;
pub use explain::{ConditionReport, Explanation, FilterReport, PassReport, PlaneReport};
pub use guard::{Cuts, Guard, Mean, Steady};
pub use join::Step;
pub use lower::Note;
pub use roofline::Roofline;

/// What is to be done, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of the frames that go in and come out.
    pub format: Arc<Format>,
    /// The steps of the filters that change something, in the order of the chain, neighbours as one where that gives the
    /// same bytes; behind the steps of a filter of whose result only a part is wanted, one that blends.
    pub steps: Vec<Step>,
    /// The ways round some of the steps, in order; none within another.
    pub bypasses: Arc<[Bypass]>,
    /// What each filter of the chain would take by itself.
    pub filters: Vec<FilterReport>,
    /// The filters that change nothing in this format, as they were typed, and neighbours that undo each other.
    pub dropped: Vec<String>,
}

impl Plan {
    /// Passes that nobody had to plan.
    pub fn of(format: &Arc<Format>, passes: Vec<Pass>) -> Self {
        let given = |pass: Pass| {
            let notes = vec![Note::given(); pass.ops.len()];
            Step::new(pass, notes)
        };
        let (format, steps) = (format.clone(), passes.into_iter().map(given).collect());
        Self { format, steps, bypasses: Arc::default(), filters: Vec::new(), dropped: Vec::new() }
    }

    /// What backends run, one for each step.
    pub fn passes(&self) -> Arc<[Pass]> {
        self.steps.iter().map(|step| step.pass.clone()).collect()
    }

    /// How many frames go in before the first comes out, less one, where a backend does not run ahead.
    pub fn latency(&self) -> usize {
        let compares = |guard: &Guard| usize::from(matches!(guard.cuts, Cuts::Above(_)));
        self.steps.iter().map(|step| compares(&step.guard) + step.reach()).sum()
    }
}

/// Makes passes of a chain.
///
/// # Errors
/// If a filter names planes that the format has not, or its `roi` or `mask` does not fit the frames.
pub fn plan(chain: &[Filter], format: &Arc<Format>) -> Result<Plan> {
    let (mut done, mut open, mut bypasses) = (Vec::new(), Vec::new(), Vec::new());
    let (mut filters, mut dropped) = (Vec::new(), Vec::new());
    for filter in chain {
        let (own, blend) = separate(filter, format).with_context(|| format!("plan \"{}\"", filter.text))?;
        filters.push(explain::alone(format, &filter.text, own.iter().chain(&blend)));
        if own.is_empty() {
            dropped.push(filter.text.clone());
        } else if blend.is_none() && filter.enable().is_none() {
            open.extend(own);
        } else {
            // What goes round a filter has to know what goes in and what comes out, so its neighbours stay apart.
            dropped.extend(close(&mut open, &mut done, format));
            let steps = done.len()..done.len() + own.len();
            let at = blend.is_some().then_some(steps.end);
            bypasses.push(Bypass { steps, enable: filter.enable().cloned(), blend: at });
            done.extend(own.into_iter().chain(blend));
        }
    }
    dropped.extend(close(&mut open, &mut done, format));
    Ok(Plan { format: format.clone(), steps: done, bypasses: bypasses.into(), filters, dropped })
}

/// Joins neighbours and puts them behind what is done; the names of those that undo each other come back.
fn close(open: &mut Vec<Step>, done: &mut Vec<Step>, format: &Format) -> Vec<String> {
    let (joined, cancelled) = join::joined(std::mem::take(open), format.pixel);
    done.extend(joined);
    cancelled
}

/// The steps of one filter that change something, and the one that blends their result with what went in, if any.
fn separate(filter: &Filter, format: &Format) -> Result<(Vec<Step>, Option<Step>)> {
    let pixel = format.pixel;
    filter.check_planes(pixel)?;
    let wanted = (0..pixel.planes()).map(|plane| filter.wanted(pixel, plane)).collect::<Result<Vec<_>>>()?;
    let lowered: Vec<_> = wanted.iter().map(|wanted| lower::lower(wanted, pixel)).collect();
    let steps = (0..lowered.iter().map(Vec::len).max().unwrap_or(0)).map(|step| {
        // A plane with fewer steps than another waits for it.
        let nth = |plane: &Vec<(Op, Note)>| plane.get(step).cloned().unwrap_or_else(|| (Op::Copy, Note::waiting()));
        let (ops, notes): (Vec<Op>, Vec<Note>) = lowered.iter().map(nth).unzip();
        Step::new(Pass::new(&filter.text, ops, filter.border_t()), notes)
    });
    let mut steps: Vec<Step> = steps.filter(|step| step.pass.ops.iter().any(|op| *op != Op::Copy)).collect();
    let steady = wanted.iter().find_map(|wanted| match &wanted.want {
        Want::Steady(steady) => Some(Steady::of(steady, pixel)),
        _ => None,
    });
    guard(&mut steps, filter.scene(), steady);
    let changes = |plane: &[(Op, Note)]| plane.iter().any(|(op, _)| *op != Op::Copy);
    let mixes = lowered.iter().zip(&wanted).map(|(plane, wanted)| changes(plane).then_some(wanted.mix));
    let blend = bypass::blend(filter, &mixes.collect::<Vec<_>>(), format)?;
    Ok((steps, blend))
}

/// Gives a filter's steps their guards. Cuts are looked for in what goes into the first, and only if one of them looks
/// at other frames.
fn guard(steps: &mut [Step], scene: Option<f64>, steady: Option<Steady>) {
    let scene = scene.filter(|_| steady.is_some() || steps.iter().any(|step| step.pass.reach() > 0));
    for (index, step) in steps.iter_mut().enumerate() {
        let cuts = match scene {
            Some(threshold) if index == 0 => Cuts::Above(threshold),
            Some(_) => Cuts::Inherited,
            None => Cuts::None,
        };
        step.guard = Guard { cuts, steady };
    }
}
