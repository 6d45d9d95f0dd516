//! Weighed means of bytes: weights are looked up a row at a time, and each serves both samples of its pair.
//!
//! A band is cut into strips of columns. For an offset and its opposite there is one row of weights, which says of every
//! sample of the strip how like the one at the offset it is; the sample there finds its own weight of the opposite offset
//! in the same row. Rows of weights stay until the rows of samples below have met them. Sums are formed of two such pairs
//! at a time: products of bytes, two of which have room in 16 bits, and their products with the weights by offset. With a
//! guide it is the guide's samples that say how like they are.

use super::super::border::{Columns, Rows};
use super::super::finish::{Finish, VECTORS};
use super::super::guide::Guided;
use super::super::operation::Setting;
use super::super::scratch::Scratch;
use super::super::simd::{Level, Simd};
use super::super::walk::{Band, Banded};
use super::super::window::PlaneWindow;
use super::lane::Weighed;
use crate::pass::Bilateral;

/// Bytes of all rows of weights of a strip: half of a second cache.
const CACHED: usize = 256 << 10;
/// What columns are a multiple of, so that every set of instructions fills whole vectors.
const ROUND: usize = 64;

/// Offsets with one weight: the first, and the opposite one in the frame opposite.
struct Opposites {
    /// In frames, down and across.
    offset: [isize; 3],
    /// Weight by offset.
    weight: i16,
    /// Where in the memory of a strip its rows of weights begin, in rows, and how many there are. Of offsets in
    /// the frame itself those of the samples up to the offset down; of others one, and one of the opposite offset.
    rows: [usize; 2],
}

/// A plane of bytes.
pub struct Bytes {
    radius: usize,
    frames: usize,
    first_frame: usize,
    pairs: Vec<Opposites>,
    /// Rows of weights of all pairs.
    weight_rows: usize,
    table: [u8; 256],
    /// The weight of the sample itself.
    own: i32,
    guide: Option<Guided>,
    columns: Columns,
    rows: Rows,
    height: usize,
    constant: u8,
    finish: Finish,
    level: Level,
    band_rows: usize,
    strip: usize,
}

/// The lines of all rows of all frames: of each samples, the same less 128, and the guide's where there is one.
#[derive(Clone, Copy)]
struct Biased<'a> {
    bytes: &'a [u8],
    stride: usize,
    frames: usize,
    /// Lines of a row of a frame.
    each: usize,
}

impl<'a> Biased<'a> {
    /// Where the line of samples starts.
    fn start(&self, t: usize, row: usize) -> usize {
        (row * self.frames + t) * self.each * self.stride
    }

    /// The samples whose differences weigh.
    fn compared(&self, t: usize, row: usize) -> &'a [u8] {
        let place = if self.each > 2 { 2 * self.stride } else { 0 };
        &self.bytes[self.start(t, row) + place..][..self.stride]
    }
}

/// Where two pairs find what they add: four rows of weights and as many of samples less 128, of which the first two and
/// the last two have one weight by offset.
#[derive(Clone, Copy)]
struct Addends {
    weights: [usize; 4],
    samples: [usize; 4],
    space: [i16; 2],
}

/// Columns of a strip, and how far apart its rows of weights are.
#[derive(Clone, Copy)]
struct Stretch {
    left: usize,
    columns: usize,
    /// From one row of weights to the next.
    wide: usize,
}

