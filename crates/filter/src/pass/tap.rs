//! Taps: along one axis, and in t, y and x.

use super::reach::Reach;

/// Taps along one axis; a single tap of 1 does nothing: samples pass through, also −0, which a sum would make +0.
#[derive(Clone, Debug, PartialEq)]
pub struct Taps {
    /// One weight a sample; integers (below 2²⁴, so exact) in [`super::Arithmetic::Integer`]. Never empty.
    pub weights: Vec<f32>,
    /// The index of the tap that meets the sample itself.
    pub anchor: usize,
}

impl Taps {
    /// The single tap of 1.
    pub fn identity() -> Self {
        Self { weights: vec![1.0], anchor: 0 }
    }

    /// Whether nothing is done along this axis.
    pub fn is_identity(&self) -> bool {
        self.weights == [1.0] && self.anchor == 0
    }

    /// How far the taps reach to either side.
    pub fn reach(&self) -> usize {
        self.anchor.max(self.weights.len() - 1 - self.anchor)
    }
}

/// Taps in t, y and x.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// How many taps in t, y, x; none is 0.
    pub size: [usize; 3],
    /// The index of the tap that meets the sample itself, in t, y, x.
    pub anchor: [usize; 3],
    /// All weights, ascending in t, then y, then x.
    pub weights: Vec<f32>,
}

impl Kernel {
    /// How far it looks.
    pub fn reach(&self) -> Reach {
        Reach::of(self.size, self.anchor)
    }
}
