//! The end of a row, where it does not fill the vectors that are filtered at once.

use bytemuck::Pod;

/// As many elements as [`VECTORS`](super::finish::VECTORS) vectors of the widest set hold, of which the first are those
/// that a row has left.
pub struct Tail<T, const N: usize = 64>(pub [T; N]);

impl<T: Pod, const N: usize> Tail<T, N> {
    /// Zeros.
    #[inline(always)]
    pub fn new() -> Self {
        Self([T::zeroed(); N])
    }

    /// What is left of a row, at most `N` elements, and zeros.
    #[inline(always)]
    pub fn of(left: &[T]) -> Self {
        let mut tail = Self::new();
        tail.0[..left.len()].copy_from_slice(left);
        tail
    }

    /// Writes to what is left of a row, at most `N` elements.
    #[inline(always)]
    pub fn put(&self, left: &mut [T]) {
        left.copy_from_slice(&self.0[..left.len()]);
    }
}
