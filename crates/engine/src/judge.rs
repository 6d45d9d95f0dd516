//! On which frames the filters act that have a condition: one look at each frame of a clip, in order.

use anyhow::Result;

use crate::filter::Watch;
use crate::frame::Timing;
use crate::plan::{Bypass, Plan};

/// The conditions of a plan over one clip. They may keep values from frame to frame, so one judge sees all frames.
pub struct Judge {
    /// One for each bypass; `None` acts on all frames.
    watches: Vec<Option<Watch>>,
}

/// Which ways round passes a frame does not take: one answer for each of the plan's, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict(Box<[bool]>);

impl Judge {
    /// Over an empty clip.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn new(plan: &Plan) -> Result<Self> {
        // Conditions name the size of the frames at their place in the chain.
        let formats = plan.formats();
        let watch = |bypass: &Bypass| {
            let format = &formats[bypass.steps.start];
            bypass.enable.as_ref().map(|condition| condition.watch(format)).transpose()
        };
        Ok(Self { watches: plan.bypasses.iter().map(watch).collect::<Result<_>>()? })
    }

    /// What holds for the clip's next frame.
    ///
    /// # Errors
    /// If a condition's loops do not end.
    pub fn judge(&mut self, timing: &Timing) -> Result<Verdict> {
        let holds = |watch: &mut Option<Watch>| watch.as_mut().map_or(Ok(true), |watch| watch.holds(timing));
        Ok(Verdict(self.watches.iter_mut().map(holds).collect::<Result<_>>()?))
    }
}

impl Verdict {
    /// Whether the passes of a bypass act, in the order of the plan.
    pub(super) fn acts(&self) -> impl Iterator<Item = bool> {
        self.0.iter().copied()
    }
}
