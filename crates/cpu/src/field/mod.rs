//! Rows of fields: which rows of a frame stay, which are rebuilt, and blocks of columns of the latter.
//!
//! Bytes and up to 13 bits are computed as signed 16-bit numbers ([`short`]), with sums of products in 32 bits; more bits as
//! 32-bit numbers ([`word`]); floats as such ([`real`]).

pub mod bound;
mod number;
mod real;
mod short;
mod word;

use super::operation::Setting;
use super::simd::{Level, Sample, Simd};
use super::tail::Tail;
use super::walk::{Band, Banded};
use super::window::PlaneWindow;
use crate::pass::{Deinterlacing, FieldTask};

pub use number::FieldNumbers;
pub use real::Reals;
pub use short::Short;
pub use word::Word;

/// The most bits of [`Short`].
pub const SHORT_BITS: u8 = 13;

/// A row that is rebuilt.
pub struct FieldRow<'a, T, S, N> {
    /// The instructions.
    pub simd: S,
    /// The numbers.
    pub numbers: N,
    /// One plane of all the frames of the window.
    pub window: &'a PlaneWindow<'a, T>,
    /// The work.
    pub task: FieldTask,
    /// The row.
    pub y: usize,
    /// Rows of the plane.
    pub height: usize,
}

impl<'a, T: Sample, S: Simd, N: FieldNumbers<T>> FieldRow<'a, T, S, N> {
    /// A row of the frame at place `t` from the centre.
    #[inline(always)]
    pub fn row(&self, t: isize, y: usize) -> &'a [T] {
        self.window.row((self.window.planes.len() / 2).wrapping_add_signed(t), y)
    }

    /// Makes every block of columns of a row from the samples of `rows`. The last ends where the row ends, so that some columns
    /// may be made twice.
    #[inline(always)]
    pub fn across<const R: usize>(&self, block: &impl FieldBlock<T, R>, rows: [&[T]; R], to: &mut [T]) {
        let columns = N::columns::<S>();
        let Some(last) = to.len().checked_sub(columns) else {
            let tails = rows.map(Tail::<T>::of);
            let mut made = Tail::<T>::new();
            block.make(self, std::array::from_fn(|row| &tails[row].0[..columns]), &mut made.0[..columns]);
            made.put(to);
            return;
        };
        let mut x = 0;
        loop {
            block.make(self, rows.map(|row| &row[x..x + columns]), &mut to[x..x + columns]);
            if x == last {
                return;
            }
            x = (x + columns).min(last);
        }
    }
}

/// A block of columns of a row, made from `R` rows. No closure, which would not be compiled with the instructions of the level.
pub trait FieldBlock<T: Sample, const R: usize> {
    /// Makes as many samples as each of the rows has.
    fn make<S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, rows: [&[T]; R], to: &mut [T]);
}

/// An operation that rebuilds rows.
pub trait Rebuild: Clone + Send + Sync + 'static {
    /// Which frames and fields.
    fn fields(&self) -> Deinterlacing;
    /// Makes a row.
    fn row<T: Sample, S: Simd, N: FieldNumbers<T>>(&self, place: &FieldRow<T, S, N>, to: &mut [T]);
}

/// A plane whose fields are rebuilt, in the numbers `N`.
pub struct Rebuilt<O, N> {
    op: O,
    numbers: N,
    level: Level,
    band_rows: usize,
    height: usize,
}

impl<O: Rebuild, N> Rebuilt<O, N> {
    /// The operation on a plane.
    pub fn new(op: &O, numbers: N, setting: &Setting) -> Self {
        let (level, band_rows, height) = (setting.level, setting.band_rows(), setting.height());
        Self { op: op.clone(), numbers, level, band_rows, height }
    }
}

impl<T: Sample, O: Rebuild, N: FieldNumbers<T>> Banded<T> for Rebuilt<O, N> {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        let task = self.op.fields().task(&window.scan);
        for row in 0..out.height {
            let (y, to) = (first + row, out.row_mut(row));
            match task.filter(|task| task.rebuilt == y % 2) {
                Some(task) => {
                    self.op.row(&FieldRow { simd, numbers: self.numbers, window, task, y, height: self.height }, to);
                }
                None => to.copy_from_slice(window.centre(y)),
            }
        }
    }
}

/// The stages of an operation that implements [`Rebuild`], for all samples.
macro_rules! staged {
    ($Op:ident) => {
        impl $crate::operation::Staged<u8> for $Op {
            fn stage(
                &self,
                setting: &$crate::operation::Setting,
            ) -> ::anyhow::Result<Box<dyn $crate::walk::PlaneStage<u8>>> {
                Ok(Box::new($crate::field::Rebuilt::new(self, $crate::field::Short::of(setting.pixel()), setting)))
            }
        }

        impl $crate::operation::Staged<u16> for $Op {
            fn stage(
                &self,
                setting: &$crate::operation::Setting,
            ) -> ::anyhow::Result<Box<dyn $crate::walk::PlaneStage<u16>>> {
                let pixel = setting.pixel();
                Ok(match pixel.depth <= $crate::field::SHORT_BITS {
                    true => Box::new($crate::field::Rebuilt::new(self, $crate::field::Short::of(pixel), setting)),
                    false => Box::new($crate::field::Rebuilt::new(self, $crate::field::Word::of(pixel), setting)),
                })
            }
        }

        impl $crate::operation::Staged<f32> for $Op {
            fn stage(
                &self,
                setting: &$crate::operation::Setting,
            ) -> ::anyhow::Result<Box<dyn $crate::walk::PlaneStage<f32>>> {
                Ok(Box::new($crate::field::Rebuilt::new(self, $crate::field::Reals, setting)))
            }
        }
    };
}
pub(super) use staged;