impl Bytes {
    pub fn new(op: &Bilateral, setting: &Setting) -> Self {
        let Bilateral { radius, frames, .. } = *op;
        let mut weight_rows = 0;
        let half = op.offsets().filter(|([t, y, x], _)| (*t, *y, *x) > (0, 0, 0));
        let pairs = half.map(|(offset, weight)| {
            let [t, down, _] = offset;
            let count = if t == 0 { down as usize + 1 } else { 2 };
            weight_rows += count;
            Opposites { offset, weight: weight as i16, rows: [weight_rows - count, count] }
        });
        let pairs: Vec<Opposites> = pairs.collect();
        let mut table = [0; 256];
        table.iter_mut().zip(op.range.iter()).for_each(|(to, &weight)| *to = weight as u8);
        let (width, height) = setting.size();
        let most = (CACHED / weight_rows.max(1)).clamp(2 * ROUND, 4096) / ROUND * ROUND;
        let share = height.div_ceil(setting.threads).max(1);
        Self {
            radius,
            frames,
            first_frame: setting.reach - frames,
            pairs,
            weight_rows,
            table,
            own: op.space[0] as i32 * op.range[0] as i32,
            guide: op.guide.map(|guide| Guided::new(guide, setting)),
            columns: Columns::new(op.border, width, radius, radius),
            rows: Rows::new(op.border, height, radius, radius),
            height,
            constant: op.border.constant() as u8,
            finish: setting.finish(op.finish),
            level: setting.level,
            band_rows: setting.band_rows().max((4 * radius).min(share)).max(1),
            strip: most.min(width.next_multiple_of(ROUND)),
        }
    }

    /// Elements of a line: the padded row, and what is read beyond it.
    fn stride(&self) -> usize {
        let Columns { left, width, right, .. } = self.columns;
        (left + width.next_multiple_of(ROUND) + right + 2 * ROUND).next_multiple_of(ROUND)
    }

    /// Lines of a row of a frame.
    fn each(&self) -> usize {
        if self.guide.is_some() { 3 } else { 2 }
    }

    /// The line of a row, which may lie outside the plane.
    fn line(&self, row: isize) -> usize {
        self.rows.source((row + self.radius as isize) as usize).unwrap_or(self.height)
    }

    /// The row of weights of a pair for a row of samples.
    fn place(pair: &Opposites, row: isize) -> usize {
        let [first, count] = pair.rows;
        first + row.rem_euclid(count as isize) as usize
    }

    /// Makes the row of weights of an offset for a row of samples.
    #[inline(always)]
    fn weigh<S: Simd>(
        &self,
        simd: S,
        lines: Biased,
        row: isize,
        offset: [isize; 3],
        strip: Stretch,
        [to, spare]: [&mut [u8]; 2],
    ) {
        let [t, down, across] = offset;
        let before = if t == 0 { across.max(0) as usize } else { 0 };
        let start = self.columns.left + strip.left - before;
        let own = &lines.compared(self.frames, self.line(row))[start..];
        let frame = self.frames.wrapping_add_signed(t);
        let there = &lines.compared(frame, self.line(row + down))[start.wrapping_add_signed(across)..];
        let count = strip.columns + if t == 0 { across.unsigned_abs().next_multiple_of(ROUND) } else { 0 };
        for x in (0..count).step_by(4 * S::LANES) {
            let (a, b) = (simd.load_integers(&own[x..]), simd.load_integers(&there[x..]));
            // No byte of the larger ones is less than that of the smaller, so nothing is borrowed.
            let difference = simd.sub_i32(simd.max_u8(a, b), simd.min_u8(a, b));
            simd.store_integers(difference, &mut spare[x..]);
        }
        simd.look_up(&self.table, &spare[..count], &mut to[..count]);
    }

