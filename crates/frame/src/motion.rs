//! Where the blocks of a frame lie in other frames, as it travels with the frame.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::Block;

/// Where a block lies in another frame, and how alike the two are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Vector {
    /// To the right, in half samples.
    pub x: i16,
    /// Down, in half samples.
    pub y: i16,
    /// The sum of absolute differences, in 8 bits.
    pub sum: u32,
}

/// The blocks of a plane. Block `(i, j)` begins in column `(i − 1) · step` and row `(j − 1) · step`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockField {
    /// Which plane.
    pub plane: usize,
    /// Samples along a block's side.
    pub side: usize,
    /// Samples from one block to the next.
    pub step: usize,
    /// Blocks in a row and in a column.
    pub count: [usize; 2],
}

impl BlockField {
    /// How many there are.
    pub fn all(&self) -> usize {
        self.count[0] * self.count[1]
    }
}

/// The motion of some planes of a frame.
#[derive(Debug)]
pub struct Motion {
    /// Which of several it is: what the filter that found it was told to call it.
    name: Arc<str>,
    /// The numbers of the frames in which blocks were looked for, the same for all planes; `None` where there was none.
    references: Vec<Option<u64>>,
    planes: Vec<BlockField>,
    /// The vectors of the first plane, for each reference those of all blocks, row by row; then those of the next.
    memory: Block,
    /// What filters before were told to say.
    earlier: Option<Arc<Motion>>,
}

impl Motion {
    /// The bytes of the vectors of such planes.
    pub fn bytes(references: usize, planes: &[BlockField]) -> usize {
        planes.iter().map(|blocks| references * blocks.all() * size_of::<Vector>()).sum()
    }

    /// Motion in memory of at least [`Motion::bytes`], aligned as vectors are.
    pub fn new(name: Arc<str>, references: Vec<Option<u64>>, planes: Vec<BlockField>, memory: Block) -> Self {
        Self { name, references, planes, memory, earlier: None }
    }

    /// The same, with that of filters before.
    pub fn after(self, earlier: Option<Arc<Self>>) -> Self {
        Self { earlier, ..self }
    }

    /// This one, and those of filters before, the last first.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |motion| motion.earlier.as_deref())
    }

    /// What the filter was told to call it.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// For each plane and each frame in which its blocks were looked for: the plane, the frame's number, and the vectors of
    /// all blocks, row by row.
    pub fn fields(&self) -> impl Iterator<Item = (&BlockField, u64, &[Vector])> {
        let starts = self.planes.iter().scan(0, |start, blocks| {
            let first = *start;
            *start += self.references.len() * blocks.all();
            Some((blocks, first))
        });
        let bytes = self.memory.bytes();
        let vectors: &[Vector] =
            bytemuck::cast_slice(&bytes[..bytes.len() / size_of::<Vector>() * size_of::<Vector>()]);
        starts.flat_map(move |(blocks, first)| {
            let each = vectors[first..].chunks_exact(blocks.all());
            self.references
                .iter()
                .zip(each)
                .filter_map(move |(reference, vectors)| Some((blocks, (*reference)?, vectors)))
        })
    }
}
