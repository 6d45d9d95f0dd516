//! Blocks filtered together with those that look like them.
//!
//! The plane is cut into strips of rows of reference blocks. A strip is made ahead of the bands, by one thread: its samples
//! become keys and values, its blocks are grouped ([`search`]) and filtered ([`group`]), and what they say of the noise is summed in
//! memory of the strip's own, which reaches as far beyond its rows as blocks are looked for. A band then adds up the sums of all
//! strips that hold its rows.

mod grain;
mod group;
mod search;
mod transform;

use anyhow::Result;

use super::border::{Columns, Rows};
use super::finish::{Finish, VECTORS};
use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Simd};
use super::walk::{Band, Banded, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::Sample as Kind;
use crate::pass::{self, Bm3d};
use grain::Grain;
use group::{NoiseSums, PlaneValues, Stacks, Tables};
use search::{BlockSearch, MOST_LANES};

/// Rows of the plane that the reference blocks of a strip begin in.
const STRIP: usize = 64;
const SIDE: usize = Bm3d::SIDE;

/// A plane, and how its blocks are grouped.
struct Grouped {
    op: Bm3d,
    tables: Tables,
    /// Samples along x and y, at least those of a block.
    wide: usize,
    high: usize,
    width: usize,
    columns: Columns,
    rows: Rows,
    key_shift: u32,
    unit: f32,
    /// Whether samples are whole numbers.
    whole: bool,
    finish: Finish,
    level: Level,
    band_rows: usize,
}

/// A strip: the reference blocks of some rows.
struct ReferenceStrip {
    /// The rows that they begin in, counted in reference blocks.
    first: usize,
    last: usize,
    /// The rows of the plane that are looked at.
    top: usize,
    rows: usize,
}

impl Grouped {
    fn new(op: &Bm3d, setting: &Setting) -> Self {
        let (width, height) = setting.size();
        let (wide, high) = (width.max(SIDE), height.max(SIDE));
        Self {
            tables: Tables::new(op),
            wide,
            high,
            width,
            columns: Columns::new(op.border, width, 0, wide - width),
            rows: Rows::new(op.border, height, 0, high - height),
            key_shift: Bm3d::key_shift(setting.pixel()),
            unit: op.sigma / 16.0,
            whole: setting.pixel().sample != Kind::F32,
            finish: setting.finish(op.finish),
            level: setting.level,
            band_rows: setting.band_rows(),
            op: op.clone(),
        }
    }

    /// Rows of reference blocks in a strip.
    fn strip_references(&self) -> usize {
        STRIP / self.op.step
    }

    fn strips(&self) -> usize {
        self.op.references(self.high).div_ceil(self.strip_references())
    }

    /// Where the reference block of that number begins, along an axis of so many samples.
    fn place(&self, number: usize, length: usize) -> usize {
        (number * self.op.step).min(length - SIDE)
    }

    fn strip(&self, index: usize) -> ReferenceStrip {
        let first = index * self.strip_references();
        let last = (first + self.strip_references()).min(self.op.references(self.high)) - 1;
        let top = self.place(first, self.high).saturating_sub(self.op.range);
        let end = (self.place(last, self.high) + SIDE + self.op.range).min(self.high);
        ReferenceStrip { first, last, top, rows: end - top }
    }

    /// Elements from one row of sums, values or keys to the next: a vector may be read or written beyond the last.
    fn pitch(&self) -> usize {
        (self.wide + MOST_LANES).next_multiple_of(64)
    }

    /// Sums of a strip.
    fn sums(&self) -> usize {
        let rows = STRIP + SIDE + 2 * self.op.range;
        rows.min(self.high) * self.pitch()
    }

    /// A row of values, continued to a block; `None` is a row of the border's constant.
    fn values<T: Grain>(&self, row: Option<&[T]>, to: &mut [f32]) {
        let constant = T::of(self.op.border.constant()).value();
        match row {
            Some(row) => {
                to.iter_mut().zip(row).for_each(|(to, sample)| *to = sample.value());
                self.columns.pad(&mut to[..self.wide], constant);
            }
            None => to[..self.wide].fill(constant),
        }
    }
}

impl<T: Grain> Banded<T> for Grouped {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        Some((self.strips(), 2 * self.sums() * size_of::<i32>()))
    }

    #[inline(always)]
    fn prepare<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        row: usize,
        lines: &mut [u8],
        Scratch { ring, spare, .. }: &mut Scratch,
    ) {
        let strip = self.strip(row);
        let (pitch, count) = (self.pitch(), strip.rows * self.pitch());
        let (noise, weights) = bytemuck::cast_slice_mut(lines).split_at_mut(self.sums());
        let mut sums = NoiseSums { noise, weights, pitch };
        sums.noise[..count].fill(0);
        sums.weights[..count].fill(0);

        let images = if self.op.is_last() { 2 } else { 1 };
        let values = &mut ring.elements::<f32>(images * count)[..images * count];
        let margin = self.op.range;
        let key_pitch = search::pitch(self.wide, margin);
        let keys = &mut spare.elements::<u8>(strip.rows * key_pitch)[..strip.rows * key_pitch];
        let constant = T::of(self.op.border.constant()).key(self.key_shift);
        let centre = window.planes.len() / 2;
        for (i, keys) in keys.chunks_exact_mut(key_pitch).enumerate() {
            let source = self.rows.source(strip.top + i);
            for (image, values) in values.chunks_exact_mut(count).enumerate() {
                let samples = source.map(|y| window.row(if image == 0 { centre } else { 0 }, y));
                self.values(samples, &mut values[i * pitch..][..pitch]);
            }
            let keys = &mut keys[margin..][..self.wide];
            match source {
                Some(y) => {
                    keys.iter_mut().zip(window.centre(y)).for_each(|(key, sample)| *key = sample.key(self.key_shift));
                    self.columns.pad(keys, constant);
                }
                None => keys.fill(constant),
            }
        }
        let (estimate, noisy) = values.split_at(count);
        let values = PlaneValues { estimate, noisy, pitch };
        let mut stacks = Stacks::default();
        let (across, last) = (self.op.references(self.wide), self.high - SIDE);
        for number in strip.first..=strip.last {
            let y = self.place(number, self.high);
            for first in (0..across).step_by(S::LANES) {
                let end = (first + S::LANES).min(across);
                let mut places = [self.place(end - 1, self.wide); MOST_LANES];
                (first..end).zip(&mut places).for_each(|(number, x)| *x = self.place(number, self.wide));
                let search =
                    BlockSearch { keys, pitch: key_pitch, top: strip.top, width: self.wide, op: &self.op, last };
                let found = search.blocks(simd, y, places);
                for lane in search::lanes::<S>(self.op.step, end - first) {
                    let (lane, x) = (lane.lane, places[lane.block]);
                    let group = group::BlockGroup::of(&found, lane, [y, x], &self.op);
                    group.filter(simd, &self.tables, &values, strip.top, &mut stacks, &mut sums);
                }
            }
        }
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, ahead, first, mut out, scratch: Scratch { ring, .. } } = band;
        let sums: &[i32] = bytemuck::cast_slice(ahead);
        let (pitch, size) = (self.pitch(), self.sums());
        let line = &mut ring.elements::<i32>(3 * pitch)[..3 * pitch];
        for i in 0..out.height {
            let y = first + i;
            let (both, own) = line.split_at_mut(2 * pitch);
            both.fill(0);
            let (noise, weights) = both.split_at_mut(pitch);
            for (index, sums) in sums.chunks_exact(2 * size).enumerate().take(self.strips()) {
                let strip = self.strip(index);
                let Some(row) = y.checked_sub(strip.top).filter(|row| *row < strip.rows) else { continue };
                for (to, from) in [(&mut *noise, &sums[..size]), (&mut *weights, &sums[size..])] {
                    to.iter_mut().zip(&from[row * pitch..]).for_each(|(to, from)| *to += from);
                }
            }
            let own: &mut [f32] = bytemuck::cast_slice_mut(own);
            let samples = window.row(0, y);
            own.iter_mut().zip(samples).for_each(|(own, sample)| *own = sample.finite());
            for x in (0..self.width).step_by(VECTORS * S::LANES) {
                let mut values = [simd.splat(0.0); VECTORS];
                for (n, value) in values.iter_mut().enumerate() {
                    let at = x + n * S::LANES;
                    if at >= self.width {
                        break;
                    }
                    let noise = simd.float(simd.load_integers(&noise[at..]));
                    let weight = simd.float(simd.load_integers(&weights[at..]));
                    *value = self.cleaned(simd, noise, weight, simd.load(&own[at..]));
                }
                self.finish.put(simd, values, window.centre(y), x, out.row_mut(i));
            }
        }
    }
}

impl Grouped {
    /// The sample without its noise.
    #[inline(always)]
    fn cleaned<S: Simd>(&self, simd: S, noise: S::F32, weight: S::F32, own: S::F32) -> S::F32 {
        // What lies beyond the row weighs nothing, and is not looked at.
        let mut noise = simd.mul(simd.div(noise, weight), simd.splat(self.unit));
        if self.whole {
            let whole = simd.splat(98_304.0);
            noise = simd.sub(simd.add(noise, whole), whole);
        }
        simd.sub(own, noise)
    }
}

impl<T: Grain> Staged<T> for pass::Bm3d {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(Box::new(Grouped::new(self, setting)))
    }
}
