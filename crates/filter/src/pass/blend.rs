//! Two frames as one: how much there is of the second, and of the first the rest.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::operation::Operation;
use crate::frame::{Format, Sample};

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

impl Operation for Blend {
    fn kind(&self) -> &'static str {
        "blend"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let (width, height) = format.plane_size(plane);
        let fits = |weight: &f32| (0.0..=1.0).contains(weight);
        let weights = match self {
            Self::Even(weight) => std::slice::from_ref(weight),
            Self::Inside { columns, rows, weight } => {
                let inside = columns.start <= columns.end && columns.end <= width;
                let inside = inside && rows.start <= rows.end && rows.end <= height;
                ensure!(inside, "the rectangle exceeds the plane");
                std::slice::from_ref(weight)
            }
            Self::Each { width: row, weights } => {
                let count = weights.len();
                ensure!(*row == width && count == width * height, "{count} weights for {width}x{height} samples");
                weights
            }
        };
        ensure!(weights.iter().all(fits), "a weight is not from 0 to 1");
        Ok(())
    }

    /// A difference, a product and a sum, but where weights of 0 and 1 take a sample as it is.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { real: self.operations(samples), ..Operations::NONE }
    }

    fn second_input(&self) -> bool {
        true
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    fn shape(&self) -> String {
        match self {
            Self::Even(weight) => format!("{weight}"),
            Self::Inside { columns, rows, weight } => {
                let part = if *weight == 1.0 { String::new() } else { format!("{weight} of ") };
                format!("{part}{}x{}+{}+{}", columns.len(), rows.len(), columns.start, rows.start)
            }
            Self::Each { .. } => "mask".to_owned(),
        }
    }

    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        let (read, weights) = match self {
            Self::Inside { weight: 1.0, .. } => (samples, 0),
            Self::Inside { columns, rows, .. } => (samples + (columns.len() * rows.len()) as u64, 0),
            Self::Even(_) => (2 * samples, 0),
            Self::Each { weights, .. } => (2 * samples, size_of_val(&weights[..])),
        };
        (samples + read) * sample.bytes() as u64 + weights as u64
    }

    fn operations(&self, samples: u64) -> u64 {
        match self {
            Self::Inside { weight: 1.0, .. } => 0,
            Self::Inside { columns, rows, .. } => 3 * (columns.len() * rows.len()) as u64,
            Self::Even(_) | Self::Each { .. } => 3 * samples,
        }
    }
}
