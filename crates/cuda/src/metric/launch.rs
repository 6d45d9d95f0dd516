//! Kernels that measure pairs, and starting them.

use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use cudarc::driver::CudaFunction;

use crate::image::Image;
use crate::kernel::queue;
use crate::launch::SourcePlane;
use crate::stream::{StreamRole, Streams};

/// Threads of a block of every kernel.
pub(super) const THREADS: usize = 256;

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
    arguments: A,
) -> Result<()> {
    // SAFETY: as the caller vouches.
    unsafe { queue(streams.raw(StreamRole::Compute), function, grid, [THREADS, 1], arguments) }
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
