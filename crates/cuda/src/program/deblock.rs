//! Steps at the edges of blocks made smaller: `kernels/deblock.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::Deblock;

impl Written for Deblock {
    const SOURCES: &'static [SourceFile] = &[source!("deblock.cu")];

    fn class(&self, _: &mut Builder, _: Made) -> (Made, Class) {
        let made = Named::default().flag("STRONG", self.strong).int("BLOCK", self.block);
        let names = ["ALPHA", "BETA", "GAMMA", "DELTA"];
        let limits = names.into_iter().zip(self.limits);
        let made = limits.fold(made, |made, (name, limit)| made.word(name, limit.to_bits()));
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Deblock", made), class)
    }
}
