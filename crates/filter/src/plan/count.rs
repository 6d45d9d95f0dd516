//! How many frames there are between the steps of a plan, and at what rate.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::Plan;
use super::join::Step;
use crate::filter::{Condition, Trajectory, condition_margin};
use crate::frame::{Format, Margin};
use crate::pass::Op;

impl Step {
    /// Whether other frames come out than go in: two of one, those of another rate, or not all.
    pub fn changes_count(&self) -> bool {
        self.rate.is_some() || self.pass.decimation.is_some() || self.pass.splits_fields()
    }

    /// Whether frames behind it are others than those before it: more or fewer, or with other fields.
    pub fn ends_section(&self) -> bool {
        self.changes_count() || self.marks
    }

    /// The format of frames that go in, with the frame rate and the unit of times of those that come out.
    pub(super) fn retimed(&self, format: &Format) -> Format {
        // A chain for which that is out of range is refused.
        match self.rate {
            Some(rate) => rate.output(format),
            None if let Some(decimation) = &self.pass.decimation => {
                format.of_cycles(decimation.cycle).unwrap_or_else(|_| format.clone())
            }
            None if self.pass.splits_fields() => format.of_fields().unwrap_or_else(|_| format.clone()),
            None => format.clone(),
        }
    }
}

impl Plan {
    /// The format of frames that go into a step, or behind the last come out, with the frame rate and the unit of times that
    /// they have there: steps before it may change how many there are.
    pub fn timed(&self, format: &Arc<Format>, step: usize) -> Arc<Format> {
        let (mut changes, clip) = (self.count_changes().filter(|change| *change < step).peekable(), &*self.format);
        if changes.peek().is_none() {
            return format.clone();
        }
        let Format { rate, time_base, .. } = changes.fold(clip.clone(), |clip, step| self.steps[step].retimed(&clip));
        Arc::new(Format { rate, time_base, ..Format::clone(format) })
    }

