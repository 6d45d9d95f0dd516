//! Sums over pairs of frames, from which metrics follow: what is wanted of each pair, and the trait of whoever forms them.

use std::sync::Arc;

use anyhow::Result;

use crate::frame::{Format, Frame};

/// Forms sums over pairs of frames, several pairs at a time. Each sum has one order, so that they are the same wherever they are
/// formed.
pub trait PairSummer: Send {
    /// Name of the machine: `cuda, NVIDIA L4`.
    fn name(&self) -> &str;

    /// Number of pairs that may be under way.
    fn in_flight(&self) -> usize;

    /// Begins with a pair, the reference first. Both frames have the planes of [`PairWants::format`].
    ///
    /// # Errors
    /// If the machine refuses, or has no memory left.
    fn start(&mut self, pair: [&Frame; 2]) -> Result<()>;

    /// Sums of the oldest pair that is under way. Blocks until they are there.
    ///
    /// # Errors
    /// If no pair is under way, or the machine failed.
    fn finish(&mut self) -> Result<PairSums>;
}

/// Sums wanted of pairs of frames of one format.
#[derive(Clone, Debug)]
pub struct PairWants {
    /// Format of the frames.
    pub format: Arc<Format>,
    /// Squared errors of rows.
    pub errors: bool,
    /// Similarity of windows of 8×8 samples.
    pub similarity: Option<SimilarityPlan>,
    /// Errors and activity of blocks.
    pub blocks: Option<BlockPlan>,
    /// Errors, ringing and blurring in XYB.
    pub perception: Option<PerceptionPlan>,
}

/// Sums over a pair of frames. What was not wanted is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairSums {
    /// For each plane the squared errors of its rows.
    pub errors: Vec<Vec<f64>>,
    /// For each plane the similarities of its rows of windows.
    pub similarities: Vec<Vec<f64>>,
    /// Sums of each block, in the order of [`BlockPlan::blocks`].
    pub blocks: Vec<BlockSums>,
    /// For each scale the sums of its rows: for X, Y and B structural error, ringing and blurring, each by itself and its 4th power.
    pub scales: Vec<Vec<[[f64; 6]; 3]>>,
}

/// Windows of 8×8 samples, four apart, whose similarity is summed.
#[derive(Clone, Debug)]
pub struct SimilarityPlan {
    /// Constants added to means and to variances.
    pub constants: [f64; 2],
    /// Rows and columns of windows of each plane.
    pub windows: Vec<[usize; 2]>,
}

/// Blocks whose errors and activity are summed.
#[derive(Clone, Debug)]
pub struct BlockPlan {
    /// All blocks.
    pub blocks: Vec<PlannedBlock>,
    /// Order of differences in time: 1 or 2.
    pub order: usize,
    /// Set where pairs of rows and columns count as one.
    pub is_large: bool,
}

/// A block of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedBlock {
    /// Its plane.
    pub plane: usize,
    /// Left, top, width and height.
    pub area: [usize; 4],
    /// The same of the part whose activity in space is summed; empty for none. It has a row and a column around it, and two where
    /// pairs of rows and columns count as one.
    pub inner: [usize; 4],
    /// Set where the activity in time is summed.
    pub is_timed: bool,
}

/// Sums over a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockSums {
    /// Of squared errors.
    pub error: u64,
    /// Of the magnitudes of a high-pass filter of the reference.
    pub space: u64,
    /// Of the magnitudes of differences between the reference and those before.
    pub time: u64,
}

/// How samples become light, and what is compared at each scale.
#[derive(Clone, Debug)]
pub struct PerceptionPlan {
    /// Planes of red, green and blue, or of luma and both chromas.
    pub planes: [usize; 3],
    /// Set for luma and chroma.
    pub is_yuv: bool,
    /// Offset that is subtracted from luma or a colour, and the factor behind it.
    pub luma: [f32; 2],
    /// The same of chroma.
    pub chroma: [f32; 2],
    /// Red of V, green of U and of V, blue of U.
    pub weights: [f32; 4],
    /// Columns and rows of luma for one of chroma.
    pub steps: [usize; 2],
    /// Set where chroma is sited at the left one of its columns.
    pub is_left: bool,
    /// Scales, each of half the size of the one before, rounded up. None of frames that are too small.
    pub scales: Vec<PerceptionScale>,
}

/// Pictures of a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerceptionScale {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// For X, Y and B whether structural errors are summed, and whether ringing and blurring are.
    pub wanted: [[bool; 2]; 3],
}
