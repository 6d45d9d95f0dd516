//! A program on the GPU, and starting it: the arguments as the kernels read them.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use bytemuck::{Pod, Zeroable};
use cudarc::driver::sys::{self, CUfunction_attribute_enum as FunctionAttribute};
use cudarc::driver::{CudaFunction, CudaModule, result};
use cudarc::nvrtc::Ptx;

use crate::frame::{Format, Memory};

use super::course::Course;
use super::device::Device;
use super::error::Explained;
use super::geometry::{self, THREADS};
use super::memory::{DeviceBuffer, Pinned};
use super::program::{Class, Program};
use super::progress::Ticket;
use super::stream::{Event, StreamRole, Streams};

/// One plane of one frame of a window; `Source` in `kernels/common.cuh`.
#[repr(C)]
#[derive(Clone, Copy, Default, Zeroable, Pod)]
pub(super) struct SourcePlane {
    /// 0 for a frame of neutral samples.
    pub(super) samples: u64,
    pub(super) stride: u32,
    pub(super) wide: u32,
}

/// One plane to be made; `Plane` in `kernels/common.cuh`.
#[repr(C)]
#[derive(Clone, Copy, Default, Zeroable, Pod)]
struct TargetPlane {
    samples: u64,
    between: u64,
    stride: u32,
    width: u32,
    height: u32,
    op: u32,
    first: u32,
    columns: u32,
    neutral: f32,
    bias: f32,
    source: u32,
    fields: u32,
    course: Course,
}

/// All arguments of a launch; `Launch` in `kernels/common.cuh`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct Arguments {
    planes: [TargetPlane; 4],
    count: u32,
    factor: f32,
    ticket: [u64; 2],
    sources: u64,
    taps: u64,
    lookups: u64,
    here: [SourcePlane; Program::INLINE],
}

/// Shared memory that a block has without asking: 48 KiB, less what kernels declare.
const COMMON_SHARED_BYTES: usize = 47 << 10;

/// A table of sources that did not fit into the arguments, on its way to the GPU.
struct SourceSlot {
    host: Pinned,
    device: DeviceBuffer,
    event: Arc<Event>,
}

/// What a pass is started with for one frame.
pub(super) struct PassCall<'a> {
    /// One address and stride a plane.
    pub(super) target: &'a [(u64, u32)],
    /// One entry a plane and frame of the window, the frames of a plane together.
    pub(super) sources: &'a [SourcePlane],
    /// Memory of [`PassKernel::between_bytes`].
    pub(super) between: Option<&'a DeviceBuffer>,
    /// The frame's, where an op has one.
    pub(super) factor: f32,
    /// For each plane the fields that are rebuilt, where an op does that.
    pub(super) fields: [u32; 4],
    /// For each plane where it is met, where an op has one for each frame.
    pub(super) courses: [Course; 4],
    /// Written when the pass begins.
    pub(super) ticket: Ticket,
}

/// A pass that is ready to run.
pub(super) struct PassKernel {
    program: Program,
    format: Arc<Format>,
    run: CudaFunction,
    begin: Option<CudaFunction>,
    taps: Option<DeviceBuffer>,
    lookups: Option<DeviceBuffer>,
    arguments: Box<Arguments>,
    tiles: u32,
    slots: VecDeque<SourceSlot>,
}

