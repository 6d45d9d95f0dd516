//! What is known of the clip that is being filtered: what stands before and in each pass, and what is under way.

use std::collections::VecDeque;
use std::ops::Range;

use anyhow::{Context, Result};

use super::asked::{AskedChange, AskedFields};
use super::bypass::Bypass;
use super::companion::CompanionReader;
use super::guard::Guard;
use super::judge::Verdict;
use super::scene::PairScores;
use super::section::{Repeats, Section};
use super::window::Window;
use crate::backend::Backend;
use crate::filter::RateChange;
use crate::frame::Timing;
use crate::pass::{OverlayPlace, Pass, Scan};
use crate::plan::{self, Plan};

/// What is known of the clip that is being filtered.
pub(super) struct Clip<B: Backend> {
    pub(super) stages: Vec<RunningPass<B>>,
    pub(super) bypasses: Vec<Bypass<B::Image>>,
    pub(super) state: ClipState,
    /// At least one: a step that changes how many frames there are ends it, and the next begins behind it.
    sections: Vec<Section>,
    /// What the latest frame was made of that came out of the last pass.
    pub(super) origin: Option<u64>,
    /// The time of the frame behind the last, which another engine gets.
    pub(super) until: Option<i64>,
    /// The pass behind which no frame has fields.
    deinterlacer: Option<usize>,
}

/// One pass at work.
pub(super) struct RunningPass<B: Backend> {
    pub(super) guard: Guard<B>,
    pub(super) window: Window<Traced<B::Image>>,
    /// What went into the pass before for images that have not come into this one's window, where it looks at both.
    pub(super) recalled: Option<VecDeque<B::Image>>,
    /// The clip that it reads beside its own, if it reads one.
    pub(super) companion: Option<CompanionReader<B::Image>>,
    /// The bypass that goes round it, by its place.
    pub(super) around: Option<usize>,
    /// The section that it is in.
    pub(super) section: usize,
    /// How many frames before and behind one that comes out later passes look at.
    beyond: [u64; 2],
    /// Scores of pairs of frames, of a pass that blends them to another rate.
    pub(super) pairs: PairScores,
    /// Frames whose fields are being looked at, of a pass that matches fields.
    pub(super) matching: VecDeque<AskedFields<B>>,
    /// Frames whose cycle is not complete, or waits for answers, of a pass that drops one of each.
    pub(super) cycle: VecDeque<AskedChange<B>>,
    /// Where frames have the picture that the pass lays over them and that have not come out of its window, if it moves.
    pub(super) places: Option<VecDeque<OverlayPlace>>,
}

/// An image, what it was made of where a pass looks at that too, and how much it differs from the one before where that was
/// asked for.
pub(super) struct Traced<I> {
    pub(super) image: I,
    pub(super) origin: Option<I>,
    pub(super) difference: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClipState {
    Open,
    Ended,
    Failed,
}

impl<B: Backend> Clip<B> {
    /// A clip of which no frame is there yet.
    pub(super) fn new(plan: &Plan) -> Self {
        let (formats, sections) = (plan.formats(), plan.sections());
        let section_of = |step: usize| sections.partition_point(|section| section.end <= step);
        let bypass = |bypass| Bypass::new(bypass, plan.steps());
        let bypasses: Vec<_> = plan.bypasses().iter().map(bypass).collect();
        let blends = |index| plan.bypasses().iter().any(|bypass| bypass.blend == Some(index));
        let recalls =
            |index: usize, pass: &Pass| index > 0 && pass.is_blend() && pass.companion.is_none() && !blends(index);
        let stage = |(index, step): (usize, &plan::Step)| RunningPass {
            recalled: recalls(index, &step.pass).then(VecDeque::new),
            companion: CompanionReader::of(&step.pass, &formats[index]),
            guard: Guard::new(step.guard, &step.pass, &formats[index]),
            window: Window::new(step.window_reach(), step.pass.border_t),
            around: bypasses.iter().position(|bypass: &Bypass<B::Image>| bypass.steps().contains(&index)),
            section: section_of(index),
            beyond: plan.halo_of(index + 1..plan.steps().len()),
            pairs: PairScores::new(&formats[index]),
            matching: VecDeque::new(),
            cycle: VecDeque::new(),
            places: step.trajectory.as_ref().map(|_| VecDeque::new()),
        };
        let stages = plan.steps().iter().enumerate().map(stage).collect();
        let section = |steps: &std::ops::Range<usize>| Section::new(&plan.timed(plan.format(), steps.start));
        let sections = sections.iter().map(section).collect();
        let (origin, until, deinterlacer) = (None, None, plan.deinterlacer());
        Self { stages, bypasses, state: ClipState::Open, sections, origin, until, deinterlacer }
    }

