//! On which frames the filters act that have a condition, and where pictures lie that move: one look at each frame of a clip, in
//! order. Behind a step that changes how many there are, each of those is looked at.

use std::ops::Range;

use anyhow::{Context, Result};

use crate::filter::{TrajectoryWatch, Watch};
use crate::frame::Timing;
use crate::pass::OverlayPlace;
use crate::plan::{Bypass, Plan};

/// The conditions and the places that move of a plan over one clip. They may keep values from frame to frame, so one judge sees
/// all frames.
pub struct Judge {
    sections: Vec<JudgedSection>,
}

/// Expressions that are evaluated for each frame of a section of the plan.
struct JudgedSection {
    /// One for each bypass; `None` acts on all frames.
    conditions: Vec<Option<Watch>>,
    /// One for each pass that lays a picture at a place that moves, by the name of the pass.
    places: Vec<(String, TrajectoryWatch)>,
}

/// Which ways round passes a frame does not take, one answer for each of a section's, in order; and where it has the pictures that
/// move, likewise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    acts: Box<[bool]>,
    places: Box<[OverlayPlace]>,
}

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
        let place = |index: usize| {
            let step = &plan.steps()[index];
            let watch = step.trajectory.as_ref()?.watch(&plan.timed(&formats[index], index));
            Some(watch.map(|watch| (step.pass.name.clone(), watch)).with_context(|| step.pass.name.clone()))
        };
        let section = |steps: &Range<usize>| {
            let bypasses = plan.bypasses().iter().filter(|bypass| steps.contains(&bypass.steps.start));
            let conditions = bypasses.map(watch).collect::<Result<_>>()?;
            Ok(JudgedSection { conditions, places: steps.clone().filter_map(place).collect::<Result<_>>()? })
        };
        Ok(Self { sections: plan.sections().iter().map(section).collect::<Result<_>>()? })
    }

    /// What holds for the clip's next frame.
    ///
    /// # Errors
    /// If the loops of a condition or of a place do not end.
    pub fn judge(&mut self, timing: &Timing) -> Result<Verdict> {
        self.judge_in(0, timing)
    }

    /// What holds for the next frame of a section.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub(super) fn judge_in(&mut self, section: usize, timing: &Timing) -> Result<Verdict> {
        let JudgedSection { conditions, places } = &mut self.sections[section];
        let holds = |watch: &mut Option<Watch>| watch.as_mut().map_or(Ok(true), |watch| watch.holds(timing));
        let acts = conditions.iter_mut().map(holds).collect::<Result<_>>()?;
        let place = |(pass, watch): &mut (String, TrajectoryWatch)| {
            watch.place(timing).with_context(|| format!("{pass}: place the picture"))
        };
        Ok(Verdict { acts, places: places.iter_mut().map(place).collect::<Result<_>>()? })
    }
}

impl Verdict {
    /// Whether the passes of a bypass act, in the order of the plan.
    pub(super) fn acts(&self) -> impl Iterator<Item = bool> {
        self.acts.iter().copied()
    }

    /// Where the frame has the pictures that move, in the order of the plan.
    pub(super) fn places(&self) -> impl Iterator<Item = OverlayPlace> {
        self.places.iter().copied()
    }
}
