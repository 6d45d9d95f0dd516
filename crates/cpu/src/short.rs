//! Boxes of bytes whose sums have room in 16 bits: twice as many columns to a vector as sums of 32 bits have. The taps at
//! both ends may differ from those between them, as those of boxes on subsampled chroma do. Down the plane a row of column sums
//! takes one row in and gives one up; along it all columns of a box are added up, which takes one step each, and none waits for
//! another. Exact modulo 2¹⁶, and so are the results, which fit.

use crate::border::{Columns, Rows};
use crate::even::EvenTaps;
use crate::finish::{Bounded, Finish, VECTORS};
use crate::pass;
use crate::simd::{Level, Simd};
use crate::walk::{Band, Banded, RowReach};

/// Boxes of bytes.
pub struct ShortBoxes {
    x: Box1d,
    y: Box1d,
    constant: u16,
    columns: Columns,
    rows: Rows,
    band_rows: usize,
    level: Level,
    finish: Bounded,
}

/// Taps along an axis that are equal, but for those at the ends.
#[derive(Clone, Copy)]
struct Box1d {
    length: usize,
    first: u16,
    middle: u16,
    last: u16,
}

impl Box1d {
    /// `None` of other taps, and of those that are not from 0 to 255.
    fn of(EvenTaps { length, first, middle, last }: EvenTaps) -> Option<Self> {
        let small = |weight: i32| u8::try_from(weight).ok().map(u16::from);
        Some(Self { length, first: small(first)?, middle: small(middle)?, last: small(last)? })
    }

    /// All taps together.
    fn sum(&self) -> u64 {
        let between = self.length.saturating_sub(2) as u64 * u64::from(self.middle);
        let last = if self.length > 1 { self.last } else { 0 };
        u64::from(self.first) + between + u64::from(last)
    }

    /// True if all taps are 1.
    fn is_plain(&self) -> bool {
        [self.first, self.middle, self.last] == [1; 3]
    }

    /// What the first tap and the last are more than the others, modulo 2¹⁶; a single tap has no last.
    fn ends(&self) -> [u16; 2] {
        let last = if self.length > 1 { self.last.wrapping_sub(self.middle) } else { 0 };
        [self.first.wrapping_sub(self.middle), last]
    }

    /// The same sum of a box's plain sum and of what its ends meet.
    #[inline(always)]
    fn weigh<S: Simd>(&self, simd: S, sum: S::I32, ends: [S::I32; 2]) -> S::I32 {
        let mut sum = sum;
        if self.middle != 1 {
            sum = simd.mul_u16(sum, simd.splat_u16(self.middle));
        }
        let [first, last] = self.ends();
        if first != 0 {
            sum = simd.sum_u16(sum, simd.mul_u16(ends[0], simd.splat_u16(first)));
        }
        if last != 0 {
            sum = simd.sum_u16(sum, simd.mul_u16(ends[1], simd.splat_u16(last)));
        }
        sum
    }

    /// The same of single numbers.
    fn weigh_one(&self, sum: u16, ends: [u16; 2]) -> u16 {
        let all = ends.into_iter().zip(self.ends());
        all.fold(sum.wrapping_mul(self.middle), |sum, (end, weight)| sum.wrapping_add(end.wrapping_mul(weight)))
    }
}

/// Column sums that a row comes into and another leaves, also stored.
#[inline(always)]
fn moved<S: Simd>(simd: S, sums: &mut [u16], came: S::I32, old: &[u8]) -> S::I32 {
    let sum = simd.sum_u16(simd.load_integers(sums), simd.sub_u16(came, simd.halves_u8(old)));
    simd.store_integers(sum, sums);
    sum
}

impl ShortBoxes {
    /// For the rows of a plane of bytes, `width` samples wide; `None` where taps are others, or their sums too large.
    pub fn new(op: &pass::Separable, width: usize, row_reach: RowReach, level: Level, finish: Finish) -> Option<Self> {
        let [x, y] = EvenTaps::axes(op)?;
        let (x, y) = (Box1d::of(x)?, Box1d::of(y)?);
        let constant = u8::try_from(op.border.constant() as i64).ok().map(u16::from)?;
        let most = x.sum() * y.sum() * u64::from(u8::MAX);
        if most > u64::from(u16::MAX) {
            return None;
        }
        let RowReach { border, height, top, bottom, threads } = row_reach;
        Some(Self {
            x,
            y,
            constant,
            columns: Columns::new(border, width, op.x.anchor, op.x.weights.len() - 1 - op.x.anchor),
            rows: Rows::new(border, height, top, bottom),
            // A band starts by adding up all rows of its first window.
            band_rows: height.div_ceil(4 * threads).max((top + bottom).min(height.div_ceil(threads))),
            level,
            finish: finish.bounded(most as f64)?,
        })
    }

