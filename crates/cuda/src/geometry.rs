//! How planes are cut into tiles and how much shared memory a tile takes: pure arithmetic, tested without a GPU.

/// Threads of a block: 32 quads of samples wide, 8 high.
pub const THREADS: u32 = 256;
/// Samples of output in a row of most tiles: 32 threads, 4 samples each.
pub const TILE_WIDTH: usize = 128;
/// Rows of threads in a block.
pub const THREAD_ROWS: usize = 8;

/// How far a kernel reaches from a sample, in samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Halo {
    /// Towards smaller x.
    pub left: usize,
    /// Towards larger x.
    pub right: usize,
    /// Towards smaller y.
    pub top: usize,
    /// Towards larger y.
    pub bottom: usize,
}

impl Halo {
    /// What both reach.
    pub fn union(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// The samples that a block reads into shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Rows of output that each thread makes.
    pub rows_per_thread: usize,
    /// Samples before the first output of a row, a multiple of the step.
    pub left: usize,
    /// Rows before the first row of output.
    pub top: usize,
    /// Samples in a row, a multiple of the step.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

impl Tile {
    /// The tile for a kernel of `extent`, read in steps of `step` samples (16 bytes of the tile).
    pub fn new(extent: Halo, step: usize, rows_per_thread: usize) -> Self {
        let left = extent.left.next_multiple_of(step);
        Self {
            rows_per_thread,
            left,
            top: extent.top,
            columns: left + TILE_WIDTH + extent.right.next_multiple_of(step),
            rows: extent.top + THREAD_ROWS * rows_per_thread + extent.bottom,
        }
    }

    /// Rows of output.
    pub fn height(&self) -> usize {
        THREAD_ROWS * self.rows_per_thread
    }

    /// Bytes in shared memory, where a word of 4 bytes holds so many samples: those, and the places of rows and columns.
    pub fn bytes(&self, samples_per_word: usize) -> usize {
        self.rows * self.columns * 4 / samples_per_word + (self.rows + self.columns) * 4
    }

    /// Bytes of the rows summed along x that a separable kernel keeps beside the tile.
    pub fn between_bytes(&self) -> usize {
        self.rows * TILE_WIDTH * 4
    }
}

/// Tiles in a row of tiles and in a column, for a plane.
pub fn tiles(width: usize, height: usize, [tile_width, tile_height]: [usize; 2]) -> (usize, usize) {
    (width.div_ceil(tile_width), height.div_ceil(tile_height))
}
