//! How much a frame differs from the one before, in its blocks and in all. [`crate::pass::Decimation`] defines the cells.
//!
//! Columns are added up first, over all rows of a cell, in numbers that just hold them; then those of each cell. A block is four cells,
//! so that two rows of them are kept.

use std::array;
use std::marker::PhantomData;
use std::ops::Range;

use bytemuck::{Pod, Zeroable as _};

use super::super::run::Workers;
use super::super::scratch::{OutOfMemory, Scratch};
use super::super::simd::{Level, Sample, Simd, WithSimd};
use crate::frame::{Format, Host, Measured, Plane};
use crate::pass::{Answers, Decimation, Questions};

/// Rows that are added at once.
const ROWS: usize = 4;

/// Samples whose differences are added up in columns.
pub trait Changing: Sample + Measured {
    /// Holds as many differences as a cell has rows, 256 at most.
    type Column: Pod + Into<u32> + Send;

    /// Adds the differences of some rows from those of the frame before.
    fn differ<const N: usize>(own: [&[Self]; N], before: [&[Self]; N], columns: &mut [Self::Column]);
}

macro_rules! changing {
    ($($Sample:ty, $Column:ty, $difference:expr;)*) => { $(
        impl Changing for $Sample {
            type Column = $Column;

            #[inline(always)]
            fn differ<const N: usize>(own: [&[$Sample]; N], before: [&[$Sample]; N], columns: &mut [$Column]) {
                let count = columns.len();
                let (own, before) = (own.map(|row| &row[..count]), before.map(|row| &row[..count]));
                for x in 0..count {
                    let mut sum = columns[x];
                    for k in 0..N {
                        sum += $difference(own[k][x], before[k][x]);
                    }
                    columns[x] = sum;
                }
            }
        }
    )* };
}
changing! {
    u8, u16, |own: u8, before: u8| u16::from(own.abs_diff(before));
    u16, u32, |own: u16, before: u16| u32::from(own.abs_diff(before));
    f32, u32, |own: f32, before: f32| own.measured().abs_diff(before.measured());
}

/// A frame, and the one that it is compared with.
pub struct ChangedFrame<'a> {
    /// Which blocks and planes are compared.
    pub op: &'a Decimation,
    /// Of both.
    pub format: &'a Format,
    /// The frame, and the one before.
    pub frames: [Host<'a>; 2],
    /// The instructions that are used.
    pub level: Level,
}

/// Counts of some rows of cells.
#[derive(Default)]
struct CellRows {
    /// The largest sum of a block within them.
    most: u64,
    /// The sum of all.
    all: u64,
    /// The first row and the last, which are parts of blocks with the rows beside them.
    ends: [Vec<u64>; 2],
}

impl ChangedFrame<'_> {
    /// The answer to [`Questions::CHANGE`].
    ///
    /// # Errors
    /// If there is no memory for what is made on the way.
    pub fn answers<T: Changing>(&self, workers: &Workers) -> Result<Answers, OutOfMemory> {
        let [_, rows] = self.op.cells(self.format);
        let step = rows.div_ceil(4 * workers.threads()).max(2);
        let parts: Vec<Range<usize>> = (0..rows).step_by(step).map(|first| first..(first + step).min(rows)).collect();
        let counted = workers.each(parts, |rows, scratch| {
            let mut cells = CellRows::default();
            self.level.run(CellCounting::<T> { frame: self, rows, scratch, cells: &mut cells, samples: PhantomData });
            cells
        })?;
        let (mut most, mut all) = (0, 0);
        for part in &counted {
            most = most.max(part.most);
            all += part.all;
        }
        for pair in counted.windows(2) {
            most = most.max(largest(&pair[0].ends[1], &pair[1].ends[0]));
        }
        if let [only] = &counted[..]
            && rows == 1
        {
            // A block of fewer rows than it would have.
            most = most.max(largest(&only.ends[0], &vec![0; only.ends[0].len()]));
        }
        let mut answers = Answers::NONE;
        answers.set(Questions::CHANGE, &[most, all]);
        Ok(answers)
    }
}

/// The largest sum of a block of two rows of cells.
#[inline(always)]
fn largest(above: &[u64], below: &[u64]) -> u64 {
    let columns = || above.iter().zip(below).map(|(above, below)| above + below);
    let pairs = columns().zip(columns().skip(1)).map(|(left, right)| left + right);
    // A block of fewer columns than it would have.
    pairs.max().or(columns().next()).unwrap_or(0)
}

/// Some rows of cells that are counted.
struct CellCounting<'a, T> {
    frame: &'a ChangedFrame<'a>,
    rows: Range<usize>,
    scratch: &'a mut Scratch,
    cells: &'a mut CellRows,
    samples: PhantomData<T>,
}

/// Adds the differences of some rows of a plane to a row of cells, each `across` samples wide; where a sample is as wide as several
/// cells, every `every`-th has some.
#[inline(always)]
fn count<T: Changing>(
    planes: [Plane<'_, T>; 2],
    rows: Range<usize>,
    [across, every]: [usize; 2],
    columns: &mut [T::Column],
    cells: &mut [u64],
) {
    let [own, before] = planes;
    let columns = &mut columns[..own.width];
    if rows.is_empty() {
        return;
    }
    columns.fill(T::Column::zeroed());
    let mut y = rows.start;
    while y < rows.end {
        if y + ROWS <= rows.end {
            let [own, before] = [own, before].map(|plane| array::from_fn::<_, ROWS, _>(|row| plane.row(y + row)));
            T::differ(own, before, columns);
            y += ROWS;
        } else {
            T::differ([own.row(y)], [before.row(y)], columns);
            y += 1;
        }
    }
    // At most 256 columns of 256 samples below 2¹⁶.
    for (cell, columns) in cells.iter_mut().step_by(every).zip(columns.chunks(across)) {
        let sum: u32 = columns.iter().map(|column| (*column).into()).sum();
        *cell += u64::from(sum);
    }
}

impl<T: Changing> WithSimd for CellCounting<'_, T> {
    #[inline(always)]
    fn work<S: Simd>(self, _: S) {
        let Self { frame: ChangedFrame { op, format, frames, .. }, rows, scratch, cells, .. } = self;
        let ([across, down], [count_across, _]) = (op.cell(), op.cells(format));
        let columns = scratch.spare.elements::<T::Column>(format.width);
        let [mut above, mut own] = [vec![0; count_across], vec![0; count_across]];
        for cell in rows.clone() {
            own.fill(0);
            for index in 0..op.planes(format.pixel) {
                let (by_x, by_y) = format.pixel.subsampling(index);
                let planes = frames.each_ref().map(|frame| frame.plane::<T>(index));
                let height = planes[0].height;
                // Rows of luma that a row of the plane lies at begin with the one above.
                let [start, end] = [cell, cell + 1].map(|cell| (cell * down).div_ceil(1 << by_y).min(height));
                let width = [(across >> by_x).max(1), ((1 << by_x) / across).max(1)];
                count(planes, start..end, width, columns, &mut own);
            }
            cells.all += own.iter().sum::<u64>();
            if cell == rows.start {
                cells.ends[0].clone_from(&own);
            } else {
                cells.most = cells.most.max(largest(&above, &own));
            }
            std::mem::swap(&mut above, &mut own);
        }
        cells.ends[1] = above;
    }
}
