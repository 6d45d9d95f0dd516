//! Means over samples whose surroundings look alike: `kernels/nlmeans.cu`, and above 8 bits `kernels/nlmeans_stepped.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::builder::{Builder, Class, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::frame::Sample;
use crate::pass::{Nlmeans, Operation as _};

/// Rows of output in a tile of `Alike`.
const HEIGHT: usize = 2 * THREAD_ROWS;
/// Rows of output that a thread of `Columned` makes, of two columns.
const ROWS: usize = 16;
/// The most rows of output that a thread of `Stepped` makes, of four columns: more do not fit the registers.
const MOST_ROWS: usize = 17;
/// And the fewest that pay.
const FEWEST_ROWS: usize = 3;
/// Bytes of shared memory that are left to other ops of a program, which shift where its own start.
const SPARE: usize = 128;
/// The largest patch on either side of its middle that it compares.
const STEPPED: usize = 4;
/// The largest patch on either side of its middle that two columns compare in eight bytes.
const LARGEST: usize = 3;

impl Written for Nlmeans {
    const SOURCES: &'static [SourceFile] = &[source!("nlmeans.cu"), source!("nlmeans_stepped.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let highest = f64::from(builder.pixel.highest());
        // A mean lies between the samples, but for its roundings.
        let known = SumBounds { range: [0.0, highest], bound: highest, taps: self.taps() };
        let (patch, search) = (self.patch / 2, self.search / 2);
        let steps = self.steps(builder.pixel);
        let weights = steps.as_ref().map_or(&self.table[..], |steps| &steps.weights);
        let last = weights.len() - 1;
        let scale = steps.iter().flat_map(|steps| [steps.scale, steps.origin]);
        let words: Vec<u32> = weights.iter().copied().chain(scale).map(f32::to_bits).collect();
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let made = made.int("PATCH", patch).int("SEARCH", search).int("FRAMES", self.frames);
        let made = made.word("SHARE", self.share(builder.pixel).map_or(0, f32::to_bits));
        let made = made.int("AT", builder.looked_up(&words)).int("LAST", last);
        if let Some((copies, bytes)) = columned(self, builder) {
            builder.share(bytes);
            let made = made.int("R", ROWS).int("COPIES", copies);
            return (
                Made::of("Columned", made),
                Class { tile_width: TILE_WIDTH, tile_height: 4 * ROWS, blocks: 1, rows_before: None },
            );
        }
        if let Some((rows, bytes)) = stepped(self, builder) {
            builder.share(bytes);
            let class = Class { tile_width: TILE_WIDTH - 8, tile_height: 8 * rows, blocks: 1, rows_before: None };
            return (Made::of("Stepped", made.int("R", rows)), class);
        }
        let reach = 2 * (patch + search);
        builder.share(4 * (2 * HEIGHT * (TILE_WIDTH + 2 * patch) + HEIGHT + TILE_WIDTH + 2 * reach));
        (Made::of("Alike", made), Class { tile_width: TILE_WIDTH, tile_height: HEIGHT, blocks: 4, rows_before: None })
    }
}

/// How many rows a thread of `Stepped` makes, as many as there is room for, and the bytes that a block then takes; `None`
/// where it does not serve.
fn stepped(op: &Nlmeans, builder: &Builder) -> Option<(usize, usize)> {
    let (patch, search) = (op.patch / 2, op.search / 2);
    if builder.pixel.sample == Sample::U8 || patch > STEPPED {
        return None;
    }
    let row = 4 * ((TILE_WIDTH + 2 * search) / 4 + 1);
    let bytes = |rows: usize| {
        let (own, values) = (8 * rows + 2 * patch, 8 * rows + 2 * search);
        let words = values + 2 * patch;
        4 * (128 * 32 + 64 * own + row * (words + values) + words + row + 1) + SPARE
    };
    let rows = (FEWEST_ROWS..=MOST_ROWS).rev().find(|&rows| bytes(rows) + SPARE <= builder.limits.shared_bytes)?;
    Some((rows, bytes(rows)))
}

/// How many copies of the weights `Columned` keeps in shared memory, as many as fit of one for each lane, one and
/// none, and the bytes that a block then takes; `None` where it does not serve.
fn columned(op: &Nlmeans, builder: &Builder) -> Option<(usize, usize)> {
    let (patch, search) = (op.patch / 2, op.search / 2);
    if builder.pixel.sample != Sample::U8 || patch > LARGEST {
        return None;
    }
    let own = 4 * ROWS + 2 * patch;
    let (rows, pitch) = (own + 2 * search, TILE_WIDTH + 2 * search + 4);
    let samples = 8 * own * TILE_WIDTH / 2 + 4 * rows * pitch + 4 * (rows + pitch + 4);
    let bytes = |copies: usize| samples + 4 * copies * op.table.len();
    let copies = [32, 1, 0].into_iter().find(|&copies| bytes(copies) <= builder.limits.shared_bytes)?;
    Some((copies, bytes(copies)))
}
