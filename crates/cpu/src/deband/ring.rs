//! The rows around some columns of a plane, with those outside, in memory that the nearest cache holds.
//!
//! They are as far from each other in every plane, and what is outside is among them: a place is a number that is added to a sample's
//! own, and vectors gather. Read from the plane, one sample took 41 instructions, most of them products with its stride and tests of
//! bounds. The ring of the usual range takes 8 KiB of bytes. Chunks of columns are made from top to bottom, so that each row is taken once.

use super::super::border::Rows;
use super::super::simd::Simd;
use super::super::window::PlaneWindow;
use super::sample::{CHUNK, Debandable, FourAround};
use crate::pass::Deband;

/// From 0 on.
const COLUMNS: [i32; CHUNK] = {
    let mut columns = [0; CHUNK];
    let mut k = 0;
    while k < CHUNK {
        columns[k] = k as i32;
        k += 1;
    }
    columns
};
/// Rows that are asked for before they are read.
const AHEAD: usize = 8;
/// Rows that are taken before the lowest that a row needs: what is still on its way to memory cannot be gathered, and everything waits.
pub(super) const LEAD: usize = 2;
/// The largest ring, in bytes: farther than that places are read from the plane.
const MOST: usize = 512 << 10;

/// The size of a plane, and what is outside of it.
pub(super) struct BorderedSize<T> {
    pub(super) constant: T,
    /// How far places are away, down and across.
    pub(super) range: [usize; 2],
    /// Width and height.
    pub(super) size: (usize, usize),
    /// Columns and rows, also those outside.
    pub(super) columns: Rows,
    pub(super) rows: Rows,
}

impl<T: Debandable> BorderedSize<T> {
    pub(super) fn new(op: &Deband, size: (usize, usize)) -> Self {
        let range @ [down, across] = op.range();
        Self {
            constant: T::of(op.border.constant()),
            range,
            size,
            columns: Rows::new(op.border, size.0, across, across),
            rows: Rows::new(op.border, size.1, down, down),
        }
    }
}

/// How large a ring is, for an operation whose places are not too far away.
#[derive(Clone, Copy)]
pub(super) struct RingShape {
    /// Rows, a power of two; a row takes the place of that so many rows above it.
    rows: usize,
    /// Samples from one row to the next, a power of two.
    stride: usize,
    /// Where the first of the columns lies in a row.
    left: usize,
}

impl RingShape {
    pub(super) fn new<T>(op: &Deband) -> Option<Self> {
        let [down, across] = op.range();
        let (rows, stride) = ((2 * down + 1 + LEAD).next_power_of_two(), (CHUNK + 2 * across).next_power_of_two());
        (rows * stride * size_of::<T>() <= MOST).then_some(Self { rows, stride, left: across })
    }

    /// How many samples it needs: with the last one, some behind it are read.
    pub(super) fn length(&self) -> usize {
        (self.rows + 1) * self.stride
    }
}

/// Rows of a plane around [`CHUNK`] columns.
pub(super) struct ColumnRing<'a, T> {
    pub(super) shape: RingShape,
    /// As many as it needs, whatever they are.
    pub(super) samples: &'a mut [T],
}

impl<T: Debandable> ColumnRing<'_, T> {
    /// Takes a row, counted from the topmost outside, around the columns from `x` on.
    #[inline(always)]
    pub(super) fn take<S: Simd>(
        &mut self,
        simd: S,
        extent: &BorderedSize<T>,
        window: &PlaneWindow<T>,
        x: usize,
        place: usize,
    ) {
        let ([down, across], (width, height)) = (extent.range, extent.size);
        let RingShape { rows, stride, .. } = self.shape;
        let row = &mut self.samples[(place & (rows - 1)) * stride..][..stride];
        let Some(source) = extent.rows.source(place) else { return row.fill(extent.constant) };
        let (samples, ahead) = (window.centre(source), (place + AHEAD).saturating_sub(down).min(height - 1));
        // Columns too count from the leftmost outside.
        let row = &mut row[..CHUNK.min(width - x) + 2 * across];
        let [first, end] = [x.max(across), (x + row.len()).min(width + across)];
        let (before, after) = (first - x, end - x);
        simd.prefetch(bytemuck::cast_slice(&window.centre(ahead)[first - across..end - across]));
        row[before..after].copy_from_slice(&samples[first - across..end - across]);
        for k in (0..before).chain(after..row.len()) {
            row[k] = extent.columns.source(x + k).map_or(extent.constant, |column| samples[column]);
        }
    }

    /// Samples of a row, counted from the topmost outside, and the four around each, of these places.
    #[inline(always)]
    pub(super) fn around<S: Simd>(&self, simd: S, place: usize, places: &[i32; CHUNK]) -> FourAround<T> {
        let RingShape { rows, stride, left } = self.shape;
        let own = (place & (rows - 1)) * stride + left;
        let mut around = FourAround::none();
        around.own.copy_from_slice(&self.samples[own..own + CHUNK]);
        let [a, b, c, d] = &mut around.four;
        let (half, row) = (simd.splat_i32(16), simd.splat_i32(stride as i32));
        for first in (0..CHUNK).step_by(S::LANES) {
            let own = simd.add_i32(simd.splat_i32(own as i32), simd.load_integers(&COLUMNS[first..]));
            let both = simd.load_integers(&places[first..]);
            let across = simd.signed_down_i32(simd.up_by_16(both), half);
            let down = simd.mul_i32(simd.signed_down_i32(both, half), row);
            let (below, above) = (simd.add_i32(across, down), simd.sub_i32(across, down));
            T::narrow(simd, self.at(simd, simd.add_i32(own, below)), &mut a[first..]);
            T::narrow(simd, self.at(simd, simd.add_i32(own, above)), &mut b[first..]);
            T::narrow(simd, self.at(simd, simd.sub_i32(own, below)), &mut c[first..]);
            T::narrow(simd, self.at(simd, simd.sub_i32(own, above)), &mut d[first..]);
        }
        around
    }

    /// Samples at places, which may lie before the first row or after the last.
    #[inline(always)]
    fn at<S: Simd>(&self, simd: S, places: S::I32) -> S::I32 {
        let last = self.shape.rows * self.shape.stride - 1;
        T::at(simd, self.samples, simd.and_i32(places, simd.splat_i32(last as i32)))
    }
}

/// Places of some numbers, across in the lower half of each and down in the upper half.
#[inline(always)]
pub(super) fn places<S: Simd>(simd: S, op: &Deband, numbers: &[u32; CHUNK]) -> [i32; CHUNK] {
    let (table, mut places) = (bytemuck::cast_slice(&op.places), [0; CHUNK]);
    for first in (0..CHUNK).step_by(S::LANES) {
        let number = simd.load_integers(&numbers[first..]);
        let number = simd.add_i32(number, number);
        simd.store_integers(simd.words(table, simd.add_i32(number, number)), &mut places[first..]);
    }
    places
}
