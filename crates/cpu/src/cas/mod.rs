//! Contrast-adaptive sharpening: blocks of columns, of which minima, maxima and sums are formed in the numbers of the samples
//! ([`around`]), and the rest in `f32`.

mod around;

use anyhow::Result;

use super::border::Columns;
use super::finish::{Finish, VECTORS};
use super::operation::{Setting, Staged};
use super::scratch::Buffer;
use super::simd::Simd;
use super::tail::Tail;
use super::walk::{LineCost, LineFilter, Lines, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::{self, PlaneMut};
use crate::pass::{self, Cas};
use around::{Neighbourhood, Surrounded};

/// A plane to be sharpened.
struct Sharpener<T> {
    columns: Columns,
    constant: T,
    /// The largest sample, and what two maxima leave room in.
    peak: f32,
    limit: f32,
    divisor: f32,
    /// The reciprocal of `divisor`, correctly rounded.
    reciprocal: f32,
    finish: Finish,
    /// True if the last step changes nothing.
    is_plain: bool,
}

impl<T: Surrounded> Staged<T> for Cas {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let pixel = setting.pixel();
        let filter = Sharpener {
            columns: Columns::new(self.border, setting.width(), 1, 1),
            constant: T::of(self.border.constant()),
            peak: pixel.peak(),
            limit: Cas::limit(pixel),
            divisor: self.divisor,
            reciprocal: 1.0 / self.divisor,
            finish: setting.finish(self.finish),
            // Adding 0 makes +0 of −0, which only floats can tell apart.
            is_plain: self.finish == pass::Finish::PLAIN && pixel.sample != frame::Sample::F32,
        };
        Ok(setting.walk(filter, setting.row_reach(self.border, 1, 1), LineCost::Cheap))
    }
}

impl<T> Sharpener<T> {
    /// `root / divisor`, correctly rounded.
    #[inline(always)]
    fn weight<S: Simd>(&self, simd: S, root: S::F32) -> S::F32 {
        let divisor = simd.splat(self.divisor);
        if !S::REGISTERS {
            return simd.div(root, divisor);
        }
        // A product with the rounded reciprocal, corrected twice by its exact remainder: the first makes one of the two numbers
        // beside the quotient of it, and the second the nearest (Markstein). Roots of floats are 0 or above 2⁻⁷⁵, so that
        // no remainder is too small for a number.
        let (reciprocal, negative) = (simd.splat(self.reciprocal), simd.splat(-self.divisor));
        let quotient = simd.mul(root, reciprocal);
        let quotient = simd.mul_add(simd.mul_add(quotient, negative, root), reciprocal, quotient);
        simd.mul_add(simd.mul_add(quotient, negative, root), reciprocal, quotient)
    }

    /// Sharpens a vector of samples.
    #[inline(always)]
    fn sharpen<S: Simd>(&self, simd: S, around: Neighbourhood<S>) -> S::F32 {
        let Neighbourhood { room, high, beside, own } = around;
        let one = simd.splat(1.0);
        let share = simd.smaller(simd.larger(simd.div(room, high), simd.splat(0.0)), one);
        let weight = self.weight(simd, simd.sqrt(share));
        let value = simd.add(simd.mul(beside, weight), own);
        simd.div(value, simd.add(one, simd.mul(simd.splat(4.0), weight)))
    }
}

impl<T: Surrounded> LineFilter<T> for Sharpener<T> {
    type Line = T;

    fn shape(&self) -> (usize, usize) {
        (1, self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<T>, y: Option<usize>, line: &mut [T], _: &mut Buffer) {
        let Some(y) = y else { return line.fill(self.constant) };
        T::known(window.centre(y), T::of(self.peak), &mut line[self.columns.left..][..self.columns.width]);
        self.columns.pad(line, self.constant);
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        lines: &Lines<T>,
        out: &mut PlaneMut<T>,
        _: &mut Buffer,
    ) {
        let columns = VECTORS * S::LANES;
        for row in 0..out.height {
            let (centre, to) = (window.centre(y + row), out.row_mut(row));
            let [above, own, below] = [lines.line(0, row), lines.line(0, row + 1), lines.line(0, row + 2)];
            for x in (0..self.columns.width).step_by(columns) {
                let rows = [&above[x..x + columns + 2], &own[x..x + columns + 2], &below[x..x + columns + 2]];
                let [a, b, c, d] = T::around(simd, rows, self.limit);
                let values =
                    [self.sharpen(simd, a), self.sharpen(simd, b), self.sharpen(simd, c), self.sharpen(simd, d)];
                if self.is_plain && to.len() - x >= columns {
                    T::put(simd, values, self.peak, &mut to[x..x + columns]);
                } else {
                    self.put_last(simd, values, centre, x, to);
                }
            }
        }
    }
}

impl<T: Surrounded> Sharpener<T> {
    /// Writes a block that the row may end in, or that goes through the last step.
    #[inline(always)]
    fn put_last<S: Simd>(&self, simd: S, values: [S::F32; VECTORS], centre: &[T], x: usize, to: &mut [T]) {
        let mut made = Tail::<T>::new();
        T::put(simd, values, self.peak, &mut made.0[..VECTORS * S::LANES]);
        if self.is_plain {
            return made.put(&mut to[x..]);
        }
        let mut values = [simd.splat(0.0); VECTORS];
        for (n, value) in values.iter_mut().enumerate() {
            *value = T::read(simd, &made.0[n * S::LANES..]);
        }
        self.finish.put(simd, values, centre, x, to);
    }
}
