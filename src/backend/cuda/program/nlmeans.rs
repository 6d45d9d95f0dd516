//! Means over samples whose surroundings look alike: `kernels/nlmeans.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::builder::{Builder, Class, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::pass::{Nlmeans, Operation as _, Scale};

/// Rows of output in a tile.
const HEIGHT: usize = 2 * THREAD_ROWS;

impl Written for Nlmeans {
    const SOURCES: &'static [SourceFile] = &[source!("nlmeans.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let highest = f64::from(builder.pixel.highest());
        // A mean lies between the samples, but for its roundings.
        let known = SumBounds { range: [0.0, highest], bound: highest, taps: self.taps() };
        let Scale { most, cut, shift } = self.scale(builder.pixel);
        let (patch, search) = (self.patch / 2, self.search / 2);
        let weights: Vec<u32> = self.table.iter().map(|weight| weight.to_bits()).collect();
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let made = made.int("PATCH", patch).int("SEARCH", search).int("FRAMES", self.frames);
        let made = made.int("AT", builder.looked_up(&weights)).int("LAST", weights.len() - 1);
        let made = made.int("MOST", most as usize).int("CUT", cut as usize).int("SHIFT", shift as usize);
        let reach = 2 * (patch + search);
        builder.share(4 * (2 * HEIGHT * (TILE_WIDTH + 2 * patch) + HEIGHT + TILE_WIDTH + 2 * reach));
        (Made::of("Alike", made), Class { tile_height: HEIGHT, blocks: 4, rows_before: None })
    }
}
