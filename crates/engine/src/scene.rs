//! Where scenes begin: FFmpeg's scene score, from sums of differences.

use crate::filter::RateBlend;
use crate::frame::Format;

/// Whether an image begins a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scene {
    /// It is the first of a scene, or may as well be.
    Begins,
    /// It belongs to the scene of the image before.
    GoesOn,
}

/// The scene scores of a clip, frame by frame: the score of FFmpeg's `select` filter and its `lavfi.scene_score`.
///
/// With `m` the mean absolute difference between the frame and the one before, on the scale of 8 bits, the score is
/// `min(m, |m − m of the frame before|) / 100`, kept within 0 and 1 and rounded to `f32`. It is taken of luma, of grey,
/// or of all three planes of RGB; of the first frame it is 0.
pub struct Scores {
    samples: f64,
    /// What a step of 8 bits is.
    unit: f64,
    before: f64,
}

impl Scores {
    /// Of a clip whose first frame has gone by.
    pub fn new(format: &Format) -> Self {
        let unit = f64::from(1u32 << (format.pixel.measured_depth() - 8));
        Self { samples: format.brightness_samples() as f64, unit, before: 0.0 }
    }

    /// The score of the next frame, 0 to 1, from the sum of absolute differences that
    /// [`crate::backend::Backend::measure`] gives.
    pub fn next(&mut self, difference: u64) -> f64 {
        let mean = difference as f64 / self.samples / self.unit;
        let change = (mean - self.before).abs();
        self.before = mean;
        f64::from(((mean.min(change) / 100.0) as f32).clamp(0.0, 1.0))
    }
}

/// The scene scores of FFmpeg's `framerate`, of pairs of frames between which one is blended.
///
/// With `m` the mean absolute difference in percent of one step more than white, the score is `min(m, |m − m of the last such
/// pair|)`, rounded to `f32`. A pair more than [`RateBlend::HISTORY`] frames back, or none, counts as 0. Differences are those of
/// [`Scores`].
pub(super) struct PairScores {
    samples: f64,
    levels: f64,
    /// The position of the first frame of the last pair, and its `m`.
    last: Option<(u64, f64)>,
}

impl PairScores {
    /// Of a clip of which no pair has gone by.
    pub(super) fn new(format: &Format) -> Self {
        let levels = f64::from(1u32 << format.pixel.measured_depth());
        Self { samples: format.brightness_samples() as f64, levels, last: None }
    }

    /// The score of the next pair, the first frame of which has that position, from its sum of differences.
    pub(super) fn next(&mut self, position: u64, difference: u64) -> f64 {
        let mean = difference as f64 * 100.0 / self.samples / self.levels;
        let last = self.last.filter(|(at, _)| at + RateBlend::HISTORY >= position).map_or(0.0, |(_, mean)| mean);
        self.last = Some((position, mean));
        f64::from((mean.min((mean - last).abs()) as f32).clamp(0.0, 100.0))
    }
}
