//! The memory of the host that frames lie in, and who makes it.

use anyhow::{Context, Result};
use bytemuck::{Pod, Zeroable};

use super::Layout;

/// A piece of the host's memory, or several that lie apart, as where each plane was allocated by itself.
///
/// # Safety
/// `bytes` and `bytes_mut` give the same piece at each call, for as long as the value lives, wherever it is moved; nobody
/// else writes it meanwhile, and nobody else reads it while what `bytes_mut` gave is in use. Memory that may only be
/// read gives an empty piece in `bytes_mut`, always. The same holds for each piece of `piece` and `pieces_mut`, of which
/// `bytes` and `bytes_mut` are the first; no two of them share a byte.
pub unsafe trait Memory: Send + Sync {
    /// All of it.
    fn bytes(&self) -> &[u8];
    /// All of it, to be written.
    fn bytes_mut(&mut self) -> &mut [u8];

    /// One of several pieces; `None` where there are not so many.
    fn piece(&self, index: usize) -> Option<&[u8]> {
        (index == 0).then(|| self.bytes())
    }

    /// All pieces, to be written.
    fn pieces_mut(&mut self) -> Vec<&mut [u8]> {
        vec![self.bytes_mut()]
    }
}

/// Makes memory.
pub trait Allocator: Send + Sync {
    /// Exactly `bytes` bytes, or some more; may be slow. The memory of a pool starts at a multiple of
    /// [`Layout::ALIGN_BYTES`].
    ///
    /// # Errors
    /// If there is not enough memory.
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>>;
}

/// Ordinary memory.
pub struct Heap;

#[derive(Clone, Copy, Zeroable, Pod)]
#[repr(C, align(64))]
struct Line([u8; Layout::ALIGN_BYTES]);

// SAFETY: a vector's elements stay where they are while nothing is added to it, and it is owned by the value alone.
unsafe impl Memory for Vec<Line> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(self)
    }
}

/// Samples of any type.
pub(super) struct Samples<T>(pub(super) Vec<T>);

// SAFETY: as above; the vector is not reached but through these.
unsafe impl<T: Pod + Send + Sync> Memory for Samples<T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

impl Allocator for Heap {
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>> {
        let lines = bytes.div_ceil(Layout::ALIGN_BYTES);
        let mut memory: Vec<Line> = Vec::new();
        memory.try_reserve_exact(lines).with_context(|| format!("allocate {bytes} bytes for a frame"))?;
        memory.resize(lines, Line::zeroed());
        Ok(Box::new(memory))
    }
}
