//! Integer kernels by dot products: lines are the samples themselves, and one instruction multiplies and adds a group
//! of neighbouring taps for a whole vector. Exact, so the order of the taps does not matter and zeros fill up groups.

use super::small::Small;
use super::{close, join};
use crate::backend::cpu::border::Columns;
use crate::backend::cpu::finish::{Finish, VECTORS};
use crate::backend::cpu::scratch::Buffer;
use crate::backend::cpu::simd::{self, Simd};
use crate::backend::cpu::walk::{Lines, Stencil};
use crate::backend::cpu::window::Window;
use crate::frame::PlaneMut;
use crate::pass::{self, Combine, Kernel, Operation as _, Reach};

/// One kernel.
pub struct Part {
    /// Frames, rows, and groups of columns.
    pub size: [usize; 3],
    /// Where its first tap lies within the span of all kernels.
    pub shift: [usize; 3],
    /// Weights as [`simd::Dot::pack`] packs them.
    pub groups: Vec<i32>,
    /// What the sum of elements lacks to be that of samples, modulo 2³².
    pub start: i32,
}

/// Dense kernels over samples of `T`.
pub struct Dot<T> {
    parts: Vec<Part>,
    /// The faster way for kernels of a few taps.
    small: Option<Small>,
    combine: Combine,
    columns: Columns,
    first: usize,
    depth: usize,
    constant: T,
    finish: Finish,
}

impl Part {
    fn new<T: simd::Dot>(kernel: &Kernel, reached: &Reach) -> Self {
        let [depth, height, width] = kernel.size;
        let weights: Vec<i32> = kernel.weights.iter().map(|&weight| weight as i32).collect();
        let sum = weights.iter().fold(0i32, |sum, &weight| sum.wrapping_add(weight));
        Self {
            size: [depth, height, width.div_ceil(T::GROUP)],
            shift: [0, 1, 2].map(|axis| reached.before[axis] - kernel.anchor[axis]),
            groups: weights.chunks(width).flat_map(|row| row.chunks(T::GROUP).map(T::pack)).collect(),
            start: sum.wrapping_mul(T::OFFSET),
        }
    }

    /// The elements that a row of taps meets from column `x` on.
    #[inline(always)]
    fn line<'a, S: Simd, T: simd::Dot>(
        &self,
        _: S,
        lines: &Lines<'a, T::Element>,
        t: usize,
        r: usize,
        x: usize,
    ) -> &'a [T::Element] {
        let line = lines.line(self.shift[0] + t, self.shift[1] + r);
        &line[self.shift[2] + x..][..self.size[2] * T::GROUP - 1 + VECTORS * S::LANES]
    }

    /// The sums of two rows from column `x` on, as [`simd::Dot::weave`] takes them.
    #[inline(always)]
    fn sums<S: Simd, T: simd::Dot>(&self, simd: S, lines: &Lines<T::Element>, x: usize) -> [[S::I32; VECTORS]; 2] {
        let start = simd.splat_i32(self.start);
        let (mut upper, mut lower) = ([start; VECTORS], [start; VECTORS]);
        let [depth, height, width] = self.size;
        for t in 0..depth {
            let groups = &self.groups[t * height * width..][..height * width];
            one::<S, T>(simd, self.line::<S, T>(simd, lines, t, 0, x), &groups[..width], &mut upper);
            for r in 1..height {
                let above = groups[(r - 1) * width..].iter();
                let here = groups[r * width..][..width].iter();
                let line = self.line::<S, T>(simd, lines, t, r, x);
                for (g, (&here, &above)) in here.zip(above).enumerate() {
                    let (here, above) = (simd.splat_i32(here), simd.splat_i32(above));
                    let from = &line[g * T::GROUP..][..VECTORS * S::LANES + T::GROUP - 1];
                    for n in 0..VECTORS {
                        let from = &from[place::<S, T>(n)..];
                        upper[n] = T::dot(simd, upper[n], from, here);
                        lower[n] = T::dot(simd, lower[n], from, above);
                    }
                }
            }
            let line = self.line::<S, T>(simd, lines, t, height, x);
            one::<S, T>(simd, line, &groups[(height - 1) * width..], &mut lower);
        }
        [upper, lower]
    }
}

