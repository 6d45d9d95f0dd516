//! Frames that a [`super::Scrubber`] filtered, and what is known about them.

use crate::frame::Frame;

/// Frames that a chain made.
#[derive(Clone)]
pub struct Scrubbed {
    /// In order; fewer than were asked for where the clip ends.
    pub frames: Vec<Frame>,
    /// What each pass took for all of them, in milliseconds, in the order of the passes; empty where they were there already.
    pub costs: Vec<(String, f64)>,
    /// Measured noise of their shot, if a strength follows it.
    pub finding: Option<String>,
    /// Remark on a typed strength of the first filter that is far from the noise of the first frames.
    pub remark: Option<String>,
    /// Provisional: the clip is not measured up to these frames, so they have the strength of an earlier shot. Request them again
    /// for the frames of a run.
    pub is_provisional: bool,
}

impl Scrubbed {
    /// Appends frames that follow.
    pub(super) fn and(mut self, more: Self) -> Self {
        let Self { frames, costs, finding, remark, is_provisional } = more;
        self.frames.extend(frames);
        let is_same = self.costs.iter().map(|(name, _)| name).eq(costs.iter().map(|(name, _)| name));
        match is_same {
            true => self.costs.iter_mut().zip(costs).for_each(|((_, sum), (_, ms))| *sum += ms),
            false => self.costs.extend(costs),
        }
        let is_provisional = self.is_provisional || is_provisional;
        Self { finding: finding.or(self.finding), remark: remark.or(self.remark), is_provisional, ..self }
    }
}
