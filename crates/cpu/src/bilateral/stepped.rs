//! Weighed means of samples above 8 bits and of floats, which differ in whole steps, in `f32`. With a guide it is the guide's samples
//! that say how like they are.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use super::super::finish::{Finish, VECTORS};
use super::super::guide::{Averaged, Guided};
use super::super::operation::Setting;
use super::super::scratch::Scratch;
use super::super::simd::{Level, Sample, Simd};
use super::super::walk::{Band, Banded};
use super::super::window::PlaneWindow;
use super::weight::{ColumnStrip, Distant, DistantLines, WeightRows};
use crate::pass::Bilateral;

/// Samples that differ in whole steps.
pub trait SteppedSample: Averaged {
    /// The number of a step.
    type Step: Distant;

    /// That number.
    fn narrow(step: i32) -> Self::Step;
}

impl SteppedSample for u16 {
    type Step = u16;

    #[inline(always)]
    fn narrow(step: i32) -> u16 {
        step as u16
    }
}

impl SteppedSample for f32 {
    type Step = i32;

    #[inline(always)]
    fn narrow(step: i32) -> i32 {
        step
    }
}

/// Offsets that lie as far to the left and to the right, or one of the middle column.
struct Tap {
    /// In frames and down; across to the right.
    offset: [isize; 3],
    space: f32,
    /// Which of the rows of weights that are found; the left one first.
    found: [usize; 2],
}

/// Where a tap finds what it adds: rows of weights and of samples, the left one first.
struct Addend {
    space: f32,
    weights: [usize; 2],
    samples: [usize; 2],
    /// Of the middle column.
    alone: bool,
}

/// A plane of `T`.
pub struct Stepped<T> {
    rows: WeightRows,
    taps: Vec<Tap>,
    first_frame: usize,
    fineness: f32,
    guide: Option<Guided>,
    /// The weight of the sample itself by its difference.
    own: u8,
    constant: f32,
    finish: Finish,
    level: Level,
    samples: PhantomData<T>,
}

/// The lines of all rows of all frames: of each the steps, and the samples behind them.
struct StepLines<'a, K> {
    words: &'a [f32],
    stride: usize,
    frames: usize,
    steps: PhantomData<K>,
}

impl<K> Clone for StepLines<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for StepLines<'_, K> {}

impl<K> StepLines<'_, K> {
    /// Words of a line of steps, of so many.
    const fn step_words(stride: usize) -> usize {
        stride * size_of::<K>() / size_of::<f32>()
    }

    /// Where the line of steps starts.
    fn start(&self, t: usize, row: usize) -> usize {
        (row * self.frames + t) * (Self::step_words(self.stride) + self.stride)
    }

    /// Where the line of samples starts.
    fn samples(&self, t: usize, row: usize) -> usize {
        self.start(t, row) + Self::step_words(self.stride)
    }
}

impl<K: Distant> DistantLines<K> for StepLines<'_, K> {
    #[inline(always)]
    fn compared(&self, t: usize, row: usize) -> &[K] {
        bytemuck::cast_slice(&self.words[self.start(t, row)..][..Self::step_words(self.stride)])
    }
}

impl<T: SteppedSample> Stepped<T> {
    pub fn new(op: &Bilateral, setting: &Setting) -> Self {
        let rows = WeightRows::new(op, setting);
        let offsets = rows.pairs.iter().flat_map(|pair| [pair.offset, pair.offset.map(|n| -n)]);
        let mut places: BTreeMap<[isize; 3], usize> = offsets.enumerate().map(|(n, offset)| (offset, n)).collect();
        places.insert([0; 3], 2 * rows.pairs.len());
        let mut taps: Vec<Tap> = op
            .offsets()
            .filter(|([_, _, across], _)| *across >= 0)
            .filter_map(|([t, down, across], space)| {
                let found = [*places.get(&[t, down, -across])?, *places.get(&[t, down, across])?];
                Some(Tap { offset: [t, down, across], space, found })
            })
            .collect();
        taps.sort_by_key(|tap| (tap.offset[0], tap.offset[2], tap.offset[1]));
        Self {
            rows,
            taps,
            first_frame: setting.reach - op.frames,
            fineness: op.fineness,
            guide: op.guide.map(|guide| Guided::new(guide, setting)),
            own: op.range[0] as u8,
            constant: known(T::of(op.border.constant())),
            finish: setting.finish(op.finish),
            level: setting.level,
            samples: PhantomData,
        }
    }

    #[inline(always)]
    fn step(&self, sample: f32) -> T::Step {
        T::narrow(Bilateral::step(sample, self.fineness))
    }

    /// Makes all weights that a row of samples is the first to meet, and says where it finds what all taps add.
    #[inline(always)]
    fn addends<S: Simd>(
        &self,
        simd: S,
        lines: StepLines<T::Step>,
        row: isize,
        strip: ColumnStrip,
        [weights, spare]: [&mut [u8]; 2],
        addends: &mut Vec<Addend>,
    ) {
        let rows = &self.rows;
        let mut found = Vec::with_capacity(2 * rows.pairs.len() + 1);
        for pair in &rows.pairs {
            found.extend(rows.find(simd, lines, row, pair, strip, [&mut *weights, &mut *spare]));
        }
        found.push(rows.count * strip.wide);
        addends.clear();
        addends.extend(self.taps.iter().map(|tap| {
            let [t, down, across] = tap.offset;
            let line = lines.samples(rows.frames.wrapping_add_signed(t), rows.line(row + down));
            let middle = line + rows.columns.left + strip.left;
            Addend {
                space: tap.space,
                weights: tap.found.map(|n| found[n]),
                samples: [-across, across].map(|across| middle.wrapping_add_signed(across)),
                alone: across == 0,
            }
        }));
    }

