//! What a filter wants of the samples around each sample: the one of some rank.

/// One of the samples in a box around each sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// How many samples the box holds in t, y, x; none is 0.
    pub size: [usize; 3],
    /// The place in the box that is the sample itself, in t, y, x, each below the size.
    pub anchor: [usize; 3],
    /// Which of them, ascending, from 0.
    pub rank: usize,
    /// How much of it there is beside the sample itself, 0 to 1.
    pub mix: f64,
}

impl Pick {
    /// Of a box that reaches `radius` samples to either side, in t, y, x, the sample with this part of the others
    /// below it, 0 to 1: 0.5 is the median.
    pub fn percentile(radius: [usize; 3], percentile: f64) -> Self {
        let size = radius.map(|radius| 2 * radius + 1);
        let samples: usize = size.iter().product();
        Self { size, anchor: radius, rank: ((samples - 1) as f64 * percentile) as usize, mix: 1.0 }
    }

    /// How many samples the box holds.
    pub fn samples(&self) -> usize {
        self.size.iter().product()
    }
}
