//! Taps along an axis that are equal, but for those at the ends, as those of boxes on subsampled chroma are.

use crate::pass::Taps;

/// Whole numbers.
#[derive(Clone, Copy)]
pub struct EvenTaps {
    /// Number of taps.
    pub length: usize,
    /// The first tap.
    pub first: i32,
    /// Each tap between the ends; of one tap or two the first.
    pub middle: i32,
    /// The last tap; of a single one the first.
    pub last: i32,
}

impl EvenTaps {
    /// The taps of an operation on whole numbers; `None` where those between the ends differ.
    pub fn of(taps: &Taps) -> Option<Self> {
        let (&first, &last) = (taps.weights.first()?, taps.weights.last()?);
        let between = taps.weights.get(1..taps.weights.len() - 1).unwrap_or_default();
        let middle = between.first().copied().unwrap_or(first);
        let is_even = between.iter().all(|&weight| weight == middle);
        let [first, middle, last] = [first, middle, last].map(|weight| weight as i32);
        is_even.then_some(Self { length: taps.weights.len(), first, middle, last })
    }

    /// The same, each times a factor.
    pub fn times(self, factor: i32) -> Self {
        let [first, middle, last] = [self.first, self.middle, self.last].map(|weight| weight * factor);
        Self { first, middle, last, ..self }
    }

    /// Differences of the first and the last tap from the middle.
    pub fn ends(&self) -> [i32; 2] {
        [self.first - self.middle, self.last - self.middle]
    }

    /// True if all taps are equal.
    pub fn has_no_ends(&self) -> bool {
        self.ends() == [0; 2]
    }

    /// The sum of the taps.
    pub fn sum(&self) -> i32 {
        self.length as i32 * self.middle + self.ends().iter().sum::<i32>()
    }
}
