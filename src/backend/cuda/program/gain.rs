//! Samples times the factor of their frame: `kernels/gain.cu`.

use super::{Builder, Class, Sums, THREAD_ROWS};
use crate::pass::Gain;

impl Builder {
    pub(super) fn gain(&mut self, op: &Gain, after: &str) -> (String, Class) {
        // The factor may be anything, and so may what comes of it.
        let any = Sums { range: [f64::NEG_INFINITY, f64::INFINITY], bound: f64::INFINITY, taps: 1 };
        let finish = self.finish(op.finish, any, after);
        let class = Class { tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (format!("Gain<{:#x}u,{finish}>", op.black.to_bits()), class)
    }
}
