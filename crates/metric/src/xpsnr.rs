//! XPSNR, as FFmpeg's filter of that name and vszip have it (Helmrich et al., 2020): squared errors of blocks, those of busy
//! blocks weighted less, because the eye sees less there.
//!
//! With `w`, `h` the size of the luma plane, `d` the depth, and `R = w h / (3840 · 2160)`:
//!
//! - BlockSurvey have `b = 4 ⌊32 √R + ½⌋` rows and columns from the top left; those at the right and at the bottom are cut. Where `b` is 0 the
//!   squared error is not weighted.
//! - The activity of a block is the mean over its samples of `|12 c − 2 (four neighbours) − (four corners)|`, without those at the edge of
//!   the picture, plus twice the mean of `|o − o1|`, or from 32 frames a second on of `|o − 2 o1 + o2|`, with `o`, `o1`, `o2` the reference and
//!   the frames before; frames before the first are black. It is at least `2^(d−6)`. In pictures of more than 2048·1152 samples two rows and
//!   columns count as one, with a high-pass filter of 6×6.
//! - The weight is 1 over the activity, and 1 for a block that is all edge. In pictures of at most 640·480 samples a weight is at most the
//!   larger one of its neighbours, as FFmpeg's order of blocks has it.
//! - WSSE is the sum of error times weight, times `√(16 · 2^(2d−9) / √R)` with `R` at least 10⁻⁵, rounded to a whole number. Chroma has the
//!   weights of luma.
//! - XPSNR is `10 log₁₀(samples · peak² / WSSE)`; that of a clip has the square of the mean of `√WSSE` in place of WSSE.
//!
//! The figure of a frame is the smallest of its planes, as FFmpeg prints it last. Opacity is not measured. Of RGB, green is luma. Floats
//! are measured as 16 bits. Where FFmpeg reads beyond the picture (large ones with odd sides) the last row and column are repeated.

use anyhow::Result;
use warpreel_filter::backend::{BlockPlan, BlockSums, PlannedBlock};

use super::activity::{Active, BlockActivity, Pictures, SampleBlock, inside};
use super::coarse;
use super::metric::Metric;
use super::score::PlaneScores;
use super::survey;
use super::worker::MetricThreads;
use crate::frame::{Format, Frame, Host, Pixel};

/// Blocks of the planes of a format.
#[derive(Debug)]
struct XpsnrGrid {
    /// BlockSurvey of each plane, row by row.
    planes: Vec<Vec<SampleBlock>>,
    /// Width and height of luma.
    luma: (usize, usize),
    /// BlockSurvey in a row of luma.
    across: usize,
    /// Set where blocks have weights.
    is_weighted: bool,
    /// Set where pairs of rows and columns count as one.
    is_large: bool,
    /// Order of differences in time.
    order: usize,
    is_smoothed: bool,
    scale: f64,
    least: f64,
}

impl XpsnrGrid {
    /// Of a format.
    fn of(format: &Format) -> Self {
        let (width, height) = format.plane_size(0);
        let samples = width * height;
        let ratio = samples as f64 / (3840.0 * 2160.0);
        let side = 4 * (32.0 * ratio.sqrt() + 0.5) as usize;
        let depth = i32::from(format.pixel.measured_depth());
        let planes = (0..Metric::Xpsnr.planes(format.pixel)).map(|plane| {
            let size = format.plane_size(plane);
            match side {
                0 => vec![SampleBlock { left: 0, top: 0, width: size.0, height: size.1 }],
                _ => cut(size, (side * size.0 / width, side * size.1 / height)),
            }
        });
        Self {
            planes: planes.collect(),
            luma: (width, height),
            across: width.div_ceil(side.max(1)),
            is_weighted: side > 0,
            is_large: samples > 2048 * 1152,
            order: if format.rate.value().is_some_and(|rate| rate >= 32.0) { 2 } else { 1 },
            is_smoothed: samples <= 640 * 480,
            scale: (16.0 * 2f64.powi(2 * depth - 9) / ratio.max(0.00001).sqrt()).sqrt(),
            least: 2f64.powi(depth - 6),
        }
    }

