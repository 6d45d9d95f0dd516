//! What one filter takes by itself, and what one plane of a pass does.

use std::sync::Arc;

use serde::Serialize;

use super::join::Step;
use super::note::Note;
use crate::filter::{Filter, letter};
use crate::frame::Format;
use crate::pass::{Arithmetic, Border, Operation, Pass};

/// One filter by itself: every plane read and written, each step over frames in memory, and all taps at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilterReport {
    /// As it was typed.
    pub name: String,
    /// How often the frame would be read and written.
    pub steps: usize,
    /// Taps, or samples that are looked at, for each sample of the plane that has the most.
    pub taps: usize,
    /// Bytes read and written.
    pub bytes: u64,
    /// Operations, a multiply-add counted as two.
    pub operations: u64,
    /// What is unusual about its taps, and what to type if it was not meant.
    pub note: Option<String>,
    /// How far its strength is from the noise of the clip, where that was measured and is far off, and what to type instead.
    pub remark: Option<String>,
}

/// One plane of one pass.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaneReport {
    /// Its letter.
    pub plane: char,
    /// Which operation: `copy`, `separable`, `dense`, …
    pub kind: &'static str,
    /// The taps of each step: `13 x + 13 y`, `2 of 3x3`.
    pub shape: String,
    /// What becomes of the finished samples: `table of 256`; empty for nothing.
    pub after: String,
    /// Taps that the filter asked for.
    pub taps_before: usize,
    /// Taps that are run, or samples that are looked at, for each sample.
    pub taps_after: usize,
    /// How far the factors are from what was asked for, relative to it.
    pub residual: Option<f64>,
    /// `integer` or `real`; empty where samples are only compared or looked up.
    pub arithmetic: &'static str,
    /// What lies outside; empty where nothing of it is seen.
    pub border: String,
    /// Bytes read and written.
    pub bytes: u64,
    /// Operations, a multiply-add counted as two.
    pub operations: u64,
    /// Why it is done so.
    pub reason: String,
}

/// What a filter of these steps takes by itself.
pub(super) fn alone<'a>(format: &Arc<Format>, filter: &Filter, steps: impl Iterator<Item = &'a Step>) -> FilterReport {
    let planes = || (0..format.pixel.planes()).map(|plane| format.plane_size(plane)).map(|(w, h)| (w * h) as u64);
    let mut own = format.clone();
    let mut taps = vec![0; format.pixel.planes()];
    let (name, note) = (filter.text.clone(), filter.caution());
    let mut report = FilterReport { name, steps: 0, taps: 0, bytes: 0, operations: 0, note, remark: None };
    for step in steps {
        report.steps += 1;
        for (plane, samples) in planes().enumerate() {
            let before = step.notes[plane].taps_before;
            taps[plane] += before;
            report.operations += 2 * before as u64 * samples;
        }
        report.bytes += plane_reports(&own, &step.pass, &step.notes).iter().map(|plane| plane.bytes).sum::<u64>();
        own = step.pass.output(&own);
    }
    if report.steps == 0 {
        report.steps = 1;
        report.bytes = planes().map(|samples| 2 * samples * format.pixel.sample.bytes() as u64).sum();
    }
    report.taps = taps.into_iter().max().unwrap_or(0);
    report
}

/// What each plane of a pass does.
pub(super) fn plane_reports(format: &Format, pass: &Pass, notes: &[Note]) -> Vec<PlaneReport> {
    let report = |plane: usize| {
        let (width, height) = format.plane_size(plane);
        let (samples, note, facts) = ((width * height) as u64, &notes[plane], pass.planes[plane].op.facts());
        PlaneReport {
            plane: letter(format.pixel, plane),
            kind: facts.kind(),
            shape: facts.shape(),
            after: pass.planes[plane].after.as_ref().map_or_else(String::new, Operation::shape),
            taps_before: note.taps_before,
            taps_after: facts.taps(),
            residual: note.residual,
            arithmetic: facts.arithmetic().map_or("", word),
            border: facts.border().map_or_else(String::new, border_word),
            bytes: facts.bytes(format.pixel.sample, samples),
            operations: facts.operations(samples),
            reason: note.reason.clone(),
        }
    };
    (0..pass.planes.len()).map(report).collect()
}

fn word(arithmetic: Arithmetic) -> &'static str {
    match arithmetic {
        Arithmetic::Integer => "integer",
        Arithmetic::Real => "real",
    }
}

fn border_word(border: Border) -> String {
    match border {
        Border::Constant(value) => format!("constant {value}"),
        mode => format!("{mode:?}").to_lowercase(),
    }
}
