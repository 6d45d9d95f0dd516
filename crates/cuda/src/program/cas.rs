//! Contrast-adaptive sharpening: `kernels/cas.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::builder::{Builder, Class, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::pass::Cas;

/// Rows of output that a thread makes, one below the other.
const ROWS: usize = 4;

impl Written for Cas {
    const SOURCES: &'static [SourceFile] = &[source!("cas.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let peak = f64::from(builder.pixel.peak());
        // Integers are clamped before the last step; floats never are.
        let known = SumBounds { range: [0.0, peak], bound: peak, taps: 1 };
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let made = made.word("DIVISOR", self.divisor.to_bits());
        let made = made.word("LIMIT", Cas::limit(builder.pixel).to_bits()).int("R", ROWS);
        let class = Class { tile_width: TILE_WIDTH, tile_height: ROWS * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Cas", made), class)
    }
}
