//! Samples at other places of the plane.

use std::ops::Range;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{Sample, Simd};
use super::walk::{Band, BandFilter, PlaneStage};
use crate::pass;

/// Rows that are written side by side where rows become columns, so that the source is read in pieces that lie together.
const BLOCK: usize = 32;

/// A plane whose samples come from other places.
pub struct Remapped {
    op: pass::Remap,
    /// Where the source has the sample of each column, or of each row where axes are exchanged; `None` outside.
    across: Vec<Option<u32>>,
    /// The columns that lie inside, in order, without a gap, and the first place of the source that they are.
    inside: Range<usize>,
}

impl Remapped {
    fn new(op: &pass::Remap) -> Self {
        let (course, length) = if op.transposed { (op.rows, op.from.1) } else { (op.columns, op.from.0) };
        let place = |x: usize| op.border.index(course.at(x), length).map(|place| place as u32);
        let across = (0..op.size.0).map(place).collect();
        let is_inside = |x: &usize| (0..length as isize).contains(&course.at(*x));
        let first = (0..op.size.0).find(is_inside).unwrap_or(op.size.0);
        let count = (first..op.size.0).take_while(is_inside).count();
        Self { op: op.clone(), across, inside: first..first + count }
    }

    /// The place of the other axis that row `y` reads; `None` for the border's constant.
    fn down(&self, y: usize) -> Option<usize> {
        let (course, length) =
            if self.op.transposed { (self.op.columns, self.op.from.0) } else { (self.op.rows, self.op.from.1) };
        self.op.border.index(course.at(y), length)
    }

    /// The columns of the source that some rows are, where axes are exchanged and all of them lie inside.
    fn run(&self, first: usize, count: usize) -> Option<Range<usize>> {
        let ends = [first, first + count - 1].map(|y| self.op.columns.at(y));
        let (low, high) = (usize::try_from(ends[0].min(ends[1])).ok()?, usize::try_from(ends[0].max(ends[1])).ok()?);
        (high < self.op.from.0).then_some(low..high + 1)
    }

    /// A row of a row.
    #[inline(always)]
    fn row<T: Sample>(&self, from: &[T], to: &mut [T], constant: T) {
        let Range { start, end } = self.inside;
        let outside = |x: usize| self.across[x].map_or(constant, |place| from[place as usize]);
        to[..start].iter_mut().enumerate().for_each(|(x, to)| *to = outside(x));
        if start < end {
            let first = self.op.columns.at(start) as usize;
            match self.op.columns.backwards {
                true => {
                    let piece = &from[first + 1 - (end - start)..=first];
                    to[start..end].iter_mut().zip(piece.iter().rev()).for_each(|(to, from)| *to = *from);
                }
                false => to[start..end].copy_from_slice(&from[first..first + end - start]),
            }
        }
        to[end..].iter_mut().enumerate().for_each(|(x, to)| *to = outside(end + x));
    }
}

impl<T: Sample> BandFilter<T> for Remapped {
    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        let constant = T::of(self.op.border.constant());
        if !self.op.transposed {
            for y in 0..out.height {
                match self.down(first + y) {
                    Some(row) => self.row(window.centre(row), out.row_mut(y), constant),
                    None => out.row_mut(y).fill(constant),
                }
            }
            return;
        }
        for top in (0..out.height).step_by(BLOCK) {
            let rows = top..(top + BLOCK).min(out.height);
            let mut columns = [None; BLOCK];
            columns.iter_mut().zip(rows.clone()).for_each(|(column, y)| *column = self.down(first + y));
            let run = self.run(first + top, rows.len());
            // Columns are gathered into rows that lie together, so that both sides are met in pieces.
            let mut block = [[constant; BLOCK]; BLOCK];
            for left in (0..self.across.len()).step_by(BLOCK) {
                let across = &self.across[left..(left + BLOCK).min(self.across.len())];
                for (x, row) in across.iter().enumerate() {
                    let Some(row) = row.map(|row| window.centre(row as usize)) else {
                        block.iter_mut().for_each(|to| to[x] = constant);
                        continue;
                    };
                    match &run {
                        Some(run) if self.op.columns.backwards => {
                            block.iter_mut().zip(row[run.clone()].iter().rev()).for_each(|(to, from)| to[x] = *from);
                        }
                        Some(run) => block.iter_mut().zip(&row[run.clone()]).for_each(|(to, from)| to[x] = *from),
                        None => {
                            for (to, column) in block.iter_mut().zip(columns) {
                                to[x] = column.map_or(constant, |column| row[column]);
                            }
                        }
                    }
                }
                for (y, from) in rows.clone().zip(&block) {
                    out.row_mut(y)[left..left + across.len()].copy_from_slice(&from[..across.len()]);
                }
            }
        }
    }
}

impl<T: Sample> Staged<T> for pass::Remap {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let band_rows = self.size.1.div_ceil(4 * setting.threads).next_multiple_of(BLOCK);
        Ok(setting.bands_of(band_rows, Remapped::new(self)))
    }
}
