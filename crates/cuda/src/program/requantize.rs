//! Samples of another depth, type or range: `kernels/requantize.cu`.

use super::super::geometry::{THREAD_ROWS, THREADS, TILE_WIDTH};
use super::builder::{Builder, Class, RowsBefore, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::frame::{Format, Sample};
use crate::pass::{BayerMatrix, Dither, Requantize};

/// Rows that a warp makes side by side where errors are diffused.
const WARP: usize = 32;

impl Written for Requantize {
    const SOURCES: &'static [SourceFile] = &[source!("requantize.cu")];

    fn class(&self, _: &mut Builder, _: Made) -> (Made, Class) {
        let Self { to, scale, offset, dither, .. } = self;
        let made = Named::default().kind("Out", super::pixel(to.sample)).flag("ROUNDS", to.sample != Sample::F32);
        let [scale, offset, highest] = [*scale, *offset, to.peak()].map(f32::to_bits);
        let made = made.word("SCALE", scale).word("OFFSET", offset).word("HIGHEST", highest);
        if *dither == Dither::Diffused {
            // A block has whole rows; the errors of the last row of each warp are in device memory, and some words before and after.
            let rows_before = Some(RowsBefore { each: 2, group: WARP, beyond: 0 });
            let tile_width = Format::MAX_SIDE.next_multiple_of(TILE_WIDTH);
            let class = Class { tile_width, tile_height: THREADS as usize, blocks: 4, rows_before };
            return (Made::of("Diffused", made), class);
        }
        let lies = |matrix| *dither == Dither::Ordered(matrix);
        let key = if let Dither::Random(key) = dither { Some(*key) } else { None };
        let made = made.flag("DITHERS", *dither != Dither::None).flag("RANDOM", key.is_some());
        let made = made.word("KEY", key.unwrap_or(0)).flag("MIRRORED", lies(BayerMatrix::Mirrored));
        let made = made.flag("FLIPPED", lies(BayerMatrix::Flipped)).flag("TRANSPOSED", lies(BayerMatrix::Transposed));
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Requantize", made), class)
    }
}
