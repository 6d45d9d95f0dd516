//! One frame on its way to the next: `kernels/crossfade.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::Crossfade;

impl Written for Crossfade {
    const SOURCES: &'static [SourceFile] = &[source!("crossfade.cu")];

    fn class(&self, _: &mut Builder, _: Made) -> (Made, Class) {
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Crossfade", Named::default()), class)
    }
}
