//! Means by one offset after another, each over all of a strip of a band.

use std::marker::PhantomData;
use std::sync::Arc;

use super::super::border::{Columns, Rows};
use super::super::finish::{Finish, VECTORS};
use super::super::operation::Setting;
use super::super::scratch::Scratch;
use super::super::simd::{Level, Simd};
use super::super::walk::{Band, Banded};
use super::super::window::PlaneWindow;
use super::comparable::{Comparable, Difference, Squared};
use super::total::{Parts, Totals, WIDEST};
use crate::pass::{Border, GuideSteps, Nlmeans};

/// Columns of a strip: its sums, eight bytes a sample, stay in the second cache, and its lines in the first.
const STRIP: usize = 256;
/// The most rows of a band, for the same reason.
const BAND: usize = 64;
/// What a strip's columns are a multiple of, so that every set of instructions fills whole vectors.
const ROUND: usize = 64;

/// A plane, its differences summed as `U`.
pub struct Alike<T, U> {
    pub patch: usize,
    pub search: usize,
    pub frames: usize,
    /// Above 8 bits.
    steps: Option<GuideSteps>,
    pub table: Arc<[f32]>,
    /// Where is looked, in the order in which it is added.
    pub offsets: Vec<[isize; 3]>,
    /// The first sum that has no weight, or the largest there is.
    pub weightless: U,
    pub border: Border,
    pub columns: Columns,
    /// What is read beyond a row and its padding.
    pub beyond: usize,
    pub rows: Rows,
    pub height: usize,
    parts: Parts,
    /// What weights are multiplied by where they are shown.
    share: Option<f32>,
    pub finish: Finish,
    level: Level,
    band_rows: usize,
    samples: PhantomData<T>,
}

/// One offset, and the strip that it is taken over.
struct Offset {
    /// The frame of the window.
    t: usize,
    /// Down and across.
    by: [isize; 2],
    /// The first row and column of the strip.
    first: [usize; 2],
    /// Rows and columns of it.
    size: [usize; 2],
}

/// The lines of all rows of all frames.
pub struct Padded<'a, K> {
    bytes: &'a [u8],
    stride: usize,
    frames: usize,
    keys: PhantomData<K>,
}

impl<'a, K: bytemuck::Pod> Padded<'a, K> {
    #[inline(always)]
    fn bytes(&self, t: usize, row: usize) -> (&'a [u8], &'a [u8]) {
        let line = self.stride * (size_of::<K>() + size_of::<f32>());
        self.bytes[(row * self.frames + t) * line..][..line].split_at(self.stride * size_of::<K>())
    }

    /// What is compared.
    #[inline(always)]
    pub fn keys(&self, t: usize, row: usize) -> &'a [K] {
        bytemuck::cast_slice(self.bytes(t, row).0)
    }

    /// What is summed.
    #[inline(always)]
    pub fn values(&self, t: usize, row: usize) -> &'a [f32] {
        bytemuck::cast_slice(self.bytes(t, row).1)
    }
}

