//! On which frames the filters act that have a condition: one look at each frame of a clip, in order. Behind a step that
//! changes how many there are, each of those is looked at.

use std::ops::Range;

use anyhow::Result;

use crate::filter::Watch;
use crate::frame::Timing;
use crate::plan::{Bypass, Plan};

/// The conditions of a plan over one clip. They may keep values from frame to frame, so one judge sees all frames.
pub struct Judge {
    /// For each section of the plan, one for each bypass; `None` acts on all frames.
    sections: Vec<Vec<Option<Watch>>>,
}

/// Which ways round passes a frame does not take: one answer for each of a section's, in order.
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
            let format = plan.timed(&formats[bypass.steps.start], bypass.steps.start);
            bypass.enable.as_ref().map(|condition| condition.watch(&format)).transpose()
        };
        let watches = |steps: &Range<usize>| {
            plan.bypasses().iter().filter(|bypass| steps.contains(&bypass.steps.start)).map(watch).collect()
        };
        Ok(Self { sections: plan.sections().iter().map(watches).collect::<Result<_>>()? })
    }

    /// What holds for the clip's next frame.
    ///
    /// # Errors
    /// If a condition's loops do not end.
    pub fn judge(&mut self, timing: &Timing) -> Result<Verdict> {
        self.judge_in(0, timing)
    }

    /// What holds for the next frame of a section.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub(super) fn judge_in(&mut self, section: usize, timing: &Timing) -> Result<Verdict> {
        let holds = |watch: &mut Option<Watch>| watch.as_mut().map_or(Ok(true), |watch| watch.holds(timing));
        Ok(Verdict(self.sections[section].iter_mut().map(holds).collect::<Result<_>>()?))
    }
}

impl Verdict {
    /// Whether the passes of a bypass act, in the order of the plan.
    pub(super) fn acts(&self) -> impl Iterator<Item = bool> {
        self.0.iter().copied()
    }
}