    /// The weights of the blocks of luma.
    fn weights(&self, luma: &[BlockActivity]) -> Vec<f64> {
        let mut weights: Vec<f64> = Vec::with_capacity(luma.len());
        for (index, (sums, block)) in luma.iter().zip(&self.planes[0]).enumerate() {
            weights.push(self.weight(sums, block));
            if self.is_smoothed {
                self.smooth(&mut weights, index, index + 1 == luma.len());
            }
        }
        weights
    }

    fn weight(&self, sums: &BlockActivity, block: &SampleBlock) -> f64 {
        let Some((space, count)) = sums.space else { return 1.0 };
        let mut activity = space as f64 / count as f64;
        activity += (2 * sums.time) as f64 / (block.width as f64 * block.height as f64);
        let activity = activity.max(self.least);
        1.0 / (activity * activity).sqrt()
    }

    /// Lowers the weight before the last to the larger one of its neighbours, as far as they are known.
    fn smooth(&self, weights: &mut [f64], index: usize, is_last: bool) {
        let column = index % self.across;
        let mut most = match column {
            0 => {
                if index > 1 {
                    weights[index - 2]
                } else {
                    0.0
                }
            }
            1 => weights[index],
            _ => weights[index - 2].max(weights[index]),
        };
        if index > self.across {
            most = most.max(weights[index - 1 - self.across]);
        }
        if index > 0 {
            weights[index - 1] = weights[index - 1].min(most);
        }
        if is_last && index > self.across {
            weights[index] = weights[index].min(weights[index - 1].max(weights[index - self.across]));
        }
    }

    /// The part of a block whose activity is measured; none within the edge, of chroma, and where nothing is weighted.
    fn inner(&self, plane: usize, block: &SampleBlock) -> Option<SampleBlock> {
        let edge = if self.is_large { coarse::EDGE } else { 1 };
        (plane == 0 && self.is_weighted).then(|| inside(self.luma, block, edge)).flatten()
    }

    /// A block for another machine.
    fn planned(&self, plane: usize, block: &SampleBlock) -> PlannedBlock {
        let area = |block: &SampleBlock| [block.left, block.top, block.width, block.height];
        let inner = self.inner(plane, block);
        let summed = inner.filter(|inner| !self.is_large || coarse::is_wide(inner, block));
        let [own, inside] = [area(block), summed.as_ref().map_or([0; 4], area)];
        PlannedBlock { plane, area: own, inner: inside, is_timed: inner.is_some() }
    }

    /// The root of the weighted error of each plane, of the sums of its blocks.
    fn roots(&self, planes: &[Vec<BlockActivity>]) -> PlaneScores {
        let weights = if self.is_weighted { self.weights(&planes[0]) } else { Vec::new() };
        let planes = planes.iter().map(|sums| Some(self.root(sums, &weights))).collect();
        PlaneScores { planes, all: None }
    }

    /// The root of the weighted error of a plane.
    fn root(&self, sums: &[BlockActivity], weights: &[f64]) -> f64 {
        if !self.is_weighted {
            return (sums.iter().map(|sums| sums.error).sum::<u64>() as f64).sqrt();
        }
        let sum: f64 = sums.iter().zip(weights).map(|(sums, weight)| sums.error as f64 * weight).sum();
        (sum * self.scale + 0.5).floor().sqrt()
    }
}

/// Decibels of the root of a weighted error: infinite where it is below 1.
pub fn decibels(root: f64, (width, height): (usize, usize), pixel: Pixel) -> f64 {
    if root < 1.0 {
        return f64::INFINITY;
    }
    let peak = 2f64.powi(pixel.measured_depth().into()) - 1.0;
    10.0 * ((width * height) as f64 * (peak * peak) / (root * root)).log10()
}

