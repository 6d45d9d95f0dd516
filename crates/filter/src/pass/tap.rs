//! Taps: along one axis, and in t, y and x.

use anyhow::{Context, Result, ensure};

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
        self.anchor.max(self.weights.len().saturating_sub(1).saturating_sub(self.anchor))
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
    /// Taps of so many in t, y and x, with the sample itself in their middle: of an even number the one behind it, as OpenCV
    /// has it.
    ///
    /// # Errors
    /// If there are none, not as many weights, or a weight is no finite number.
    ///
    /// ```
    /// use warpreel_filter::pass::Kernel;
    ///
    /// let box_3d = Kernel::new([3, 3, 3], vec![1.0; 27])?;
    /// assert_eq!(box_3d.anchor, [1, 1, 1]);
    /// assert!(Kernel::new([usize::MAX, 2, 1], vec![1.0]).is_err());
    /// assert!(Kernel::new([1, 1, 1], vec![f32::NAN]).is_err());
    /// # anyhow::Ok(())
    /// ```
    pub fn new(size: [usize; 3], weights: Vec<f32>) -> Result<Self> {
        let kernel = Self { size, anchor: size.map(|taps| taps / 2), weights };
        kernel.check().map(|()| kernel)
    }

    /// Fails unless each weight has its place, and the anchor is one of them.
    pub(super) fn check(&self) -> Result<()> {
        let Self { size, anchor, weights } = self;
        let [t, y, x] = *size;
        ensure!(t > 0 && y > 0 && x > 0, "a kernel of {t}x{y}x{x} taps is empty");
        let taps = t.checked_mul(y).and_then(|taps| taps.checked_mul(x));
        let taps = taps.with_context(|| format!("{} weights for {t}x{y}x{x} taps", weights.len()))?;
        ensure!(taps == weights.len(), "{} weights for {t}x{y}x{x} taps", weights.len());
        ensure!((0..3).all(|axis| anchor[axis] < size[axis]), "the anchor is outside {t}x{y}x{x} taps");
        ensure!(weights.iter().all(|weight| weight.is_finite()), "a weight is no finite number");
        Ok(())
    }

    /// How far it looks.
    pub fn reach(&self) -> Reach {
        Reach::of(self.size, self.anchor)
    }
}