impl<T: Comparable, U: Difference> Alike<T, U>
where
    T::Key: Squared<U>,
{
    pub fn new(op: &Nlmeans, setting: &Setting, weightless: U) -> Self {
        let (patch, search) = (op.patch, op.search);
        let (reach, radius) = (patch / 2 + search / 2, patch / 2);
        let steps = op.steps(setting.pixel());
        let table = steps.as_ref().map_or_else(|| op.table.clone(), |steps| steps.weights.into());
        Self {
            patch,
            search,
            frames: op.frames,
            steps,
            table,
            offsets: op.offsets(setting.pixel()),
            weightless,
            border: op.border,
            columns: Columns::new(op.border, setting.width(), reach, reach),
            beyond: 3 * WIDEST,
            rows: Rows::new(op.border, setting.height(), radius, radius),
            height: setting.height(),
            parts: Parts::of(patch),
            share: op.share(setting.pixel()),
            finish: setting.finish(op.finish),
            level: setting.level,
            band_rows: setting.band_rows().clamp(1, BAND),
            samples: PhantomData,
        }
    }

    /// Elements of a line: the padded row, and what is read beyond it.
    pub fn stride(&self) -> usize {
        let Columns { left, width, right, .. } = self.columns;
        (left + width.next_multiple_of(ROUND) + right + self.beyond).next_multiple_of(ROUND)
    }

    /// The frames of the window that are looked at: how many, and the first.
    fn looked_at(&self, window: usize) -> (usize, usize) {
        (2 * self.frames + 1, window / 2 - self.frames)
    }

    /// What was made before the first band, of a window of so many frames.
    pub fn lines<'a>(&self, ahead: &'a [u8], window: usize) -> Padded<'a, T::Key> {
        Padded { bytes: ahead, stride: self.stride(), frames: self.looked_at(window).0, keys: PhantomData }
    }

    /// What becomes of samples, from the sums over their neighbours.
    #[inline(always)]
    pub fn means<S: Simd>(
        &self,
        simd: S,
        total: [S::F32; VECTORS],
        sum: [S::F32; VECTORS],
        own: &[f32],
    ) -> [S::F32; VECTORS] {
        let mut means = sum;
        for (n, mean) in means.iter_mut().enumerate() {
            let (mut total, mut sum) = (total[n], sum[n]);
            // Above 8 bits the sample itself has its place among the offsets.
            if self.steps.is_none() {
                total = simd.add(total, simd.splat(1.0));
                sum = simd.add(sum, simd.load(&own[n * S::LANES..]));
            }
            *mean = match self.share {
                None => simd.div(sum, total),
                Some(share) => simd.mul(total, simd.splat(share)),
            };
        }
        means
    }

    /// Takes one offset over a strip.
    #[inline(always)]
    fn step<S: Simd>(
        &self,
        simd: S,
        offset: &Offset,
        lines: &Padded<T::Key>,
        totals: &mut Totals<U>,
        sums: &mut [f32],
    ) {
        let Offset { t, by: [down, across], first: [top, left], size: [rows, columns] } = *offset;
        let Some([first, last]) = inside(top, rows, down, self.height) else { return };
        let width = self.columns.width;
        let Some([begin, end]) = inside(left, columns.min(width - left), across, width) else { return };
        let start = self.columns.left + left;
        let there = start.wrapping_add_signed(across);
        let radius = self.patch / 2;
        for (i, place) in (first..last + self.patch - 1).enumerate() {
            // Places of rows count from the topmost that a patch meets, rows of the plane `radius` less.
            let a = lines.keys(self.frames, self.rows.source(place).unwrap_or(self.height));
            let b = self.rows.source(place.wrapping_add_signed(down)).unwrap_or(self.height);
            totals.row(simd, i, &a[start - radius..], &lines.keys(t, b)[there - radius..]);
            if i + 1 < self.patch {
                continue;
            }
            let y = first + i + 1 - self.patch;
            let found = totals.squares(simd, i);
            found[..begin - left].fill(U::MOST);
            found[end - left..].fill(U::MOST);
            let (total, sum) = sums[2 * columns * (y - top)..][..2 * columns].split_at_mut(columns);
            let values = &lines.values(t, y.wrapping_add_signed(down))[there..];
            self.weigh(simd, found, values, total, sum);
        }
    }

    /// Adds the weights of a row of differences, and what they weigh.
    #[inline(always)]
    fn weigh<S: Simd>(&self, simd: S, found: &[U], values: &[f32], total: &mut [f32], sum: &mut [f32]) {
        let shift = simd.splat_i32(T::SHIFT as i32);
        let weightless = U::splat(simd, self.weightless);
        let mut x = 0;
        while x < found.len() {
            let last = x + U::IN_LANE * S::LANES;
            if simd.is_zero(U::below(simd, simd.load_integers(&found[x..]), weightless)) {
                x = last;
                continue;
            }
            while x < last {
                let mut place = U::lanes(simd, &found[x..]);
                if T::SHIFT > 0 {
                    place = simd.down_i32(place, shift);
                }
                let weight = simd.gather(&self.table, place);
                let weighed = simd.mul(weight, simd.load(&values[x..]));
                simd.store(simd.add(simd.load(&total[x..]), weight), &mut total[x..]);
                simd.store(simd.add(simd.load(&sum[x..]), weighed), &mut sum[x..]);
                x += S::LANES;
            }
        }
    }
}

