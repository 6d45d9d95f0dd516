//! Values of metrics, for frames and clips.

use super::metric::Metric;
use crate::frame::Format;

/// A figure for each plane, in the format's order, and one for all.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneScores {
    /// Of each plane that the metric has a figure of ([`Metric::planes`]); none where it is too small to be measured.
    pub planes: Vec<Option<f64>>,
    /// Of the frame; none where it is too small to be measured.
    pub all: Option<f64>,
}

impl PlaneScores {
    /// Figures of planes, and their mean weighted by samples; planes without a figure do not count.
    pub(super) fn weighted(format: &Format, planes: Vec<Option<f64>>) -> Self {
        let samples = |plane| {
            let (width, height) = format.plane_size(plane);
            (width * height) as f64
        };
        let measured = || planes.iter().enumerate().filter_map(|(plane, figure)| Some((samples(plane), (*figure)?)));
        let all: f64 = measured().map(|(samples, _)| samples).sum();
        let all = (all > 0.0).then(|| measured().map(|(own, figure)| figure * (own / all)).sum());
        Self { planes, all }
    }

    /// A figure of the frame alone.
    pub(super) fn of_frame(all: Option<f64>) -> Self {
        Self { planes: Vec::new(), all }
    }

    /// Other figures that follow from these.
    pub(super) fn map(self, other: impl Fn(f64) -> f64) -> Self {
        Self { planes: self.planes.into_iter().map(|figure| figure.map(&other)).collect(), all: self.all.map(other) }
    }
}

/// Values of a metric for two frames, or for two clips.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricScores {
    /// The metric.
    pub metric: Metric,
    /// Its values; those in decibels are infinite where there is no error.
    pub values: PlaneScores,
}

/// A figure of frames, averaged over a clip.
#[derive(Debug, Default)]
pub struct ClipMean {
    frames: u64,
    /// Of each plane, and last of all planes; none where frames have none.
    sums: Vec<Option<f64>>,
}

impl ClipMean {
    /// Adds a frame.
    pub fn add(&mut self, scores: &PlaneScores) {
        let all = scores.planes.iter().chain([&scores.all]);
        if self.frames == 0 {
            self.sums = all.copied().collect();
        } else {
            self.sums.iter_mut().zip(all).for_each(|(sum, figure)| *sum = sum.zip(*figure).map(|(sum, own)| sum + own));
        }
        self.frames += 1;
    }

    /// The means; none of no frames.
    pub fn mean(&self) -> PlaneScores {
        let mut planes: Vec<_> = self.sums.iter().map(|sum| sum.map(|sum| sum / self.frames as f64)).collect();
        let all = planes.pop().flatten();
        PlaneScores { planes, all }
    }
}
