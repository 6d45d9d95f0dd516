//! How bright frames are, and frames made small: the sums of `kernels/measure.cu`, written straight into the host's pinned memory.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use bytemuck::{Pod, Zeroable};
use cudarc::driver::CudaFunction;

use crate::backend::Reduction;
use crate::frame::{Format, Memory};

use super::device::Device;
use super::image::Image;
use super::kernel::{Kernels, queue};
use super::launch::SourcePlane;
use super::memory::Pinned;
use super::stream::{Event, StreamRole, Streams};

const THREADS: usize = 256;
/// Rows that a block takes at a time: one a warp.
const ROWS: usize = 8;
/// More blocks than these take turns: a GPU does not run more of them at a time.
const MOST_BLOCKS: usize = 1024;

/// All arguments of a launch; `Launch` in `kernels/measure.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct Arguments {
    image: [SourcePlane; 3],
    before: [SourcePlane; 3],
    width: u32,
    height: u32,
    planes: u32,
    unused: u32,
    sums: u64,
}

/// All arguments of a launch; `CellLaunch` in `kernels/measure.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct CellArguments {
    image: [SourcePlane; 3],
    columns: u32,
    rows: u32,
    log2_side: u32,
    planes: u32,
    cells: u64,
}

/// Pinned memory that no sum is written to any more, or only by work that is queued before its next use.
type Slots = Arc<Mutex<Vec<Pinned>>>;

/// The kernels, and the memory that they write to.
pub(super) struct Meter {
    sum: CudaFunction,
    difference: CudaFunction,
    cells: CudaFunction,
    blocks: usize,
    slots: Slots,
    cell_slots: Slots,
}

impl Meter {
    /// Compiles the kernels, or finds them in the user's cache.
    pub(super) fn new(device: &Device, format: &Arc<Format>) -> Result<Self> {
        let kernels = Kernels::new(device, |compiler| compiler.measure(format.pixel.sample))?;
        let blocks = format.height.div_ceil(ROWS).min(MOST_BLOCKS);
        let (sum, difference) = (kernels.function("measure_sum")?, kernels.function("measure_difference")?);
        let (cells, [slots, cell_slots]) = (kernels.function("measure_cells")?, Default::default());
        Ok(Self { sum, difference, cells, blocks, slots, cell_slots })
    }

    /// Starts to add up, in the compute stream, which has been told to wait for both images. The sums are in the slot
    /// when an event that is recorded after this is done.
    pub(super) fn start(
        &self,
        device: &Device,
        streams: &Streams,
        image: &Image,
        before: Option<&Image>,
    ) -> Result<SumSlot> {
        let is_alike = before.is_none_or(|before| before.format().planes_match(image.format()));
        ensure!(is_alike, "two frames of different sizes cannot be compared");
        let known = self.slots.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let sums = match known {
            Some(sums) => sums,
            None => Pinned::new(&device.context, self.blocks * size_of::<u64>())?,
        };
        let format = image.format();
        let planes = format.pixel.brightness_planes();
        let mut arguments = Arguments {
            width: format.width as u32,
            height: format.height as u32,
            planes: planes as u32,
            sums: sums.address(),
            ..Arguments::zeroed()
        };
        let slot = SumSlot { sums: Some(sums), home: self.slots.clone() };
        for plane in 0..planes {
            arguments.image[plane] = image.source(plane);
            arguments.before[plane] = before.map_or(SourcePlane::default(), |before| before.source(plane));
        }
        let function = if before.is_some() { &self.difference } else { &self.sum };
        // SAFETY: both kernels take one argument by value, of the layout of `Arguments`, which the driver copies before
        // it returns. The images' buffers rest no earlier than the event that the caller records after this, and hold planes
        // of the format's size. Pinned memory has one address for the host and the GPU; the slot holds one sum a block,
        // is read only after that event, and is written again only by work that is queued behind this.
        unsafe { queue(streams.raw(StreamRole::Compute), function, [self.blocks, 1, 1], [THREADS, 1], arguments) }?;
        Ok(slot)
    }

