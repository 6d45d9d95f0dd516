//! The sample of a rank: `kernels/rank.cu`.

use super::super::super::network::{Network, Step};
use super::{Builder, Class, Sums, THREAD_ROWS, TILE_WIDTH, border, finish_text};
use crate::pass::Rank;

/// The largest box of which all columns of a thread fit into registers, in samples.
const PICKED: usize = 27;
/// Rows of output that a thread makes where it looks for an extreme.
const EXTREME_ROWS: usize = 4;

impl Builder {
    pub(super) fn rank(&mut self, op: &Rank, after: &str) -> (String, Class) {
        let ([nt, ny, nx], [at, ay, ax]) = (op.size, op.anchor);
        let known = Sums { range: self.samples(op.border), bound: self.largest(op.border), taps: 1 };
        let (border, finish) = (border(op.border), finish_text(op.finish, self.pixel, known, after));
        let place = format!("Box<{},{nt},{ny},{ay},{nx},{ax}>", self.reach - at);
        let class = Class { tile_height: THREAD_ROWS, blocks: 4, long: false };
        if op.samples() <= PICKED && nx <= 9 {
            let (column, select) = (Network::sort(nt * ny), Network::select(nx, nt * ny, op.rank));
            let order: Vec<u32> = column.results.iter().map(|&register| register as u32).collect();
            let [at_column, at_order, at_select] =
                [words(&column.steps), order, words(&select.steps)].map(|words| self.literal(&words));
            let (sorts, picks, result) = (column.steps.len(), select.steps.len(), select.results[0]);
            let text = format!(
                "Picked<{border},{finish},{place},{at_column},{sorts},{at_order},{at_select},{picks},{result}>"
            );
            // More than nine samples, of several columns, take more registers than four blocks leave.
            return (text, Class { blocks: if op.samples() > 9 { 2 } else { 4 }, ..class });
        }
        let bytes = (THREAD_ROWS * EXTREME_ROWS + ny - 1) * TILE_WIDTH * 4;
        if op.is_extreme() && bytes <= self.limits.shared_bytes {
            self.shared_bytes = self.shared_bytes.max(bytes);
            let largest = op.rank > 0;
            let text = format!("Extreme<{border},{finish},{place},{EXTREME_ROWS},{largest}>");
            return (text, Class { tile_height: THREAD_ROWS * EXTREME_ROWS, ..class });
        }
        (format!("Counted<{border},{finish},{place},{}>", op.rank), class)
    }
}

/// Steps as the kernel reads them.
fn words(steps: &[Step]) -> Vec<u32> {
    let word = |step: &Step| {
        let (a, b, kept) = match *step {
            Step::Both(a, b) => (a, b, 0),
            Step::Low(a, b) => (a, b, 1),
            Step::High(a, b) => (a, b, 2),
        };
        (a | b << 8 | kept << 16) as u32
    };
    steps.iter().map(word).collect()
}
