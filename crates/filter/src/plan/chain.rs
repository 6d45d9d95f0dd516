//! From a chain to a plan: each filter lowered, neighbours joined, and ways laid round what acts on parts.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};

use super::Plan;
use super::bypass::{self, Bypass};
use super::guard::{Cuts, Guard, Steady};
use super::join::{self, Step};
use super::note::Note;
use super::{lower, remap, report};
use crate::filter::{Change, Filter, Want};
use crate::frame::Format;
use crate::pass::{self, CompanionClip, Op, Pass};

/// The most passes of a plan: each calls the next one on the stack of one thread.
const MAX_PASSES: usize = 256;

/// Makes passes of a chain.
///
/// # Errors
/// If a filter names planes that the frames at its place have not, its `roi`, `mask` or size does not fit them, or more
/// than 256 passes are left.
///
/// ```
/// use std::sync::Arc;
/// use warpreel_filter::filter::{Defaults, parse};
/// use warpreel_frame::{Format, Pixel, Rational};
/// use warpreel_filter::plan::plan;
///
/// let format = Arc::new(Format::new(Pixel::yuv420p(8), 1920, 1080, Rational::new(25, 1)));
/// let plan = plan(&parse("gaussian=2,gamma=1.2,tmix=5", &Defaults::default())?, &format)?;
/// assert_eq!(plan.passes().len(), 2, "the curve is done where the blur finishes its samples");
/// assert_eq!(plan.latency(), 2);
/// println!("{}", plan.explain(None));
/// # anyhow::Ok(())
/// ```
pub fn plan(chain: &[Filter], format: &Arc<Format>) -> Result<Plan> {
    format.check()?;
    let (mut done, mut open, mut bypasses) = (Vec::new(), Vec::new(), Vec::new());
    let (mut filters, mut dropped) = (Vec::new(), Vec::new());
    let (clip, mut format) = (format, format.clone());
    // The format before the last step, if the next step may join it.
    let mut into_last: Option<Arc<Format>> = None;
    for filter in chain {
        let what = || filter.misfit();
        if let Some(change) = filter.change(&format).with_context(what)? {
            let own = changed(filter, change, &format).with_context(what)?;
            filters.push(report::alone(&format, filter, own.iter()));
            if own.is_empty() {
                dropped.push(filter.text.clone());
                continue;
            }
            dropped.extend(close(&mut open, &mut done, &format));
            let is_alone = own.len() == 1 && filter.enable().is_none();
            if let Some(from) = into_last.take_if(|_| is_alone)
                && let Some(step) = done.last().and_then(|last| remap::joined(last, &own[0]))
            {
                done.pop();
                format = step.pass.output(&from);
                if format == from && step.pass.ops().all(|op| *op == Op::Copy) {
                    dropped.push(step.pass.name);
                } else {
                    into_last = Some(from);
                    done.push(step);
                }
                continue;
            }
            into_last = is_alone.then(|| format.clone());
            let steps = done.len()..done.len() + own.len();
            let enable = filter.enable().cloned();
            if enable.is_some() {
                bypasses.push(Bypass { steps, enable, blend: None });
            }
            for step in own {
                format = match step.changes_count() {
                    true => Arc::new(step.retimed(&format)),
                    false => step.pass.output(&format),
                };
                done.push(step);
            }
            continue;
        }
        let (mut own, blend) = separate(filter, &format).with_context(what)?;
        // Fields of a part of the picture say nothing of the frame.
        let matches = |step: &Step| step.pass.ops().all(|op| matches!(op, Op::Fieldmatch(_)));
        own.iter_mut().for_each(|step| step.marks = blend.is_none() && matches(step));
        filters.push(report::alone(&format, filter, own.iter().chain(&blend)));
        if own.is_empty() {
            dropped.push(filter.text.clone());
            continue;
        }
        into_last = None;
        let around = blend.is_some() || filter.enable().is_some();
        let splits = own.iter().any(|step| step.pass.splits_fields());
        if splits {
            if blend.is_some() {
                return Err(anyhow!(pass::ONE_FOR_ONE)).with_context(what);
            }
            format = Arc::new(format.of_fields().with_context(what)?);
        }
        let is_apart = |step: &Step| step.pass.is_blend() || step.pass.matching().is_some();
        if !around && !splits && !own.iter().any(is_apart) {
            open.extend(own);
        } else {
            // What goes round a filter, or round the first of its steps, has to know what goes in and what comes out, so its
            // neighbours stay apart.
            dropped.extend(close(&mut open, &mut done, &format));
            let steps = done.len()..done.len() + own.len();
            let at = blend.is_some().then_some(steps.end);
            if around {
                bypasses.push(Bypass { steps, enable: filter.enable().cloned(), blend: at });
            }
            done.extend(own.into_iter().chain(blend));
        }
    }
    dropped.extend(close(&mut open, &mut done, &format));
    let passes = done.len();
    ensure!(
        passes <= MAX_PASSES,
        "the chain becomes {passes} passes, and {MAX_PASSES} are the most; run its parts one after another through a \
         lossless file"
    );
    Ok(Plan { format: clip.clone(), steps: done, bypasses: bypasses.into(), filters, dropped })
}

