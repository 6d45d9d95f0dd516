//! Whole frames that a filter gives another size, shape, depth or rate.

use super::rate::RateChange;
use super::trajectory::Trajectory;
use crate::frame::Format;
use crate::pass::{ClipFit, Decimation, Op};

/// Frames of another size, shape, depth or rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Of the frames that come out.
    pub format: Format,
    /// The op of each plane, and the reason for it in words.
    pub planes: Vec<(Op, String)>,
    /// How many there are; `None` for as many as go in.
    pub rate: Option<RateChange>,
    /// How frames are dropped, if some are.
    pub decimation: Option<Decimation>,
    /// How the frames of another clip come to those that go in, if one is laid over them.
    pub fit: Option<ClipFit>,
    /// Frames on each side that the camera's path is smoothed over, if the pass moves frames against its motion.
    pub smoothing: Option<usize>,
    /// The place of the picture that is laid over each frame, if it moves.
    pub trajectory: Option<Trajectory>,
    /// The change of the frames that come out, in a pass of its own, where one pass is too few.
    pub then: Option<Box<Change>>,
}

impl Change {
    /// Nothing: frames stay as they are.
    pub(super) fn none(format: &Format) -> Self {
        Self::to(format, |_| (Op::Copy, String::new()))
    }

    /// One pass into frames of a format, as many as go in; `op` gives the op of each plane, and the reason for it.
    pub(super) fn to(format: &Format, op: impl FnMut(usize) -> (Op, String)) -> Self {
        let planes = (0..format.pixel.planes()).map(op).collect();
        Self {
            format: format.clone(),
            planes,
            rate: None,
            decimation: None,
            fit: None,
            smoothing: None,
            trajectory: None,
            then: None,
        }
    }

    /// Whether frames stay as they are.
    pub fn is_none(&self, format: &Format) -> bool {
        let is_same = self.format == *format && self.planes.iter().all(|(op, _)| *op == Op::Copy);
        is_same && self.rate.is_none() && self.decimation.is_none() && self.then.is_none()
    }

    /// The same with another change after it.
    #[must_use]
    pub(super) fn before(self, next: Option<Self>) -> Self {
        Self { then: next.map(Box::new), ..self }
    }
}