    /// The means from column `x` of the strip on.
    #[inline(always)]
    fn means<S: Simd>(
        &self,
        simd: S,
        samples: &[f32],
        weights: &[u8],
        addends: &[Addend],
        x: usize,
    ) -> [S::F32; VECTORS] {
        let (mut total, mut sum) = ([simd.splat(0.0); VECTORS], [simd.splat(0.0); VECTORS]);
        for addend in addends {
            // No closures: they would be functions of their own, without the set's instructions.
            let space = simd.splat(addend.space);
            let ([left, right], [first, last]) = (addend.weights, addend.samples);
            let left = &weights[left + x..][..VECTORS * S::LANES];
            let first = &samples[first + x..][..VECTORS * S::LANES];
            if addend.alone {
                for n in 0..VECTORS {
                    let by = simd.float(simd.widen_u8(&left[n * S::LANES..]));
                    total[n] = simd.mul_add(space, by, total[n]);
                    sum[n] = simd.mul_add(space, simd.mul(by, simd.load(&first[n * S::LANES..])), sum[n]);
                }
                continue;
            }
            let right = &weights[right + x..][..VECTORS * S::LANES];
            let last = &samples[last + x..][..VECTORS * S::LANES];
            for n in 0..VECTORS {
                let a = simd.float(simd.widen_u8(&left[n * S::LANES..]));
                let b = simd.float(simd.widen_u8(&right[n * S::LANES..]));
                let weighed = simd.mul(a, simd.load(&first[n * S::LANES..]));
                let weighed = simd.mul_add(b, simd.load(&last[n * S::LANES..]), weighed);
                total[n] = simd.mul_add(space, simd.add(a, b), total[n]);
                sum[n] = simd.mul_add(space, weighed, sum[n]);
            }
        }
        for n in 0..VECTORS {
            sum[n] = simd.div(sum[n], total[n]);
        }
        sum
    }
}

/// A sample as it is weighed.
#[inline(always)]
fn known<T: Sample>(sample: T) -> f32 {
    sample.finite().clamp(-Bilateral::LARGEST, Bilateral::LARGEST)
}

impl<T: SteppedSample> Banded<T> for Stepped<T> {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.rows.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        let line = self.rows.stride() * (size_of::<T::Step>() + size_of::<f32>());
        // One more than the plane has: the row of the constant.
        Some((self.rows.height + 1, (2 * self.rows.frames + 1) * line))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<T>, row: usize, lines: &mut [u8], scratch: &mut Scratch) {
        let (columns, stride) = (&self.rows.columns, self.rows.stride());
        let (left, width) = (columns.left, columns.width);
        let beside = &mut scratch.spare.elements::<T>(width)[..width];
        let line = stride * (size_of::<T::Step>() + size_of::<f32>());
        for (t, line) in lines.chunks_exact_mut(line).enumerate() {
            let (steps, samples) = line.split_at_mut(stride * size_of::<T::Step>());
            let steps: &mut [T::Step] = bytemuck::cast_slice_mut(steps);
            let samples: &mut [f32] = bytemuck::cast_slice_mut(samples);
            if row == self.rows.height {
                steps.fill(self.step(self.constant));
                samples.fill(self.constant);
                continue;
            }
            let own = window.row(self.first_frame + t, row);
            samples[left..].iter_mut().zip(own).for_each(|(to, &sample)| *to = known(sample));
            if let Some(guide) = self.guide {
                guide.row(window, self.first_frame + t, row, beside);
                steps[left..].iter_mut().zip(&*beside).for_each(|(to, &sample)| *to = self.step(known(sample)));
            } else {
                steps[left..]
                    .iter_mut()
                    .zip(&samples[left..][..width])
                    .for_each(|(to, &sample)| *to = self.step(sample));
            }
            columns.pad(steps, self.step(self.constant));
            columns.pad(samples, self.constant);
        }
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, ahead, first, mut out, scratch: Scratch { ring, spare, .. } } = band;
        let rows = &self.rows;
        let words: &[f32] = bytemuck::cast_slice(ahead);
        let lines = StepLines { words, stride: rows.stride(), frames: 2 * rows.frames + 1, steps: PhantomData };
        let mut addends = Vec::with_capacity(self.taps.len());
        for strip in rows.strips() {
            let ColumnStrip { left, columns, wide } = strip;
            // One row of weights more, for the samples themselves.
            let size = (rows.count + 1) * wide;
            let weights = &mut ring.elements::<u8>(size)[..size];
            weights[rows.count * wide..].fill(self.own);
            let spare = &mut spare.elements::<u8>(wide)[..wide];
            rows.begin(simd, lines, first as isize, strip, [&mut *weights, &mut *spare]);
            for (y, row) in (first..first + out.height).enumerate() {
                self.addends(simd, lines, row as isize, strip, [&mut *weights, &mut *spare], &mut addends);
                let (centre, to) = (window.centre(row), out.row_mut(y));
                for x in (0..columns.min(to.len() - left)).step_by(VECTORS * S::LANES) {
                    let means = self.means(simd, words, weights, &addends, x);
                    self.finish.put(simd, means, centre, left + x, to);
                }
            }
        }
    }
}