/// Where the first element of a vector of sums lies.
#[inline(always)]
pub fn place<S: Simd, T: simd::Dot>(n: usize) -> usize {
    n / T::GROUP * T::GROUP * S::LANES + n % T::GROUP
}

#[inline(always)]
fn one<S: Simd, T: simd::Dot>(simd: S, line: &[T::Element], groups: &[i32], sums: &mut [S::I32; VECTORS]) {
    for (g, &group) in groups.iter().enumerate() {
        let group = simd.splat_i32(group);
        let from = &line[g * T::GROUP..][..VECTORS * S::LANES + T::GROUP - 1];
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum = T::dot(simd, *sum, &from[place::<S, T>(n)..], group);
        }
    }
}

impl<T: simd::Dot> Dot<T> {
    /// For a window that reaches `reach` frames to either side, where all weights fit.
    pub fn new(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Self {
        let reached = op.reach();
        let parts: Vec<Part> = op.kernels.iter().map(|kernel| Part::new::<T>(kernel, &reached)).collect();
        // No sample is larger than what its type can hold, whatever its format says.
        let weights = op.kernels.iter().flat_map(|kernel| &kernel.weights);
        let most = weights.map(|&weight| f64::from(weight).abs()).sum::<f64>() * f64::from(T::OFFSET.max(128) * 2);
        Self {
            small: Small::new::<T>(&parts, op.combine, finish.bounded(most)),
            parts,
            combine: op.combine,
            columns,
            first: reach - reached.before[0],
            depth: reached.size()[0],
            constant: T::of(op.border.constant()),
            finish,
        }
    }

    /// Whether the machine can multiply with all weights.
    pub fn fits(kernels: &[Kernel]) -> bool {
        let fits = |weight: &f32| (-T::LARGEST - 1..=T::LARGEST).contains(&(*weight as i32));
        kernels.iter().all(|kernel| kernel.weights.iter().all(fits))
    }
}

impl<T: simd::Dot> Stencil<T> for Dot<T> {
    type Line = T::Element;

    fn shape(&self) -> (usize, usize) {
        (self.depth, self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &Window<T>, y: Option<usize>, lines: &mut [T::Element], _: &mut Buffer) {
        let constant = self.constant.element();
        for (t, line) in lines.chunks_exact_mut(self.columns.stride()).enumerate() {
            let Some(y) = y else {
                line.fill(constant);
                continue;
            };
            let row = window.row(self.first + t, y);
            for (element, &sample) in line[self.columns.left..].iter_mut().zip(row) {
                *element = sample.element();
            }
            self.columns.pad(line, constant);
        }
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &Window<T>,
        y: usize,
        lines: &Lines<T::Element>,
        out: &mut PlaneMut<T>,
        _: &mut Buffer,
    ) {
        if S::REGISTERS
            && let Some(small) = &self.small
        {
            return small.filter(simd, lines, self.columns.width, out);
        }
        for x in (0..self.columns.width).step_by(VECTORS * S::LANES) {
            let mut joined = [[simd.splat(0.0); VECTORS]; 2];
            for (index, part) in self.parts.iter().enumerate() {
                let sums = part.sums::<S, T>(simd, lines, x);
                for row in 0..2 {
                    for n in 0..VECTORS {
                        joined[row][n] = join(simd, self.combine, index, simd.float(sums[row][n]), joined[row][n]);
                    }
                }
            }
            for (row, mut values) in joined.into_iter().enumerate().take(out.height) {
                for value in &mut values {
                    *value = close(simd, self.combine, *value);
                }
                self.finish.weave(simd, values, window.centre(y + row), x, out.row_mut(row));
            }
        }
    }
}
