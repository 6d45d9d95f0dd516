//! A plan as nodes: which steps become one node, and what each node is made of.
//!
//! Frames between steps have numbers here: value 0 is the clip, and value `k + 1` what step `k` makes of value `k`. A step
//! that looks at other frames begins a node, so that VapourSynth keeps the frames that go into it, and each is made once
//! where frames are requested in order. Steps that look at one frame are done in the node of the step before.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use warpreel_filter::plan::{Cuts, Plan};
use warpreel_frame::Format;

/// Steps that are one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which, in order; only the first may look at other frames.
    pub steps: Range<usize>,
    /// The values that they are made of; the first is that of the first step.
    pub sources: Vec<usize>,
}

/// What a step looks at beside its own value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Beside {
    /// The value that a step of two inputs has as its second.
    pub second: Option<usize>,
    /// The value in which cuts are looked for, and the score above which a frame begins a scene.
    pub cuts: Option<(usize, f64)>,
}

/// What step `k` looks at beside its value.
pub fn beside(plan: &Plan, k: usize) -> Beside {
    let step = &plan.steps()[k];
    let blends = plan.bypasses().iter().find(|bypass| bypass.blend == Some(k));
    let recalled = || (k > 0 && step.pass.is_blend()).then(|| k - 1);
    let second = blends.map(|bypass| bypass.steps.start).or_else(recalled);
    let found = |k: usize| match plan.steps()[k].guard.cuts {
        Cuts::Above(threshold) => Some((k, threshold)),
        _ => None,
    };
    let cuts = match step.guard.cuts {
        Cuts::None | Cuts::Differences => None,
        Cuts::Above(_) => found(k),
        Cuts::Inherited => (0..k).rev().find_map(found),
    };
    Beside { second, cuts }
}

/// What frames of a value are.
pub fn format(plan: &Plan, value: usize) -> &Arc<Format> {
    let targets = plan.steps()[..value].iter().rev().find_map(|step| step.pass.target.as_ref());
    targets.unwrap_or(plan.format())
}

/// How many frames to either side a step looks at.
pub fn reach(plan: &Plan, k: usize) -> usize {
    let step = &plan.steps()[k];
    step.pass.reach() + step.guard.reach()
}

/// How many of some steps make two frames of one.
pub fn splits(plan: &Plan, steps: Range<usize>) -> u32 {
    steps.filter(|&k| plan.steps()[k].pass.splits_fields()).count() as u32
}

/// Whether a step makes one frame of that frame alone.
fn is_single(plan: &Plan, k: usize) -> bool {
    splits(plan, k..k + 1) == 0
        && reach(plan, k) == 0
        && !plan.steps()[k].guard.measures()
        && beside(plan, k).cuts.is_none()
}

/// The parts of a plan, in order; none where it has no steps.
pub fn parts(plan: &Plan) -> Vec<Part> {
    let count = plan.steps().len();
    if count == 0 {
        return Vec::new();
    }
    let mut starts = BTreeSet::from([0]);
    // What makes two frames of one is a node of its own.
    starts.extend(plan.count_changes().map(|k| k + 1));
    for k in (0..count).filter(|&k| !is_single(plan, k)) {
        let beside = beside(plan, k);
        starts.extend([Some(k), beside.second, beside.cuts.map(|(value, _)| value)].into_iter().flatten());
    }
    // A value that a step of another part needs is one that a part gives.
    loop {
        let start = |k: usize| starts.range(..=k).next_back().copied().unwrap_or(0);
        let missing = (0..count).filter_map(|k| beside(plan, k).second.filter(|&second| second < start(k)));
        let Some(second) = missing.into_iter().find(|second| !starts.contains(second)) else { break };
        starts.insert(second);
    }
    let starts: Vec<usize> = starts.into_iter().filter(|&start| start < count).collect();
    let ends = starts[1..].iter().copied().chain([count]);
    let part = |(start, end): (usize, usize)| {
        let mut sources = vec![start];
        for k in start..end {
            let Beside { second, cuts } = beside(plan, k);
            for value in [second, cuts.map(|(value, _)| value)].into_iter().flatten() {
                if value < start && !sources.contains(&value) {
                    sources.push(value);
                }
            }
        }
        Part { steps: start..end, sources }
    };
    starts.iter().copied().zip(ends).map(part).collect()
}

#[cfg(test)]
mod tests {
    use warpreel_filter::filter::{Defaults, parse};
    use warpreel_filter::plan::plan;
    use warpreel_frame::{Pixel, Rational};

    use super::*;

    fn of(chain: &str) -> Vec<(Range<usize>, Vec<usize>)> {
        let format = Arc::new(Format::new(Pixel::yuv420p(8), 64, 48, Rational::new(25, 1)));
        let plan = plan(&parse(chain, &Defaults::default()).expect("a chain"), &format).expect("a plan");
        let parts = parts(&plan);
        let ends: Vec<usize> = parts.iter().map(|part| part.steps.end).collect();
        assert_eq!(ends.last().copied().unwrap_or(0), plan.steps().len());
        for part in &parts {
            // Each source is the clip, or what a part before gives.
            assert!(part.sources.iter().all(|value| *value == 0 || ends.contains(value)), "{chain}: {parts:?}");
            assert!(part.sources.iter().all(|value| *value <= part.steps.start), "{chain}: {parts:?}");
        }
        parts.into_iter().map(|part| (part.steps, part.sources)).collect()
    }

    #[test]
    fn steps_of_single_frames_are_one_node() {
        assert_eq!(of("gain=1"), []);
        assert_eq!(of("gaussian=2,median=1,sobel"), [(0..3, vec![0])]);
    }

    #[test]
    fn a_step_across_frames_begins_a_node() {
        assert_eq!(of("gaussian=2,tmix=3,median=1,tmedian=1"), [(0..1, vec![0]), (1..3, vec![1]), (3..4, vec![3])]);
    }

    #[test]
    fn a_frame_of_each_field_is_a_node() {
        let parts = of("bwdif=send_field,gaussian=2,sobel");
        assert_eq!(parts, [(0..1, vec![0]), (1..3, vec![1])]);
        assert_eq!(of("bwdif=send_frame,gaussian=2"), [(0..2, vec![0])]);
    }

    #[test]
    fn a_blend_knows_what_went_in() {
        // Beside a part of the picture the unfiltered frame is wanted: value 0 in the same node, or from the clip.
        assert_eq!(of("median=1:roi=8x8+4+4"), [(0..2, vec![0])]);
        assert_eq!(of("median=1,gaussian=2,tmedian=1:mix=0.5:roi=8x8+4+4")[1].1, vec![2]);
        let parts = of("bm3d=radius=1:roi=8x8+4+4,sobel");
        assert!(parts.len() >= 2, "{parts:?}");
        assert!(parts[1].1.contains(&0), "{parts:?}");
    }

    #[test]
    fn scenes_are_those_of_the_first_step() {
        let parts = of("gaussian=1,bm3d=radius=1:scene=0.3");
        assert!(parts.last().is_some_and(|(steps, sources)| sources.contains(&1) && steps.start == 2), "{parts:?}");
    }
}
