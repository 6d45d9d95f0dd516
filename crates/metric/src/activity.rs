//! Activity of blocks of a plane, in space and in time: the sums that XPSNR weighs.

use std::ops::{Add, Sub};

use super::psnr::SquaredError;
use crate::frame::{Measured, Plane};
use crate::simd::Simd;

/// Whole numbers in which samples are added.
pub trait WholeNumber: Copy + Add<Output = Self> + Sub<Output = Self> {
    /// So many times as much.
    fn times(self, factor: i16) -> Self;
    /// Without the sign.
    fn magnitude(self) -> u32;
}

impl WholeNumber for i16 {
    #[inline(always)]
    fn times(self, factor: i16) -> i16 {
        self * factor
    }

    #[inline(always)]
    fn magnitude(self) -> u32 {
        self.unsigned_abs().into()
    }
}

impl WholeNumber for i32 {
    #[inline(always)]
    fn times(self, factor: i16) -> i32 {
        self * i32::from(factor)
    }

    #[inline(always)]
    fn magnitude(self) -> u32 {
        self.unsigned_abs()
    }
}

/// Samples whose activity is measured, as whole numbers.
pub trait Active: SquaredError + Measured {
    /// Holds 24 times the largest sample.
    type Number: WholeNumber;
    /// The sample in it.
    fn number(self) -> Self::Number;
    /// Distance to another sample.
    fn apart(self, other: Self) -> u32;
    /// The sum of squared differences of some samples.
    fn error<S: Simd>(simd: S, a: &[Self], b: &[Self]) -> u64;
    /// The sum of `|12 c − 2 (its four neighbours) − (the four across)|` over the middle row but its ends.
    #[inline(always)]
    fn high_pass<S: Simd>(_: S, rows: [&[Self]; 3]) -> u64 {
        high_pass(rows)
    }
    /// The sum of the magnitudes of differences.
    #[inline(always)]
    fn change<S: Simd>(_: S, row: &[Self], one: &[Self]) -> u64 {
        change(row, one)
    }
}

impl Active for u16 {
    type Number = i32;

    #[inline(always)]
    fn number(self) -> i32 {
        self.into()
    }

    #[inline(always)]
    fn apart(self, other: u16) -> u32 {
        self.abs_diff(other).into()
    }

    #[inline(always)]
    fn error<S: Simd>(_: S, a: &[u16], b: &[u16]) -> u64 {
        u16::squares(a, b) as u64
    }
}

impl Active for f32 {
    type Number = i32;

    #[inline(always)]
    fn number(self) -> i32 {
        self.measured() as i32
    }

    #[inline(always)]
    fn apart(self, other: f32) -> u32 {
        self.measured().abs_diff(other.measured())
    }

    #[inline(always)]
    fn error<S: Simd>(_: S, a: &[f32], b: &[f32]) -> u64 {
        let mut sum = 0;
        for (a, b) in a.iter().zip(b) {
            let apart = u64::from(a.apart(*b));
            sum += apart * apart;
        }
        sum
    }
}

/// A rectangle of a plane.
#[derive(Clone, Copy, Debug)]
pub struct SampleBlock {
    /// Its first column.
    pub left: usize,
    /// Its first row.
    pub top: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// Sums over a block.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockActivity {
    /// Of squared differences.
    pub error: u64,
    /// Of the magnitudes of a high-pass filter, and of how many samples of the plane; none of a block within the edge.
    pub space: Option<(u64, usize)>,
    /// Of the magnitudes of differences in time.
    pub time: u64,
}

