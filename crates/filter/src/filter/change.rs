//! Whole frames that a filter gives another size or shape.

use crate::frame::Format;
use crate::pass::Op;

/// Frames of another size or shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Of the frames that come out.
    pub format: Format,
    /// The op of each plane, and the reason for it in words.
    pub planes: Vec<(Op, String)>,
}

impl Change {
    /// Nothing: frames stay as they are.
    pub(super) fn none(format: &Format) -> Self {
        Self { format: format.clone(), planes: vec![(Op::Copy, String::new()); format.pixel.planes()] }
    }

    /// Whether frames stay as they are.
    pub fn is_none(&self, format: &Format) -> bool {
        self.format == *format && self.planes.iter().all(|(op, _)| *op == Op::Copy)
    }
}