    /// The same for the sums over the cells of an image; says how many they are.
    pub(super) fn start_cells(&self, device: &Device, streams: &Streams, image: &Image) -> Result<(SumSlot, usize)> {
        let format = image.format();
        let Reduction { log2_side, columns, rows } = Reduction::of(format);
        let count = columns * rows;
        let bytes = count.max(1) * size_of::<u32>();
        let known = self.cell_slots.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let cells = match known.filter(|cells| cells.bytes().len() >= bytes) {
            Some(cells) => cells,
            None => Pinned::new(&device.context, bytes)?,
        };
        let planes = format.pixel.brightness_planes();
        let mut arguments = CellArguments {
            columns: columns as u32,
            rows: rows as u32,
            log2_side,
            planes: planes as u32,
            cells: cells.address(),
            ..CellArguments::zeroed()
        };
        let slot = SumSlot { sums: Some(cells), home: self.cell_slots.clone() };
        (0..planes).for_each(|plane| arguments.image[plane] = image.source(plane));
        let blocks = count.div_ceil(THREADS);
        if blocks == 0 {
            return Ok((slot, 0));
        }
        // SAFETY: the kernel takes one argument by value, of the layout of `CellArguments`, which the driver copies before it
        // returns. The image's buffer rests no earlier than the event that the caller records after this, and holds planes of
        // the format's size, within which all cells lie. Pinned memory has one address for the host and the GPU; the slot
        // holds all cells, is read only after that event, and is written again only by work that is queued behind this.
        unsafe { queue(streams.raw(StreamRole::Compute), &self.cells, [blocks, 1, 1], [THREADS, 1], arguments) }?;
        Ok((slot, count))
    }
}

/// Memory that sums are being written to. Dropping it lets later work of the compute stream write there.
pub(super) struct SumSlot {
    sums: Option<Pinned>,
    home: Slots,
}

impl Drop for SumSlot {
    fn drop(&mut self) {
        self.home.lock().unwrap_or_else(PoisonError::into_inner).extend(self.sums.take());
    }
}

/// A sum that is being formed. It may be dropped unread; the stage that forms it waits for its kernels in its end.
pub struct Measure {
    slot: SumSlot,
    done: Arc<Event>,
    /// Number of the frame, for messages.
    pub(super) number: u64,
}

impl Measure {
    pub(super) fn new(slot: SumSlot, done: Arc<Event>, number: u64) -> Self {
        Self { slot, done, number }
    }

    /// The sum. Blocks until it is there.
    pub(super) fn finish(self) -> Result<u64> {
        self.done.wait()?;
        let sums = self.slot.sums.as_ref().context("measurement buffer already released")?;
        Ok(bytemuck::cast_slice::<u8, u64>(sums.bytes()).iter().sum())
    }
}

/// Sums over cells that are being formed, as [`Measure`].
pub struct CellSums {
    measure: Measure,
    count: usize,
    /// Number of the frame, for messages.
    pub(super) number: u64,
}

impl CellSums {
    pub(super) fn new(measure: Measure, count: usize) -> Self {
        Self { number: measure.number, measure, count }
    }

    /// The sums, row by row. Blocks until they are there.
    pub(super) fn finish(self) -> Result<Vec<u32>> {
        self.measure.done.wait()?;
        let sums = self.measure.slot.sums.as_ref().context("measurement buffer already released")?;
        Ok(bytemuck::cast_slice::<u8, u32>(&sums.bytes()[..self.count * size_of::<u32>()]).to_vec())
    }
}

// As the kernels lay them out.
const _: () = assert!(size_of::<CellArguments>() == 72);
const _: () = assert!(size_of::<Arguments>() == 120 && size_of::<SourcePlane>() == 16);
