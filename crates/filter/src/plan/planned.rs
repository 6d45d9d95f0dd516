//! A plan: what is to be done, in order, and what is known of it.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use super::bypass::Bypass;
use super::guard::{Cuts, Guard};
use super::join::Step;
use super::lookaround::Lookaround;
use super::note::Note;
use super::report::FilterReport;
use crate::filter::{self, Change, RateBlend, Trajectory, condition_margin};
use crate::frame::{FieldOrder, Format, Margin};
use crate::pass::{self, Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Pass, TimeBorder};

/// What is to be done, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) format: Arc<Format>,
    pub(super) steps: Vec<Step>,
    pub(super) bypasses: Arc<[Bypass]>,
    pub(super) filters: Vec<FilterReport>,
    pub(super) dropped: Vec<String>,
}

impl Plan {
    /// Passes that nobody had to plan, each with one op for every plane of the format.
    ///
    /// # Errors
    /// If one of them contradicts itself or the format of the frames that go into it.
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
    /// let plan = Plan::from_passes(&format, vec![Pass::new("third", vec![Op::Rank(rank)], TimeBorder::Clamp)])?;
    /// assert_eq!(plan.passes()[0].window(), 3);
    /// # anyhow::Ok(())
    /// ```
    pub fn from_passes(format: &Arc<Format>, passes: Vec<Pass>) -> Result<Self> {
        format.check()?;
        let formats = pass::formats(passes.iter(), format);
        passes.iter().zip(&formats).try_for_each(|(pass, format)| pass.check(format))?;
        let given = |pass: Pass| {
            let notes = vec![Note::given(); pass.planes.len()];
            Step::new(pass, notes)
        };
        let (format, steps) = (format.clone(), passes.into_iter().map(given).collect());
        Ok(Self { format, steps, bypasses: Arc::default(), filters: Vec::new(), dropped: Vec::new() })
    }

    /// One kernel of so many taps in t, y and x, ascending in t, then y, then x, on each plane but opacity: applied as written
    /// (correlation), the sample itself in its middle, planes mirrored about their edge samples and the clip's ends repeated.
    /// Whole numbers are summed in whole numbers where they fit.
    ///
    /// # Errors
    /// As [`Kernel::new`]; or if the format is none.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_filter::plan::Plan;
    /// use warpreel_frame::{Format, Pixel, Rational};
    ///
    /// let format = Arc::new(Format::try_new(Pixel::gray(8), 64, 48, Rational::new(25, 1))?);
    /// let plan = Plan::kernel(&format, [3, 3, 3], &[1.0 / 27.0; 27])?;
    /// assert_eq!((plan.lookaround().before, plan.lookaround().after), (1, 1));
    /// # anyhow::Ok(())
    /// ```
    pub fn kernel(format: &Arc<Format>, size: [usize; 3], taps: &[f32]) -> Result<Self> {
        let kernel = Kernel::new(size, taps.to_vec())?;
        let dense = |arithmetic| Dense {
            kernels: vec![kernel.clone()],
            combine: Combine::Sum,
            arithmetic,
            border: Border::Reflect101,
            finish: Finish::PLAIN,
        };
        let pixel = format.pixel;
        let whole = Op::Dense(dense(Arithmetic::Integer));
        let op = |plane: usize| match pixel.is_alpha(plane) {
            true => Op::Copy,
            false if whole.facts().check(format, plane).is_ok() => whole.clone(),
            false => Op::Dense(dense(Arithmetic::Real)),
        };
        let [t, y, x] = size;
        let name = format!("kernel of {x}x{y}x{t} taps");
        Self::from_passes(format, vec![Pass::new(name, (0..pixel.planes()).map(op).collect(), TimeBorder::Clamp)])
    }

    /// Gives the frames ways round some of the steps, in place of those that the plan has.
    ///
    /// # Errors
    /// If one goes round steps that the plan lacks, or they are not one behind the other.
    pub fn with_bypasses(self, bypasses: Vec<Bypass>) -> Result<Self> {
        let (mut behind, steps) = (0, self.steps.len());
        for Bypass { steps: range, blend, .. } in &bypasses {
            let follows = behind <= range.start && range.start < range.end && range.end <= steps;
            ensure!(follows && blend.is_none_or(|blend| blend < steps), "a way round steps that the plan lacks");
            behind = range.end;
        }
        Ok(Self { bypasses: bypasses.into(), ..self })
    }