    /// Makes all weights that a row of samples is the first to meet, and says where it finds those of all offsets.
    #[inline(always)]
    fn steps<S: Simd>(
        &self,
        simd: S,
        lines: Biased,
        row: isize,
        strip: Stretch,
        [weights, spare]: [&mut [u8]; 2],
        steps: &mut Vec<Addends>,
    ) {
        steps.clear();
        let nothing = self.weight_rows * strip.wide;
        let empty = Addends { weights: [nothing; 4], samples: [0; 4], space: [0; 2] };
        for (n, pair) in self.pairs.iter().enumerate() {
            if n % 2 == 0 {
                steps.push(empty);
            }
            let Some(step) = steps.last_mut() else { continue };
            let ([t, down, across], i) = (pair.offset, n % 2);
            let opposite = [-t, -down, -across];
            let here = Self::place(pair, row);
            let to = &mut weights[here * strip.wide..][..strip.wide];
            self.weigh(simd, lines, row, pair.offset, strip, [to, &mut *spare]);
            let found = if t == 0 {
                let above = Self::place(pair, row - down) * strip.wide;
                [here * strip.wide + across.max(0) as usize, above + (-across).max(0) as usize]
            } else {
                let other = Self::place(pair, row + 1);
                let to = &mut weights[other * strip.wide..][..strip.wide];
                self.weigh(simd, lines, row, opposite, strip, [to, &mut *spare]);
                [here * strip.wide, other * strip.wide]
            };
            let left = self.columns.left + strip.left;
            for (k, [t, down, across]) in [pair.offset, opposite].into_iter().enumerate() {
                let line = lines.start(self.frames.wrapping_add_signed(t), self.line(row + down)) + lines.stride;
                step.samples[2 * i + k] = (line + left).wrapping_add_signed(across);
                step.weights[2 * i + k] = found[k];
            }
            step.space[i] = pair.weight;
        }
    }

    /// The means of a vector of bytes from column `x` of the strip on, four samples of each sixteen at a time.
    #[inline(always)]
    fn means<S: Simd>(
        &self,
        simd: S,
        bytes: &[u8],
        weights: &[u8],
        own: usize,
        steps: &[Addends],
        x: usize,
    ) -> [S::F32; 4] {
        let zero = simd.splat_i32(0);
        let (mut total, mut sum) = ([zero; 4], [zero; 4]);
        for step in steps {
            let weight = |i: usize| simd.load_integers(&weights[step.weights[i] + x..]);
            let sample = |i: usize| simd.load_integers(&bytes[step.samples[i] + x..]);
            let ([wa, wb, wc, wd], [va, vb, vc, vd]) =
                ([weight(0), weight(1), weight(2), weight(3)], [sample(0), sample(1), sample(2), sample(3)]);
            let [first, second] = step.space;
            // Weights are at most 127, so two have room in a byte.
            let (both, others) = (simd.add_i32(wa, wb), simd.add_i32(wc, wd));
            let space = simd.splat_i32((i32::from(first) | i32::from(second) << 8) * 0x0001_0001);
            let totals = [
                simd.pairs_u8(simd.zip_low_u8(both, others), space),
                simd.pairs_u8(simd.zip_high_u8(both, others), space),
            ];
            let pair = |wa, wb, va, vb| {
                let low = simd.pairs_u8(simd.zip_low_u8(wa, wb), simd.zip_low_u8(va, vb));
                [low, simd.pairs_u8(simd.zip_high_u8(wa, wb), simd.zip_high_u8(va, vb))]
            };
            let (ab, cd) = (pair(wa, wb, va, vb), pair(wc, wd, vc, vd));
            let space = simd.splat_i32(i32::from(first) | i32::from(second) << 16);
            for h in 0..2 {
                total[2 * h] = simd.add_i32(total[2 * h], simd.zip_low_u16(totals[h], zero));
                total[2 * h + 1] = simd.add_i32(total[2 * h + 1], simd.zip_high_u16(totals[h], zero));
                sum[2 * h] = simd.dot_i16(sum[2 * h], simd.zip_low_u16(ab[h], cd[h]), space);
                sum[2 * h + 1] = simd.dot_i16(sum[2 * h + 1], simd.zip_high_u16(ab[h], cd[h]), space);
            }
        }
        let samples = simd.load_integers(&bytes[own + x..]);
        let halves = [simd.zip_low_u8(samples, zero), simd.zip_high_u8(samples, zero)];
        let mut means = [simd.splat(0.0); 4];
        for (k, mean) in means.iter_mut().enumerate() {
            let half = halves[k / 2];
            let sample = if k % 2 == 0 { simd.zip_low_u16(half, zero) } else { simd.zip_high_u16(half, zero) };
            // Σ w · (v − 128) becomes Σ w · d. Sums that wrap round come back.
            let level = simd.sub_i32(sample, simd.splat_i32(128));
            let difference = simd.sub_i32(sum[k], simd.mul_i32(level, total[k]));
            let all = simd.add_i32(total[k], simd.splat_i32(self.own));
            *mean = <i32 as Weighed>::mean(simd, sample, [all, difference]);
        }
        means
    }
}

