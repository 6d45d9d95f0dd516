//! Means over samples whose surroundings look alike: `kernels/nlmeans.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::builder::{Builder, Class, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::frame::Sample;
use crate::pass::{Nlmeans, Operation as _, Scale};

/// Rows of output in a tile of `Alike`.
const HEIGHT: usize = 2 * THREAD_ROWS;
/// Rows of output that a thread of `Columned` makes, of two columns.
const ROWS: usize = 16;
/// The largest patch on either side of its middle that two columns compare in eight bytes.
const LARGEST: usize = 3;

impl Written for Nlmeans {
    const SOURCES: &'static [SourceFile] = &[source!("nlmeans.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let highest = f64::from(builder.pixel.highest());
        // A mean lies between the samples, but for its roundings.
        let known = SumBounds { range: [0.0, highest], bound: highest, taps: self.taps() };
        let (patch, search) = (self.patch / 2, self.search / 2);
        let weights: Vec<u32> = self.table.iter().map(|weight| weight.to_bits()).collect();
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let made = made.int("PATCH", patch).int("SEARCH", search).int("FRAMES", self.frames);
        let made = made.word("SHARE", self.share(builder.pixel).map_or(0, f32::to_bits));
        let made = made.int("AT", builder.looked_up(&weights)).int("LAST", weights.len() - 1);
        if let Some((copies, bytes)) = self.columned(builder) {
            builder.share(bytes);
            let made = made.int("R", ROWS).int("COPIES", copies);
            return (Made::of("Columned", made), Class { tile_height: 4 * ROWS, blocks: 1, rows_before: None });
        }
        let Scale { most, cut, shift } = self.scale(builder.pixel);
        let made = made.int("MOST", most as usize).int("CUT", cut as usize).int("SHIFT", shift as usize);
        let reach = 2 * (patch + search);
        builder.share(4 * (2 * HEIGHT * (TILE_WIDTH + 2 * patch) + HEIGHT + TILE_WIDTH + 2 * reach));
        (Made::of("Alike", made), Class { tile_height: HEIGHT, blocks: 4, rows_before: None })
    }
}

impl Nlmeans {
    /// How many copies of the weights `Columned` keeps in shared memory, as many as fit of one for each lane, one and
    /// none, and the bytes that a block then takes; `None` where it does not serve.
    fn columned(&self, builder: &Builder) -> Option<(usize, usize)> {
        let (patch, search) = (self.patch / 2, self.search / 2);
        if builder.pixel.sample != Sample::U8 || patch > LARGEST {
            return None;
        }
        let own = 4 * ROWS + 2 * patch;
        let (rows, pitch) = (own + 2 * search, TILE_WIDTH + 2 * search + 4);
        let samples = 8 * own * TILE_WIDTH / 2 + 4 * rows * pitch + 4 * (rows + pitch + 4);
        let bytes = |copies: usize| samples + 4 * copies * self.table.len();
        let copies = [32, 1, 0].into_iter().find(|&copies| bytes(copies) <= builder.limits.shared_bytes)?;
        Some((copies, bytes(copies)))
    }
}