    /// Requires facts about the frames that go into a step.
    ///
    /// # Errors
    /// If the plan has no such step.
    pub fn with_guard(mut self, step: usize, guard: Guard) -> Result<Self> {
        let count = self.steps.len();
        self.steps.get_mut(step).with_context(|| format!("step {step} of {count}"))?.guard = guard;
        Ok(self)
    }

    /// Adds a remark to the report of the first filter, such as how strong it was made.
    pub fn with_remark(mut self, remark: Option<String>) -> Self {
        if let Some(first) = self.filters.first_mut() {
            first.remark = remark;
        }
        self
    }

    /// The plan for one field of a clip's frames as that of the clip, whose fields are filtered by themselves, by the passes that
    /// this one has.
    ///
    /// # Errors
    /// If a step changes the size of fields, which do not make frames then.
    pub fn of_fields(mut self, clip: &Arc<Format>) -> Result<Self> {
        let field = std::mem::replace(&mut self.format, clip.clone());
        for target in self.steps.iter_mut().filter_map(|step| step.pass.target.as_mut()) {
            ensure!(
                (target.width, target.height) == (field.width, field.height),
                "a change of size cannot be applied to fields"
            );
            *target = Arc::new(Format { height: clip.height, ..Format::clone(target) });
        }
        Ok(self)
    }

    /// Format of the frames that go in; [`Plan::output`] has that of those that come out.
    pub fn format(&self) -> &Arc<Format> {
        &self.format
    }

    /// The steps of the filters that change something, in the order of the chain, neighbours as one where that gives the
    /// same bytes; behind the steps of a filter of whose result only a part is wanted, one that blends.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The ways round some of the steps, in order; none within another.
    pub fn bypasses(&self) -> &[Bypass] {
        &self.bypasses
    }

    /// The cost of each filter of the chain by itself.
    pub fn filters(&self) -> &[FilterReport] {
        &self.filters
    }

    /// The filters that change nothing in this format, as they were typed, and neighbours that undo each other.
    pub fn dropped(&self) -> &[String] {
        &self.dropped
    }

    /// Brings frames of one format to the size, chroma and samples of another, by triangles and without dithering.
    ///
    /// # Errors
    /// If the two differ in more than that.
    pub fn scaling(from: &Arc<Format>, to: &Arc<Format>) -> Result<Self> {
        let (mut passes, mut next) = (Vec::new(), Some(Box::new(filter::rescaled(from, to))));
        while let Some(change) = next {
            let Change { format, planes, then, .. } = *change;
            let ops = planes.into_iter().map(|(op, _)| op).collect();
            passes.push(Pass::new("scale", ops, TimeBorder::Clamp).into_format(Arc::new(format)));
            next = then;
        }
        Self::from_passes(from, passes).with_context(|| format!("scale {from} to {to}"))
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
        match self.is_progressive() {
            true => Arc::new(Format { fields: FieldOrder::Progressive, ..Format::clone(&format) }),
            false => format,
        }
    }

    /// Whether frames come out progressive: all of them, or those that are not marked otherwise.
    pub fn is_progressive(&self) -> bool {
        let matches = |index: usize| self.steps[index].marks && self.is_unconditional(index);
        self.deinterlacer().is_some() || (0..self.steps.len()).any(matches)
    }

    fn is_unconditional(&self, index: usize) -> bool {
        self.bypasses.iter().all(|bypass| !bypass.steps.contains(&index))
    }

    /// The first step that deinterlaces all of every frame, so that no frame behind it has fields.
    pub fn deinterlacer(&self) -> Option<usize> {
        let is_whole = |(index, step): (usize, &Step)| {
            let rebuilds = step.pass.ops().all(|op| op.facts().deinterlacing().is_some());
            rebuilds && self.is_unconditional(index)
        };
        self.steps.iter().enumerate().position(is_whole)
    }

