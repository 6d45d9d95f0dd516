//! What is known of the clip that is being filtered: what stands before and in each pass, and what is under way.

use std::collections::VecDeque;

use anyhow::Result;

use super::bypass::Bypass;
use super::guard::Guard;
use super::window::Window;
use crate::backend::Backend;
use crate::plan::{self, Plan};

/// What is known of the clip that is being filtered.
pub(super) struct Clip<B: Backend> {
    pub(super) stages: Vec<RunningPass<B>>,
    pub(super) bypasses: Vec<Bypass<B::Image>>,
    pub(super) pending: VecDeque<B::Pending>,
    /// The number in the input of the clip's first frame.
    pub(super) first: Option<u64>,
    /// How many frames came back.
    pub(super) delivered: u64,
    pub(super) state: ClipState,
}

/// One pass at work.
pub(super) struct RunningPass<B: Backend> {
    pub(super) guard: Guard<B>,
    pub(super) window: Window<Traced<B::Image>>,
    /// What went into the pass before for images that have not come into this one's window, where it looks at both.
    pub(super) recalled: Option<VecDeque<B::Image>>,
    /// The bypass that goes round it, by its place.
    pub(super) around: Option<usize>,
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
    pub(super) fn new(plan: &Plan) -> Result<Self> {
        let bypasses = plan.bypasses.iter().map(|bypass| Bypass::new(bypass, &plan.steps, &plan.format));
        let bypasses = bypasses.collect::<Result<Vec<_>>>()?;
        let blends = |index| plan.bypasses.iter().any(|bypass| bypass.blend == Some(index));
        let stage = |(index, step): (usize, &plan::Step)| RunningPass {
            recalled: (index > 0 && step.pass.is_blend() && !blends(index)).then(VecDeque::new),
            guard: Guard::new(step.guard, &step.pass, &plan.format),
            window: Window::new(step.pass.reach(), step.pass.border_t),
            around: bypasses.iter().position(|bypass: &Bypass<B::Image>| bypass.steps().contains(&index)),
        };
        let stages = plan.steps.iter().enumerate().map(stage).collect();
        Ok(Self { stages, bypasses, pending: VecDeque::new(), first: None, delivered: 0, state: ClipState::Open })
    }

    /// The number in the input of the frame at a position in the clip.
    pub(super) fn number(&self, position: u64) -> u64 {
        self.first.unwrap_or(0) + position
    }
}
