//! Colours at equal distances along red, green and blue, and what lies between them.

use std::sync::Arc;

use anyhow::{Result, ensure};

/// How colours between the points of a lattice are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatticeMode {
    /// Of the four corners of a tetrahedron.
    Tetrahedral,
    /// Of the eight corners of a cell.
    Trilinear,
    /// The nearest point.
    Nearest,
}

impl LatticeMode {
    /// Its name, as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tetrahedral => "tetrahedral",
            Self::Trilinear => "trilinear",
            Self::Nearest => "nearest",
        }
    }

    /// How many points make a colour.
    pub(super) fn taps(self) -> usize {
        match self {
            Self::Tetrahedral => 4,
            Self::Trilinear => 8,
            Self::Nearest => 1,
        }
    }
}

/// Colours at equal distances along red, green and blue.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// Points a side, 2 to [`Lattice::MAX_SIZE`].
    pub size: usize,
    /// `size³` colours of red, green and blue, red running fastest, then green; finite, and no −0.
    pub points: Arc<[[f32; 3]]>,
    /// The colour of the first point.
    pub low: [f32; 3],
    /// Points to a step of 1.
    pub scale: [f32; 3],
}

impl PartialEq for Lattice {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.points, &other.points) || self.points == other.points;
        same && (self.size, self.low, self.scale) == (other.size, other.low, other.scale)
    }
}

impl Lattice {
    /// The most points a side.
    pub const MAX_SIZE: usize = 256;
    /// Bound of the magnitude of its numbers, exclusive.
    pub const LIMIT: f32 = 1e9;

    /// A lattice whose first point is the colour `low`, and the last `high`.
    ///
    /// # Errors
    /// If the number of points is none of a lattice, a number is out of range, or `high` does not lie above `low`.
    pub fn new(size: usize, points: Vec<[f32; 3]>, low: [f32; 3], high: [f32; 3]) -> Result<Self> {
        let span = |axis: usize| high[axis] - low[axis];
        let scale = [0, 1, 2].map(|axis| ((size.max(1) - 1) as f64 / f64::from(span(axis))) as f32);
        // No −0, so that a weight of 0 gives the same zero everywhere.
        let points = points.into_iter().map(|point| point.map(|number| number + 0.0)).collect();
        let lattice = Self { size, points, low, scale };
        ensure!([0, 1, 2].iter().all(|axis| span(*axis) > 0.0), "its domain is empty");
        lattice.check().map(|()| lattice)
    }

    pub(super) fn check(&self) -> Result<()> {
        let Self { size, points, low, scale } = self;
        let most = Self::MAX_SIZE;
        ensure!((2..=most).contains(size), "{size} points a side; it is 2 to {most}");
        ensure!(
            points.len() == size.pow(3),
            "{} colours, where {size} points a side have {}",
            points.len(),
            size.pow(3)
        );
        let fits = |number: &f32| number.abs() < Self::LIMIT;
        ensure!(points.iter().flatten().all(fits), "a number of its colours is not below {:e}", Self::LIMIT);
        ensure!(
            low.iter().all(fits) && scale.iter().all(|scale| fits(scale) && *scale > 0.0),
            "its domain is out of range"
        );
        Ok(())
    }
}
