//! A plan: what is to be done, in order, and what is known of it.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::bypass::Bypass;
use super::guard::{Cuts, Guard};
use super::join::Step;
use super::note::Note;
use super::report::FilterReport;
use crate::filter::{self, Condition, condition_margin};
use crate::frame::{FieldOrder, Format, Margin};
use crate::pass::{self, Op, Pass, TimeBorder};

/// What is to be done, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of the frames that go in.
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
    /// Passes that nobody had to plan, each with one op for every plane of the format.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_frame::{Format, Pixel, Rational};
    /// use warpreel_filter::pass::{Border, Finish, Op, Pass, Rank, TimeBorder};
    /// use warpreel_filter::plan::Plan;
    ///
    /// let format = Arc::new(Format::new(Pixel::gray(8), 64, 48, Rational::new(25, 1)));
    /// // The third smallest of 3 by 3 samples in 3 frames.
    /// let rank = Rank { size: [3; 3], anchor: [1; 3], rank: 2, border: Border::Clamp, finish: Finish::PLAIN };
    /// let plan = Plan::of(&format, vec![Pass::new("third", vec![Op::Rank(rank)], TimeBorder::Clamp)]);
    /// assert_eq!(plan.passes()[0].window(), 3);
    /// ```
    pub fn of(format: &Arc<Format>, passes: Vec<Pass>) -> Self {
        let given = |pass: Pass| {
            let notes = vec![Note::given(); pass.planes.len()];
            Step::new(pass, notes)
        };
        let (format, steps) = (format.clone(), passes.into_iter().map(given).collect());
        Self { format, steps, bypasses: Arc::default(), filters: Vec::new(), dropped: Vec::new() }
    }

    /// Scales frames of one format to the size and chroma of another, by triangles.
    ///
    /// # Errors
    /// If the two differ in more than size and chroma.
    pub fn scaling(from: &Arc<Format>, to: &Arc<Format>) -> Result<Self> {
        let pass = Pass::new("scale", filter::rescaled(from, to), TimeBorder::Clamp).into_format(to.clone());
        pass.check(from).with_context(|| format!("scale {from} to {to}"))?;
        Ok(Self::of(from, vec![pass]))
    }

    /// The passes that backends run, one for each step.
    pub fn passes(&self) -> Arc<[Pass]> {
        self.steps.iter().map(|step| step.pass.clone()).collect()
    }

    /// The formats of the frames that go into each step, and behind them that of the frames that come out of the last.
    pub fn formats(&self) -> Vec<Arc<Format>> {
        pass::formats(self.steps.iter().map(|step| &step.pass), &self.format)
    }

    /// Of the frames that come out.
    pub fn output(&self) -> Arc<Format> {
        let last = self.steps.iter().rev().find_map(|step| step.pass.target.as_ref());
        let format = self.timed(last.unwrap_or(&self.format), self.steps.len());
        match self.deinterlacer() {
            Some(_) => Arc::new(Format { fields: FieldOrder::Progressive, ..Format::clone(&format) }),
            None => format,
        }
    }

    /// The format of frames that go into a step, or behind the last come out, with the frame rate and the unit of times that
    /// they have there: steps before it may make two frames of one.
    pub fn timed(&self, format: &Arc<Format>, step: usize) -> Arc<Format> {
        let splits = self.splits().filter(|split| *split < step);
        splits.fold(format.clone(), |format, _| {
            // A chain for which that is out of range is refused.
            let split = format.of_fields().unwrap_or_else(|_| Format::clone(&format));
            Arc::new(Format { fields: format.fields, ..split })
        })
    }

    /// The steps that make a frame of each field.
    pub fn splits(&self) -> impl Iterator<Item = usize> + '_ {
        self.steps.iter().enumerate().filter(|(_, step)| step.pass.splits_fields()).map(|(index, _)| index)
    }

    /// Refuses to make two frames of one, where as many have to come out as go in: `place` says where that is.
    ///
    /// # Errors
    /// If a step does, with what to type.
    pub fn check_one_for_one(&self, place: &str) -> Result<()> {
        let Some(split) = self.splits().next() else { return Ok(()) };
        let (name, mode) =
            (&self.steps[split].pass.name, if self.splits_weston(split) { "frame" } else { "send_frame" });
        bail!(
            "{name:?} makes two frames of one, and {place} takes one for one; type mode={mode}, or filter the whole clip with the warpreel program"
        )
    }

    fn splits_weston(&self, split: usize) -> bool {
        self.steps[split].pass.ops().any(|op| matches!(op, Op::W3fdif(_)))
    }

    /// The runs of steps that see the same frames: each ends with a step that makes two of one, or with the chain; at least
    /// one run.
    pub fn sections(&self) -> Vec<Range<usize>> {
        let ends = self.splits().map(|split| split + 1).chain([self.steps.len()]);
        let mut start = 0;
        let sections = ends.map(|end| std::mem::replace(&mut start, end)..end);
        sections.collect()
    }

    /// The most frames that come out for one that goes in; as many for each, unless a step leaves some frames as they are.
    pub fn frames_per_frame(&self) -> u64 {
        1 << self.splits().count()
    }

    /// Whether a step makes two frames of some and leaves others as they are, so that it takes counting to know which frame
    /// of the output is made of which.
    fn is_uneven(&self, split: usize) -> bool {
        let marked = |op: &Op| op.facts().deinterlacing().is_some_and(|fields| fields.marked_only);
        self.steps[split].pass.ops().any(marked) || self.bypasses.iter().any(|bypass| bypass.steps.contains(&split))
    }

    /// The first condition that depends on frames before its own behind a step that makes two frames of one, so that only who
    /// sees the whole clip knows where it holds.
    pub fn counted_behind_split(&self) -> Option<&Condition> {
        self.bypasses.iter().find_map(|bypass| {
            let condition = bypass.enable.as_ref()?;
            let mut splits = self.splits().filter(|split| *split < bypass.steps.start).peekable();
            splits.peek()?;
            let margin = condition_margin(condition);
            let depends = margin.before > 0 || margin.counts && splits.any(|split| self.is_uneven(split));
            depends.then_some(condition)
        })
    }

    /// The first step that deinterlaces all of every frame, so that no frame behind it has fields.
    pub fn deinterlacer(&self) -> Option<usize> {
        let is_whole = |(index, step): (usize, &Step)| {
            let rebuilds = step.pass.ops().all(|op| op.facts().deinterlacing().is_some());
            rebuilds && self.bypasses.iter().all(|bypass| !bypass.steps.contains(&index))
        };
        self.steps.iter().enumerate().position(is_whole)
    }

    /// How many frames go in before the first comes out, less one, where a backend does not run ahead.
    pub fn latency(&self) -> usize {
        let compares = |guard: &Guard| usize::from(matches!(guard.cuts, Cuts::Above(_)));
        self.steps.iter().map(|step| compares(&step.guard) + step.reach()).sum()
    }

    /// What some of its steps, the one after the other, look at beside a frame that comes out of the last: so many
    /// frames before it, and behind it. What conditions keep is not counted.
    pub fn halo_of(&self, steps: Range<usize>) -> [u64; 2] {
        steps.rev().fold([0; 2], |around, index| {
            let step = &self.steps[index];
            let even = step.pass.splits_fields() && !self.is_uneven(index);
            let [before, after] = if even { around.map(|frames| frames.div_ceil(2)) } else { around };
            // A frame's scene score needs the one before it, and that one's the one before that.
            let compared = if matches!(step.guard.cuts, Cuts::Above(_)) { 2 } else { 0 };
            let reach = step.reach() as u64;
            [before + compared + reach, after + reach]
        })
    }

    /// What it has to see of a clip around a part of it, so that what comes out is a slice of what would come out of the
    /// whole.
    pub fn margin(&self) -> Margin {
        let [before, after] = self.halo_of(0..self.steps.len());
        let conditions = self.bypasses.iter().filter_map(|bypass| bypass.enable.as_ref());
        let margin = Margin { before, after, counts: false };
        let mut margin = conditions.map(condition_margin).fold(margin, |margin, other| Margin {
            before: margin.before.max(other.before),
            after: margin.after,
            counts: margin.counts || other.counts,
        });
        if self.counted_behind_split().is_some() {
            margin.before = u64::MAX;
        }
        margin
    }
}
