//! Two frames as one: `kernels/blend.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::Blend;

impl Written for Blend {
    const SOURCES: &'static [SourceFile] = &[source!("blend.cu")];

    /// Where and how much is a matter of the table, so that one kernel serves every rectangle and every mask of a size.
    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let weights = match self {
            Blend::Even(weight) => Made::kind(format!("Even<{}>", builder.tabled(&[weight.to_bits()]))),
            Blend::Inside { columns, rows, weight } => {
                let edges = [columns.start, columns.end, rows.start, rows.end].map(|edge| edge as u32);
                Made::kind(format!("Inside<{}>", builder.tabled(&[&edges[..], &[weight.to_bits()]].concat())))
            }
            Blend::Each { width, weights } => {
                // Rows of whole quads, which threads read at once.
                let stride = width.next_multiple_of(4);
                let mut words = Vec::with_capacity(weights.len() / width * stride);
                for row in weights.chunks(*width) {
                    words.extend(row.iter().map(|weight| weight.to_bits()));
                    words.resize(words.len().next_multiple_of(stride), 0);
                }
                Made::of("Each", Named::default().int("AT", builder.looked_up(&words)).int("STRIDE", stride))
            }
        };
        let made = Made::of("Blend", Named::default().made("Weights", weights));
        (made, Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None })
    }
}
