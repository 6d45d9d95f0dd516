//! Two frames as one: how much there is of the second, and of the first the rest.

use std::ops::Range;
use std::sync::Arc;

/// The weight `w` of the second frame of the window at each sample, the first having the rest; all weights are 0 to 1.
///
/// With `a` and `b` for the samples of the first and the second: `w = 0` gives `a` and `w = 1` gives `b`, untouched
/// even where they are no numbers; else `v = fma(w, b − a, a)`, each of the two operations rounded to `f32`, then for
/// integer samples `floor(v + 0.5)`, which lies between `a` and `b`. Float samples keep `v`, but every NaN is written
/// as `0x7fc0_0000`.
#[derive(Clone, Debug, PartialEq)]
pub enum Blend {
    /// The same everywhere.
    Even(f32),
    /// The same in a rectangle of samples, which may be empty, and 0 outside.
    Inside {
        /// From left to right, within the plane.
        columns: Range<usize>,
        /// From top to bottom, within the plane.
        rows: Range<usize>,
        /// In the rectangle.
        weight: f32,
    },
    /// One for each sample. They are `f32`, although fewer bits would do for most masks, so that a mean over several
    /// pixels or a product is rounded once, and no machine has to divide.
    Each {
        /// Samples in a row of the plane.
        width: usize,
        /// Row by row, without padding.
        weights: Arc<[f32]>,
    },
}

impl Blend {
    /// Whether it gives the second frame, whatever the first is.
    pub fn is_second(&self) -> bool {
        match self {
            Self::Even(weight) => *weight == 1.0,
            Self::Inside { .. } => false,
            Self::Each { weights, .. } => weights.iter().all(|weight| *weight == 1.0),
        }
    }
}