/// Pictures whose activity is measured.
pub struct Pictures<'a, T> {
    /// The reference and the other one.
    pub pair: [Plane<'a, T>; 2],
    /// The reference before, and the one before that, where the order is 2; black where there is none.
    pub before: [Option<Plane<'a, T>>; 2],
    /// Order of differences in time: 1 or 2.
    pub order: usize,
    /// Set for pictures so large that pairs of rows and columns count as one.
    pub is_large: bool,
}

/// The part of a block that lies further from the edges of a plane of this size than `edge`; none where that is empty.
pub fn inside((columns, rows): (usize, usize), block: &SampleBlock, edge: usize) -> Option<SampleBlock> {
    let cut = |start: usize, length: usize, side: usize| {
        let first = if start > 0 { start } else { edge };
        let end = start + length;
        let end = if end < side { end } else { side.saturating_sub(edge) };
        (end > first).then(|| (first, end - first))
    };
    let (left, width) = cut(block.left, block.width, columns)?;
    let (top, height) = cut(block.top, block.height, rows)?;
    Some(SampleBlock { left, top, width, height })
}

/// The sum of the magnitudes in space and of how many samples, none of a block within the edge; and that in time.
#[inline(always)]
pub fn activity<'a, S: Simd, T: Active>(
    simd: S,
    pictures: &Pictures<'a, T>,
    block: &SampleBlock,
) -> (Option<(u64, usize)>, u64) {
    let plane = &pictures.pair[0];
    let Some(inner) = inside((plane.width, plane.height), block, 1) else { return (None, 0) };
    let mut space = 0;
    for y in inner.top..inner.top + inner.height {
        let row = |y: usize| &plane.row(y)[inner.left - 1..][..inner.width + 2];
        space += T::high_pass(simd, [row(y - 1), row(y), row(y + 1)]);
    }
    let mut time = 0;
    for y in block.top..block.top + block.height {
        let row = |plane: &Plane<'a, T>| &plane.row(y)[block.left..][..block.width];
        time += match (&pictures.before, pictures.order) {
            ([None, _], _) => brightness(row(plane)),
            ([Some(one), _], 1) => T::change(simd, row(plane), row(one)),
            ([Some(one), None], _) => bend(row(plane), row(one), None),
            ([Some(one), Some(two)], _) => bend(row(plane), row(one), Some(row(two))),
        };
    }
    (Some((space, inner.width * inner.height)), time)
}

/// The sum of `|12 c − 2 (its four neighbours) − (the four across)|` over the middle row but its ends.
#[inline(always)]
pub fn high_pass<T: Active>([above, row, below]: [&[T]; 3]) -> u64 {
    let width = row.len() - 2;
    let [above, row, below] = [&above[..width + 2], &row[..width + 2], &below[..width + 2]];
    let mut sum = 0;
    for x in 0..width {
        let [a, b, c] = [above[x].number(), above[x + 1].number(), above[x + 2].number()];
        let [d, e, f] = [row[x].number(), row[x + 1].number(), row[x + 2].number()];
        let [g, h, i] = [below[x].number(), below[x + 1].number(), below[x + 2].number()];
        let (sides, corners) = (b + h + (d + f), a + c + (g + i));
        sum += (e.times(12) - sides.times(2) - corners).magnitude();
    }
    u64::from(sum)
}

/// The sum of a row: its difference from black.
#[inline(always)]
fn brightness<T: Active>(row: &[T]) -> u64 {
    let mut sum = 0;
    for sample in row {
        sum += sample.measured();
    }
    u64::from(sum)
}

/// The sum of the magnitudes of differences from the row before.
#[inline(always)]
pub fn change<T: Active>(row: &[T], one: &[T]) -> u64 {
    let mut sum = 0;
    for (a, b) in row.iter().zip(one) {
        sum += a.apart(*b);
    }
    u64::from(sum)
}

/// The sum of the magnitudes of second differences; without a row before the last, from black.
#[inline(always)]
fn bend<T: Active>(row: &[T], one: &[T], two: Option<&[T]>) -> u64 {
    let mut sum = 0;
    match two {
        Some(two) => {
            for ((a, b), c) in row.iter().zip(one).zip(two) {
                sum += (a.number() - b.number().times(2) + c.number()).magnitude();
            }
        }
        None => {
            for (a, b) in row.iter().zip(one) {
                sum += (a.number() - b.number().times(2)).magnitude();
            }
        }
    }
    u64::from(sum)
}
