//! How far kernels reach.

use crate::pass::Kernel;

/// How far several kernels reach together, in t, y and x: before and after the sample itself.
#[derive(Clone, Copy, Default)]
pub struct Span {
    /// Before.
    pub before: [usize; 3],
    /// After.
    pub after: [usize; 3],
}

impl Span {
    /// Of all kernels.
    pub fn of(kernels: &[Kernel]) -> Self {
        let mut span = Self::default();
        for kernel in kernels {
            for axis in 0..3 {
                span.before[axis] = span.before[axis].max(kernel.anchor[axis]);
                span.after[axis] = span.after[axis].max(kernel.size[axis] - 1 - kernel.anchor[axis]);
            }
        }
        span
    }

    /// How many frames, rows or columns.
    pub fn size(&self, axis: usize) -> usize {
        self.before[axis] + 1 + self.after[axis]
    }
}
