//! Sums over pairs of frames, from which metrics follow: what is wanted of each pair, and the trait of whoever forms them.

use std::sync::Arc;

use anyhow::{Result, ensure};

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

impl PairWants {
    /// Checks that the plans fit the format: that whoever follows them reads no sample outside of its plane.
    ///
    /// # Errors
    /// If one does not.
    pub fn check(&self) -> Result<()> {
        let format = &self.format;
        format.check()?;
        let sizes: Vec<_> = (0..format.pixel.planes()).map(|plane| format.plane_size(plane)).collect();
        let fits = self.similarity.as_ref().is_none_or(|plan| plan.fits(&sizes));
        ensure!(fits, "windows of 8x8 samples lie outside of frames of {format}");
        let fits = self.blocks.as_ref().is_none_or(|plan| plan.fits(&sizes));
        ensure!(fits, "blocks lie outside of frames of {format}");
        let fits = self.perception.as_ref().is_none_or(|plan| plan.fits(&sizes));
        ensure!(fits, "scales are not those of frames of {format}");
        Ok(())
    }
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

impl SimilarityPlan {
    fn fits(&self, sizes: &[(usize, usize)]) -> bool {
        let fits = |([rows, columns], (width, height)): (&[usize; 2], &(usize, usize))| {
            let most = |side: usize| (side / 4).saturating_sub(1);
            *rows == 0 || *rows <= most(*height) && *columns <= most(*width)
        };
        self.windows.len() == sizes.len() && self.windows.iter().zip(sizes).all(fits)
    }
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

impl BlockPlan {
    fn fits(&self, sizes: &[(usize, usize)]) -> bool {
        matches!(self.order, 1 | 2) && self.blocks.iter().all(|block| block.fits(sizes, self.is_large))
    }
}

impl PlannedBlock {
    fn fits(&self, sizes: &[(usize, usize)], is_large: bool) -> bool {
        let Some(&(columns, rows)) = sizes.get(self.plane) else { return false };
        // How far from the edges: on the left and at the top, on the right and at the bottom.
        let is_within = |[left, top, width, height]: [usize; 4], first: usize, last: usize| {
            let fits = |start: usize, length: usize, side: usize| {
                let end = start.checked_add(length).and_then(|end| end.checked_add(last));
                start >= first && end.is_some_and(|end| end <= side)
            };
            fits(left, width, columns) && fits(top, height, rows)
        };
        let is_empty = self.inner[2] == 0 || self.inner[3] == 0;
        let (first, last) = if is_large { (2, 0) } else { (1, 1) };
        // Activity is that of luma.
        let is_active = !is_empty || self.is_timed;
        is_within(self.area, 0, 0)
            && (is_empty || is_within(self.inner, first, last))
            && (!is_active || self.plane == 0)
    }
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

impl PerceptionPlan {
    fn fits(&self, sizes: &[(usize, usize)]) -> bool {
        let size = |plane: usize| sizes.get(self.planes[plane]);
        let is_known = match self.is_yuv {
            true => size(0) == sizes.first() && size(1).is_some() && size(1) == size(2),
            false => (0..3).all(|plane| size(plane) == sizes.first()),
        };
        let halves = |scales: &[PerceptionScale]| {
            let half = [scales[0].width, scales[0].height].map(|side| side.div_ceil(2));
            half == [scales[1].width, scales[1].height]
        };
        let is_first = self.scales.first().is_none_or(|scale| Some(&(scale.width, scale.height)) == sizes.first());
        is_known && is_first && self.scales.windows(2).all(halves) && !self.steps.contains(&0)
    }
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
