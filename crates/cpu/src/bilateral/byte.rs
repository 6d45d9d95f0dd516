//! Weighed means of bytes. Sums are formed of two pairs of rows of weights at a time: products of bytes, two of which have room in 16 bits, and
//! their products with the weights by offset. With a guide it is the guide's samples that say how like they are.

use super::super::finish::{Finish, VECTORS};
use super::super::guide::Guided;
use super::super::operation::Setting;
use super::super::scratch::Scratch;
use super::super::simd::{Level, Simd};
use super::super::walk::{Band, Banded};
use super::super::window::PlaneWindow;
use super::weight::{ColumnStrip, DistantLines, WeightRows};
use crate::pass::Bilateral;

/// What rounds a quotient to 1/128 when it is added and taken away.
const ROUNDING: f32 = 98304.0;

/// A plane of bytes.
pub struct Bytes {
    rows: WeightRows,
    first_frame: usize,
    /// The weight of the sample itself.
    own: i32,
    guide: Option<Guided>,
    constant: u8,
    finish: Finish,
    level: Level,
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

impl Biased<'_> {
    /// Where the line of samples starts.
    fn start(&self, t: usize, row: usize) -> usize {
        (row * self.frames + t) * self.each * self.stride
    }
}

impl DistantLines<u8> for Biased<'_> {
    #[inline(always)]
    fn compared(&self, t: usize, row: usize) -> &[u8] {
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

impl Bytes {
    pub fn new(op: &Bilateral, setting: &Setting) -> Self {
        Self {
            rows: WeightRows::new(op, setting),
            first_frame: setting.reach - op.frames,
            own: op.space[0] as i32 * op.range[0] as i32,
            guide: op.guide.map(|guide| Guided::new(guide, setting)),
            constant: op.border.constant() as u8,
            finish: setting.finish(op.finish),
            level: setting.level,
        }
    }

    /// Lines of a row of a frame.
    fn each(&self) -> usize {
        if self.guide.is_some() { 3 } else { 2 }
    }

    /// Makes all weights that a row of samples is the first to meet, and says where it finds those of all offsets.
    #[inline(always)]
    fn steps<S: Simd>(
        &self,
        simd: S,
        lines: Biased,
        row: isize,
        strip: ColumnStrip,
        [weights, spare]: [&mut [u8]; 2],
        steps: &mut Vec<Addends>,
    ) {
        steps.clear();
        let rows = &self.rows;
        let nothing = rows.count * strip.wide;
        let empty = Addends { weights: [nothing; 4], samples: [0; 4], space: [0; 2] };
        for (n, pair) in rows.pairs.iter().enumerate() {
            if n % 2 == 0 {
                steps.push(empty);
            }
            let Some(step) = steps.last_mut() else { continue };
            let ([t, down, across], i) = (pair.offset, n % 2);
            let found = rows.find(simd, lines, row, pair, strip, [&mut *weights, &mut *spare]);
            let left = rows.columns.left + strip.left;
            for (k, [t, down, across]) in [pair.offset, [-t, -down, -across]].into_iter().enumerate() {
                let line = lines.start(rows.frames.wrapping_add_signed(t), rows.line(row + down)) + lines.stride;
                step.samples[2 * i + k] = (line + left).wrapping_add_signed(across);
                step.weights[2 * i + k] = found[k];
            }
            step.space[i] = pair.weight as i16;
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
            let quotient = simd.div(simd.float(difference), simd.float(all));
            let rounded = simd.add(simd.add(quotient, simd.splat(ROUNDING)), simd.splat(-ROUNDING));
            *mean = simd.add(simd.float(sample), rounded);
        }
        means
    }
}

impl Banded<u8> for Bytes {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.rows.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        // One more than the plane has: the row of the constant.
        Some((self.rows.height + 1, (2 * self.rows.frames + 1) * self.each() * self.rows.stride()))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<u8>, row: usize, lines: &mut [u8], _: &mut Scratch) {
        let WeightRows { columns, height, .. } = &self.rows;
        let stride = self.rows.stride();
        for (t, line) in lines.chunks_exact_mut(self.each() * stride).enumerate() {
            let (line, others) = line.split_at_mut(stride);
            let (less, beside) = others.split_at_mut(stride);
            if row == *height {
                line.fill(self.constant);
            } else {
                line[columns.left..][..columns.width].copy_from_slice(window.row(self.first_frame + t, row));
                columns.pad(line, self.constant);
            }
            less.iter_mut().zip(line).for_each(|(less, sample)| *less = *sample ^ 128);
            if let Some(guide) = self.guide {
                if row == *height {
                    beside.fill(self.constant);
                    continue;
                }
                guide.row(window, self.first_frame + t, row, &mut beside[columns.left..][..columns.width]);
                columns.pad(beside, self.constant);
            }
        }
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<u8>) {
        let Band { window, ahead, first, mut out, scratch: Scratch { ring, spare, .. } } = band;
        let rows = &self.rows;
        let lines = Biased { bytes: ahead, stride: rows.stride(), frames: 2 * rows.frames + 1, each: self.each() };
        let mut steps = Vec::new();
        for strip in rows.strips() {
            let ColumnStrip { left, columns, wide } = strip;
            // One row of weights more, for pairs that have no other beside them.
            let size = (rows.count + 1) * wide;
            let weights = &mut ring.elements::<u8>(size)[..size];
            weights[rows.count * wide..].fill(0);
            let spare = &mut spare.elements::<f32>(wide)[..wide];
            rows.begin(simd, lines, first as isize, strip, [&mut *weights, bytemuck::cast_slice_mut(spare)]);
            for (y, row) in (first..first + out.height).enumerate() {
                let memory = [&mut *weights, bytemuck::cast_slice_mut(spare)];
                self.steps(simd, lines, row as isize, strip, memory, &mut steps);
                let own = lines.start(rows.frames, row) + rows.columns.left + left;
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
                    let means = simd.load_all(&spare[x..]);
                    self.finish.put(simd, means, centre, left + x, to);
                }
            }
        }
    }
}
