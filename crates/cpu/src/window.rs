//! One plane of all the frames of a window.

use bytemuck::Pod;

use super::simd::Simd;
use crate::frame::Plane;
use crate::pass::{Correction, OverlayPlace, Scan};

/// One plane through time.
pub struct PlaneWindow<'a, T> {
    /// One plane a frame; `None` is a frame of neutral samples.
    pub planes: Vec<Option<Plane<'a, T>>>,
    /// A row of neutral samples.
    pub neutral: &'a [T],
    /// What the frame in the middle is multiplied by, where an op does that.
    pub factor: f32,
    /// Number of the frame in the middle, where an op depends on it.
    pub number: u64,
    /// By how much the frame in the middle is moved, where an op does that.
    pub correction: Correction,
    /// Where the frame in the middle has a picture that moves.
    pub place: OverlayPlace,
    /// Facts of the frame in the middle, where an op rebuilds fields.
    pub scan: Scan,
    /// The same of the plane that an op looks at beside its own, where it has one.
    pub guide: Option<Box<Self>>,
}

impl<'a, T: Pod> PlaneWindow<'a, T> {
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

    /// Asks for row `y` of all frames, if there is one.
    #[inline(always)]
    pub fn prefetch<S: Simd>(&self, simd: S, y: Option<usize>) {
        if let Some(y) = y {
            for plane in self.planes.iter().flatten() {
                simd.prefetch(bytemuck::cast_slice(plane.row(y)));
            }
        }
    }
}
