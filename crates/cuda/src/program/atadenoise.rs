//! Means of samples with those at their place in other frames: `kernels/atadenoise.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::frame::Sample;
use crate::pass::{Atadenoise, Operation as _};

/// The largest limit below which four distances are compared in a word.
const PACKED: f32 = 127.0;
/// Rows of output that a thread makes.
const ROWS: usize = 4;

impl Written for Atadenoise {
    const SOURCES: &'static [SourceFile] = &[source!("atadenoise.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let highest = f64::from(builder.pixel.highest());
        // A mean lies between the samples, but for its roundings.
        let known = SumBounds { range: [0.0, highest], bound: highest, taps: self.taps() };
        let made = Named::default().part("Last", builder.finish(self.finish, known, after));
        let made = made.int("RADIUS", if self.takes_any() { self.radius } else { 0 }).flag("TOGETHER", self.together);
        let class = Class { tile_width: TILE_WIDTH, tile_height: ROWS * THREAD_ROWS, blocks: 4, rows_before: None };
        let plain = self.weights.is_empty();
        if builder.pixel.sample == Sample::U8 && plain && self.single.max(self.total) <= PACKED {
            let [single, total] = [self.single, self.total].map(|limit| limit as usize);
            return (Made::of("Packed", made.int("SINGLE", single).int("TOTAL", total)), class);
        }
        let made = made.word("SINGLE", self.single.to_bits()).word("TOTAL", self.total.to_bits());
        let weights: Vec<u32> = self.weights.iter().map(|weight| weight.to_bits()).collect();
        let at = if plain { 0 } else { builder.tabled(&weights) };
        (Made::of("Adaptive", made.flag("WEIGHTED", !plain).int("AT", at)), class)
    }
}
