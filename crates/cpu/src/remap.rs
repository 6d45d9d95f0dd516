//! Samples at other places of the plane.

use std::ops::Range;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{Sample, Simd, SquareTile};
use super::walk::{Band, BandFilter, PlaneStage};
use super::window::PlaneWindow;
use crate::pass;

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

    /// Copies pieces of rows of the source into the rows of a tile: those that become these columns and rows. Returns true if each
    /// piece is in reverse order.
    #[inline(always)]
    fn gather<T: Sample>(
        &self,
        window: &PlaneWindow<T>,
        columns: Range<usize>,
        rows: Range<usize>,
        tile: &mut SquareTile,
    ) -> bool {
        let constant = T::of(self.op.border.constant());
        let ends = [rows.start, rows.end - 1].map(|y| self.op.columns.at(y));
        let (first, last) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let inside = first >= 0 && (last as usize) < self.op.from.0;
        let mut places = [None; SquareTile::side::<u8>()];
        if !inside {
            places.iter_mut().zip(rows.clone()).for_each(|(place, y)| *place = self.down(y));
        }
        for (x, &row) in self.across[columns].iter().enumerate() {
            let to = &mut tile.row_mut::<T>(x)[..rows.len()];
            let Some(row) = row.map(|row| window.centre(row as usize)) else {
                to.fill(constant);
                continue;
            };
            if inside {
                copy(to, &row[first as usize..=last as usize]);
            } else {
                to.iter_mut().zip(places).for_each(|(to, place)| *to = place.map_or(constant, |place| row[place]));
            }
        }
        inside && self.op.columns.backwards
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
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
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
        // Tiles of rows of the source follow each other, so that it is read in pieces that lie together.
        let (side, width) = (SquareTile::side::<T>(), self.across.len());
        let (mut from, mut to) = (SquareTile::ZERO, SquareTile::ZERO);
        for left in (0..width).step_by(side) {
            let columns = left..(left + side).min(width);
            for top in (0..out.height).step_by(side) {
                let rows = top..(top + side).min(out.height);
                let placed = first + rows.start..first + rows.end;
                let turned = self.gather(window, columns.clone(), placed, &mut from);
                from.transpose::<S, T>(simd, &mut to);
                for (n, y) in rows.clone().enumerate() {
                    let row = to.row::<T>(if turned { rows.len() - 1 - n } else { n });
                    copy(&mut out.row_mut(y)[columns.clone()], &row[..columns.len()]);
                }
            }
        }
    }
}

/// Copies a piece of at most a [`SquareTile`]'s row; a whole one at once.
#[inline(always)]
fn copy<T: Sample>(to: &mut [T], from: &[T]) {
    let (to, from): (&mut [u8], &[u8]) = (bytemuck::cast_slice_mut(to), bytemuck::cast_slice(from));
    match (to.as_chunks_mut::<64>(), from.as_chunks::<64>()) {
        (([to], []), ([from], [])) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}

impl<T: Sample> Staged<T> for pass::Remap {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let band_rows = self.size.1.div_ceil(4 * setting.threads).next_multiple_of(SquareTile::side::<T>());
        Ok(setting.bands_of(band_rows, Remapped::new(self)))
    }
}
