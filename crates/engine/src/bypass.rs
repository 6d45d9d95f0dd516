//! The way round a filter, once for every backend: which frames it acts on, and what went in for those that come out.

use std::collections::VecDeque;
use std::ops::Range;

use crate::plan::{self, Step};

/// A bypass at work. Frames are seen, go in and come out in the same order, and are counted in each place.
pub(super) struct Bypass<I> {
    /// The passes that it goes round.
    steps: Range<usize>,
    /// The first step whose result no later one looks at from another frame.
    free: usize,
    blend: Option<usize>,
    next: usize,
    /// For each frame that was seen and has not come out, whether the filter acts on it.
    acts: VecDeque<bool>,
    /// What went in and has not come out.
    originals: VecDeque<I>,
    /// How many frames came out.
    gone: u64,
}

/// What becomes of a frame that comes out of the last step.
pub(super) enum Exit<I> {
    /// What went in goes on.
    Original(I),
    /// What came out goes on.
    Result,
    /// Both, what went in being here, become one in this pass.
    Blend(usize, I),
}

impl<I> Bypass<I> {
    /// A bypass over an empty clip.
    pub(super) fn new(plan: &plan::Bypass, all: &[Step]) -> Self {
        let steps = plan.steps.clone();
        let free = steps.clone().skip(1).filter(|&step| all[step].pass.reach() > 0).max().unwrap_or(steps.start);
        Self {
            steps,
            free,
            blend: plan.blend,
            next: plan.next(),
            acts: VecDeque::new(),
            originals: VecDeque::new(),
            gone: 0,
        }
    }

    /// Takes note of whether the filter acts on the clip's next frame, before it goes in.
    pub(super) fn see(&mut self, acts: bool) {
        self.acts.push_back(acts);
    }

    /// The passes that it goes round.
    pub(super) fn steps(&self) -> Range<usize> {
        self.steps.clone()
    }

    /// The pass that frames go to from here.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// Keeps what goes in.
    pub(super) fn enter(&mut self, image: I) {
        self.originals.push_back(image);
    }

    /// Whether nobody will look at what a pass gives for that frame of the clip.
    pub(super) fn skips(&self, pass: usize, frame: u64) -> bool {
        let acts = frame.checked_sub(self.gone).and_then(|place| self.acts.get(place as usize));
        pass >= self.free && acts == Some(&false)
    }

    /// Says what becomes of the next frame that comes out.
    pub(super) fn leave(&mut self) -> Exit<I> {
        const IN: &str = "a frame goes in before it comes out";
        let (acts, original) = (self.acts.pop_front().expect(IN), self.originals.pop_front().expect(IN));
        self.gone += 1;
        match (acts, self.blend) {
            (false, _) => Exit::Original(original),
            (true, None) => Exit::Result,
            (true, Some(blend)) => Exit::Blend(blend, original),
        }
    }
}
