//! Rows of weights by difference, looked up a row at a time, each for both samples of its pairs.
//!
//! A band is cut into strips of columns. For an offset and its opposite there is one row of weights, which says of every
//! sample of the strip how like the one at the offset it is; the sample there finds its own weight of the opposite offset
//! in the same row. Rows of weights stay until the rows of samples below have met them.

use bytemuck::Pod;

use super::super::border::{Columns, Rows};
use super::super::operation::Setting;
use super::super::simd::Simd;
use crate::pass::Bilateral;

/// Bytes of all rows of weights of a strip: half of a second cache.
const CACHED: usize = 256 << 10;
/// What columns are a multiple of, so that every set of instructions fills whole vectors.
pub const ROUND: usize = 64;

/// What is compared.
pub trait Distant: Pod + Send + Sync {
    /// Writes how far numbers are apart, or 255 where that is no byte; `to` has a multiple of [`ROUND`] places.
    fn apart<S: Simd>(simd: S, a: &[Self], b: &[Self], to: &mut [u8]);
}

impl Distant for u8 {
    #[inline(always)]
    fn apart<S: Simd>(simd: S, a: &[u8], b: &[u8], to: &mut [u8]) {
        for x in (0..to.len()).step_by(4 * S::LANES) {
            let (a, b) = (simd.load_integers(&a[x..]), simd.load_integers(&b[x..]));
            // No byte of the larger ones is less than that of the smaller, so nothing is borrowed.
            let difference = simd.sub_i32(simd.max_u8(a, b), simd.min_u8(a, b));
            simd.store_integers(difference, &mut to[x..]);
        }
    }
}

impl Distant for u16 {
    #[inline(always)]
    fn apart<S: Simd>(simd: S, a: &[u16], b: &[u16], to: &mut [u8]) {
        let most = simd.splat_i32(0x00ff_00ff);
        for x in (0..to.len()).step_by(2 * S::LANES) {
            let (a, b) = (simd.load_integers(&a[x..]), simd.load_integers(&b[x..]));
            let difference = simd.sub_u16(simd.max_u16(a, b), simd.min_u16(a, b));
            simd.narrow_halves_u8(simd.min_u16(difference, most), &mut to[x..]);
        }
    }
}

impl Distant for i32 {
    #[inline(always)]
    fn apart<S: Simd>(simd: S, a: &[i32], b: &[i32], to: &mut [u8]) {
        let most = simd.splat_i32(255);
        for x in (0..to.len()).step_by(S::LANES) {
            let difference = simd.sub_i32(simd.load_integers(&a[x..]), simd.load_integers(&b[x..]));
            simd.narrow_u8(simd.min_i32(simd.abs_i32(difference), most), &mut to[x..]);
        }
    }
}

/// Lines of what is compared.
pub trait DistantLines<K>: Copy {
    /// That of a row of a frame of the window.
    fn compared(&self, t: usize, row: usize) -> &[K];
}

/// Offsets with one weight: the first, and the opposite one in the frame opposite.
pub struct Opposites {
    /// In frames, down and across.
    pub offset: [isize; 3],
    /// Weight by offset.
    pub weight: f32,
    /// Where in the memory of a strip its rows of weights begin, in rows, and how many there are. Of offsets in
    /// the frame itself those of the samples up to the offset down; of others one, and one of the opposite offset.
    rows: [usize; 2],
}

impl Opposites {
    /// The row of weights for a row of samples.
    fn place(&self, row: isize) -> usize {
        let [first, count] = self.rows;
        first + row.rem_euclid(count as isize) as usize
    }
}

/// Columns of a strip, and how far apart its rows of weights are.
#[derive(Clone, Copy)]
pub struct ColumnStrip {
    pub left: usize,
    pub columns: usize,
    /// From one row of weights to the next.
    pub wide: usize,
}

/// The weights of a plane.
pub struct WeightRows {
    radius: usize,
    /// Frames on either side.
    pub frames: usize,
    pub pairs: Vec<Opposites>,
    /// Rows of weights of all pairs.
    pub count: usize,
    table: [u8; 256],
    pub columns: Columns,
    rows: Rows,
    pub height: usize,
    pub band_rows: usize,
    strip: usize,
}

