//! Boxes of bytes: sums that slide, so that a sample costs the same for any number of taps. Along the row they have room in 16 bits, twice
//! as many columns to a vector as numbers of 32 bits; down the plane the row of them that comes in, and the one whose place it
//! takes, change sums of 32 bits. The taps at both ends may be less than those between them, as those of boxes on subsampled
//! chroma are. Exact modulo 2¹⁶ and 2³², and so are the results, which fit.

use crate::border::{Columns, Rows};
use crate::even::EvenTaps;
use crate::finish::{Bounded, Finish};
use crate::pass;
use crate::simd::{Level, Simd};
use crate::walk::{Band, Banded, RowReach};

/// Boxes of bytes.
pub struct RollingBoxes {
    x: BoxTaps,
    y: BoxTaps,
    constant: u8,
    columns: Columns,
    rows: Rows,
    band_rows: usize,
    level: Level,
    finish: Bounded,
}

/// Taps along an axis.
#[derive(Clone, Copy)]
struct BoxTaps {
    /// Number of taps.
    length: usize,
    /// The first tap, and the last.
    end: i32,
    /// How much larger the taps between them are.
    more: i32,
}

impl BoxTaps {
    /// `None` of other taps, and of those that are not from 0 to 255.
    fn of(EvenTaps { length, first, middle, last }: EvenTaps) -> Option<Self> {
        let is_box = first == last && 0 <= first && first <= middle && middle <= 255;
        is_box.then_some(Self { length, end: first, more: middle - first })
    }

    /// All taps together.
    fn sum(&self) -> u64 {
        self.length as u64 * self.end as u64 + self.length.saturating_sub(2) as u64 * self.more as u64
    }
}

impl RollingBoxes {
    /// How many times the rows of a box a band has at least. It begins by summing up such rows; with AVX-512 on two cores, 1080p frames of
    /// bytes in 4:2:0 a second, beside sums of 32 bits along x too: of 27 + 27 taps 1,430 and 1,030, of 61 + 61 1,290 and 1,010, and
    /// of 121 + 121, with bands of 270 rows, 860 and 950.
    const BAND: usize = 3;

    /// For the rows of a plane of bytes, `width` samples wide; `None` where taps are others, sums along x too large, or bands too
    /// short.
    pub fn new(op: &pass::Separable, width: usize, row_reach: RowReach, level: Level, finish: Finish) -> Option<Self> {
        let [x, y] = EvenTaps::axes(op)?;
        let (x, y) = (BoxTaps::of(x)?, BoxTaps::of(y)?);
        let constant = u8::try_from(op.border.constant() as i64).ok()?;
        // Two of them differ by a signed 16-bit number.
        let along = x.sum() * u64::from(u8::MAX);
        if along > i16::MAX as u64 {
            return None;
        }
        let most = (along * y.sum()) as f64;
        let RowReach { border, height, top, bottom, threads } = row_reach;
        let least = Self::BAND * y.length;
        let band_rows = height.div_ceil(2 * threads).max(least.min(height.div_ceil(threads)));
        if band_rows < least {
            return None;
        }
        Some(Self {
            x,
            y,
            constant,
            columns: Columns::new(border, width, op.x.anchor, op.x.weights.len() - 1 - op.x.anchor),
            rows: Rows::new(border, height, top, bottom),
            band_rows,
            level,
            finish: finish.bounded(most).filter(|finish| finish.is_short(most))?,
        })
    }

    /// A row of samples, or of the constant, with what lies beside it.
    #[inline(always)]
    fn pad(&self, row: Option<&[u8]>, line: &mut [u8]) {
        match row {
            Some(row) => {
                line[self.columns.left..][..self.columns.width].copy_from_slice(row);
                self.columns.pad(line, self.constant);
            }
            None => line.fill(self.constant),
        }
    }

    /// Sums up each box of a padded row.
    #[inline(always)]
    fn slide<S: Simd>(&self, simd: S, samples: &[u8], sums: &mut [u16]) {
        let (step, BoxTaps { length, end, more }) = (2 * S::LANES, self.x);
        let count = self.columns.width.next_multiple_of(step);
        let sum = |samples: &[u8]| samples.iter().map(|&sample| i32::from(sample)).sum::<i32>();
        let inner = if more == 0 { 0 } else { more * sum(&samples[1..length - 1]) };
        let mut carry = simd.splat_u16((end * sum(&samples[..length]) + inner) as u16);
        let (end_weight, weight) = (simd.splat_u16(end as u16), simd.splat_u16(more as u16));
        for (x, sums) in (0..count).step_by(step).zip(sums[..count].chunks_exact_mut(step)) {
            let met = &samples[x..x + length + step];
            let mut change = simd.sub_u16(simd.halves_u8(&met[length..]), simd.halves_u8(met));
            if end != 1 {
                change = simd.mul_u16(change, end_weight);
            }
            if more != 0 {
                let inner = simd.sub_u16(simd.halves_u8(&met[length - 1..]), simd.halves_u8(&met[1..]));
                change = simd.sum_u16(change, simd.mul_u16(inner, weight));
            }
            let changes = simd.running_sum_u16(change);
            // The change that a column brings holds from the next column on.
            simd.store_integers(simd.sum_u16(carry, simd.sub_u16(changes, change)), sums);
            carry = simd.sum_u16(carry, simd.last_u16(changes));
        }
    }

