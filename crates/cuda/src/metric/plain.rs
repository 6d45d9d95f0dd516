//! Squared errors and similarities of rows: `kernels/psnr.cu` and `kernels/ssim.cu`.

use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use cudarc::driver::CudaFunction;

use crate::backend::SimilarityPlan;
use crate::frame::{Format, Sample};
use crate::image::Image;
use crate::kernel::Kernels;
use crate::stream::Streams;

use super::launch::{PlanePair, SumAddress, THREADS, launch, rows_of};

/// All arguments of a launch; `ErrorLaunch` in `kernels/psnr.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct ErrorArguments {
    planes: [PlanePair; 4],
    width: [u32; 4],
    height: [u32; 4],
    first: [u32; 4],
    sums: u64,
}

/// All arguments of a launch; `SimilarityLaunch` in `kernels/ssim.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct SimilarityArguments {
    planes: [PlanePair; 4],
    across: [u32; 4],
    down: [u32; 4],
    first: [u32; 4],
    constants: [f64; 2],
    sums: u64,
}

/// Sums squared errors.
pub(super) struct ErrorSummer {
    function: CudaFunction,
    /// Of each plane.
    sizes: Vec<(usize, usize)>,
    /// Rows that a block of threads takes.
    block_rows: usize,
}

impl ErrorSummer {
    pub(super) fn new(kernels: &Kernels, format: &Format) -> Result<Self> {
        let lanes = if format.pixel.sample == Sample::F32 { 8 } else { 32 };
        Ok(Self {
            function: kernels.function("metric_errors")?,
            sizes: (0..format.pixel.planes()).map(|plane| format.plane_size(plane)).collect(),
            block_rows: THREADS / lanes,
        })
    }

    /// Number of sums.
    pub(super) fn words(&self) -> usize {
        self.sizes.iter().map(|(_, height)| height).sum()
    }

    /// Queues the kernel.
    pub(super) fn start(&self, streams: &Streams, images: &[Image; 2], to: SumAddress) -> Result<()> {
        let planes = PlanePair::of(images, self.sizes.len());
        let mut arguments = ErrorArguments { planes, sums: to.0, ..ErrorArguments::zeroed() };
        let mut first = 0;
        for (plane, &(width, height)) in self.sizes.iter().enumerate() {
            (arguments.width[plane], arguments.height[plane]) = (width as u32, height as u32);
            arguments.first[plane] = first;
            first += height as u32;
        }
        let blocks = self.sizes.iter().map(|(_, height)| height.div_ceil(self.block_rows)).max().unwrap_or(0);
        // SAFETY: the kernel takes these arguments. The images hold planes of these sizes, as the meter checks, and the destination a sum for each row.
        unsafe { launch(streams, &self.function, [blocks, self.sizes.len(), 1], arguments) }
    }

    /// The sums of the rows of each plane.
    pub(super) fn read(&self, words: &[u64]) -> Vec<Vec<f64>> {
        rows_of(words, self.sizes.iter().map(|(_, height)| *height))
    }
}

/// Sums similarities.
pub(super) struct SimilaritySummer {
    function: CudaFunction,
    plan: SimilarityPlan,
}

impl SimilaritySummer {
    pub(super) fn new(kernels: &Kernels, plan: &SimilarityPlan) -> Result<Self> {
        Ok(Self { function: kernels.function("metric_similarities")?, plan: plan.clone() })
    }

    /// Number of sums.
    pub(super) fn words(&self) -> usize {
        self.rows().sum()
    }

    /// Rows of windows of each plane.
    fn rows(&self) -> impl Iterator<Item = usize> {
        self.plan.windows.iter().map(|[rows, _]| *rows)
    }

    /// Queues the kernel.
    pub(super) fn start(&self, streams: &Streams, images: &[Image; 2], to: SumAddress) -> Result<()> {
        let SimilarityPlan { constants, windows } = &self.plan;
        let (planes, constants) = (PlanePair::of(images, windows.len()), *constants);
        let mut arguments = SimilarityArguments { planes, constants, sums: to.0, ..SimilarityArguments::zeroed() };
        let mut first = 0;
        for (plane, &[rows, columns]) in windows.iter().enumerate() {
            (arguments.across[plane], arguments.down[plane]) = (columns as u32, rows as u32);
            arguments.first[plane] = first;
            first += rows as u32;
        }
        let blocks = self.rows().max().unwrap_or(0);
        // SAFETY: the kernel takes these arguments. The images hold planes in which all windows lie, as the meter checks, and the destination a sum for
        // each row of windows.
        unsafe { launch(streams, &self.function, [blocks, windows.len(), 1], arguments) }
    }

    /// The sums of the rows of windows of each plane.
    pub(super) fn read(&self, words: &[u64]) -> Vec<Vec<f64>> {
        rows_of(words, self.rows())
    }
}

// As the kernels lay them out.
const _: () = assert!(size_of::<ErrorArguments>() == 184 && size_of::<SimilarityArguments>() == 200);
