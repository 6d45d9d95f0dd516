//! Sums over the planes of a pixel: `kernels/mix.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::{Mix, MixSums};

impl Written for Mix {
    const SOURCES: &'static [SourceFile] = &[source!("mix.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let made = Named::default().int("FIRST", self.first).word("CENTRE", self.centre.to_bits());
        let sums = match &self.sums {
            MixSums::Whole { weights, bias } => {
                let words: Vec<u32> = weights.iter().flatten().chain(bias).map(|number| *number as u32).collect();
                Made::of("WholeSums", made.int("WEIGHTS", builder.literal(&words)))
            }
            MixSums::Real { weights, bias } => {
                let words: Vec<u32> = weights.iter().flatten().chain(bias).map(|number| number.to_bits()).collect();
                Made::of("RealSums", made.int("WEIGHTS", builder.literal(&words)))
            }
            MixSums::Terms(terms) => {
                let words: Vec<u32> = terms.iter().flatten().flatten().map(|term| i32::from(*term) as u32).collect();
                Made::of("TermSums", made.int("TERMS", builder.looked_up(&words)))
            }
        };
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("PlaneSums", Named::default().int("FIRST", self.first).made("Sums", sums)), class)
    }
}
