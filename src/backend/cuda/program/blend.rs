//! Two frames as one: `kernels/blend.cu`.

use super::{Builder, Class, THREAD_ROWS};
use crate::pass::Blend;

impl Builder {
    /// Where and how much is a matter of the table, so that one kernel serves every rectangle and every mask of a size.
    pub(super) fn blend(&mut self, op: &Blend) -> (String, Class) {
        let weights = match op {
            Blend::Even(weight) => format!("Even<{}>", self.tabled(&[weight.to_bits()])),
            Blend::Inside { columns, rows, weight } => {
                let edges = [columns.start, columns.end, rows.start, rows.end].map(|edge| edge as u32);
                format!("Inside<{}>", self.tabled(&[&edges[..], &[weight.to_bits()]].concat()))
            }
            Blend::Each { width, weights } => {
                // Rows of whole quads, which threads read at once.
                let stride = width.next_multiple_of(4);
                let mut words = Vec::with_capacity(weights.len() / width * stride);
                for row in weights.chunks(*width) {
                    words.extend(row.iter().map(|weight| weight.to_bits()));
                    words.resize(words.len().next_multiple_of(stride), 0);
                }
                format!("Each<{},{stride}>", self.looked_up(&words))
            }
        };
        (format!("Blend<{weights}>"), Class { tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None })
    }
}
