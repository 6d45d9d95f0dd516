//! Dot products with small kernels of one size: how many taps there are is known when this is compiled, so that the
//! sums of a vector stay in registers and nothing is counted or looked up between two products.

use std::array::from_fn;

use super::joined::{close, join};
use super::part::{Part, place};
use crate::finish::{Bounded, VECTORS};
use crate::frame::PlaneMut;
use crate::pass::Combine;
use crate::product::DotProduct;
use crate::simd::{self, Simd};
use crate::walk::Lines;

/// Which there are: how the sums become one, and the rows and columns of the kernels.
#[derive(Clone, Copy)]
enum SmallShape {
    Sum3,
    Sum5,
    Gradient2,
    Gradient3,
    Any3,
}

/// All kernels of a plane.
pub struct Small {
    shape: SmallShape,
    /// Of each kernel where its sums start, and its groups of weights.
    parts: Vec<(i32, Vec<i32>)>,
    combine: Combine,
    finish: Bounded,
}

impl Small {
    /// Kernels of `T`, all of `size` taps in t, y and x; `None` where there is no such way.
    pub fn new<T: simd::Dot>(parts: &[Part<DotProduct<T>>], combine: Combine, finish: Option<Bounded>) -> Option<Self> {
        let groups = |width: usize| width.div_ceil(T::GROUP);
        let size = parts.first()?.size;
        let is = |rows: usize, columns: usize| size == [1, rows, groups(columns)];
        let shape = match (parts.len(), combine) {
            (1, Combine::Sum) if is(3, 3) => SmallShape::Sum3,
            (1, Combine::Sum) if is(5, 5) => SmallShape::Sum5,
            (2, Combine::Magnitude) if is(2, 2) => SmallShape::Gradient2,
            (2, Combine::Magnitude) if is(3, 3) => SmallShape::Gradient3,
            _ if is(3, 3) => SmallShape::Any3,
            _ => return None,
        };
        let alike = parts.iter().all(|part| part.size == size && part.shift == [0; 3]);
        let parts = parts.iter().map(|part| (part.start, part.groups.clone())).collect();
        alike.then_some(Self { shape, parts, combine, finish: finish? })
    }

    /// Makes one row or two, each `width` samples wide.
    #[inline(always)]
    pub fn filter<S: Simd, T: simd::Dot>(
        &self,
        simd: S,
        lines: &Lines<T::Element>,
        width: usize,
        out: &mut PlaneMut<T>,
    ) {
        match self.shape {
            SmallShape::Sum3 => self.rows::<S, T, SUM, 4, 3>(simd, lines, width, out),
            SmallShape::Sum5 => self.rows::<S, T, SUM, 6, 5>(simd, lines, width, out),
            SmallShape::Gradient2 => self.rows::<S, T, GRADIENT, 3, 2>(simd, lines, width, out),
            SmallShape::Gradient3 => self.rows::<S, T, GRADIENT, 4, 3>(simd, lines, width, out),
            SmallShape::Any3 => self.rows::<S, T, ANY, 4, 3>(simd, lines, width, out),
        }
    }

    /// `L` lines are what two rows meet, and `W` columns of taps.
    #[inline(always)]
    fn rows<S: Simd, T: simd::Dot, const KIND: u8, const L: usize, const W: usize>(
        &self,
        simd: S,
        lines: &Lines<T::Element>,
        width: usize,
        out: &mut PlaneMut<T>,
    ) {
        let lines: [&[T::Element]; L] = from_fn(|r| lines.line(0, r));
        let (first, mut second) = out.pair_mut();
        for x in (0..width).step_by(VECTORS * S::LANES) {
            let mut met = lines;
            for line in &mut met {
                *line = &line[x..][..VECTORS * S::LANES + T::GROUP * W.div_ceil(T::GROUP) - 1];
            }
            // No closure, which would not be compiled with the instructions of the level.
            let mut values = [[simd.splat(0.0); 2]; VECTORS];
            for (n, value) in values.iter_mut().enumerate() {
                *value = self.values::<S, T, KIND, L, W>(simd, &met, n);
            }
            let [a, b, c, d] = values;
            self.finish.weave(simd, [a[0], b[0], c[0], d[0]], x, first);
            if let Some(second) = &mut second {
                self.finish.weave(simd, [a[1], b[1], c[1], d[1]], x, second);
            }
        }
    }

    /// Vector `n` of the joined sums of two rows.
    #[inline(always)]
    fn values<S: Simd, T: simd::Dot, const KIND: u8, const L: usize, const W: usize>(
        &self,
        simd: S,
        lines: &[&[T::Element]; L],
        n: usize,
    ) -> [S::F32; 2] {
        let (parts, combine) = match KIND {
            SUM => (&self.parts[..1], Combine::Sum),
            GRADIENT => (&self.parts[..2], Combine::Magnitude),
            _ => (&self.parts[..], self.combine),
        };
        let mut joined = [simd.splat(0.0); 2];
        for (index, (start, groups)) in parts.iter().enumerate() {
            let width = W.div_ceil(T::GROUP);
            let groups = &groups[..(L - 1) * width];
            let mut sums = [simd.splat_i32(*start); 2];
            for (r, line) in lines.iter().enumerate() {
                for g in 0..width {
                    let elements = simd.load_integers(&line[place::<S, DotProduct<T>>(n) + g * T::GROUP..]);
                    if r + 1 < L {
                        sums[0] = T::dot(simd, sums[0], elements, simd.splat_i32(groups[r * width + g]));
                    }
                    if r > 0 {
                        sums[1] = T::dot(simd, sums[1], elements, simd.splat_i32(groups[(r - 1) * width + g]));
                    }
                }
            }
            for (joined, sum) in joined.iter_mut().zip(sums) {
                *joined = join(simd, combine, index, simd.float(sum), *joined);
            }
        }
        [close(simd, combine, joined[0]), close(simd, combine, joined[1])]
    }
}

/// A single kernel.
const SUM: u8 = 0;
/// The magnitude of two.
const GRADIENT: u8 = 1;
/// Anything else.
const ANY: u8 = 2;
