//! Planes that share their rows, set apart by `kernels/split.cu`: what hardware decoders give, as what kernels read.

use std::ffi::c_void;

use anyhow::{Context, Result};
use bytemuck::{Pod, Zeroable};
use cudarc::driver::{CudaFunction, result};
use cudarc::nvrtc::Ptx;

use super::compile::{Cache, Compiler};
use super::device::Device;
use super::error::Explained;
use super::library::Nvrtc;
use super::memory::DeviceBuffer;
use super::stream::{StreamRole, Streams};
use crate::frame::{Layout, Sample, Surface};

/// Threads of a block, in x and y; each copies [`SAMPLES`] samples of a row.
const THREADS: (u32, u32) = (32, 8);
const SAMPLES: u32 = 4;

/// One plane; `Plane` in `kernels/split.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct SplitPlane {
    from: u64,
    to: u64,
    from_stride: u32,
    to_stride: u32,
    step: u32,
    width: u32,
    height: u32,
    unused: u32,
}

/// All arguments of a launch; `Launch` in `kernels/split.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct Arguments {
    planes: [SplitPlane; 4],
    shift: u32,
    unused: u32,
}

const _: () = assert!(size_of::<SplitPlane>() == 40 && size_of::<Arguments>() == 168, "as in kernels/split.cu");

/// The kernel.
pub(super) struct Splitter {
    function: CudaFunction,
}

impl Splitter {
    /// Compiles the kernel, or finds it in the user's cache.
    pub(super) fn new(device: &Device, sample: Sample) -> Result<Self> {
        let nvrtc = Nvrtc::find(Some(device.driver / 1000), Some(device.arch()))?;
        let target = nvrtc.target(device.arch()).context("NVRTC does not compile for this GPU")?;
        let cubin = Compiler::new(&nvrtc, target, Cache::of_user()).split(sample)?;
        device.bind()?;
        let module = device.context.load_module(Ptx::from_binary(cubin)).explain().context("load a kernel")?;
        let function = module.load_function("split").explain().context("find kernel split")?;
        Ok(Self { function })
    }

    /// Starts to copy the planes of a surface into a buffer, in the upload stream, which has been told to wait for the
    /// surface. Both layouts were checked against their memory and are of one format. The surface has been read when a
    /// event is done that is recorded after this.
    pub(super) fn start(
        &self,
        streams: &Streams,
        from: &Layout,
        surface: &dyn Surface,
        to: &Layout,
        buffer: &DeviceBuffer,
    ) -> Result<()> {
        let mut arguments = Arguments { shift: from.shift.into(), ..Arguments::zeroed() };
        for ((plane, from), to) in arguments.planes.iter_mut().zip(&from.planes).zip(&to.planes) {
            *plane = SplitPlane {
                from: surface.address() + from.offset_bytes as u64,
                to: buffer.address + to.offset_bytes as u64,
                from_stride: u32::try_from(from.stride).context("rows are too far apart")?,
                to_stride: to.stride as u32,
                step: u32::try_from(from.step).context("samples are too far apart")?,
                width: to.width as u32,
                height: to.height as u32,
                unused: 0,
            };
        }
        let (width, height) = to.planes.first().map_or((1, 1), |plane| (plane.width as u32, plane.height as u32));
        let blocks = (width.div_ceil(THREADS.0 * SAMPLES), height.div_ceil(THREADS.1), to.planes.len() as u32);
        // SAFETY: the kernel takes one argument by value, of the layout of `Arguments`, which the driver copies before it
        // returns. It reads the planes of the surface and writes those of the buffer, within both; the caller keeps the
        // surface until a later event is done, and nothing else uses the buffer. The first plane is the largest, so that
        // the blocks cover each.
        let launched = unsafe {
            result::launch_kernel(
                self.function.cu_function(),
                blocks,
                (THREADS.0, THREADS.1, 1),
                0,
                streams.raw(StreamRole::Upload),
                &mut [std::ptr::from_mut(&mut arguments).cast::<c_void>()],
            )
        };
        launched.explain()
    }
}
