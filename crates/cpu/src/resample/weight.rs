//! The weights of new samples along an axis.

use std::ops::Range;

use super::cell::Cells;
use crate::pass;

/// The weights of an axis as the sums take them.
pub struct LaneWeights {
    /// Where the cells of each new sample begin, counted in lanes.
    pub starts: Vec<u32>,
    /// Lanes of weights for one sample.
    pub lanes: usize,
    weights: Vec<i32>,
}

impl LaneWeights {
    /// Cells that share a lane begin at an even place: weights of 0 stand before and behind the others.
    pub fn new<T: Cells>(phases: &pass::Phases) -> Self {
        let per_lane = T::PER_LANE;
        let lanes = (phases.taps + per_lane - 1).div_ceil(per_lane);
        let mut weights = Vec::with_capacity(lanes * phases.starts.len());
        for (row, start) in phases.weights.chunks(phases.taps).zip(&phases.starts) {
            let mut padded = vec![0.0; lanes * per_lane];
            let before = *start as usize % per_lane;
            padded[before..before + row.len()].copy_from_slice(row);
            weights.extend(padded.chunks(per_lane).map(T::weight));
        }
        let starts = phases.starts.iter().map(|start| start / per_lane as u32).collect();
        Self { starts, lanes, weights }
    }

    /// The first lane of a new sample, and its weights.
    pub fn row(&self, index: usize) -> (usize, &[i32]) {
        (self.starts[index] as usize, &self.weights[index * self.lanes..][..self.lanes])
    }

    /// The lanes along the axis that some new samples are made of.
    pub fn span(&self, new: Range<usize>) -> Range<usize> {
        let starts = || self.starts[new.clone()].iter();
        let (first, last) = (starts().min().copied().unwrap_or(0), starts().max().copied().unwrap_or(0));
        first as usize..last as usize + self.lanes
    }
}
