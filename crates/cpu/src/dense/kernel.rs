//! Kernels of any shape and size.

use super::joined::{close, join};
use super::part::Part;
use crate::border::Columns;
use crate::finish::{Finish, VECTORS};
use crate::frame::PlaneMut;
use crate::pass::{self, Combine, Operation};
use crate::product::{Product, ProductOf};
use crate::scratch::Buffer;
use crate::simd::{Sample, Simd};
use crate::walk::{LineFilter, Lines};
use crate::window::PlaneWindow;

/// Dense kernels with sums of products of `P`.
pub struct Dense<P: Product> {
    pub(super) parts: Vec<Part<P>>,
    pub(super) columns: Columns,
    combine: Combine,
    /// The place in the window of the first frame that is met, and how many are.
    first: usize,
    depth: usize,
    constant: P::Element,
    finish: Finish,
}

impl<P: Product> Dense<P> {
    /// For a window that reaches `reach` frames to either side.
    pub fn new(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Self {
        let reached = op.reach();
        Self {
            parts: op.kernels.iter().map(|kernel| Part::new(kernel, reached)).collect(),
            combine: op.combine,
            columns,
            first: reach - reached.before[0],
            depth: reached.size()[0],
            constant: P::element(op.border.constant()),
            finish,
        }
    }
}

impl<T: Sample, P: ProductOf<T>> LineFilter<T> for Dense<P> {
    type Line = P::Element;

    fn shape(&self) -> (usize, usize) {
        (self.depth, self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: Option<usize>,
        lines: &mut [P::Element],
        _: &mut Buffer,
    ) {
        for (t, line) in lines.chunks_exact_mut(self.columns.stride()).enumerate() {
            let Some(y) = y else {
                line.fill(self.constant);
                continue;
            };
            P::convert(simd, window.row(self.first + t, y), &mut line[self.columns.left..]);
            self.columns.pad(line, self.constant);
        }
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        lines: &Lines<P::Element>,
        out: &mut PlaneMut<T>,
        _: &mut Buffer,
    ) {
        for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
            let mut joined = [[simd.splat(0.0); VECTORS]; 2];
            for (index, part) in self.parts.iter().enumerate() {
                let sums = part.sums(simd, lines, x);
                for row in 0..2 {
                    for n in 0..VECTORS {
                        let sum = P::float(simd, sums[row][n]);
                        joined[row][n] = join(simd, self.combine, index, sum, joined[row][n]);
                    }
                }
            }
            for (row, mut values) in joined.into_iter().enumerate().take(out.height) {
                for value in &mut values {
                    *value = close(simd, self.combine, *value);
                }
                P::put(simd, &self.finish, values, window.centre(y + row), x, out.row_mut(row));
            }
        }
    }
}
