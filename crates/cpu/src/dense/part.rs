//! The inner loop: the sums of two rows of a few vectors of columns, which stay in registers while all taps go by.

use crate::finish::VECTORS;
use crate::pass::{Kernel, Reach, Taps};
use crate::product::Product;
use crate::simd::Simd;
use crate::walk::Lines;

/// One kernel among those of a plane.
pub struct Part<P: Product> {
    /// Frames, rows, and groups of columns.
    pub size: [usize; 3],
    /// Where its first tap lies within what all kernels reach.
    pub shift: [usize; 3],
    /// Groups of weights, row by row.
    pub groups: Vec<P::Number>,
    /// What sums begin with.
    pub start: P::Number,
}

/// Where the first element of a vector of sums lies.
#[inline(always)]
pub fn place<S: Simd, P: Product>(n: usize) -> usize {
    n / P::GROUP * P::GROUP * S::LANES + n % P::GROUP
}

/// Adds the taps of a row of weights to one row of sums.
#[inline(always)]
fn one<S: Simd, P: Product>(simd: S, line: &[P::Element], groups: &[P::Number], sums: &mut [P::Vector<S>; VECTORS]) {
    for (from, &group) in line.windows(VECTORS * S::LANES + P::GROUP - 1).step_by(P::GROUP).zip(groups) {
        let group = P::splat(simd, group);
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum = P::tap(simd, group, P::load(simd, &from[place::<S, P>(n)..]), *sum);
        }
    }
}

impl<P: Product> Part<P> {
    /// A kernel within what all kernels reach.
    pub fn new(kernel: &Kernel, reached: Reach) -> Self {
        let [depth, height, width] = kernel.size;
        Self {
            size: [depth, height, width.div_ceil(P::GROUP)],
            shift: [0, 1, 2].map(|axis| reached.before[axis] - kernel.anchor[axis]),
            groups: kernel.weights.chunks(width).flat_map(|row| row.chunks(P::GROUP).map(P::pack)).collect(),
            start: P::start(&kernel.weights),
        }
    }

    /// A column of taps on lines that reach as far as it does.
    pub fn column(taps: &Taps) -> Self {
        let (size, anchor) = ([1, taps.weights.len(), 1], [0, taps.anchor, 0]);
        let kernel = Kernel { size, anchor, weights: taps.weights.clone() };
        Self::new(&kernel, kernel.reach())
    }

    /// What a row of taps meets for the sums from column `x` on.
    #[inline(always)]
    fn line<'a, S: Simd>(&self, _: S, lines: &Lines<'a, P::Element>, t: usize, r: usize, x: usize) -> &'a [P::Element] {
        let line = lines.line(self.shift[0] + t, self.shift[1] + r);
        &line[self.shift[2] + x..][..self.size[2] * P::GROUP - 1 + VECTORS * S::LANES]
    }

    /// The sums of two rows from column `x` on. Every sum takes its taps in ascending t, then y, then x.
    #[inline(always)]
    pub fn sums<S: Simd>(&self, simd: S, lines: &Lines<P::Element>, x: usize) -> [[P::Vector<S>; VECTORS]; 2] {
        let start = P::splat(simd, self.start);
        let (mut upper, mut lower) = ([start; VECTORS], [start; VECTORS]);
        let [depth, height, width] = self.size;
        for t in 0..depth {
            let groups = &self.groups[t * height * width..][..height * width];
            one::<S, P>(simd, self.line(simd, lines, t, 0, x), &groups[..width], &mut upper);
            for r in 1..height {
                let above = groups[(r - 1) * width..].iter();
                let here = groups[r * width..][..width].iter();
                let line = self.line(simd, lines, t, r, x);
                let windows = line.windows(VECTORS * S::LANES + P::GROUP - 1).step_by(P::GROUP);
                for ((from, &here), &above) in windows.zip(here).zip(above) {
                    let (here, above) = (P::splat(simd, here), P::splat(simd, above));
                    for n in 0..VECTORS {
                        let elements = P::load(simd, &from[place::<S, P>(n)..]);
                        upper[n] = P::tap(simd, here, elements, upper[n]);
                        lower[n] = P::tap(simd, above, elements, lower[n]);
                    }
                }
            }
            let last = &groups[(height - 1) * width..];
            one::<S, P>(simd, self.line(simd, lines, t, height, x), last, &mut lower);
        }
        [upper, lower]
    }
}
