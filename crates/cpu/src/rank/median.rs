//! Medians of small squares, two rows of them at a time: the columns of the samples that both boxes hold are sorted once
//! and serve all boxes beside each other, what of them may be a median is found once for both, and each box looks for its
//! own among these and the row that it does not share. All between reading and writing happens in registers.

use std::marker::PhantomData;

use bytemuck::Zeroable;

use super::super::border::Columns;
use super::super::operation::Setting;
use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::super::walk::{LineFilter, Lines};
use super::super::window::PlaneWindow;
use super::around::{columns, first_frame};
use super::block::{BLOCK, Last, convert};
use super::key::{Key, Ordered};
use super::square::{MOST, Square};
use crate::frame::PlaneMut;
use crate::pass::Rank;

/// Medians of the squares of `Z`.
pub struct Median<T: Ordered, Z> {
    frame: usize,
    columns: Columns,
    constant: T::Key,
    last: Last,
    square: PhantomData<Z>,
}

impl<T: Ordered, Z: Square> Median<T, Z> {
    /// Whether an op is one.
    pub fn fits(op: &Rank) -> bool {
        op.size == [1, Z::SIDE, Z::SIDE] && op.rank == op.samples() / 2
    }

    pub fn new(op: &Rank, setting: &Setting) -> Self {
        Self {
            frame: first_frame(op, setting),
            columns: columns(op, setting),
            constant: T::of(op.border.constant()).key(),
            last: Last::new(op, setting.pixel()),
            square: PhantomData,
        }
    }

    /// Sorts the columns of the samples that two rows of boxes share: line after line, the smallest first.
    #[inline(always)]
    fn sort<S: Simd>(&self, simd: S, lines: &Lines<T::Key>, sorted: &mut [T::Key]) {
        let stride = self.columns.stride();
        let mut values = [simd.splat_i32(0); MOST];
        for x in (0..self.columns.width + Z::SIDE - 1).step_by(T::Key::lanes(simd)) {
            for (r, value) in values.iter_mut().enumerate().take(Z::SIDE - 1) {
                *value = T::Key::load(simd, &lines.line(0, r + 1)[x..]);
            }
            Z::column::<S, T::Key>(simd, &mut values);
            for (place, &from) in Z::COLUMN.1.iter().enumerate() {
                T::Key::store(simd, values[from], &mut sorted[place * stride + x..]);
            }
        }
    }

    /// A vector of medians in each of two rows, from column `x` on.
    #[inline(always)]
    fn pair<S: Simd>(&self, simd: S, lines: &Lines<T::Key>, sorted: &[T::Key], x: usize) -> [S::I32; 2] {
        let stride = self.columns.stride();
        let mut values = [simd.splat_i32(0); MOST];
        for column in 0..Z::SIDE {
            for place in 0..Z::SIDE - 1 {
                values[column * (Z::SIDE - 1) + place] = T::Key::load(simd, &sorted[place * stride + x + column..]);
            }
        }
        Z::core::<S, T::Key>(simd, &mut values);
        let mut medians = [simd.splat_i32(0); 2];
        for (median, alone) in medians.iter_mut().zip([0, Z::SIDE]) {
            let mut rest = [simd.splat_i32(0); MOST];
            for (value, &from) in rest.iter_mut().zip(Z::CORE.1) {
                *value = values[from];
            }
            let line = &lines.line(0, alone)[x..];
            for column in 0..Z::SIDE {
                rest[Z::SIDE + 1 + column] = T::Key::load(simd, &line[column..]);
            }
            Z::pick::<S, T::Key>(simd, &mut rest);
            *median = rest[Z::PICK.1[0]];
        }
        medians
    }
}

impl<T: Ordered, Z: Square> LineFilter<T> for Median<T, Z> {
    type Line = T::Key;

    fn shape(&self) -> (usize, usize) {
        (1, self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<T>, y: Option<usize>, line: &mut [T::Key], _: &mut Buffer) {
        let row = y.map(|y| window.row(self.frame, y));
        convert(row, &self.columns, self.constant, self.last.most, line);
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        lines: &Lines<T::Key>,
        out: &mut PlaneMut<T>,
        spare: &mut Buffer,
    ) {
        let sorted: &mut [T::Key] = spare.elements((Z::SIDE - 1) * self.columns.stride());
        self.sort(simd, lines, sorted);
        let (width, vector) = (self.columns.width, T::Key::lanes(simd));
        let (first, mut second) = out.pair_mut();
        for x in (0..width).step_by(BLOCK) {
            // Without a last step, keys go from the registers into the rows.
            let direct = self.last.plain && x + BLOCK <= width;
            let mut keys = [[T::Key::zeroed(); BLOCK]; 2];
            for at in (0..BLOCK.min(width - x)).step_by(vector) {
                let [upper, lower] = self.pair(simd, lines, sorted, x + at);
                if !direct {
                    T::Key::store(simd, upper, &mut keys[0][at..]);
                    T::Key::store(simd, lower, &mut keys[1][at..]);
                    continue;
                }
                let columns = x + at..x + at + vector;
                simd.store_integers(upper, &mut first[columns.clone()]);
                if let Some(second) = &mut second {
                    simd.store_integers(lower, &mut second[columns]);
                }
            }
            if !direct {
                let [upper, lower] = &keys;
                self.last.put(simd, upper, window.centre(y), x, first);
                if let Some(second) = &mut second {
                    self.last.put(simd, lower, window.centre(y + 1), x, second);
                }
            }
        }
    }
}
