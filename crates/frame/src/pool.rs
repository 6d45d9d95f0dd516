//! The pool of blocks that are made once and used again.
//!
//! [`Pool::block`] never waits. What bounds the number of blocks is how many frames the pipeline can hold; the pool
//! only sees to it that in the steady state none is made. Who makes them is an [`Allocator`]'s business, so that
//! they can be pinned where a GPU is to read them.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use super::block::Shelf;
use super::budget;
use super::{Allocator, Block, Format, Frame, FrameMut, Heap, Layout, Memory};

struct Shared {
    allocator: Box<dyn Allocator>,
    free: Mutex<Vec<Box<dyn Memory>>>,
    allocated_bytes: AtomicUsize,
    /// Bytes taken from the budget: the sizes asked for, which allocators may round up.
    taken_bytes: AtomicUsize,
}

impl Drop for Shared {
    fn drop(&mut self) {
        budget::give_back(*self.taken_bytes.get_mut());
    }
}

impl Shelf for Shared {
    fn put(&self, memory: Box<dyn Memory>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}

/// Where blocks come from and return to; clones share it.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("allocated_bytes", &self.allocated_bytes()).finish_non_exhaustive()
    }
}

impl Pool {
    /// Blocks are made in steps of a page.
    const GRAIN_BYTES: usize = 4096;
    /// What lies behind the samples of a frame at least: code that reads whole vectors reads a little beyond a row.
    pub const SLACK_BYTES: usize = Layout::ALIGN_BYTES;

    /// A pool over an allocator.
    pub fn new(allocator: Box<dyn Allocator>) -> Self {
        let shared = Shared {
            allocator,
            free: Mutex::default(),
            allocated_bytes: AtomicUsize::new(0),
            taken_bytes: AtomicUsize::new(0),
        };
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
        let rounded = bytes.max(1).checked_next_multiple_of(Self::GRAIN_BYTES);
        let bytes = rounded.with_context(|| format!("cannot allocate {bytes} bytes"))?;
        let mut free = self.shared.free.lock().unwrap_or_else(PoisonError::into_inner);
        // The last to come back is the warmest in the cache. One that is much too large waits for its own kind.
        let most = bytes.saturating_mul(2);
        let fitting = free.iter().rposition(|memory| (bytes..=most).contains(&memory.bytes().len()));
        let found = fitting.map(|index| free.swap_remove(index));
        drop(free);
        let memory = match found {
            Some(memory) => memory,
            None => {
                budget::take(bytes, "a frame")?;
                let memory = self.shared.allocator.allocate(bytes).inspect_err(|_| budget::give_back(bytes))?;
                self.shared.taken_bytes.fetch_add(bytes, Ordering::Relaxed);
                self.shared.allocated_bytes.fetch_add(memory.bytes().len(), Ordering::Relaxed);
                memory
            }
        };
        let shelf = Arc::downgrade(&self.shared);
        Ok(Block::from_shelf(memory, shelf))
    }

    /// A frame to be written, its rows aligned. Its samples are whatever the last user left.
    ///
    /// # Errors
    /// If memory runs out, or as [`Format::check`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_frame::{Format, Pixel, Pool, Rational, Timing};
    ///
    /// let format = Arc::new(Format::new(Pixel::yuv420p(10), 7, 5, Rational::new(25, 1)));
    /// let mut frame = Pool::heap().frame(&format)?;
    /// for plane in &mut frame.planes_mut::<u16>() {
    ///     (0..plane.height).for_each(|y| plane.row_mut(y).fill(512));
    /// }
    /// let frame = frame.freeze(Timing::at(0));
    /// assert_eq!(frame.host()?.plane::<u16>(1).row(2), [512; 4]);
    /// # anyhow::Ok(())
    /// ```
    pub fn frame(&self, format: &Arc<Format>) -> Result<FrameMut> {
        self.frame_in(format, Layout::aligned(format))
    }

    /// A frame to be written, in a given layout.
    ///
    /// # Errors
    /// If memory runs out, the format is none, or the layout does not fit it.
    pub fn frame_in(&self, format: &Arc<Format>, layout: Layout) -> Result<FrameMut> {
        format.check()?;
        let bytes = layout.total_bytes(format.pixel.sample.bytes());
        let block = self.block(bytes.saturating_add(Self::SLACK_BYTES))?;
        FrameMut::new(format.clone(), layout, block)
    }

    /// A copy of a frame, its rows aligned and [`Pool::SLACK_BYTES`] behind its last, whatever lies behind that of the
    /// frame itself.
    ///
    /// # Errors
    /// If the frame lies on a device, or memory runs out.
    pub fn copy(&self, frame: &Frame) -> Result<Frame> {
        let (host, mut copy) = (frame.host()?, self.frame(frame.format())?);
        for plane in 0..frame.plane_count() {
            copy.fill_rows(plane, host.rows(plane));
        }
        Ok(copy.freeze(frame.timing.clone()))
    }

    /// All memory that was ever made here; nothing is given back to the system while the pool lives.
    pub fn allocated_bytes(&self) -> usize {
        self.shared.allocated_bytes.load(Ordering::Relaxed)
    }
}
