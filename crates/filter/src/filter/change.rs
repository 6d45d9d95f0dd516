//! What a filter makes of whole frames that do not stay as they are: of another size or shape.

use crate::frame::Format;
use crate::pass::Op;

/// Frames of another size or shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What the frames become.
    pub format: Format,
    /// How each plane comes about, and why so, in words.
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