impl PassKernel {
    /// Loads machine code, and brings its taps to the GPU.
    ///
    /// # Errors
    /// If the driver refuses the code, or memory runs out.
    pub(super) fn new(
        device: &Device,
        streams: &Streams,
        program: Program,
        cubin: Vec<u8>,
        format: &Arc<Format>,
    ) -> Result<Self> {
        let module = device.context.load_module(Ptx::from_binary(cubin)).explain().context("load a kernel")?;
        let run = function(&module, "pass", program.shared_bytes)?;
        let begin = if program.takes_two_launches() {
            Some(function(&module, "pass_begin", program.shared_bytes)?)
        } else {
            None
        };
        let taps = place(device, streams, &module, &program)?;
        let lookups = outside(device, &program.lookups)?;
        let mut arguments = Box::new(Arguments::zeroed());
        arguments.count = format.pixel.planes() as u32;
        arguments.taps = taps.as_ref().map_or(0, |buffer| buffer.address);
        arguments.lookups = lookups.as_ref().map_or(0, |buffer| buffer.address);
        let mut tiles = 0;
        for (index, plane) in arguments.planes.iter_mut().take(format.pixel.planes()).enumerate() {
            let (width, height) = format.plane_size(index);
            let class = program.class_of[index];
            let Class { tile_width, tile_height, .. } = program.classes[class];
            let (columns, rows) = geometry::tiles(width, height, [tile_width, tile_height]);
            *plane = TargetPlane {
                width: width as u32,
                height: height as u32,
                op: class as u32,
                first: tiles,
                columns: columns as u32,
                neutral: format.pixel.neutral(index),
                bias: program.biases[index],
                source: (index * program.window) as u32,
                ..TargetPlane::default()
            };
            tiles += u32::try_from(columns * rows).context("a plane has too many tiles")?;
        }
        Ok(Self {
            program,
            format: format.clone(),
            run,
            begin,
            taps,
            lookups,
            arguments,
            tiles,
            slots: VecDeque::new(),
        })
    }

    /// Bytes of unrounded rows that the pass needs beside its images.
    pub(super) fn between_bytes(&self) -> usize {
        (0..self.format.pixel.planes()).map(|plane| between_bytes(&self.program, &self.format, plane)).sum()
    }

    /// Where in these bytes those of a plane begin.
    pub(super) fn between_start(&self, plane: usize) -> usize {
        (0..plane).map(|plane| between_bytes(&self.program, &self.format, plane)).sum()
    }

    /// Images that a launch reads.
    pub(super) fn images(&self) -> usize {
        self.program.window
    }

    /// Bytes of taps and tables on the GPU outside constant memory.
    pub(super) fn taps_bytes(&self) -> usize {
        [&self.taps, &self.lookups].into_iter().flatten().map(|buffer| buffer.bytes).sum()
    }

    /// Starts the pass. Does not block.
    ///
    /// # Errors
    /// If the driver refuses.
    pub(super) fn start(&mut self, device: &Device, streams: &Streams, call: PassCall<'_>) -> Result<()> {
        let PassCall { target, sources, between, factor, fields, courses, ticket } = call;
        self.arguments.ticket = [ticket.word, ticket.number];
        self.arguments.factor = factor;
        let mut between = between.map_or(0, |buffer| buffer.address);
        let sums = if self.program.sums { self.between_bytes() } else { 0 };
        if sums > 0 {
            // SAFETY: the buffer holds the bytes that this pass asked for, and only kernels in this stream use it.
            unsafe { result::memset_d8_async(between, 0, sums, streams.raw(StreamRole::Compute)) }.explain()?;
        }
        for (index, (plane, &(samples, stride))) in self.arguments.planes.iter_mut().zip(target).enumerate() {
            (plane.samples, plane.stride) = (samples, stride);
            plane.between = between;
            (plane.fields, plane.course) = (fields[index], courses[index]);
            between += between_bytes(&self.program, &self.format, index) as u64;
        }
        self.arguments.sources = 0;
        if sources.len() <= Program::INLINE {
            self.arguments.here[..sources.len()].copy_from_slice(sources);
            return self.launch(streams);
        }
        let mut slot = self.slot(device, streams, size_of_val(sources))?;
        let bytes = bytemuck::cast_slice::<_, u8>(sources);
        slot.host.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
        // SAFETY: the slot's last use is done, both sides hold the bytes, and the slot is kept until the event.
        let copy = unsafe {
            let from = &slot.host.bytes()[..bytes.len()];
            result::memcpy_htod_async(slot.device.address, from, streams.raw(StreamRole::Compute))
        };
        copy.explain()?;
        self.arguments.sources = slot.device.address;
        let launched = self.launch(streams);
        let recorded = streams.record(StreamRole::Compute);
        if recorded.is_err() {
            // Without an event nobody knows when the slot is read; a GPU that failed reads nothing any more.
            let _ = streams.drain();
        }
        slot.event = recorded?;
        self.slots.push_back(slot);
        launched
    }