impl WeightRows {
    pub fn new(op: &Bilateral, setting: &Setting) -> Self {
        let Bilateral { radius, frames, .. } = *op;
        let mut count = 0;
        let half = op.offsets().filter(|([t, y, x], _)| (*t, *y, *x) > (0, 0, 0));
        let pairs = half.map(|(offset, weight)| {
            let [t, down, _] = offset;
            let rows = if t == 0 { down as usize + 1 } else { 2 };
            count += rows;
            Opposites { offset, weight, rows: [count - rows, rows] }
        });
        let pairs: Vec<Opposites> = pairs.collect();
        let mut table = [0; 256];
        table.iter_mut().zip(op.range.iter()).for_each(|(to, &weight)| *to = weight as u8);
        let (width, height) = setting.size();
        let most = (CACHED / count.max(1)).clamp(2 * ROUND, 4096) / ROUND * ROUND;
        // Two bands a thread at the least: one that waits for a core is then not what the others wait for.
        let share = height.div_ceil(2 * setting.threads).max(1);
        Self {
            radius,
            frames,
            pairs,
            count,
            table,
            columns: Columns::new(op.border, width, radius, radius),
            rows: Rows::new(op.border, height, radius, radius),
            height,
            band_rows: setting.band_rows().max((4 * radius).min(share)).max(1),
            strip: most.min(width.next_multiple_of(ROUND)),
        }
    }

    /// Elements of a line: the padded row, and what is read beyond it.
    pub fn stride(&self) -> usize {
        let Columns { left, width, right, .. } = self.columns;
        (left + width.next_multiple_of(ROUND) + right + 2 * ROUND).next_multiple_of(ROUND)
    }

    /// The line of a row, which may lie outside the plane.
    pub fn line(&self, row: isize) -> usize {
        self.rows.source((row + self.radius as isize) as usize).unwrap_or(self.height)
    }

    /// The strips of a plane.
    pub fn strips(&self) -> impl Iterator<Item = ColumnStrip> + use<> {
        let (width, most, beside) = (self.columns.width, self.strip, self.radius.next_multiple_of(ROUND) + ROUND);
        (0..width).step_by(most).map(move |left| {
            let columns = most.min(width - left).next_multiple_of(ROUND);
            ColumnStrip { left, columns, wide: columns + beside }
        })
    }

    /// Makes the row of weights of an offset for a row of samples.
    #[inline(always)]
    fn weigh<S: Simd, K: Distant>(
        &self,
        simd: S,
        lines: impl DistantLines<K>,
        row: isize,
        offset: [isize; 3],
        strip: ColumnStrip,
        [to, spare]: [&mut [u8]; 2],
    ) {
        let [t, down, across] = offset;
        let before = if t == 0 { across.max(0) as usize } else { 0 };
        let start = self.columns.left + strip.left - before;
        let own = &lines.compared(self.frames, self.line(row))[start..];
        let frame = self.frames.wrapping_add_signed(t);
        let there = &lines.compared(frame, self.line(row + down))[start.wrapping_add_signed(across)..];
        let count = strip.columns + if t == 0 { across.unsigned_abs().next_multiple_of(ROUND) } else { 0 };
        K::apart(simd, own, there, &mut spare[..count]);
        simd.look_up(&self.table, &spare[..count], &mut to[..count]);
    }

    /// Makes the weights that rows above the first of a band would have made.
    #[inline(always)]
    pub fn begin<S: Simd, K: Distant>(
        &self,
        simd: S,
        lines: impl DistantLines<K>,
        first: isize,
        strip: ColumnStrip,
        [weights, spare]: [&mut [u8]; 2],
    ) {
        for pair in self.pairs.iter().filter(|pair| pair.offset[0] == 0) {
            for row in first - pair.offset[1]..first {
                let to = &mut weights[pair.place(row) * strip.wide..][..strip.wide];
                self.weigh(simd, lines, row, pair.offset, strip, [to, &mut *spare]);
            }
        }
    }

    /// Makes all weights of a pair that a row of samples is the first to meet, and says where it finds those of the offset and of
    /// the opposite one.
    #[inline(always)]
    pub fn find<S: Simd, K: Distant>(
        &self,
        simd: S,
        lines: impl DistantLines<K>,
        row: isize,
        pair: &Opposites,
        strip: ColumnStrip,
        [weights, spare]: [&mut [u8]; 2],
    ) -> [usize; 2] {
        let [t, down, across] = pair.offset;
        let here = pair.place(row) * strip.wide;
        self.weigh(simd, lines, row, pair.offset, strip, [&mut weights[here..][..strip.wide], &mut *spare]);
        if t == 0 {
            let above = pair.place(row - down) * strip.wide;
            return [here + across.max(0) as usize, above + (-across).max(0) as usize];
        }
        let other = pair.place(row + 1) * strip.wide;
        let to = &mut weights[other..][..strip.wide];
        self.weigh(simd, lines, row, [-t, -down, -across], strip, [to, spare]);
        [here, other]
    }
}
