//! Frames made small, so that their motion can be found on the host.

use crate::frame::Format;

/// Sums over the cells of a frame's brightness: squares of `1 << log2_side` pixels, without what is left at the right and
/// at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// Power of two of a cell's side, in pixels.
    pub log2_side: u32,
    /// Cells of a row.
    pub columns: usize,
    /// Rows of cells.
    pub rows: usize,
}

impl Reduction {
    /// The most cells of a row or a column.
    pub const MOST: usize = 512;

    /// Of frames of a format: the smallest cells of which no side has more than [`Reduction::MOST`]. A frame that is narrower
    /// or lower than such a cell has cells as if it were larger, and so none.
    pub fn of(format: &Format) -> Self {
        let longest = format.width.max(format.height);
        let log2_side = (0..).find(|side| longest >> side <= Self::MOST).unwrap_or(0);
        Self { log2_side, columns: format.width >> log2_side, rows: format.height >> log2_side }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }
}
