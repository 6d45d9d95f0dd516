//! Whole frames that a filter gives another size, shape or rate.

use super::rate::RateChange;
use crate::frame::Format;
use crate::pass::{Decimation, Op};

/// Frames of another size, shape or rate.
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
}

impl Change {
    /// Nothing: frames stay as they are.
    pub(super) fn none(format: &Format) -> Self {
        let planes = vec![(Op::Copy, String::new()); format.pixel.planes()];
        Self { format: format.clone(), planes, rate: None, decimation: None }
    }

    /// Whether frames stay as they are.
    pub fn is_none(&self, format: &Format) -> bool {
        let is_same = self.format == *format && self.planes.iter().all(|(op, _)| *op == Op::Copy);
        is_same && self.rate.is_none() && self.decimation.is_none()
    }
}
