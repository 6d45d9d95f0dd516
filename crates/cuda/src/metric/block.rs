//! Errors and activity of blocks: `kernels/xpsnr.cu`.

use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use cudarc::driver::CudaFunction;

use crate::backend::{BlockPlan, BlockSums, PlannedBlock};
use crate::device::Device;
use crate::frame::Format;
use crate::image::Image;
use crate::kernel::Kernels;
use crate::launch::SourcePlane;
use crate::memory::DeviceBuffer;
use crate::stream::Streams;

use super::launch::{PlanePair, SumAddress, launch};

/// Sums of a block.
const SUMS: usize = 3;

/// A block; `Area` in `kernels/xpsnr.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct BlockArea {
    own: [u32; 4],
    inner: [u32; 4],
    plane: u32,
    timed: u32,
    unused: [u32; 2],
}

impl BlockArea {
    fn of(block: &PlannedBlock) -> Self {
        let [own, inner] = [block.area, block.inner].map(|area| area.map(|side| side as u32));
        Self { own, inner, plane: block.plane as u32, timed: block.is_timed.into(), unused: [0; 2] }
    }
}

/// All arguments of a launch; `BlockLaunch` in `kernels/xpsnr.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct BlockArguments {
    planes: [PlanePair; 4],
    before: [SourcePlane; 2],
    width: u32,
    height: u32,
    order: u32,
    large: u32,
    areas: u64,
    sums: u64,
}

/// Sums errors and activity of blocks.
pub(super) struct BlockSummer {
    function: CudaFunction,
    areas: DeviceBuffer,
    count: usize,
    planes: usize,
    /// Luma, and how its activity is measured.
    width: u32,
    height: u32,
    order: u32,
    is_large: bool,
    /// The last reference, and the one before it.
    before: [Option<Image>; 2],
}

impl BlockSummer {
    pub(super) fn new(device: &Device, kernels: &Kernels, format: &Format, plan: &BlockPlan) -> Result<Self> {
        let areas: Vec<BlockArea> = plan.blocks.iter().map(BlockArea::of).collect();
        let (width, height) = format.plane_size(0);
        Ok(Self {
            function: kernels.function("metric_blocks")?,
            areas: DeviceBuffer::holding(&device.context, bytemuck::cast_slice(&areas))?,
            count: areas.len(),
            planes: format.pixel.planes(),
            width: width as u32,
            height: height as u32,
            order: plan.order as u32,
            is_large: plan.is_large,
            before: [None, None],
        })
    }

    /// Clones of the references that the next pair is compared with.
    pub(super) fn before(&self) -> [Option<Image>; 2] {
        self.before.clone()
    }

    /// Number of sums.
    pub(super) fn words(&self) -> usize {
        SUMS * self.count
    }

    /// Queues the kernel; the reference is the last one from here on.
    pub(super) fn start(&mut self, streams: &Streams, images: &[Image; 2], to: SumAddress) -> Result<()> {
        let luma = |image: &Option<Image>| image.as_ref().map_or(SourcePlane::default(), |image| image.source(0));
        let arguments = BlockArguments {
            planes: PlanePair::of(images, self.planes),
            before: self.before.each_ref().map(luma),
            width: self.width,
            height: self.height,
            order: self.order,
            large: self.is_large.into(),
            areas: self.areas.address,
            sums: to.0,
        };
        // SAFETY: the kernel takes these arguments. All blocks, and what lies around their inner parts, are within the planes of the
        // images, as the meter checks; those before were joined by this stream when they came. The destination holds the sums of each block.
        unsafe { launch(streams, &self.function, [self.count, 1, 1], arguments) }?;
        let [last, _] = std::mem::take(&mut self.before);
        self.before = [Some(images[0].clone()), last.filter(|_| self.order == 2)];
        Ok(())
    }
}

/// The sums of each block.
pub(super) fn read(words: &[u64]) -> Vec<BlockSums> {
    let (blocks, _) = words.as_chunks::<SUMS>();
    blocks.iter().map(|&[error, space, time]| BlockSums { error, space, time }).collect()
}

// As the kernel lays them out.
const _: () = assert!(size_of::<BlockArea>() == 48 && size_of::<BlockArguments>() == 192);
