//! A plane as it is cut into blocks: where reference blocks lie, and how rows of samples become keys and values.

use super::super::border::{Columns, Rows};
use super::super::operation::Setting;
use super::noisy::NoisySample;
use super::search::{self, MOST_LANES};
use crate::pass::Bm3d;

/// Rows of the plane that the reference blocks of a strip begin in.
const STRIP: usize = 64;
const SIDE: usize = Bm3d::SIDE;

/// A plane of blocks.
pub struct ReferenceGrid {
    /// What is done.
    pub op: Bm3d,
    /// Samples in a row, at least those of a block.
    pub wide: usize,
    /// Rows, at least those of a block.
    pub high: usize,
    columns: Columns,
    rows: Rows,
    key_shift: u32,
}

impl ReferenceGrid {
    /// Of a plane.
    pub fn new(op: &Bm3d, setting: &Setting) -> Self {
        let (width, height) = setting.size();
        let (wide, high) = (width.max(SIDE), height.max(SIDE));
        Self {
            wide,
            high,
            columns: Columns::new(op.border, width, 0, wide - width),
            rows: Rows::new(op.border, height, 0, high - height),
            key_shift: Bm3d::key_shift(setting.pixel()),
            op: op.clone(),
        }
    }

    /// Rows of reference blocks in a strip.
    pub fn strip_references(&self) -> usize {
        STRIP / self.op.step
    }

    /// How many strips there are.
    pub fn strips(&self) -> usize {
        self.op.references(self.high).div_ceil(self.strip_references())
    }

    /// Where the reference block of that number begins, along an axis of so many samples.
    pub fn place(&self, number: usize, length: usize) -> usize {
        (number * self.op.step).min(length - SIDE)
    }

    /// Images of each frame that are looked at.
    pub fn images(&self) -> usize {
        if self.op.is_last() { 2 } else { 1 }
    }

    /// Elements from one row of sums or values to the next: a vector may be read or written beyond the last.
    pub fn pitch(&self) -> usize {
        (self.wide + MOST_LANES).next_multiple_of(64)
    }

    /// Keys from one row to the next, in the centre (0) and in other frames.
    pub fn key_pitch(&self, frame: usize) -> usize {
        search::pitch(self.wide, if frame == 0 { self.op.range } else { 0 })
    }

    /// Sums of a strip.
    pub fn sums(&self) -> usize {
        let rows = STRIP + SIDE + 2 * self.op.range;
        rows.min(self.high) * self.pitch()
    }

    /// The plane's row that stands in row `y`; `None` is a row of the border's constant.
    pub fn source(&self, y: usize) -> Option<usize> {
        self.rows.source(y)
    }

    /// A row of values, continued to a block; `None` is a row of the border's constant.
    #[inline(always)]
    pub fn values<T: NoisySample>(&self, row: Option<&[T]>, to: &mut [f32]) {
        let constant = T::of(self.op.border.constant()).value();
        match row {
            Some(row) => {
                to.iter_mut().zip(row).for_each(|(to, sample)| *to = sample.value());
                self.columns.pad(&mut to[..self.wide], constant);
            }
            None => to[..self.wide].fill(constant),
        }
    }

    /// A row of keys, continued to a block; `None` is a row of the border's constant.
    #[inline(always)]
    pub fn keys<T: NoisySample>(&self, row: Option<&[T]>, to: &mut [u8]) {
        let constant = T::of(self.op.border.constant()).key(self.key_shift);
        match row {
            Some(row) => {
                to.iter_mut().zip(row).for_each(|(key, sample)| *key = sample.key(self.key_shift));
                self.columns.pad(to, constant);
            }
            None => to.fill(constant),
        }
    }
}
