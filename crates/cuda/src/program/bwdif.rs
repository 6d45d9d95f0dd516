//! Rows of fields from weights of three fields, within bounds: `kernels/bwdif.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::Bwdif;

/// How planes are cut for rows of fields.
pub(super) const ROWS: Class =
    Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };

impl Written for Bwdif {
    const SOURCES: &'static [SourceFile] = &[source!("field.cuh"), source!("bwdif.cu")];

    fn class(&self, _: &mut Builder, _: Made) -> (Made, Class) {
        (Made::of("Bwdif", Named::default()), ROWS)
    }
}
