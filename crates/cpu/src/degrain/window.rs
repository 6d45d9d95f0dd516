//! The samples around a group as bytes, and fewer of them: what the search looks at.

use super::super::simd::Sample;
use super::super::window::PlaneWindow;
use super::key::Keyed;
use super::plane::{Degrained, Places};

/// Bytes of rows that lie one after another.
#[derive(Clone, Copy)]
pub struct ByteRows<'a> {
    /// All rows.
    pub bytes: &'a [u8],
    /// From one to the next.
    pub pitch: usize,
}

impl<'a> ByteRows<'a> {
    /// The bytes of row `y` from column `x` on.
    #[inline(always)]
    pub fn row(&self, x: usize, y: usize) -> &'a [u8] {
        &self.bytes[y * self.pitch + x..]
    }
}

/// `count` samples from column `x` on of the row that stands for row `y`, whatever lies outside.
#[inline(always)]
pub fn fetch<T: Sample, const N: usize>(
    stage: &Degrained<T, N>,
    window: &PlaneWindow<T>,
    place: usize,
    [x, y]: [isize; 2],
    to: &mut [T],
) {
    let Degrained { columns, rows, constant, .. } = stage;
    let Some(y) = rows.source(y) else { return to.fill(*constant) };
    let row = window.row(place, y);
    match usize::try_from(x) {
        Ok(x) if x + to.len() <= row.len() => to.copy_from_slice(&row[x..x + to.len()]),
        _ => outside(columns, row, x, *constant, to),
    }
}

fn outside<T: Sample>(columns: &Places, row: &[T], x: isize, constant: T, to: &mut [T]) {
    for (index, to) in to.iter_mut().enumerate() {
        *to = columns.source(x + index as isize).map_or(constant, |x| row[x]);
    }
}

/// The same as bytes, of a row by itself in `line`.
#[inline(always)]
pub fn keys<T: Keyed, const N: usize>(
    stage: &Degrained<T, N>,
    window: &PlaneWindow<T>,
    place: usize,
    at: [isize; 2],
    line: &mut [T],
    to: &mut [u8],
) {
    fetch(stage, window, place, at, line);
    to.iter_mut().zip(&*line).for_each(|(to, sample)| *to = sample.key(stage.depth));
}

/// A picture of which `K × K` samples become one, rounded, from `[x, y]` on.
#[inline(always)]
pub fn shrink<const K: usize>(from: ByteRows, [x, y]: [usize; 2], columns: usize, rows: usize, to: &mut [u8]) {
    let half = (K * K / 2) as u16;
    for (row, to) in to.chunks_exact_mut(columns).take(rows).enumerate() {
        for (column, to) in to.iter_mut().enumerate() {
            let mut sum = half;
            for r in 0..K {
                let bytes = &from.row(x + K * column, y + K * row + r)[..K];
                bytes.iter().for_each(|&byte| sum += u16::from(byte));
            }
            *to = (sum / (K * K) as u16) as u8;
        }
    }
}

/// `N` columns from `x` on of so many rows, one row right behind the other.
#[inline(always)]
pub fn strip<const N: usize>(from: ByteRows, [x, y]: [usize; 2], rows: usize, to: &mut [u8]) {
    for (row, to) in to.chunks_exact_mut(N).take(rows).enumerate() {
        to.copy_from_slice(&from.row(x, y + row)[..N]);
    }
}
