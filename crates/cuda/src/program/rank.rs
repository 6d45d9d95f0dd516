//! The sample of a rank: `kernels/rank.cu` and `kernels/slice.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::super::selection::{MinMax, Selection};
use super::builder::{Builder, Class, SourceFile, Written, around, border, source};
use super::named::{Made, Named};
use crate::pass::Rank;

/// The most samples that fit into the 64 registers that four blocks leave a thread; two blocks leave twice as many.
const CROWDED: usize = 40;
/// The most samples in the columns of a thread's four boxes, and the most of a box of one column: registers would hold
/// more, but code for as many compiles in 0.3 s.
const PICKED: usize = 56;
const COLUMN: usize = 48;
/// Rows of output that a thread makes where it looks for an extreme.
const EXTREME_ROWS: usize = 4;
/// Registers of a multiprocessor for each thread of a block.
const REGISTERS: usize = 256;

impl Written for Rank {
    const SOURCES: &'static [SourceFile] = &[source!("rank.cu"), source!("slice.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let ([nt, ny, nx], [at, ..]) = (self.size, self.anchor);
        let known = SumBounds { range: builder.samples(self.border), bound: builder.largest(self.border), taps: 1 };
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let made = made.part("Around", around(self.size, self.anchor, builder.reach - at));
        let class = Class { tile_width: TILE_WIDTH, tile_height: THREAD_ROWS, blocks: 4, rows_before: None };
        let samples = if nx == 1 { nt * ny } else { Selection::samples(nx, nt * ny) };
        if samples <= if nx == 1 { COLUMN } else { PICKED } {
            let (name, selection) = match nx {
                1 => ("Column", Selection::column(samples, self.rank)),
                _ => ("Picked", Selection::new(nx, nt * ny, self.rank)),
            };
            let made = made.int("AT", builder.literal(&words(&selection))).int("STEPS", selection.steps.len());
            let blocks = if samples <= CROWDED { 4 } else { 2 };
            return (Made::of(name, made), Class { tile_height: 2 * THREAD_ROWS, blocks, ..class });
        }
        let bytes = (THREAD_ROWS * EXTREME_ROWS + ny - 1) * TILE_WIDTH * 4;
        if self.is_extreme() && bytes <= builder.limits.shared_bytes {
            builder.share(bytes);
            let made = made.int("R", EXTREME_ROWS).flag("LARGEST", self.rank > 0);
            return (Made::of("Extreme", made), Class { tile_height: THREAD_ROWS * EXTREME_ROWS, ..class });
        }
        let made = made.word("RANK", self.rank as u32);
        let bits = 8 * builder.pixel.sample.bytes();
        for slice in [4, 2, 1].map(|rows| Slice { size: self.size, rows }) {
            let (bytes, blocks) = (slice.bytes(bits), slice.blocks());
            // A word of flags takes as many instructions as three or four samples that are counted one by one.
            let dense = self.samples() >= 4 * slice.words();
            if dense && bytes <= builder.limits.shared_bytes && blocks >= if slice.rows > 1 { 2 } else { 1 } {
                builder.share(bytes);
                return (Made::of("Sliced", slice.named(made)), Class { tile_height: Slice::HEIGHT, blocks, ..class });
            }
        }
        (Made::of("Counted", made), class)
    }
}

/// Steps as the kernel reads them, and the results.
fn words(selection: &Selection) -> Vec<u32> {
    let step = |step: &MinMax| {
        let [a, b] = step.of;
        (a | b << 12) as u32 | u32::from(step.larger) << 24
    };
    selection.steps.iter().map(step).chain(selection.results.iter().map(|&value| value as u32)).collect()
}

/// How `Sliced` in `kernels/slice.cu` cuts what it reads, and what that takes of a multiprocessor.
struct Slice {
    size: [usize; 3],
    /// Samples of a column that a thread makes at a time.
    rows: usize,
}

impl Slice {
    /// Rows of output in a tile.
    const HEIGHT: usize = 32;

    fn parts(&self) -> usize {
        self.size[2].div_ceil(32)
    }

    /// Rows of a box that share a word.
    fn sharing(&self) -> usize {
        match self.size[2] {
            ..=8 => 4,
            9..=16 => 2,
            _ => 1,
        }
    }

    /// Words below one another for all boxes of a thread.
    fn deep(&self) -> usize {
        (self.rows + self.size[1] - 1).div_ceil(self.sharing())
    }

    /// Rows that are read for them.
    fn lines(&self) -> usize {
        (self.deep() * self.sharing()).next_multiple_of(self.rows)
    }

    /// Rows of a column of words in shared memory.
    fn pitch(&self) -> usize {
        (Self::HEIGHT - self.rows + self.lines()).next_multiple_of(4)
    }

    /// Words of all columns of one bit of one frame, so that eight bits lie in banks of their own.
    fn apart(&self) -> usize {
        let columns = TILE_WIDTH / 32 + self.parts();
        (columns * self.pitch() + 27) / 32 * 32 + 4
    }

    /// Shared memory of a block, for samples of so many bits.
    fn bytes(&self, bits: usize) -> usize {
        4 * (self.size[0] * bits * self.apart() + 32 * THREAD_ROWS * self.rows)
    }

    /// The most words below one another that a box meets.
    fn most(&self) -> usize {
        (self.size[1] + self.sharing() - 2) / self.sharing() + 1
    }

    /// Words of flags of a box.
    fn words(&self) -> usize {
        self.size[0] * self.parts() * self.most()
    }

    /// All of it, as the kernel calls it.
    fn named(&self, made: Named) -> Named {
        let made = made.int("R", self.rows).int("PARTS", self.parts());
        let made = made.int("SHARING", self.sharing()).int("DEEP", self.deep()).int("MOST", self.most());
        made.int("LINES", self.lines()).int("PITCH", self.pitch()).int("APART", self.apart())
    }

    /// How many blocks have room side by side for the registers of their threads: flags, words, and what else there
    /// is; 0 if not even one has.
    fn blocks(&self) -> usize {
        let registers = self.rows * self.words() + self.size[0] * self.parts() * self.deep() + 24;
        (REGISTERS / registers.next_multiple_of(8)).min(4)
    }
}
