//! What a filter wants of a frame's brightness as a whole: that it is that of the frames around.

/// Samples times the average brightness of a window of frames over that of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// Frames in the window; of an even number, one more lies before the frame than behind.
    pub size: usize,
    /// How their means become one.
    pub mean: Mean,
    /// The level that brightness is counted from, on the scale of 8 bits: 0 or 16.
    pub black: f64,
    /// How much of the result there is beside the unfiltered frame, 0 to 1.
    pub mix: f64,
}

/// An average of numbers from 0 on, of which there is at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mean {
    /// Their sum over their count.
    Arithmetic,
    /// The root of their product.
    Geometric,
    /// The inverse of the mean of their inverses; 0 where one of them is 0.
    Harmonic,
    /// The root of the mean of their squares.
    Quadratic,
    /// The third root of the mean of their third powers.
    Cubic,
    /// The same with as many powers as there are numbers.
    Power,
    /// The one in the middle, of two the larger.
    Median,
}

impl Mean {
    /// FFmpeg's words for them, in its order.
    pub(super) const WORDS: [&'static str; 7] = ["am", "gm", "hm", "qm", "cm", "pm", "median"];

    /// The average that a word of [`Mean::WORDS`] stands for.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "gm" => Self::Geometric,
            "hm" => Self::Harmonic,
            "qm" => Self::Quadratic,
            "cm" => Self::Cubic,
            "pm" => Self::Power,
            "median" => Self::Median,
            _ => Self::Arithmetic,
        }
    }
}
