//! Memory of a thread between the samples that come in and those that go out. It grows to what the passes need and stays.

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::watch::Watch;
use crate::frame::budget::{self, OverBudget};

/// A cache line, so that lines of samples start at one.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Cell([u8; 64]);

/// Aligned memory of no particular type.
#[derive(Default)]
pub struct Buffer {
    cells: Vec<Cell>,
}

impl Buffer {
    /// What new memory holds: nothing that anybody may rely on. In builds with assertions it is as bad as what others may
    /// have left there, all bits set, which as a float is no number.
    const NEW: Cell = Cell([if cfg!(debug_assertions) { 0xff } else { 0 }; 64]);

    /// Exactly `length` elements and what fills their last cell, whatever they hold, however large the buffer has grown.
    ///
    /// # Errors
    /// If the system has no memory for them, or they would exceed the limit.
    pub fn try_elements<A: Pod>(&mut self, length: usize) -> Result<&mut [A], OutOfMemory> {
        let bytes = length.saturating_mul(size_of::<A>());
        let cells = bytes.div_ceil(size_of::<Cell>());
        if self.cells.len() < cells {
            let more = (cells - self.cells.len()).saturating_mul(size_of::<Cell>());
            budget::take(more, "scratch memory of a filter").map_err(OutOfMemory::Budget)?;
            let reserved = self.cells.try_reserve_exact(cells - self.cells.len());
            reserved.inspect_err(|_| budget::give_back(more)).map_err(|_| OutOfMemory::System { bytes })?;
            self.cells.resize(cells, Self::NEW);
        }
        Ok(bytemuck::cast_slice_mut(&mut self.cells[..cells]))
    }

    /// The same within a stage's loops, which return nothing: without memory they unwind to [`caught`].
    pub fn elements<A: Pod>(&mut self, length: usize) -> &mut [A] {
        self.try_elements(length).unwrap_or_else(|error| resume_unwind(Box::new(error)))
    }

    /// The first `bytes` bytes, which were asked for before.
    pub fn first(&self, bytes: usize) -> &[u8] {
        &bytemuck::cast_slice(&self.cells)[..bytes]
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        budget::give_back(self.cells.len() * size_of::<Cell>());
    }
}

/// There is no memory for scratch.
#[derive(Debug)]
pub enum OutOfMemory {
    /// The system has none for a request of so many bytes.
    System {
        /// Size of the request.
        bytes: usize,
    },
    /// The limit forbids it.
    Budget(OverBudget),
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System { bytes } => {
                write!(f, "out of memory: {bytes} bytes of scratch memory could not be allocated")
            }
            Self::Budget(over) => over.fmt(f),
        }
    }
}

impl Error for OutOfMemory {}

/// Runs loops that ask for memory with [`Buffer::elements`], on any thread of a pool, which hands what unwinds to its
/// caller. What unwinds for other reasons continues to.
///
/// # Errors
/// If there was no memory for them.
pub fn caught(work: impl FnOnce()) -> Result<(), OutOfMemory> {
    // Scratch holds nothing that later loops rely on.
    catch_unwind(AssertUnwindSafe(work)).or_else(|payload| match payload.downcast::<OutOfMemory>() {
        Ok(error) => Err(*error),
        Err(payload) => resume_unwind(payload),
    })
}

/// What one thread needs.
#[derive(Default)]
pub struct Scratch {
    /// Lines that are ready to be filtered.
    pub ring: Buffer,
    /// What lines are made in on their way there, and what rows are made in.
    pub spare: Buffer,
    /// Where in the ring the lines of the rows at hand start.
    pub starts: Vec<usize>,
    /// What says that the frame is not wanted any more.
    pub watch: Option<Arc<Watch>>,
    /// Whether the thread is the one that called, which asks by itself.
    pub is_caller: bool,
}

impl Scratch {
    /// Whether the frame is wanted still.
    pub fn goes_on(&self) -> bool {
        self.watch.as_ref().is_none_or(|watch| {
            if self.is_caller {
                watch.beat();
            }
            !watch.is_stopped()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a later pass asks for is what it sees, also where an earlier one needed more.
    #[test]
    fn a_buffer_has_as_many_elements_as_were_asked_for() {
        let mut buffer = Buffer::default();
        assert_eq!(buffer.elements::<u32>(1000).len(), 1008);
        assert_eq!(buffer.elements::<u32>(16).len(), 16);
        assert_eq!(buffer.first(64).len(), 64);
    }
}
