//! Planes that share their rows, set apart by `kernels/split.cu`: what hardware decoders give, as what kernels read.

use anyhow::{Context, Result};
use bytemuck::{Pod, Zeroable};
use cudarc::driver::{CudaFunction, sys};

use super::device::Device;
use super::kernel::{Kernels, queue};
use crate::frame::{Layout, Sample};

/// Threads of a block, in x and y; each copies [`SAMPLES`] samples of a row.
const THREADS: [usize; 2] = [32, 8];
const SAMPLES: usize = 4;

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
        let kernels = Kernels::new(device, |compiler| compiler.split(sample))?;
        let function = kernels.function("split")?;
        Ok(Self { function })
    }

    /// Starts to copy planes in a stream, from a layout in memory that starts somewhere to another.
    ///
    /// # Safety
    /// The stream is live. Both layouts are of one format and lie within their memory, which is live until an event is done
    /// that is recorded after this; what is read is there when the stream comes to it, and nothing else uses what is written.
    pub(super) unsafe fn start(
        &self,
        stream: sys::CUstream,
        (from, source): (&Layout, u64),
        (to, target): (&Layout, u64),
    ) -> Result<()> {
        let mut arguments = Arguments { shift: from.shift.into(), ..Arguments::zeroed() };
        for ((plane, from), to) in arguments.planes.iter_mut().zip(&from.planes).zip(&to.planes) {
            *plane = SplitPlane {
                from: source + from.offset_bytes as u64,
                to: target + to.offset_bytes as u64,
                from_stride: u32::try_from(from.stride).context("the row pitch is too large")?,
                to_stride: to.stride as u32,
                step: u32::try_from(from.step).context("the sample pitch is too large")?,
                width: to.width as u32,
                height: to.height as u32,
                unused: 0,
            };
        }
        let (width, height) = to.planes.first().map_or((1, 1), |plane| (plane.width, plane.height));
        let blocks = [width.div_ceil(THREADS[0] * SAMPLES), height.div_ceil(THREADS[1]), to.planes.len()];
        // SAFETY: the kernel takes one argument by value, of the layout of `Arguments`, which the driver copies before it
        // returns. It reads the planes of the one layout and writes those of the other; the caller vouches for both and for
        // the stream. The first plane is the largest, so that the blocks cover each.
        unsafe { queue(stream, &self.function, blocks, THREADS, arguments) }
    }
}