/// The part of `count` places from `first` on whose neighbours at an offset are inside `length`, if any.
fn inside(first: usize, count: usize, offset: isize, length: usize) -> Option<[usize; 2]> {
    let begin = (first as isize).max(-offset);
    let end = (length as isize - offset).min((first + count) as isize);
    (begin < end).then_some([begin as usize, end as usize])
}

impl<T: Comparable, U: Difference> Banded<T> for Alike<T, U>
where
    T::Key: Squared<U>,
{
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        let line = self.stride() * (size_of::<T::Key>() + size_of::<f32>());
        // One more than the plane has: the row of the constant.
        Some((self.height + 1, (2 * self.frames + 1) * line))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<T>, row: usize, lines: &mut [u8], _: &mut Scratch) {
        let (frames, first) = self.looked_at(window.planes.len());
        let (line, steps) = (lines.len() / frames, self.steps.as_ref());
        let constant = T::of(self.border.constant());
        for (t, line) in lines.chunks_exact_mut(line).enumerate() {
            let (keys, values) = line.split_at_mut(self.stride() * size_of::<T::Key>());
            let keys: &mut [T::Key] = bytemuck::cast_slice_mut(keys);
            let values: &mut [f32] = bytemuck::cast_slice_mut(values);
            if row == self.height {
                keys.fill(constant.key(steps));
                continue;
            }
            let (left, samples) = (self.columns.left, window.row(first + t, row));
            for (i, sample) in samples.iter().enumerate() {
                (keys[left + i], values[left + i]) = (sample.key(steps), sample.finite());
            }
            self.columns.pad(keys, constant.key(steps));
            // A weight of 0 makes nothing of a number alone, and what was here before may be none.
            values[..left].fill(0.0);
            values[left + samples.len()..].fill(0.0);
        }
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, ahead, first, mut out, scratch: Scratch { ring, spare, .. } } = band;
        let lines = self.lines(ahead, window.planes.len());
        let rows = out.height;
        for left in (0..self.columns.width).step_by(STRIP) {
            let columns = STRIP.min(self.columns.width - left).next_multiple_of(ROUND);
            let sums = &mut ring.elements::<f32>(2 * rows * columns)[..2 * rows * columns];
            sums.fill(0.0);
            let mut totals = Totals::new(&self.parts, columns, spare);
            for &[t, down, across] in &self.offsets {
                let t = self.frames.wrapping_add_signed(t);
                let offset = Offset { t, by: [down, across], first: [first, left], size: [rows, columns] };
                self.step(simd, &offset, &lines, &mut totals, sums);
            }
            for (y, sums) in sums.chunks_exact(2 * columns).enumerate() {
                let (total, sum) = sums.split_at(columns);
                let own = &lines.values(self.frames, first + y)[self.columns.left + left..][..columns];
                let (centre, row) = (window.centre(first + y), out.row_mut(y));
                for x in (0..columns.min(row.len() - left)).step_by(VECTORS * S::LANES) {
                    let (totals, sums) = (simd.load_all(&total[x..]), simd.load_all(&sum[x..]));
                    let means = self.means(simd, totals, sums, &own[x..]);
                    self.finish.put(simd, means, centre, left + x, row);
                }
            }
        }
    }
}