/// The steps of a filter that changes the size, the shape, the samples or the number of frames; none where they stay as they
/// are.
fn changed(filter: &Filter, change: Change, format: &Arc<Format>) -> Result<Vec<Step>> {
    if change.is_none(format) || filter.enable().is_some_and(|enable| enable.text() == "0") {
        return Ok(Vec::new());
    }
    let (mut steps, mut from, mut next) = (Vec::new(), format.clone(), Some(Box::new(change)));
    while let Some(change) = next {
        let (step, then) = changed_once(filter, *change, &from)?;
        // A change of the rate is told by the step, and not by its format.
        from = step.pass.output(&from);
        steps.push(step);
        next = then;
    }
    let has_rate = steps.iter().any(Step::changes_count);
    ensure!(
        !has_rate || filter.enable().is_none(),
        "enable would mix frame rates in one clip; leave enable out, or filter the parts one by one"
    );
    let is_mixed = from != *format && filter.enable().is_some();
    let [before, after] = format.told_apart(&from);
    ensure!(
        !is_mixed,
        "enable would mix frames of {before} and {after} in one clip; leave enable out, or filter the parts one by one"
    );
    Ok(steps)
}

/// One step of a change, and the change after it.
fn changed_once(filter: &Filter, change: Change, format: &Format) -> Result<(Step, Option<Box<Change>>)> {
    let Change { format: to, planes, rate, decimation, fit, smoothing, trajectory, then } = change;
    let is_same = to == *format;
    let noted = planes.into_iter().map(|(op, reason)| {
        let taps = op.facts().taps();
        (op, Note::new(taps, None, reason))
    });
    let (ops, notes) = noted.unzip();
    let pass = Pass::new(&filter.text, ops, filter.border_t());
    let pass = if is_same { pass } else { pass.into_format(Arc::new(to)) };
    let pass = match decimation {
        Some(decimation) => pass.decimating(decimation),
        None => pass,
    };
    let pass = match filter.companion().zip(fit) {
        Some((companion, fit)) if pass.is_blend() => pass.beside(CompanionClip { fit, ..companion }),
        _ => pass,
    };
    // A curve may ask for more than the arithmetic of samples has.
    pass.check(format)?;
    let is_judged = rate.and_then(|rate| rate.blend).is_some_and(|blend| blend.scene.is_some());
    let cuts = if is_judged { Cuts::Differences } else { Cuts::None };
    Ok((Step { rate, guard: Guard { cuts, steady: None, smoothing }, trajectory, ..Step::new(pass, notes) }, then))
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
    let wanted = (0..pixel.planes()).map(|plane| filter.wanted_in(pixel, format.colour, plane));
    let wanted = wanted.collect::<Result<Vec<_>>>()?;
    let lowered: Vec<_> = wanted.iter().map(|wanted| lower::lower(wanted, pixel)).collect();
    let steps = (0..lowered.iter().map(Vec::len).max().unwrap_or(0)).map(|step| {
        // A plane with fewer steps than another waits for it.
        let nth = |plane: &Vec<(Op, Note)>| plane.get(step).cloned().unwrap_or_else(|| (Op::Copy, Note::waiting()));
        let (ops, notes): (Vec<Op>, Vec<Note>) = lowered.iter().map(nth).unzip();
        Step::new(Pass::new(&filter.text, ops, filter.border_t()), notes)
    });
    let mut steps: Vec<Step> = steps.filter(|step| step.pass.ops().any(|op| *op != Op::Copy)).collect();
    let steady = wanted.iter().find_map(|wanted| match &wanted.want {
        Want::Steady(steady) => Some(Steady::of(steady, pixel)),
        _ => None,
    });
    guard(&mut steps, filter.scene(), steady);
    if let Some(companion) = filter.companion() {
        for step in steps.iter_mut().filter(|step| step.pass.is_blend()) {
            step.pass.companion = Some(companion.clone());
            for (op, note) in step.pass.planes.iter().zip(&mut step.notes).filter(|(plane, _)| plane.op != Op::Copy) {
                *note = Note::new(op.op.facts().taps(), None, format!("with {:?}", companion.path));
            }
        }
    }
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
        step.guard = Guard { cuts, steady, smoothing: None };
    }
}
