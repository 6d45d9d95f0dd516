//! Each frame composed with the one before or a second one: `kernels/compose.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::{Compose, ComposeMode};

impl Written for Compose {
    const SOURCES: &'static [SourceFile] = &[source!("compose.cu")];

    /// The opacity is a matter of the table, so that one kernel serves them all.
    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let mode = ComposeMode::ALL.iter().position(|mode| *mode == self.mode).unwrap_or(0);
        let made = Named::default().int("MODE", mode).int("OPACITY", builder.tabled(&[self.opacity.to_bits()]));
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Compose", made), class)
    }
}
