//! Steps at the edges of blocks made smaller: `kernels/deblock.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::Deblock;

impl Written for Deblock {
    const SOURCES: &'static [SourceFile] = &[source!("deblock.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        if !self.overlaps() {
            builder.share(strip_bytes(self));
        }
        let made = Named::default().flag("STRONG", self.strong).int("BLOCK", self.block);
        let names = ["ALPHA", "BETA", "GAMMA", "DELTA"];
        let limits = names.into_iter().zip(self.limits);
        let made = limits.fold(made, |made, (name, limit)| made.word(name, limit.to_bits()));
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Deblock", made), class)
    }
}

/// Bytes of shared memory for the samples across the horizontal edges of all strips that a block of threads makes.
fn strip_bytes(op: &Deblock) -> usize {
    let lanes = op.block.next_power_of_two().clamp(8, 32);
    let across = 2 * op.reach_samples();
    32 * THREAD_ROWS / lanes * across * across * size_of::<u32>()
}
