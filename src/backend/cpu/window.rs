//! One plane of all the frames of a window.

use crate::frame::Plane;

/// One plane through time.
pub struct Window<'a, T> {
    /// One plane a frame; `None` is a frame of neutral samples.
    pub planes: Vec<Option<Plane<'a, T>>>,
    /// A row of neutral samples.
    pub neutral: &'a [T],
}

impl<'a, T> Window<'a, T> {
    /// Row `y` of the frame at place `t`.
    #[inline(always)]
    pub fn row(&self, t: usize, y: usize) -> &'a [T] {
        self.planes[t].as_ref().map_or(self.neutral, |plane| plane.row(y))
    }

    /// Row `y` of the frame in the middle.
    #[inline(always)]
    pub fn centre(&self, y: usize) -> &'a [T] {
        self.row(self.planes.len() / 2, y)
    }
}
