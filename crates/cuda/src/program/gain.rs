//! Samples times the factor of their frame: `kernels/gain.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::Gain;

impl Written for Gain {
    const SOURCES: &'static [SourceFile] = &[source!("gain.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        // The factor may be anything, and so may what comes of it.
        let any = SumBounds { range: [f64::NEG_INFINITY, f64::INFINITY], bound: f64::INFINITY, taps: 1 };
        let finish = builder.finish(self.finish, any, after);
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Gain", Named::default().word("BLACK", self.black.to_bits()).part("Last", finish)), class)
    }
}
