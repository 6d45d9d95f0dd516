//! Where a box is looked at ([`Place`]).

use super::super::border::Columns;
use super::super::simd::{Level, Sample};
use super::super::walk::{Cost, Extent, Stage, Stencil, Walk};
use crate::frame::Pixel;
use crate::pass::Rank;

/// Where an op is to run.
#[derive(Clone, Copy)]
pub struct Place {
    /// Of the format.
    pub pixel: Pixel,
    /// Samples in a row of the plane.
    pub width: usize,
    /// Rows of the plane.
    pub height: usize,
    /// How many threads share it.
    pub threads: usize,
    /// The instructions.
    pub level: Level,
    /// Frames of the window on either side of the centre.
    pub reach: usize,
}

impl Place {
    /// The columns that boxes reach.
    pub fn columns(self, op: &Rank) -> Columns {
        let (left, size) = (op.anchor[2], op.size[2]);
        Columns::new(op.border, self.width, left, size - 1 - left)
    }

    /// The place in the window of the first frame that boxes reach.
    pub fn first_frame(self, op: &Rank) -> usize {
        self.reach - op.anchor[0]
    }

    /// The stage of a stencil.
    pub fn walk<T: Sample>(self, op: &Rank, stencil: impl Stencil<T> + 'static, cost: Cost) -> Box<dyn Stage<T>> {
        let (top, bottom) = (op.anchor[1], op.size[1] - 1 - op.anchor[1]);
        let extent = Extent { border: op.border, height: self.height, top, bottom, threads: self.threads };
        Box::new(Walk::new(stencil, self.level, extent, cost))
    }
}
