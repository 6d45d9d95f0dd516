//! Where new samples lie between the old ones along an axis, and the weights that follow from it, as zimg has them.

use std::collections::BTreeMap;

use super::kernel::SamplingCurve;
use crate::pass::{Arithmetic, Phases};

/// One axis of a plane that is resampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Axis {
    /// Samples that there are.
    pub(in super::super) from: usize,
    /// Samples that there are to be.
    pub(in super::super) to: usize,
    /// New samples for one old one, of the picture and not of its rounded number of samples.
    pub(in super::super) scale: f64,
    /// How far the first new sample lies behind where it would if both grids had their first samples at the same distance
    /// from the edge, in old samples.
    pub(in super::super) shift: f64,
}

impl Axis {
    /// Whether samples stay where they are.
    pub(super) fn stays(&self) -> bool {
        self.from == self.to && self.shift == 0.0
    }

    /// The weights of all new samples.
    pub(super) fn phases(&self, curve: &SamplingCurve, arithmetic: Arithmetic) -> Phases {
        let rows: Vec<BTreeMap<usize, f64>> = (0..self.to).map(|index| self.row(index, curve)).collect();
        let span = |row: &BTreeMap<usize, f64>| {
            let (first, last) = (row.keys().next().copied(), row.keys().next_back().copied());
            first.zip(last).map_or(1, |(first, last)| last + 1 - first)
        };
        let taps = rows.iter().map(span).max().unwrap_or(1);
        let (mut starts, mut weights) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len() * taps));
        for row in &rows {
            let start = row.keys().next().copied().unwrap_or(0).min(self.from - taps);
            starts.push(start as u32);
            let exact = (start..start + taps).map(|place| row.get(&place).copied().unwrap_or(0.0));
            match arithmetic {
                Arithmetic::Integer => weights.extend(whole(exact)),
                Arithmetic::Real => weights.extend(exact.map(|weight| weight as f32)),
            }
        }
        Phases { taps, starts, weights }
    }

    /// The weights of one new sample, by the old samples that they are for. What lies outside is mirrored about the edge.
    pub(in super::super) fn row(&self, index: usize, curve: &SamplingCurve) -> BTreeMap<usize, f64> {
        // A coarser grid widens the curve.
        let step = self.scale.min(1.0);
        let size = ((curve.support() / step).ceil() as usize * 2).max(1);
        let place = (index as f64 + 0.5) / self.scale + self.shift;
        let begin = round_half_up(place - size as f64 / 2.0) + 0.5;
        let at = |tap: usize| begin + tap as f64;
        let total: f64 = (0..size).map(|tap| curve.at((at(tap) - place) * step)).sum();
        let (length, mut row) = (self.from as f64, BTreeMap::new());
        for tap in 0..size {
            let x = at(tap);
            let inside = if x < 0.0 {
                -x
            } else if x >= length {
                2.0 * length - x
            } else {
                x
            };
            let inside = inside.clamp(0.0, length.next_down());
            *row.entry(inside.floor() as usize).or_insert(0.0) += curve.at((x - place) * step) / total;
        }
        row
    }
}

/// Weights as whole numbers whose sum is 16384: each rounding error goes into the next weight, what is left of it into the
/// largest.
fn whole(exact: impl Iterator<Item = f64>) -> Vec<f32> {
    let (mut error, mut largest) = (0.0, 0);
    let mut rounded: Vec<f64> = Vec::new();
    for weight in exact {
        let wanted = weight * 16384.0 - error;
        let nearest = wanted.round_ties_even();
        error = nearest - wanted;
        if rounded.get(largest).is_none_or(|most| nearest.abs() > most.abs()) {
            largest = rounded.len();
        }
        rounded.push(nearest);
    }
    let missing = 16384.0 - rounded.iter().sum::<f64>();
    rounded[largest] += missing;
    rounded.into_iter().map(|weight| weight as f32).collect()
}

/// The nearest whole number, halves upwards, without an error where adding a half would round.
fn round_half_up(x: f64) -> f64 {
    if x < 0.0 { (x + 0.5).floor() } else { (x + 0.5_f64.next_down()).floor() }
}
