//! Samples at other places: `kernels/remap.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::pass::Remap;

impl Written for Remap {
    const SOURCES: &'static [SourceFile] = &[source!("remap.cu")];

    fn class(&self, _: &mut Builder, _: Made) -> (Made, Class) {
        let Self { from, transposed, columns, rows, .. } = self;
        let made = Named::default().int("FROM_W", from.0).int("FROM_H", from.1).flag("TRANSPOSED", *transposed);
        let made = made.word("COLUMN", columns.first as u32).flag("LEFTWARDS", columns.backwards);
        let made = made.word("ROW", rows.first as u32).flag("UPWARDS", rows.backwards);
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 8, rows_before: None };
        (Made::of("Remap", made.kind("Border", border(self.border))), class)
    }
}