impl Banded<u8> for Bytes {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        // One more than the plane has: the row of the constant.
        Some((self.height + 1, (2 * self.frames + 1) * self.each() * self.stride()))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<u8>, row: usize, lines: &mut [u8], _: &mut Scratch) {
        for (t, line) in lines.chunks_exact_mut(self.each() * self.stride()).enumerate() {
            let (line, others) = line.split_at_mut(self.stride());
            let (less, beside) = others.split_at_mut(self.stride());
            if row == self.height {
                line.fill(self.constant);
            } else {
                line[self.columns.left..][..self.columns.width].copy_from_slice(window.row(self.first_frame + t, row));
                self.columns.pad(line, self.constant);
            }
            less.iter_mut().zip(line).for_each(|(less, sample)| *less = *sample ^ 128);
            if let Some(guide) = self.guide {
                if row == self.height {
                    beside.fill(self.constant);
                    continue;
                }
                guide.row(window, self.first_frame + t, row, &mut beside[self.columns.left..][..self.columns.width]);
                self.columns.pad(beside, self.constant);
            }
        }
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<u8>) {
        let Band { window, ahead, first, mut out, scratch: Scratch { ring, spare, .. } } = band;
        let lines = Biased { bytes: ahead, stride: self.stride(), frames: 2 * self.frames + 1, each: self.each() };
        let mut steps = Vec::new();
        for left in (0..self.columns.width).step_by(self.strip) {
            let columns = self.strip.min(self.columns.width - left).next_multiple_of(ROUND);
            let strip = Stretch { left, columns, wide: columns + self.radius.next_multiple_of(ROUND) + ROUND };
            // One row of weights more, for pairs that have no other beside them.
            let size = (self.weight_rows + 1) * strip.wide;
            let weights = &mut ring.elements::<u8>(size)[..size];
            weights[self.weight_rows * strip.wide..].fill(0);
            let spare = &mut spare.elements::<f32>(strip.wide)[..strip.wide];
            for pair in self.pairs.iter().filter(|pair| pair.offset[0] == 0) {
                for row in first as isize - pair.offset[1]..first as isize {
                    let to = &mut weights[Self::place(pair, row) * strip.wide..][..strip.wide];
                    self.weigh(simd, lines, row, pair.offset, strip, [to, bytemuck::cast_slice_mut(spare)]);
                }
            }
            for (y, row) in (first..first + out.height).enumerate() {
                let memory = [&mut *weights, bytemuck::cast_slice_mut(spare)];
                self.steps(simd, lines, row as isize, strip, memory, &mut steps);
                let own = lines.start(self.frames, row) + self.columns.left + left;
                for x in (0..columns).step_by(4 * S::LANES) {
                    let means = self.means(simd, ahead, weights, own, &steps, x);
                    for (k, mean) in means.into_iter().enumerate() {
                        let mut lanes = [0.0; 16];
                        simd.store(mean, &mut lanes);
                        for (n, four) in lanes[..S::LANES].chunks_exact(4).enumerate() {
                            spare[x + 16 * n + 4 * k..][..4].copy_from_slice(four);
                        }
                    }
                }
                let (centre, to) = (window.centre(row), out.row_mut(y));
                for x in (0..columns.min(to.len() - left)).step_by(VECTORS * S::LANES) {
                    let means = std::array::from_fn(|n| simd.load(&spare[x + n * S::LANES..]));
                    self.finish.put(simd, means, centre, left + x, to);
                }
            }
        }
    }
}
