//! The bound that keeps a prediction within the change over time, of yadif and bwdif alike.

use super::super::simd::{Sample, Simd};
use super::FieldNumbers;

/// Two vectors of a kind of numbers.
type Two<T, S, N> = [<N as FieldNumbers<T>>::Vector<S>; 2];

/// Samples around one that is rebuilt.
pub struct Around<T: Sample, S: Simd, N: FieldNumbers<T>> {
    /// Above and below in the frame.
    pub own: Two<T, S, N>,
    /// Above and below in the frame before.
    pub before: Two<T, S, N>,
    /// Above and below in the frame after.
    pub after: Two<T, S, N>,
    /// At the place itself, in the frame before and in the frame.
    pub there: Two<T, S, N>,
}

/// A mean over time, and how far a sample may be from it.
pub struct ChangeBound<T: Sample, S: Simd, N: FieldNumbers<T>> {
    /// The sum of the samples at the place itself.
    pub sum: N::Vector<S>,
    /// `d`.
    pub mean: N::Vector<S>,
    /// `t`.
    pub change: N::Vector<S>,
    /// `w`.
    pub width: N::Vector<S>,
}

impl<T: Sample, S: Simd, N: FieldNumbers<T>> Around<T, S, N> {
    /// The bound before the spatial check.
    #[inline(always)]
    pub fn bound(&self, simd: S, n: N) -> ChangeBound<T, S, N> {
        let Self { own: [c, e], before, after, there: [p, q] } = *self;
        let sum = n.add(simd, p, q);
        let mean = n.half(simd, sum);
        let change = n.apart(simd, p, q);
        // Beside the place, before and after; no closure, which would not be compiled with the instructions of the level.
        let earlier = n.half(simd, n.add(simd, n.apart(simd, before[0], c), n.apart(simd, before[1], e)));
        let later = n.half(simd, n.add(simd, n.apart(simd, after[0], c), n.apart(simd, after[1], e)));
        let width = n.larger(simd, n.larger(simd, n.half(simd, change), earlier), later);
        ChangeBound { sum, mean, change, width }
    }
}

impl<T: Sample, S: Simd, N: FieldNumbers<T>> ChangeBound<T, S, N> {
    /// The width after the spatial check: `own` are the samples above and below, `sums` those two rows away in the frame and
    /// the one before.
    #[inline(always)]
    pub fn checked(&self, simd: S, n: N, [c, e]: Two<T, S, N>, [above, below]: Two<T, S, N>) -> N::Vector<S> {
        let (b, f) = (n.sub(simd, n.half(simd, above), c), n.sub(simd, n.half(simd, below), e));
        let (up, down) = (n.sub(simd, self.mean, c), n.sub(simd, self.mean, e));
        let most = n.larger(simd, n.larger(simd, down, up), n.smaller(simd, b, f));
        let least = n.smaller(simd, n.smaller(simd, down, up), n.larger(simd, b, f));
        n.larger(simd, n.larger(simd, self.width, least), n.sub(simd, n.zero(simd), most))
    }

    /// A prediction, kept within a width of the mean.
    #[inline(always)]
    pub fn within(&self, simd: S, n: N, predicted: N::Vector<S>, width: N::Vector<S>) -> N::Vector<S> {
        let at_most = n.smaller(simd, n.add(simd, self.mean, width), predicted);
        n.larger(simd, n.sub(simd, self.mean, width), at_most)
    }
}
