//! What boxes reach of a plane and of a window.

use super::super::border::Columns;
use super::super::operation::Setting;
use super::super::simd::Sample;
use super::super::walk::{LineCost, LineFilter, PlaneStage};
use crate::pass::Rank;

/// The columns that boxes reach.
pub fn columns(op: &Rank, setting: &Setting) -> Columns {
    let (left, size) = (op.anchor[2], op.size[2]);
    Columns::new(op.border, setting.width(), left, size - 1 - left)
}

/// The place in the window of the first frame that boxes reach.
pub fn first_frame(op: &Rank, setting: &Setting) -> usize {
    setting.reach - op.anchor[0]
}

/// The stage of a line filter.
pub fn walk<T: Sample>(
    op: &Rank,
    setting: &Setting,
    filter: impl LineFilter<T> + 'static,
    cost: LineCost,
) -> Box<dyn PlaneStage<T>> {
    let (top, bottom) = (op.anchor[1], op.size[1] - 1 - op.anchor[1]);
    setting.walk(filter, setting.row_reach(op.border, top, bottom), cost)
}