    /// Takes note of a section's next frame, before it goes in.
    pub(super) fn see(&mut self, section: usize, timing: &Timing, verdict: &Verdict) {
        let Self { stages, bypasses, sections, .. } = self;
        let own = bypasses.iter_mut().filter(|bypass| stages[bypass.steps().start].section == section);
        own.zip(verdict.acts()).for_each(|(bypass, acts)| bypass.see(acts));
        let moving = stages.iter_mut().filter(|stage| stage.section == section);
        let moving = moving.filter_map(|stage| stage.places.as_mut());
        moving.zip(verdict.places()).for_each(|(places, place)| places.push_back(place));
        sections[section].see(timing);
    }

    /// The section whose frames go into a pass, or behind the last pass come out.
    pub(super) fn section(&self, pass: usize) -> &Section {
        &self.sections[self.section_of(pass)]
    }

    /// The same, to be changed.
    pub(super) fn section_mut(&mut self, pass: usize) -> &mut Section {
        let section = self.section_of(pass);
        &mut self.sections[section]
    }

    /// The image of another clip that meets the frame at a position of a pass's section; none where that stays as it is.
    ///
    /// # Errors
    /// If the other clip cannot be read.
    pub(super) fn beside(&mut self, backend: &mut B, pass: usize, position: u64) -> Result<Option<B::Image>> {
        let section = self.section(pass);
        let timing = section.timing(position).context("a frame is there until it has left")?;
        let time = (timing.pts.saturating_add(timing.offset), section.unit());
        let Some(reader) = &mut self.stages[pass].companion else { return Ok(None) };
        reader.at(backend, pass, time)
    }

    /// Numbers and times of the frames that the frame at a position of a pass's section is shown as, at another rate.
    pub(super) fn repeats(&mut self, pass: usize, position: u64, change: &RateChange) -> Repeats {
        let unit = self.sections[0].unit();
        let until = self.until.map(|time| (time, unit));
        self.section_mut(pass).repeats(position, change, until)
    }

    /// Numbers and times of the frames of a cycle at some positions of a pass's section, which leave it, but of the one that is
    /// dropped.
    pub(super) fn cycle(
        &mut self,
        pass: usize,
        positions: Range<u64>,
        cycle: u32,
        dropped: Option<usize>,
    ) -> Vec<Timing> {
        let unit = self.sections[0].unit();
        let until = self.until.map(|time| (time, unit));
        self.section_mut(pass).cycle(positions, cycle, dropped, until)
    }

    fn section_of(&self, pass: usize) -> usize {
        self.stages.get(pass).map_or(self.sections.len() - 1, |stage| stage.section)
    }

    /// The fields of the frames around the centre of a pass's window, and whether a scene begins or ends there.
    pub(super) fn scan(&self, pass: usize) -> Scan {
        let is_progressive = self.deinterlacer.is_some_and(|deinterlacer| deinterlacer < pass);
        self.section(pass).scan(&self.stages[pass].window, is_progressive)
    }

    /// Whether nobody will look at what a pass gives for a frame of its section.
    pub(super) fn is_unseen(&self, pass: usize, number: u64) -> bool {
        self.section(pass).is_unseen(number, self.stages[pass].beyond)
    }

    /// How many frames of the clip come out of the last pass, as far as they have come to it.
    pub(super) fn own(&self) -> u64 {
        self.sections.last().map_or(0, Section::own)
    }
}