    /// Moves the column sums down by a row: `new` comes and `old` goes. Weighs them with the row that is the first then.
    #[inline(always)]
    fn turn<S: Simd>(&self, simd: S, [first, new, old]: [&[u8]; 3], sums: &mut [u16], weighed: &mut [u16]) {
        let columns = 2 * S::LANES;
        let width = self.columns.width;
        let whole = width - width % columns;
        let rows = first[..whole].chunks_exact(columns).zip(new[..whole].chunks_exact(columns));
        let rows = rows.zip(old[..whole].chunks_exact(columns));
        let lines = sums[..whole].chunks_exact_mut(columns).zip(weighed[..whole].chunks_exact_mut(columns));
        // A closure would lose the instructions that this function is compiled for.
        if self.y.is_plain() {
            for ((sums, weighed), ((_, new), old)) in lines.zip(rows) {
                let sum = moved(simd, sums, simd.halves_u8(new), old);
                simd.store_integers(sum, weighed);
            }
        } else {
            let y_taps = self.y;
            for ((sums, weighed), ((first, new), old)) in lines.zip(rows) {
                let came = simd.halves_u8(new);
                let sum = moved(simd, sums, came, old);
                simd.store_integers(y_taps.weigh(simd, sum, [simd.halves_u8(first), came]), weighed);
            }
        }
        for x in whole..width {
            let [first, new, old] = [first[x], new[x], old[x]].map(u16::from);
            sums[x] = sums[x].wrapping_add(new).wrapping_sub(old);
            weighed[x] = self.y.weigh_one(sums[x], [first, new]);
        }
    }

    /// Writes one row from padded column sums.
    #[inline(always)]
    fn put<S: Simd>(&self, simd: S, sums: &[u16], out: &mut [u8]) {
        let (step, columns, reach) = (2 * S::LANES, VECTORS * 2 * S::LANES, self.x.length - 1);
        let (x_taps, is_plain, finish) = (self.x, self.x.is_plain(), self.finish);
        for x in (0..self.columns.width).step_by(columns) {
            let met = &sums[x..x + columns + reach];
            let mut totals = [simd.splat_i32(0); VECTORS];
            for columns in met.windows(columns) {
                for (n, total) in totals.iter_mut().enumerate() {
                    *total = simd.sum_u16(*total, simd.load_integers(&columns[n * step..(n + 1) * step]));
                }
            }
            for n in 0..VECTORS.min((self.columns.width - x).div_ceil(step)) {
                let mut total = totals[n];
                if !is_plain {
                    let ends = [&met[n * step..], &met[n * step + reach..]];
                    total = x_taps.weigh(
                        simd,
                        total,
                        [simd.load_integers(&ends[0][..step]), simd.load_integers(&ends[1][..step])],
                    );
                }
                finish.halves(simd, total, x + n * step, out);
            }
        }
    }
}

impl Banded<u8> for ShortBoxes {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<u8>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let columns = &self.columns;
        let (room, height) = (columns.stride(), out.height);
        let (sums, rest) = scratch.spare.elements::<u16>(4 * room).split_at_mut(room);
        let (weighed, constant_rows) = rest.split_at_mut(room);
        let (zeros, blank): (&mut [u8], &mut [u8]) = bytemuck::cast_slice_mut(constant_rows).split_at_mut(2 * room);
        sums[..columns.width].fill(0);
        zeros[..columns.width].fill(0);
        blank[..columns.width].fill(self.constant as u8);
        let row = |place: usize| self.rows.source(place).map_or(&*blank, |y| window.centre(y));
        let weighed_columns = columns.left..room;
        for place in first..first + self.y.length - 1 {
            self.turn(simd, [zeros, row(place), zeros], sums, &mut weighed[weighed_columns.clone()]);
        }
        let outside = self.constant.wrapping_mul(self.y.sum() as u16);
        for y in first..first + height {
            let old = if y == first { &*zeros } else { row(y - 1) };
            let rows = [row(y), row(y + self.y.length - 1), old];
            self.turn(simd, rows, sums, &mut weighed[weighed_columns.clone()]);
            columns.pad(weighed, outside);
            if y + 1 < first + height {
                window.prefetch(simd, self.rows.source(y + self.y.length));
            }
            self.put(simd, weighed, out.row_mut(y - first));
        }
    }
}
