//! Sums along x where the cells of a vector of new samples lie in two vectors of the row: they are brought to its lanes by
//! permutations, and rows are not turned on their side.

use super::cell::Cells;
use super::weight::LaneWeights;
use crate::simd::Simd;

/// Lanes of the vectors whose permutations pay: with shorter ones, turning rows costs as much.
pub const LANES: usize = 16;

/// Rows that share what is read of the weights.
const ROWS: usize = 4;

/// The weights of an axis by vectors of new samples.
pub struct GatherWeights {
    /// The first lane of a row that each vector is made of.
    starts: Vec<usize>,
    /// Where its samples begin behind that.
    places: Vec<[i32; LANES]>,
    /// For each vector as many as a sample has lanes of weights.
    weights: Vec<[i32; LANES]>,
    /// Lanes of weights for one sample.
    lanes: usize,
}

impl GatherWeights {
    /// The weights of rows of so many lanes, of which there are at least two vectors; `None` where samples that follow each other
    /// are made of more than those hold.
    pub fn new(x: &LaneWeights, row: usize) -> Option<Self> {
        let lanes = x.lanes;
        let (mut starts, mut places) = (Vec::new(), Vec::new());
        let mut weights = Vec::new();
        for first in (0..x.starts.len()).step_by(LANES) {
            // The last vector may have fewer samples.
            let at = |n: usize| x.row((first + n).min(x.starts.len() - 1));
            let lowest = (0..LANES).map(|n| at(n).0).min()?;
            let start = lowest.min(row.checked_sub(2 * LANES)?);
            let place = |n: usize| at(n).0 - start;
            // Weights of a lane beyond the row are 0.
            let last = |n: usize| (at(n).0 + lanes - 1).min(row - 1) - start;
            if (0..LANES).any(|n| last(n) >= 2 * LANES) {
                return None;
            }
            starts.push(start);
            places.push(std::array::from_fn(|n| place(n) as i32));
            weights.extend((0..lanes).map(|lane| std::array::from_fn(|n| at(n).1[lane])));
        }
        Some(Self { starts, places, weights, lanes })
    }

    /// Rows of cells, `from` lanes apart and a multiple of [`ROWS`], summed to rows that are `to` cells apart, which is a multiple
    /// of the lanes.
    #[inline(always)]
    pub fn sum<S: Simd, T: Cells>(
        &self,
        simd: S,
        rows: &[i32],
        from: usize,
        peak: i32,
        made: &mut [T::Cell],
        to: usize,
    ) {
        let one = simd.splat_i32(1);
        for (rows, made) in rows.chunks_exact(ROWS * from).zip(made.chunks_exact_mut(ROWS * to)) {
            let vectors = self.starts.iter().zip(&self.places).zip(self.weights.chunks_exact(self.lanes));
            for (index, ((start, places), weights)) in vectors.enumerate() {
                let mut sums = [T::none(simd); ROWS];
                let mut pieces = [[simd.splat_i32(0); 2]; ROWS];
                for (n, pieces) in pieces.iter_mut().enumerate() {
                    let row = &rows[n * from + *start..][..2 * LANES];
                    *pieces = [simd.load_integers(row), simd.load_integers(&row[LANES..])];
                }
                let mut places = simd.load_integers(places);
                for weights in weights {
                    let weights = simd.load_integers(weights);
                    for (sums, [low, high]) in sums.iter_mut().zip(pieces) {
                        *sums = T::add(simd, *sums, simd.permute(low, high, places), weights);
                    }
                    places = simd.add_i32(places, one);
                }
                for (n, sums) in sums.into_iter().enumerate() {
                    T::put_row(simd, sums, peak, &mut made[n * to + index * LANES..][..LANES]);
                }
            }
        }
    }
}