    /// Takes a row of such sums in and writes a row of results. A loop of its own: what a column goes through here and in
    /// [`Self::slide`] is so long that the machine, which looks only so far ahead, would have too few columns at hand.
    #[inline(always)]
    fn take<S: Simd>(&self, simd: S, rows: Rolled, sums: &mut [i32], mut out: Option<&mut [u8]>) {
        let (step, BoxTaps { end, more, .. }) = (2 * S::LANES, self.y);
        let count = self.columns.width.next_multiple_of(step);
        // Of the first of each two columns, and of the second.
        let ends = [simd.splat_i32(end), simd.splat_i32(end << 16)];
        let weights = [simd.splat_i32(more), simd.splat_i32(more << 16)];
        let Rolled { coming, before, leaving, after } = rows;
        let columns = coming[..count].chunks_exact(step).zip(leaving[..count].chunks_exact_mut(step));
        for (n, ((coming, leaving), sums)) in columns.zip(sums[..count].chunks_exact_mut(step)).enumerate() {
            let row = simd.load_integers(coming);
            let change = simd.sub_u16(row, simd.load_integers(leaving));
            simd.store_integers(row, leaving);
            let (firsts, seconds) = sums.split_at_mut(S::LANES);
            let mut both = [
                simd.dot_i16(simd.load_integers(firsts), change, ends[0]),
                simd.dot_i16(simd.load_integers(seconds), change, ends[1]),
            ];
            if more != 0 {
                let met = n * step..(n + 1) * step;
                let change = simd.sub_u16(simd.load_integers(&before[met.clone()]), simd.load_integers(&after[met]));
                both = [simd.dot_i16(both[0], change, weights[0]), simd.dot_i16(both[1], change, weights[1])];
            }
            simd.store_integers(both[0], firsts);
            simd.store_integers(both[1], seconds);
            if let Some(out) = &mut out {
                self.finish.pairs(simd, both, n * step, out);
            }
        }
    }
}

/// Rows of sums along x that a step down the plane meets.
struct Rolled<'a> {
    /// The row that comes.
    coming: &'a [u16],
    /// The row above it.
    before: &'a [u16],
    /// The row that leaves, in whose place the one that comes is kept.
    leaving: &'a mut [u16],
    /// The row below it.
    after: &'a [u16],
}

impl Banded<u8> for RollingBoxes {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<u8>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let (stride, count) = (self.columns.stride().next_multiple_of(64), self.y.length);
        // A vector may be read that begins at the last place.
        let samples = scratch.spare.elements::<u8>(stride + 64);
        let memory = scratch.ring.elements::<u16>((count + 4) * stride);
        let (rows, rest) = memory.split_at_mut(count * stride);
        let (lines, sums) = rest.split_at_mut(2 * stride);
        let (mut coming, mut before) = lines.split_at_mut(stride);
        let sums: &mut [i32] = bytemuck::cast_slice_mut(sums);
        // Rows above the first count as zeros.
        rows.fill(0);
        before.fill(0);
        sums.fill(0);
        let steps = out.height + count - 1;
        for step in 0..steps {
            let source = self.rows.source(first + step);
            self.pad(source.map(|y| window.centre(y)), samples);
            if step + 1 < steps {
                window.prefetch(simd, self.rows.source(first + step + 1));
            }
            self.slide(simd, samples, coming);
            // The row below the one that leaves is the next in the ring.
            let place = step % count * stride;
            let (leaving, after) = if step % count + 1 < count {
                let (upper, lower) = rows.split_at_mut(place + stride);
                (&mut upper[place..], &*lower)
            } else {
                let (upper, lower) = rows.split_at_mut(place);
                (lower, &*upper)
            };
            let done = (step + 1).checked_sub(count).map(|y| out.row_mut(y));
            self.take(simd, Rolled { coming, before, leaving, after }, sums, done);
            std::mem::swap(&mut coming, &mut before);
        }
    }
}
