//! A curve for each of red, green and blue, in cubic pieces of equal length.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::lattice::Lattice;

/// A curve for each of red, green and blue: pieces of equal length, each a polynomial of the part of the way through it.
#[derive(Clone, Debug)]
pub struct ToneCurves {
    /// Pieces of a colour, 1 to [`ToneCurves::MAX_SIZE`].
    pub size: usize,
    /// The pieces of red, then those of green, then those of blue: the numbers `c₀` to `c₃` of each; finite, and no −0. The last
    /// piece of a colour is met at its beginning alone.
    pub pieces: Arc<[[f32; 4]]>,
    /// The number at which the first piece of each colour begins.
    pub low: [f32; 3],
    /// Pieces to a step of 1.
    pub scale: [f32; 3],
    /// Parts of a piece that are added to a place before it is looked up: 0, or ½ for the nearest piece.
    pub ahead: f32,
}

impl PartialEq for ToneCurves {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.pieces, &other.pieces) || self.pieces == other.pieces;
        same && (self.size, self.low, self.scale, self.ahead) == (other.size, other.low, other.scale, other.ahead)
    }
}

impl ToneCurves {
    /// The most pieces of a colour.
    pub const MAX_SIZE: usize = 1 << 16;

    /// Curves whose first pieces begin at `low`, and the last ones at `high`; `pieces` are those of red, green and blue.
    ///
    /// # Errors
    /// If colours have no pieces, more than [`ToneCurves::MAX_SIZE`] or not equally many, a number is out of range, or `high` does not
    /// lie above `low`.
    pub fn new(pieces: [Vec<[f32; 4]>; 3], low: [f32; 3], high: [f32; 3], ahead: f32) -> Result<Self> {
        let size = pieces[0].len();
        ensure!(pieces.iter().all(|pieces| pieces.len() == size), "its colours have different numbers of pieces");
        let span = |axis: usize| f64::from(high[axis] - low[axis]);
        ensure!([0, 1, 2].iter().all(|axis| span(*axis) > 0.0), "its domain is empty");
        let scale = [0, 1, 2].map(|axis| ((size.max(2) - 1) as f64 / span(axis)) as f32);
        let pieces = pieces.into_iter().flatten().map(|piece| piece.map(|number| number + 0.0)).collect();
        let curves = Self { size, pieces, low, scale, ahead };
        curves.check().map(|()| curves)
    }

    pub(super) fn check(&self) -> Result<()> {
        let Self { size, pieces, low, scale, ahead } = self;
        let most = Self::MAX_SIZE;
        ensure!((1..=most).contains(size), "{size} pieces of a colour; it is 1 to {most}");
        ensure!(pieces.len() == 3 * size, "{} pieces, where three colours of {size} have {}", pieces.len(), 3 * size);
        let fits = |number: &f32| number.abs() < Lattice::LIMIT;
        ensure!(pieces.iter().flatten().all(fits), "a number of its pieces is not below {:e}", Lattice::LIMIT);
        ensure!(
            low.iter().all(fits) && scale.iter().all(|scale| fits(scale) && *scale > 0.0),
            "its domain is out of range"
        );
        ensure!((0.0..1.0).contains(ahead), "{ahead} of a piece ahead is not below 1");
        Ok(())
    }
}
