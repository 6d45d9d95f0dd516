//! A plane in blocks, and where what is known of their motion lies.

use super::super::border::Rows;
use super::super::finish::Finish;
use super::super::simd::Level;
use crate::frame::Vector;
use crate::pass::{BlockGrid, Degrain};

/// Where the samples lie that stand for those outside, along an axis.
pub struct Places {
    rows: Rows,
    /// Places before the first sample.
    before: usize,
}

impl Places {
    /// For all that blocks and candidates reach.
    pub fn new(op: &Degrain, length: usize) -> Self {
        // Groups end up to a group beyond the plane.
        let (before, after) = (op.margin() + op.step(), op.margin() + 4 * op.block);
        Self { rows: Rows::new(op.border, length, before, after), before }
    }

    /// The sample that stands for `index`; `None` for the constant.
    #[inline(always)]
    pub fn source(&self, index: isize) -> Option<usize> {
        self.rows.source((index + self.before as isize) as usize)
    }
}

/// A plane, in blocks of `N` columns.
pub struct Degrained<T, const N: usize> {
    /// What is done.
    pub op: Degrain,
    /// Its blocks, and those of the plane that it follows.
    pub grid: BlockGrid,
    /// Rows of a block.
    pub high: usize,
    /// Along x.
    pub columns: Places,
    /// Along y.
    pub rows: Places,
    /// What lies outside, where a constant does.
    pub constant: T,
    /// Bits of a sample.
    pub depth: u32,
    /// The largest sample between samples.
    pub peak: T,
    /// What is shown where nothing moves, and by how much more for half a sample.
    pub shades: [f32; 2],
    /// The last step.
    pub finish: Finish,
    /// The instructions that it runs with.
    pub level: Level,
    /// Rows of a band.
    pub band_rows: usize,
}

impl<T, const N: usize> Degrained<T, N> {
    /// The place in a window of the frame that vectors of number `index` lead to.
    pub fn place(&self, index: usize, images: usize) -> usize {
        let first = images / 2 - self.op.frames;
        first + index + usize::from(index >= self.op.frames)
    }

    /// Bytes of the vectors of a row of groups against a frame, and of how many of its blocks have changed before them.
    pub fn line_bytes(&self) -> usize {
        (1 + Degrain::GROUP * self.grid.blocks[0]) * size_of::<Vector>()
    }

    /// The motion of a row of blocks against frame number `index`.
    pub fn motion<'a>(&self, ahead: &'a [u8], index: usize, row: usize) -> &'a [Vector] {
        let line = self.line(ahead, index, row / Degrain::GROUP);
        &line[1 + row % Degrain::GROUP * self.grid.blocks[0]..][..self.grid.blocks[0]]
    }

    /// The vectors of a row of groups against frame number `index`; the first holds how many blocks have changed.
    pub fn line<'a>(&self, ahead: &'a [u8], index: usize, group: usize) -> &'a [Vector] {
        let bytes = self.line_bytes();
        bytemuck::cast_slice(&ahead[(index * self.grid.groups[1] + group) * bytes..][..bytes])
    }

    /// Whether frame number `index` shows another scene.
    pub fn is_cut(&self, ahead: &[u8], index: usize) -> bool {
        let changed: u64 = (0..self.grid.groups[1]).map(|group| u64::from(self.line(ahead, index, group)[0].sum)).sum();
        let all: u64 = self.grid.blocks.iter().map(|&count| count as u64).product();
        256 * changed > u64::from(self.op.scene[1]) * all
    }
}
