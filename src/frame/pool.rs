//! The memory of frames: blocks that are made once and used again.
//!
//! [`Pool::block`] never waits. What bounds the number of blocks is how many frames the pipeline can hold; the pool
//! only sees to it that in the steady state none is made. Who makes them is an [`Allocator`]'s business, so that
//! they can be pinned where a GPU is to read them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use anyhow::{Context, Result};
use bytemuck::{Pod, Zeroable};

use super::{Format, FrameMut, Layout};

/// A piece of memory that starts at a multiple of [`Layout::ALIGN_BYTES`].
pub trait Memory: Send + Sync {
    /// All of it.
    fn bytes(&self) -> &[u8];
    /// All of it, to be written.
    fn bytes_mut(&mut self) -> &mut [u8];
}

/// Makes memory.
pub trait Allocator: Send + Sync {
    /// Exactly `bytes` bytes; may be slow.
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

impl Memory for Vec<Line> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(self)
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

/// One piece of pooled memory; dropping it gives it back.
pub struct Block {
    memory: Option<Box<dyn Memory>>,
    home: Weak<Shared>,
}

impl Block {
    const LIVE: &str = "a block keeps its memory until it is dropped";

    /// All of it; contents are whatever the last user left.
    pub fn bytes(&self) -> &[u8] {
        self.memory.as_ref().expect(Self::LIVE).bytes()
    }

    /// All of it, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.memory.as_mut().expect(Self::LIVE).bytes_mut()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take() else { return };
        let Some(home) = self.home.upgrade() else { return };
        home.free.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}

struct Shared {
    allocator: Box<dyn Allocator>,
    free: Mutex<Vec<Box<dyn Memory>>>,
    allocated_bytes: AtomicUsize,
}

/// Where blocks come from and return to; clones share it.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

impl Pool {
    /// Blocks are made in steps of a page.
    const GRAIN_BYTES: usize = 4096;

    /// A pool over an allocator.
    pub fn new(allocator: Box<dyn Allocator>) -> Self {
        let shared = Shared { allocator, free: Mutex::default(), allocated_bytes: AtomicUsize::new(0) };
        Self { shared: Arc::new(shared) }
    }

    /// A pool of ordinary memory.
    pub fn heap() -> Self {
        Self::new(Box::new(Heap))
    }

    /// A block of at least `bytes` bytes; one that came back if it fits, else a new one. Does not wait.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn block(&self, bytes: usize) -> Result<Block> {
        let bytes = bytes.max(1).next_multiple_of(Self::GRAIN_BYTES);
        let mut free = self.shared.free.lock().unwrap_or_else(PoisonError::into_inner);
        // The last to come back is the warmest in the cache. One that is much too large waits for its own kind.
        let fitting = free.iter().rposition(|memory| (bytes..=2 * bytes).contains(&memory.bytes().len()));
        let found = fitting.map(|index| free.swap_remove(index));
        drop(free);
        let memory = match found {
            Some(memory) => memory,
            None => {
                let memory = self.shared.allocator.allocate(bytes)?;
                self.shared.allocated_bytes.fetch_add(memory.bytes().len(), Ordering::Relaxed);
                memory
            }
        };
        Ok(Block { memory: Some(memory), home: Arc::downgrade(&self.shared) })
    }

    /// A frame to be written, its rows aligned. Its samples are whatever the last user left.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn frame(&self, format: &Arc<Format>) -> Result<FrameMut> {
        self.frame_in(format, Layout::aligned(format))
    }

    /// A frame to be written, in a given layout.
    ///
    /// # Errors
    /// If memory runs out or the layout does not fit the format.
    pub fn frame_in(&self, format: &Arc<Format>, layout: Layout) -> Result<FrameMut> {
        let block = self.block(layout.total_bytes(format.pixel.sample.bytes()))?;
        FrameMut::new(format.clone(), layout, block)
    }

    /// All memory that was ever made here; nothing is given back to the system while the pool lives.
    pub fn allocated_bytes(&self) -> usize {
        self.shared.allocated_bytes.load(Ordering::Relaxed)
    }
}