    /// How many frames go in before the first comes out, less one, where a backend does not run ahead.
    pub fn latency(&self) -> usize {
        self.steps.iter().map(|step| usize::from(step.guard.compares()) + step.reach()).sum()
    }

    /// What some of its steps, the one after the other, look at beside a frame that comes out of the last: so many
    /// frames before it, and behind it. What conditions keep is not counted.
    pub fn halo_of(&self, steps: Range<usize>) -> [u64; 2] {
        self.around(steps, |step| [step.reach() as u64; 2])
    }

    /// Halo with another measure of each step's reach.
    fn around(&self, steps: Range<usize>, reach: impl Fn(&Step) -> [u64; 2]) -> [u64; 2] {
        steps.rev().fold([0; 2], |around, index| {
            let step = &self.steps[index];
            let [before, after] = match step.rate {
                // Only their times say how many frames of the input that is.
                Some(_) if around != [0; 2] => [u64::MAX; 2],
                None if let Some(decimation) = &step.pass.decimation => {
                    // Between two frames lie as many as there are, a dropped one of each cycle, and one more.
                    let apart =
                        |frames: u64| frames.saturating_add(frames.div_ceil(u64::from(decimation.cycle) - 1) + 1);
                    around.map(|frames| if frames == 0 { 0 } else { apart(frames) })
                }
                None if step.pass.splits_fields() && !self.is_uneven(index) => around.map(|frames| frames.div_ceil(2)),
                _ => around,
            };
            let compared = match step.guard.cuts {
                // A frame's scene score needs the one before it, and that one's the one before that.
                Cuts::Above(_) => 2,
                Cuts::Differences => RateBlend::HISTORY,
                Cuts::None | Cuts::Inherited => 0,
            };
            let [back, ahead] = reach(step);
            [before.saturating_add(compared + back), after.saturating_add(ahead)]
        })
    }

    /// Exact number of frames that a result depends on, before and after it, and the latency.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_filter::filter::{Defaults, parse};
    /// use warpreel_filter::plan::plan;
    /// use warpreel_frame::{Format, Pixel, Rational};
    ///
    /// let format = Arc::new(Format::try_new(Pixel::yuv420p(8), 640, 480, Rational::new(25, 1))?);
    /// let even = plan(&parse("tmix=4", &Defaults::default())?, &format)?.lookaround();
    /// assert_eq!((even.before, even.after, even.latency), (2, 1, 2));
    /// # anyhow::Ok(())
    /// ```
    pub fn lookaround(&self) -> Lookaround {
        let (margin, latency) = (self.margin(), self.latency() as u64);
        let [before, after] = self.around(0..self.steps.len(), |step| step.looks());
        let kept = self.evaluated().map(|margin| margin.before).max().unwrap_or(0);
        let before = if margin.before == u64::MAX { u64::MAX } else { before.max(kept) };
        Lookaround { before, after, latency }
    }

    /// The margins of what is evaluated for each frame: conditions, and places that move.
    fn evaluated(&self) -> impl Iterator<Item = Margin> {
        let conditions = self.bypasses.iter().filter_map(|bypass| bypass.enable.as_ref());
        let places = self.steps.iter().filter_map(|step| step.trajectory.as_ref());
        conditions.map(condition_margin).chain(places.map(Trajectory::margin))
    }

    /// What it has to see of a clip around a part of it, so that what comes out is a slice of what would come out of the
    /// whole.
    pub fn margin(&self) -> Margin {
        let [before, after] = self.halo_of(0..self.steps.len());
        let counts = self.steps.iter().any(Step::counts);
        let margin = Margin { before, after, counts };
        let mut margin = self.evaluated().fold(margin, |margin, other| Margin {
            before: margin.before.max(other.before),
            after: margin.after,
            counts: margin.counts || other.counts,
        });
        let is_evaluated = self.counted_behind_change().is_some() || self.moved_behind_change().is_some();
        if is_evaluated || self.counting_behind_change().is_some() {
            margin.before = u64::MAX;
        }
        margin
    }
}
