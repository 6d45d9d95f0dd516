//! Integer kernels by dot products: one instruction multiplies and adds a group of neighbouring taps for a whole vector.

use super::kernel::Dense;
use super::small::Small;
use crate::border::Columns;
use crate::finish::Finish;
use crate::frame::PlaneMut;
use crate::pass::{self, Kernel};
use crate::product::DotProduct;
use crate::scratch::Buffer;
use crate::simd::{self, Simd};
use crate::walk::{LineFilter, Lines};
use crate::window::PlaneWindow;

/// Dense kernels over samples of `T`.
pub struct DenseDot<T: simd::Dot> {
    dense: Dense<DotProduct<T>>,
    /// The faster way for kernels of a few taps.
    small: Option<Small>,
}

impl<T: simd::Dot> DenseDot<T> {
    /// For a window that reaches `reach` frames to either side, where all weights fit.
    pub fn new(op: &pass::Dense, columns: Columns, reach: usize, finish: Finish) -> Self {
        let dense = Dense::new(op, columns, reach, finish);
        // No sample is larger than what its type can hold, whatever its format says.
        let weights = op.kernels.iter().flat_map(|kernel| &kernel.weights);
        let most = weights.map(|&weight| f64::from(weight).abs()).sum::<f64>() * f64::from(T::OFFSET.max(128) * 2);
        Self { small: Small::new(&dense.parts, op.combine, finish.bounded(most)), dense }
    }

    /// Whether the machine can multiply with all weights.
    pub fn fits(kernels: &[Kernel]) -> bool {
        let fits = |weight: &f32| (-T::LARGEST - 1..=T::LARGEST).contains(&(*weight as i32));
        kernels.iter().all(|kernel| kernel.weights.iter().all(fits))
    }
}

impl<T: simd::Dot> LineFilter<T> for DenseDot<T> {
    type Line = T::Element;

    fn shape(&self) -> (usize, usize) {
        LineFilter::<T>::shape(&self.dense)
    }

    #[inline(always)]
    fn prepare<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: Option<usize>,
        lines: &mut [T::Element],
        spare: &mut Buffer,
    ) {
        self.dense.prepare(simd, window, y, lines, spare);
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        lines: &Lines<T::Element>,
        out: &mut PlaneMut<T>,
        spare: &mut Buffer,
    ) {
        match &self.small {
            Some(small) if S::REGISTERS => small.filter(simd, lines, self.dense.columns.width, out),
            _ => self.dense.filter(simd, window, y, lines, out, spare),
        }
    }
}
