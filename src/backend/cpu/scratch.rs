//! Memory of a thread between the samples that come in and those that go out. It grows to what the passes need and stays.

use bytemuck::{Pod, Zeroable};

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

    /// At least `length` elements, whatever they hold.
    pub fn elements<A: Pod>(&mut self, length: usize) -> &mut [A] {
        let cells = (length * size_of::<A>()).div_ceil(size_of::<Cell>());
        if self.cells.len() < cells {
            self.cells.resize(cells, Self::NEW);
        }
        bytemuck::cast_slice_mut(&mut self.cells[..cells])
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.cells)
    }
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
}
