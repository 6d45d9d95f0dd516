//! The samples of a plane that an operation looks at beside its own, at the places of its own.

use super::operation::Setting;
use super::simd::Sample;
use super::window::PlaneWindow;
use crate::pass::Guide;

/// Samples of which means are made.
pub trait Averaged: Sample {
    /// The mean of those of the rows from column `first` on, `columns` of each; there are `2^shift` together. The last
    /// of a row stands for those beyond it.
    fn mean(rows: &[&[Self]], first: usize, columns: usize, shift: u32) -> Self;
}

/// The sample of a row, or the last of it.
#[inline(always)]
fn of<T: Copy>(row: &[T], x: usize) -> T {
    row[x.min(row.len() - 1)]
}

/// For integers, of which no sum of sixteen fills 32 bits.
macro_rules! whole {
    ($($T:ident)*) => {
        $(impl Averaged for $T {
            #[inline(always)]
            fn mean(rows: &[&[$T]], first: usize, columns: usize, shift: u32) -> $T {
                let each = rows.iter().flat_map(|row| (first..first + columns).map(|x| u32::from(of(row, x))));
                ((each.sum::<u32>() + (1 << shift >> 1)) >> shift) as $T
            }
        })*
    };
}
whole!(u8 u16);

impl Averaged for f32 {
    #[inline(always)]
    fn mean(rows: &[&[f32]], first: usize, columns: usize, shift: u32) -> f32 {
        let each = rows.iter().flat_map(|row| (first..first + columns).map(|x| of(row, x)));
        let sum = each.fold(0.0, |sum, sample| sum + if sample.is_finite() { sample } else { 0.0 });
        sum * (1.0 / (1u32 << shift) as f32)
    }
}

/// A guide, and how many rows it has.
#[derive(Clone, Copy)]
pub struct Guided {
    finer: [u32; 2],
    height: usize,
}

impl Guided {
    /// For the plane of a setting.
    pub fn new(guide: Guide, setting: &Setting) -> Self {
        Self { finer: guide.finer, height: setting.format.plane_size(guide.plane).1 }
    }

    /// Writes the guide's samples of row `y` of the frame at place `t`. There is a guide in the window.
    #[inline(always)]
    pub fn row<T: Averaged>(&self, window: &PlaneWindow<T>, t: usize, y: usize, to: &mut [T]) {
        let Some(guide) = &window.guide else { return };
        let [columns, rows] = self.finer.map(|power| 1usize << power);
        let row = |i: usize| guide.row(t, (y * rows + i).min(self.height - 1));
        let shift = self.finer[0] + self.finer[1];
        let four = std::array::from_fn::<_, 4, _>(|i| row(i.min(rows - 1)));
        match (columns, rows) {
            (1, 1) => to.copy_from_slice(four[0]),
            // What most clips have, written out.
            (2, 2) => {
                let both = [four[0], four[1]];
                to.iter_mut().enumerate().for_each(|(x, to)| *to = T::mean(&both, 2 * x, 2, 2));
            }
            _ => {
                to.iter_mut().enumerate().for_each(|(x, to)| *to = T::mean(&four[..rows], columns * x, columns, shift))
            }
        }
    }
}
