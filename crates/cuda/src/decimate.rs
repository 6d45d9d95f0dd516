//! How much frames differ from the one before: the counts of `kernels/decimate.cu`.

use std::sync::Arc;

use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use cudarc::driver::CudaFunction;

use crate::frame::Format;
use crate::pass::{Decimation, Questions};

use super::answer::{AnswerMemory, AnswerSlot};
use super::device::Device;
use super::image::Image;
use super::kernel::{Kernels, queue};
use super::launch::SourcePlane;
use super::stream::{StreamRole, Streams};

const THREADS: usize = 256;
/// The most rows of a thread.
const ROWS: usize = 16;
/// More blocks than these take turns: a GPU does not run more of them at a time.
const MOST_BLOCKS: usize = 1024;

/// All arguments of a launch; `Launch` in `kernels/decimate.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct Arguments {
    frames: [[SourcePlane; 3]; 2],
    width: [u32; 3],
    height: [u32; 3],
    smaller: [[u32; 2]; 3],
    across: u32,
    down: u32,
    cells: u32,
    cell_rows: u32,
    counts: u64,
    answers: u64,
}

/// The kernels, and the memory that they write to.
pub(super) struct ChangeCounter {
    op: Decimation,
    format: Arc<Format>,
    cells: CudaFunction,
    most: CudaFunction,
    /// Sums of cells are counted on the way.
    memory: AnswerMemory,
}

impl ChangeCounter {
    /// Compiles the kernels, or finds them in the user's cache.
    pub(super) fn new(device: &Device, format: &Arc<Format>, op: &Decimation) -> Result<Self> {
        let kernels = Kernels::new(device, |compiler| compiler.decimate(format.pixel.sample))?;
        let (cells, most) = (kernels.function("decimate_cells")?, kernels.function("decimate_most")?);
        let [columns, rows] = op.cells(format);
        let memory = AnswerMemory::new(device, columns * rows * size_of::<u64>())?;
        Ok(Self { op: *op, format: format.clone(), cells, most, memory })
    }

    /// Memory on the GPU.
    pub(super) fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// Starts to count, in the compute stream, which has been told to wait for the image and the one before. The answers are in the
    /// slot when an event that is recorded after this is done.
    pub(super) fn start(&self, device: &Device, streams: &Streams, images: [&Image; 2]) -> Result<AnswerSlot> {
        let Self { op, format, memory, .. } = self;
        let mut slot = memory.begin(device, streams)?;
        let [columns, rows] = op.cells(format);
        memory.clear_counts(streams, columns * rows * size_of::<u64>())?;
        let [across, down] = op.cell().map(usize::trailing_zeros);
        let mut arguments = Arguments {
            across,
            down,
            cells: columns as u32,
            cell_rows: rows as u32,
            counts: memory.counts(),
            answers: memory.answers(Questions::CHANGE),
            ..Arguments::zeroed()
        };
        let planes = op.planes(format.pixel);
        let mut strips = 1;
        for plane in 0..planes {
            let (width, height) = format.plane_size(plane);
            let (by_x, by_y) = format.pixel.subsampling(plane);
            (arguments.width[plane], arguments.height[plane]) = (width as u32, height as u32);
            arguments.smaller[plane] = [by_x.into(), by_y.into()];
            for (sources, image) in arguments.frames.iter_mut().zip(images) {
                sources[plane] = image.source(plane);
            }
            strips = strips.max(height.div_ceil((op.cell()[1] >> by_y).clamp(1, ROWS)));
        }
        launch(streams, &self.cells, [format.width.div_ceil(THREADS), strips, planes], arguments)?;
        let blocks = (columns * rows).div_ceil(THREADS).clamp(1, MOST_BLOCKS);
        launch(streams, &self.most, [blocks, 1, 1], arguments)?;
        memory.end(streams, &mut slot)?;
        Ok(slot)
    }
}

fn launch(streams: &Streams, function: &CudaFunction, grid: [usize; 3], arguments: Arguments) -> Result<()> {
    // SAFETY: both kernels take one argument by value, of the layout of `Arguments`, which the driver copies before it returns.
    // The images' buffers rest no earlier than the event that the counter's caller records, and hold planes of the format's
    // size; the counter's memory holds the answers and as many sums as there are cells, and is used in this stream alone.
    unsafe { queue(streams.raw(StreamRole::Compute), function, grid, [THREADS, 1], arguments) }
}

// As the kernels lay them out.
const _: () = assert!(size_of::<Arguments>() == 176 && size_of::<SourcePlane>() == 16);