    /// The steps that change how many frames there are.
    pub fn count_changes(&self) -> impl Iterator<Item = usize> + '_ {
        self.steps.iter().enumerate().filter(|(_, step)| step.changes_count()).map(|(index, _)| index)
    }

    /// The steps behind which frames are others: more or fewer, or with other fields.
    pub fn section_ends(&self) -> impl Iterator<Item = usize> + '_ {
        self.steps.iter().enumerate().filter(|(_, step)| step.ends_section()).map(|(index, _)| index)
    }

    /// Refuses to change how many frames there are, where as many have to come out as go in: `place` says where that is.
    ///
    /// # Errors
    /// If a step does, with what to type.
    pub fn check_one_for_one(&self, place: &str) -> Result<()> {
        let Some(step) = self.count_changes().next().map(|index| &self.steps[index]) else { return Ok(()) };
        let name = &step.pass.name;
        if let Some(rate) = step.rate {
            let how = if rate.blend.is_some() { "blends frames of another rate" } else { "repeats and drops frames" };
            bail!(
                "{name:?} {how}, and {place} takes one for one; leave it out, or filter the whole clip with \
                 the warpreel program"
            );
        }
        if let Some(decimation) = &step.pass.decimation {
            bail!(
                "{name:?} drops one frame of {}, and {place} takes one for one; leave it out, or filter the whole clip with the \
                 warpreel program",
                decimation.cycle
            );
        }
        let is_weston = step.pass.ops().any(|op| matches!(op, Op::W3fdif(_)));
        let mode = if is_weston { "frame" } else { "send_frame" };
        bail!(
            "{name:?} makes two frames of one, and {place} takes one for one; type mode={mode}, or filter the whole clip with \
             the warpreel program"
        )
    }

    /// The runs of steps that see the same frames: each ends with a step behind which there are others, or with the chain;
    /// at least one run.
    pub fn sections(&self) -> Vec<Range<usize>> {
        let ends = self.section_ends().map(|change| change + 1).chain([self.steps.len()]);
        let mut start = 0;
        let sections = ends.map(|end| std::mem::replace(&mut start, end)..end);
        sections.collect()
    }

    /// How many frames come out of so many of the clip: the most where a step makes two of some and leaves others, and about
    /// as many where one changes the frame rate.
    pub fn length(&self, frames: u64) -> u64 {
        self.lengths(frames).last().copied().unwrap_or(frames)
    }

    /// The same behind each step.
    fn lengths(&self, frames: u64) -> Vec<u64> {
        let (mut frames, mut format) = (frames, Format::clone(&self.format));
        let behind = |step: &Step| {
            if step.changes_count() {
                frames = match step.rate {
                    Some(rate) => rate.length(frames, format.rate),
                    None if let Some(decimation) = &step.pass.decimation => {
                        frames - frames / u64::from(decimation.cycle)
                    }
                    None => frames.saturating_mul(2),
                };
                format = step.retimed(&format);
            }
            frames
        };
        self.steps.iter().map(behind).collect()
    }

    /// How often each step runs for each frame that leaves the chain: 0 times where it only repeats and drops frames, and once for both
    /// that it makes of one.
    pub fn runs(&self) -> Vec<f64> {
        const FRAMES: u64 = 1 << 20;
        let lengths = self.lengths(FRAMES);
        let leaving = lengths.last().map_or(1.0, |last| *last as f64);
        let before = std::iter::once(FRAMES).chain(lengths.iter().copied());
        let runs = self.steps.iter().zip(before.zip(&lengths)).map(|(step, (before, after))| match step.rate {
            Some(rate) if rate.blend.is_none() => 0,
            Some(_) => *after,
            None => before,
        });
        runs.map(|runs| runs as f64 / leaving.max(1.0)).collect()
    }

    /// The plan without the steps that change the frame rate or drop frames: for each frame that goes in, what is done to it.
    #[must_use]
    pub fn at_own_rate(&self) -> Self {
        let mut plan = self.clone();
        let is_other = |step: &Step| step.rate.is_some() || step.pass.decimation.is_some();
        while let Some(index) = plan.steps.iter().position(is_other) {
            plan.steps.remove(index);
            // No way leads round such a step.
            let moved = |place: usize| place - usize::from(place > index);
            let bypasses = plan.bypasses.iter().cloned().map(|mut bypass| {
                bypass.steps = moved(bypass.steps.start)..moved(bypass.steps.end);
                bypass.blend = bypass.blend.map(moved);
                bypass
            });
            plan.bypasses = bypasses.collect();
        }
        plan
    }

    /// Whether a step makes two frames of some and leaves others as they are, so that it takes counting to know which frame
    /// of the output is made of which.
    pub(super) fn is_uneven(&self, split: usize) -> bool {
        let marked = |op: &Op| op.facts().deinterlacing().is_some_and(|fields| fields.marked_only);
        self.steps[split].pass.ops().any(marked) || self.bypasses.iter().any(|bypass| bypass.steps.contains(&split))
    }

    /// Whether only who sees all frames of the output in order knows their numbers.
    pub fn is_counted(&self) -> bool {
        self.section_ends().any(|change| self.steps[change].changes_count() && self.is_uneven(change))
    }

    /// The first condition that depends on frames before its own behind a step that changes which there are, so that only
    /// who sees the whole clip knows where it holds.
    pub fn counted_behind_change(&self) -> Option<&Condition> {
        self.bypasses.iter().find_map(|bypass| {
            let condition = bypass.enable.as_ref()?;
            self.depends_on_change(condition_margin(condition), bypass.steps.start).then_some(condition)
        })
    }

    /// The first place of a picture that depends on frames before its own behind a step that changes which there are, likewise.
    pub fn moved_behind_change(&self) -> Option<&Trajectory> {
        self.steps.iter().enumerate().find_map(|(index, step)| {
            let trajectory = step.trajectory.as_ref()?;
            self.depends_on_change(trajectory.margin(), index).then_some(trajectory)
        })
    }

    /// Whether what is evaluated at a step and needs such a margin depends on how steps before it change which frames there are.
    fn depends_on_change(&self, margin: Margin, step: usize) -> bool {
        let mut changes = self.section_ends().filter(|change| *change < step).peekable();
        if changes.peek().is_none() {
            return false;
        }
        let is_counted = |change: usize| {
            let step = &self.steps[change];
            step.rate.is_some() || step.changes_count() && self.is_uneven(change)
        };
        margin.before > 0 || margin.counts && changes.any(is_counted)
    }

    /// The first step that drops a frame of each cycle, or whose result depends on frames' numbers, behind one of which only who
    /// sees the whole clip knows how many frames it gives, so that nobody else knows where cycles begin and what the numbers are.
    pub fn counting_behind_change(&self) -> Option<&Step> {
        let is_unknown = |change: usize| self.steps[change].rate.is_some() || self.is_uneven(change);
        let place = self.count_changes().find(|change| is_unknown(*change))?;
        self.steps[place..].iter().find(|step| step.counts())
    }
}
