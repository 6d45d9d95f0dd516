//! Film grain: `kernels/grain.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::Grain;

impl Written for Grain {
    const SOURCES: &'static [SourceFile] = &[source!("grain.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        // Weights may be anything, and so may what comes of them.
        let any = SumBounds { range: [f64::NEG_INFINITY, f64::INFINITY], bound: f64::INFINITY, taps: 1 };
        let made = Named::default().int("SIZE", self.size);
        let [dark, rise] = self.dark;
        let [bright, fall] = self.bright;
        let words = [("BLACK", self.black), ("SCALE", self.scale), ("DARK", dark), ("RISE", rise)];
        let words = words.into_iter().chain([("BRIGHT", bright), ("FALL", fall)]);
        let made = words.fold(made, |made, (name, number)| made.word(name, number.to_bits()));
        let made = made.part("Last", builder.finish(self.finish, any, after));
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Grain", made), class)
    }
}