/// BlockSurvey of a size, cut at the right and at the bottom.
fn cut((width, height): (usize, usize), (across, down): (usize, usize)) -> Vec<SampleBlock> {
    let rows = (0..height).step_by(down.max(1));
    let block = |top: usize, left: usize| SampleBlock {
        left,
        top,
        width: across.min(width - left),
        height: down.min(height - top),
    };
    rows.flat_map(|top| (0..width).step_by(across.max(1)).map(move |left| block(top, left))).collect()
}

/// Measures the frames of a clip.
pub struct Xpsnr {
    grid: XpsnrGrid,
    /// The last reference, and the one before it.
    before: [Option<Frame>; 2],
}

impl Xpsnr {
    /// Of frames of a format.
    pub fn new(format: &Format) -> Self {
        Self { grid: XpsnrGrid::of(format), before: [None, None] }
    }

    /// Sums wanted of each pair, for another machine.
    pub fn plan(&self) -> BlockPlan {
        let grid = &self.grid;
        let of = |(plane, blocks): (usize, &Vec<SampleBlock>)| {
            blocks.iter().map(|block| grid.planned(plane, block)).collect::<Vec<_>>()
        };
        BlockPlan {
            blocks: grid.planes.iter().enumerate().flat_map(of).collect(),
            order: grid.order,
            is_large: grid.is_large,
        }
    }

    /// The root of the weighted error of each plane, of the sums of what was planned.
    pub fn roots_of(&self, sums: &[BlockSums]) -> PlaneScores {
        let grid = &self.grid;
        let mut sums = sums.iter();
        let of = |(plane, blocks): (usize, &Vec<SampleBlock>)| -> Vec<BlockActivity> {
            let own = blocks.iter().zip(&mut sums);
            own.map(|(block, &BlockSums { error, space, time })| {
                let count = grid.inner(plane, block).map(|inner| inner.width * inner.height);
                BlockActivity { error, space: count.map(|count| (space, count)), time }
            })
            .collect()
        };
        let planes: Vec<Vec<BlockActivity>> = grid.planes.iter().enumerate().map(of).collect();
        grid.roots(&planes)
    }

    /// The root of the weighted error of each plane of the next frame.
    ///
    /// # Errors
    /// If a frame is not on the host.
    pub fn roots<T: Active>(
        &mut self,
        threads: &MetricThreads,
        [reference, other]: [&Frame; 2],
    ) -> Result<PlaneScores> {
        let grid = &self.grid;
        let hosts = [reference.host()?, other.host()?];
        let before = self.before.each_ref().map(|frame| frame.as_ref().map(Frame::host).transpose());
        let before = match before {
            [one, two] => [one?, two?],
        };
        let pair = |plane| hosts.map(|host: Host<'_>| host.plane::<T>(plane));
        let luma = Pictures {
            pair: pair(0),
            before: before.map(|host| host.map(|host| host.plane::<T>(0))),
            order: grid.order,
            is_large: grid.is_large,
        };
        // A row of blocks of luma a piece, and as many blocks of chroma.
        let pieces = |(plane, blocks): (usize, &'_ Vec<SampleBlock>)| -> Vec<(usize, std::ops::Range<usize>)> {
            let starts = (0..blocks.len()).step_by(grid.across);
            starts.map(|first| (plane, first..(first + grid.across).min(blocks.len()))).collect()
        };
        let pieces: Vec<_> = grid.planes.iter().enumerate().flat_map(pieces).collect();
        let sums = threads.map(&pieces, |(plane, blocks)| {
            let blocks = &grid.planes[*plane][blocks.clone()];
            let mut sums = vec![BlockActivity::default(); blocks.len()];
            match plane {
                0 if grid.is_weighted => survey::blocks(threads.level, &luma, blocks, &mut sums),
                _ => survey::errors(threads.level, &pair(*plane), blocks, &mut sums),
            }
            sums
        });
        let mut planes: Vec<Vec<BlockActivity>> = vec![Vec::new(); grid.planes.len()];
        pieces.iter().zip(sums).for_each(|((plane, _), sums)| planes[*plane].extend(sums));
        let roots = grid.roots(&planes);
        let [last, _] = std::mem::take(&mut self.before);
        self.before = [Some(reference.clone()), last];
        Ok(roots)
    }
}