    fn launch(&mut self, streams: &Streams) -> Result<()> {
        for function in self.begin.iter().chain([&self.run]) {
            let arguments: *mut Arguments = &mut *self.arguments;
            // SAFETY: the kernel takes one argument by value, of the layout of `Arguments`, which the driver copies
            // before it returns. The addresses in it are of buffers that rest no earlier than the event that the
            // caller records after this, and hold the planes that the sizes describe.
            let launched = unsafe {
                result::launch_kernel(
                    function.cu_function(),
                    (self.tiles, 1, 1),
                    (THREADS, 1, 1),
                    self.program.shared_bytes as u32,
                    streams.raw(StreamRole::Compute),
                    &mut [arguments.cast::<c_void>()],
                )
            };
            launched.explain()?;
        }
        Ok(())
    }

    /// A slot whose last use is done.
    fn slot(&mut self, device: &Device, streams: &Streams, bytes: usize) -> Result<SourceSlot> {
        if let Some(slot) = self.slots.pop_front() {
            if slot.event.is_done()? {
                return Ok(slot);
            }
            self.slots.push_front(slot);
        }
        let event = streams.record(StreamRole::Compute)?;
        Ok(SourceSlot {
            host: Pinned::new(&device.context, bytes)?,
            device: DeviceBuffer::new(&device.context, bytes)?,
            event,
        })
    }
}

/// Bytes of a plane's unrounded rows or sums: four or eight to a sample, as far apart as the rows of the image.
fn between_bytes(program: &Program, format: &Format, plane: usize) -> usize {
    let Some(rows) = program.classes[program.class_of[plane]].rows_before else { return 0 };
    let (width, height) = format.plane_size(plane);
    let sample = format.pixel.sample.bytes();
    let stride = (width * sample).next_multiple_of(crate::frame::Layout::ALIGN_BYTES) / sample;
    rows.bytes(stride, height)
}

fn function(module: &Arc<CudaModule>, name: &str, shared_bytes: usize) -> Result<CudaFunction> {
    let function = module.load_function(name).explain().with_context(|| format!("find kernel {name}"))?;
    if shared_bytes > COMMON_SHARED_BYTES {
        let attribute = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        function
            .set_attribute(attribute, shared_bytes as i32)
            .explain()
            .context("reserve shared memory for a kernel")?;
    }
    Ok(function)
}

/// Brings the table of taps to where the program reads it: constant memory, or a buffer.
fn place(
    device: &Device,
    streams: &Streams,
    module: &Arc<CudaModule>,
    program: &Program,
) -> Result<Option<DeviceBuffer>> {
    let bytes = bytemuck::cast_slice::<u32, u8>(&program.table);
    if program.constant && !bytes.is_empty() {
        let stream = streams.stream(StreamRole::Compute);
        let mut table = module.get_global("TABLE", stream).explain().context("find the taps of a kernel")?;
        ensure!(table.len() == bytes.len(), "the taps of a kernel take {} bytes, not {}", table.len(), bytes.len());
        stream.memcpy_htod(bytes, &mut table).explain().context("upload taps to the GPU")?;
        stream.synchronize().explain()?;
        return Ok(None);
    }
    outside(device, &program.table)
}

/// Words in a buffer of their own; none for none.
fn outside(device: &Device, words: &[u32]) -> Result<Option<DeviceBuffer>> {
    if words.is_empty() {
        return Ok(None);
    }
    DeviceBuffer::holding(&device.context, bytemuck::cast_slice(words)).context("upload taps to the GPU").map(Some)
}

// The driver's addresses are what the kernels' pointers are.
const _: () = assert!(size_of::<sys::CUdeviceptr>() == 8 && size_of::<TargetPlane>() == 104);
// `kernels/common.cuh` asserts the same of its side.
const _: () = assert!(size_of::<Arguments>() == 2000);
