//! The fields of one frame, where its source knows them.

use super::FieldOrder;

/// The fields of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameFields {
    /// Whether its two fields were taken at different times.
    pub is_interlaced: bool,
    /// Whether the top field is the earlier one.
    pub top_first: bool,
    /// Whether it is to be shown for longer than a frame, as film with pulldown flags is.
    pub repeats: bool,
}

impl From<FieldOrder> for FrameFields {
    /// Of a clip all of whose frames are alike; frames of a mixed clip count as progressive.
    fn from(order: FieldOrder) -> Self {
        let (top, bottom) = (order == FieldOrder::TopFirst, order == FieldOrder::BottomFirst);
        Self { is_interlaced: top || bottom, top_first: top, repeats: false }
    }
}
