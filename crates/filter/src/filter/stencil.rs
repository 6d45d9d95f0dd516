//! What a filter wants of the samples around each sample: that they be summed. Taps and last step, in `f64` and without a
//! thought for any machine.

use crate::pass::Combine;

/// Taps along one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// One weight a sample; never empty, all finite.
    pub weights: Vec<f64>,
    /// The index of the tap that meets the sample itself, below the number of weights.
    pub anchor: usize,
}

impl Row {
    /// The single tap of 1.
    pub fn identity() -> Self {
        Self { weights: vec![1.0], anchor: 0 }
    }

    /// Anchored in the middle, `length / 2`.
    pub fn centred(weights: Vec<f64>) -> Self {
        Self { anchor: weights.len() / 2, weights }
    }

    /// The sum of the weights.
    pub fn sum(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Divided by its sum.
    pub(super) fn normalised(mut self) -> Self {
        let sum = self.sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
        self
    }

    /// This row, and then `other`, as one.
    pub fn convolved(&self, other: &Self) -> Self {
        let mut weights = vec![0.0; self.weights.len() + other.weights.len() - 1];
        for (i, a) in self.weights.iter().enumerate() {
            for (j, b) in other.weights.iter().enumerate() {
                weights[i + j] += a * b;
            }
        }
        Self { weights, anchor: self.anchor + other.anchor }
    }
}

/// Taps in t, y and x.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// How many taps in t, y, x; none is 0.
    pub size: [usize; 3],
    /// The index of the tap that meets the sample itself, in t, y, x, each below the size.
    pub anchor: [usize; 3],
    /// All weights, ascending in t, then y, then x; all finite.
    pub weights: Vec<f64>,
}

impl Matrix {
    /// The most taps that a kernel may have: 1000 × 1000.
    pub const MAX_TAPS: usize = 1_000_000;

    /// Anchored in the middle, `size / 2` along each axis. `weights` has as many elements as `size` says.
    pub fn centred(size: [usize; 3], weights: Vec<f64>) -> Self {
        debug_assert_eq!(size.iter().product::<usize>(), weights.len());
        Self { size, anchor: size.map(|n| n / 2), weights }
    }

    /// A flat matrix of rows of the same length, anchored in the middle.
    pub fn flat<const W: usize, const H: usize>(rows: [[i32; W]; H]) -> Self {
        Self::centred([1, H, W], rows.iter().flatten().map(|&tap| f64::from(tap)).collect())
    }

    /// The product of one row along each axis.
    pub fn product(t: &Row, y: &Row, x: &Row) -> Self {
        let mut weights = Vec::with_capacity(t.weights.len() * y.weights.len() * x.weights.len());
        for a in &t.weights {
            for b in &y.weights {
                weights.extend(x.weights.iter().map(|c| a * b * c));
            }
        }
        Self {
            size: [t.weights.len(), y.weights.len(), x.weights.len()],
            anchor: [t.anchor, y.anchor, x.anchor],
            weights,
        }
    }

    /// The sum of the weights.
    pub fn sum(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Turned about its centre along every axis, anchor included: what correlation needs to give convolution.
    pub fn flipped(mut self) -> Self {
        self.weights.reverse();
        for (anchor, size) in self.anchor.iter_mut().zip(self.size) {
            *anchor = size - 1 - *anchor;
        }
        self
    }
}

/// The taps of one plane.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One row along each axis; run one after another.
    Product {
        /// In time.
        t: Row,
        /// Down.
        y: Row,
        /// Across.
        x: Row,
    },
    /// Kernels of any shape over the same samples, at least one, and how their sums become one value.
    Kernels(Vec<Matrix>, Combine),
}

impl Shape {
    /// What one plane of 1 everywhere becomes.
    pub fn gain(&self) -> f64 {
        match self {
            Self::Product { t, y, x } => t.sum() * y.sum() * x.sum(),
            Self::Kernels(kernels, combine) => {
                let sums = kernels.iter().map(Matrix::sum);
                match combine {
                    Combine::Sum => sums.sum(),
                    Combine::Magnitude => sums.map(|sum| sum * sum).sum::<f64>().sqrt(),
                    Combine::Max => sums.map(f64::abs).fold(0.0, f64::max),
                    Combine::Largest => sums.fold(f64::NEG_INFINITY, f64::max),
                }
            }
        }
    }
}

/// Taps and the last step: `combined sums · scale + centre · dry + bias`.
#[derive(Clone, Debug, PartialEq)]
pub struct Stencil {
    /// The taps.
    pub shape: Shape,
    /// Factor of the sum.
    pub scale: f64,
    /// Weight of the unfiltered sample.
    pub dry: f64,
    /// Added last, in the units of the samples.
    pub bias: f64,
}

impl Stencil {
    /// The combined sums, times `scale`.
    pub fn scaled(shape: Shape, scale: f64) -> Self {
        Self { shape, scale, dry: 0.0, bias: 0.0 }
    }

    /// Whether every number is finite in `f32`.
    pub fn is_finite(&self) -> bool {
        let fits = |number: &f64| (*number as f32).is_finite();
        let taps = match &self.shape {
            Shape::Product { t, y, x } => [t, y, x].into_iter().all(|row| row.weights.iter().all(fits)),
            Shape::Kernels(kernels, _) => kernels.iter().all(|kernel| kernel.weights.iter().all(fits)),
        };
        taps && [self.scale, self.dry, self.bias].iter().all(fits)
    }
}
