//! Large boxes of floats: the samples of each box are gathered and parted.

use super::super::border::Columns;
use super::super::operation::Setting;
use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::super::walk::{LineFilter, Lines};
use super::super::window::PlaneWindow;
use super::around::{columns, first_frame};
use super::block::{BLOCK, Last, convert};
use super::key::Ordered;
use crate::frame::PlaneMut;
use crate::pass::Rank;

/// A box of floats.
pub struct Select {
    op: Rank,
    first_frame: usize,
    columns: Columns,
    constant: i32,
    last: Last,
}

impl Select {
    pub fn new(op: &Rank, setting: &Setting) -> Self {
        Self {
            op: op.clone(),
            first_frame: first_frame(op, setting),
            columns: columns(op, setting),
            constant: op.border.constant().key(),
            last: Last::new(op, setting.pixel()),
        }
    }
}

impl LineFilter<f32> for Select {
    type Line = i32;

    fn shape(&self) -> (usize, usize) {
        (self.op.size[0], self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<f32>, y: Option<usize>, lines: &mut [i32], _: &mut Buffer) {
        for (t, line) in lines.chunks_exact_mut(self.columns.stride()).enumerate() {
            let row = y.map(|y| window.row(self.first_frame + t, y));
            convert(row, &self.columns, self.constant, self.last.most, line);
        }
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<f32>,
        y: usize,
        lines: &Lines<i32>,
        out: &mut PlaneMut<f32>,
        _: &mut Buffer,
    ) {
        let [frames, rows, columns] = self.op.size;
        let mut samples = Vec::with_capacity(self.op.samples());
        for row in 0..out.height {
            for x in (0..self.columns.width).step_by(BLOCK) {
                let mut keys = [0; BLOCK];
                for (n, key) in keys.iter_mut().enumerate().take(self.columns.width - x) {
                    samples.clear();
                    for t in 0..frames {
                        for r in 0..rows {
                            samples.extend_from_slice(&lines.line(t, row + r)[x + n..][..columns]);
                        }
                    }
                    *key = *samples.select_nth_unstable(self.op.rank).1;
                }
                self.last.put(simd, &keys, window.centre(y + row), x, out.row_mut(row));
            }
        }
    }
}
