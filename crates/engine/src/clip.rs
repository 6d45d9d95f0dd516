//! What is known of the clip that is being filtered: what stands before and in each pass, and what is under way.

use std::collections::VecDeque;

use super::bypass::Bypass;
use super::guard::{Guard, GuardedFrame};
use super::judge::Verdict;
use super::scene::Scene;
use super::window::Window;
use crate::backend::Backend;
use crate::frame::{FrameFields, Timing};
use crate::pass::Scan;
use crate::plan::{self, Plan};

/// What is known of the clip that is being filtered.
pub(super) struct Clip<B: Backend> {
    pub(super) stages: Vec<RunningPass<B>>,
    pub(super) bypasses: Vec<Bypass<B::Image>>,
    pub(super) state: ClipState,
    /// The number in the input of the clip's first frame.
    first: Option<u64>,
    /// How many frames went in.
    seen: u64,
    /// The position of the first frame that is no margin, and that of the first margin behind it.
    own: [Option<u64>; 2],
    /// For each frame that has not come out of the last pass, whether it is margin.
    margins: VecDeque<bool>,
    /// The fields of those frames, and of the one before them.
    fields: VecDeque<FrameFields>,
    /// Of frames whose source does not know them.
    usual: FrameFields,
    /// The pass behind which no frame has fields.
    deinterlacer: Option<usize>,
}

/// One pass at work.
pub(super) struct RunningPass<B: Backend> {
    pub(super) guard: Guard<B>,
    pub(super) window: Window<Traced<B::Image>>,
    /// What went into the pass before for images that have not come into this one's window, where it looks at both.
    pub(super) recalled: Option<VecDeque<B::Image>>,
    /// The bypass that goes round it, by its place.
    pub(super) around: Option<usize>,
    /// How many frames before and behind one that comes out later passes look at.
    beyond: [u64; 2],
}

/// An image, and what it was made of where a pass looks at that too.
pub(super) struct Traced<I> {
    pub(super) image: I,
    pub(super) origin: Option<I>,
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
        let bypasses: Vec<_> = plan.bypasses.iter().map(|bypass| Bypass::new(bypass, &plan.steps)).collect();
        let formats = plan.formats();
        let blends = |index| plan.bypasses.iter().any(|bypass| bypass.blend == Some(index));
        let stage = |(index, step): (usize, &plan::Step)| RunningPass {
            recalled: (index > 0 && step.pass.is_blend() && !blends(index)).then(VecDeque::new),
            guard: Guard::new(step.guard, &step.pass, &formats[index]),
            window: Window::new(step.pass.reach(), step.pass.border_t),
            around: bypasses.iter().position(|bypass: &Bypass<B::Image>| bypass.steps().contains(&index)),
            beyond: plan.halo_of(index + 1..plan.steps.len()),
        };
        let stages = plan.steps.iter().enumerate().map(stage).collect();
        let (own, margins, fields) = ([None; 2], VecDeque::new(), VecDeque::new());
        let (usual, deinterlacer) = (FrameFields::from(plan.format.fields), plan.deinterlacer());
        Self {
            stages,
            bypasses,
            state: ClipState::Open,
            first: None,
            seen: 0,
            own,
            margins,
            fields,
            usual,
            deinterlacer,
        }
    }

    /// Takes note of the clip's next frame, before it goes in.
    pub(super) fn see(&mut self, timing: &Timing, verdict: &Verdict) {
        self.bypasses.iter_mut().zip(verdict.acts()).for_each(|(bypass, acts)| bypass.see(acts));
        self.first.get_or_insert(timing.number);
        self.own = match (self.own, timing.is_margin) {
            ([Some(start), _], false) => [Some(start), None],
            ([None, _], false) => [Some(self.seen), None],
            ([Some(start), None], true) => [Some(start), Some(self.seen)],
            (own, true) => own,
        };
        self.margins.push_back(timing.is_margin);
        self.fields.push_back(timing.fields.unwrap_or(self.usual));
        self.seen += 1;
    }

    /// Whether the next frame that comes out of the last pass is margin.
    pub(super) fn leave(&mut self) -> bool {
        let is_margin = self.margins.pop_front().expect("a frame goes in before it comes out");
        while self.fields.len() > self.margins.len() + 1 {
            self.fields.pop_front();
        }
        is_margin
    }

    /// The fields of the frames around the centre of a pass's window, and whether a scene begins or ends there.
    pub(super) fn scan(&self, pass: usize) -> Scan {
        let window = &self.stages[pass].window;
        let (centre, begins, ends) = (window.centre(), window.scene() == Scene::Begins, window.ends());
        let first = self.seen - self.fields.len() as u64;
        let is_progressive = self.deinterlacer.is_some_and(|deinterlacer| deinterlacer < pass);
        let of = |position: u64| {
            if is_progressive {
                return FrameFields::default();
            }
            let place = position.checked_sub(first).and_then(|place| self.fields.get(place as usize));
            place.copied().unwrap_or(self.usual)
        };
        let (before, after) = (if begins { centre } else { centre - 1 }, if ends { centre } else { centre + 1 });
        Scan { fields: [before, centre, after].map(of), begins, ends }
    }

    /// The number in the input of the frame at a position in the clip.
    pub(super) fn number(&self, position: u64) -> u64 {
        self.first.unwrap_or(0).wrapping_add(position)
    }

    /// The number of the latest frame that went in.
    pub(super) fn newest(&self) -> u64 {
        self.number(self.seen.saturating_sub(1))
    }

    /// A frame that waits before a pass, by its number in the input.
    pub(super) fn guarded(&self, number: u64) -> GuardedFrame {
        let position = number.wrapping_sub(self.first.unwrap_or(0));
        let [start, end] = self.own;
        let is_margin = start.is_none_or(|start| position < start) || end.is_some_and(|end| position >= end);
        GuardedFrame { number, is_margin }
    }

    /// Whether nobody will look at what a pass gives for that frame of the input, because it is margin, and far from
    /// all that is not.
    pub(super) fn is_unseen(&self, pass: usize, number: u64) -> bool {
        let position = number.wrapping_sub(self.first.unwrap_or(0));
        let [before, after] = self.stages[pass].beyond;
        let [start, end] = self.own;
        // Where no other has come yet, the next may be the first that is no margin.
        position + before < start.unwrap_or(self.seen) || end.is_some_and(|end| position >= end + after)
    }
}
