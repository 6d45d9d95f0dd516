//! Kernels that measure pairs, and starting them.

use std::ffi::c_void;
use std::sync::Arc;

use anyhow::{Context, Result};
use bytemuck::{Pod, Zeroable};
use cudarc::driver::{CudaFunction, CudaModule, result};
use cudarc::nvrtc::Ptx;

use crate::compile::{Cache, Compiler};
use crate::device::Device;
use crate::error::Explained;
use crate::frame::Sample;
use crate::image::Image;
use crate::launch::SourcePlane;
use crate::library::Nvrtc;
use crate::stream::{StreamRole, Streams};

/// Threads of a block of every kernel.
pub(super) const THREADS: usize = 256;

/// The machine code for one type of samples.
pub(super) struct Kernels(Arc<CudaModule>);

impl Kernels {
    /// Compiles them, or finds them in the user's cache.
    pub(super) fn load(device: &Device, sample: Sample) -> Result<Self> {
        let nvrtc = Nvrtc::find(Some(device.driver / 1000), Some(device.arch()))?;
        let target = nvrtc.target(device.arch()).context("NVRTC cannot compile for this GPU")?;
        let cubin = Compiler::new(&nvrtc, target, Cache::of_user()).metric(sample)?;
        device.bind()?;
        let module = device.context.load_module(Ptx::from_binary(cubin)).explain().context("load a kernel")?;
        Ok(Self(module))
    }

    /// The kernel of a name.
    pub(super) fn function(&self, name: &str) -> Result<CudaFunction> {
        self.0.load_function(name).explain().with_context(|| format!("find kernel {name}"))
    }
}

/// Address of the host's pinned memory that sums are written to. It is kept until they are there.
#[derive(Clone, Copy)]
pub(super) struct SumAddress(pub(super) u64);

/// One plane of both frames; `Pair` in `kernels/metric.cuh`.
#[repr(C)]
#[derive(Clone, Copy, Default, Zeroable, Pod)]
pub(super) struct PlanePair([SourcePlane; 2]);

impl PlanePair {
    /// Planes of a pair of images; none of places that the format does not have.
    pub(super) fn of(images: &[Image; 2], planes: usize) -> [Self; 4] {
        let mut pairs = [Self::default(); 4];
        for (plane, pair) in pairs.iter_mut().enumerate().take(planes) {
            *pair = Self(images.each_ref().map(|image| image.source(plane)));
        }
        pairs
    }
}

/// Queues a kernel in the compute stream. Does not block.
///
/// # Safety
/// The kernel must take one argument by value, of the layout of `A`. Addresses in it must be of memory as large as the kernel reads and
/// writes, which is kept until an event that the caller records after this, and that is used in this stream alone or only read.
pub(super) unsafe fn launch<A: Pod>(
    streams: &Streams,
    function: &CudaFunction,
    grid: [usize; 3],
    mut arguments: A,
) -> Result<()> {
    if grid.contains(&0) {
        return Ok(());
    }
    let [x, y, z] = grid.map(|blocks| blocks as u32);
    // SAFETY: the driver copies the argument before it returns; the caller vouches for the rest.
    let launched = unsafe {
        result::launch_kernel(
            function.cu_function(),
            (x, y, z),
            (THREADS as u32, 1, 1),
            0,
            streams.raw(StreamRole::Compute),
            &mut [std::ptr::from_mut(&mut arguments).cast::<c_void>()],
        )
    };
    launched.explain()
}

/// Sums of planes that follow each other, as numbers of rows say.
pub(super) fn rows_of(words: &[u64], rows: impl Iterator<Item = usize>) -> Vec<Vec<f64>> {
    let mut rest = words;
    let next = |rows: usize| {
        let own;
        (own, rest) = rest.split_at(rows);
        own.iter().copied().map(f64::from_bits).collect()
    };
    rows.map(next).collect()
}

// As the kernels lay them out.
const _: () = assert!(size_of::<PlanePair>() == 32);
