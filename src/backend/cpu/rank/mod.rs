//! The sample of a given rank around each sample: along one axis after another for the extremes, by networks of
//! comparators for small boxes, those of the smallest medians written out, and by counting for large ones.

mod count;
mod extreme;
mod histogram;
mod median;
mod network;
mod select;
mod square;

use anyhow::Result;
use bytemuck::Pod;

use super::border::Columns;
use super::finish::{Finish, VECTORS};
use super::operation::{Setting, Staged};
use super::simd::{Level, Sample, Simd};
use super::walk::{Cost, Extent, Stage, Walk};
use crate::frame::Pixel;
use crate::pass::{self, Rank};
use median::Median;
use square::{Five, Seven, Three};

/// A number that orders as its sample does.
pub trait Key: Pod + Ord + Send + Sync + std::ops::Not<Output = Self> {
    /// The smaller of each two keys of two vectors.
    fn lower<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32;
    /// The larger of each two.
    fn higher<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32;

    /// How many keys a vector holds.
    #[inline(always)]
    fn lanes<S: Simd>(_: S) -> usize {
        4 * S::LANES / size_of::<Self>()
    }

    /// Reads a vector of keys.
    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[Self]) -> S::I32 {
        simd.load_bytes(bytemuck::cast_slice(&from[..Self::lanes(simd)]))
    }

    /// Writes a vector of keys.
    #[inline(always)]
    fn store<S: Simd>(simd: S, value: S::I32, to: &mut [Self]) {
        simd.store_bytes(value, bytemuck::cast_slice_mut(&mut to[..Self::lanes(simd)]));
    }
}

impl Key for u8 {
    #[inline(always)]
    fn lower<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.min_u8(a, b)
    }

    #[inline(always)]
    fn higher<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.max_u8(a, b)
    }
}

impl Key for u16 {
    #[inline(always)]
    fn lower<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.min_u16(a, b)
    }

    #[inline(always)]
    fn higher<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.max_u16(a, b)
    }
}

impl Key for i32 {
    #[inline(always)]
    fn lower<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.min_i32(a, b)
    }

    #[inline(always)]
    fn higher<S: Simd>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
        simd.max_i32(a, b)
    }
}

/// Samples with an order.
pub trait Ordered: Sample {
    /// What is compared.
    type Key: Key;
    /// The key of a sample.
    fn key(self) -> Self::Key;
    /// The key of a sample above `most`, where a type holds such, as that of `most`.
    #[inline(always)]
    fn key_within(self, _most: u16) -> Self::Key {
        self.key()
    }
    /// The sample of a key; floats that are equal may come back as one another.
    fn sample(key: Self::Key) -> Self;
    /// The largest box of samples of so many bits that a network is the fastest way for, in samples. Networks take as long
    /// whatever the picture is; the other ways were measured on a film (`samples/bigbuckbunny-720p.mp4`), in milliseconds
    /// of one core's user time for a plane of 1280×720, medians of square boxes, on a Zen 4 with AVX-512. Medians of 3×3,
    /// 5×5 and 7×7 samples have a way of their own ([`median`]), which takes less.
    fn largest_network(depth: u8) -> usize;
    /// The way for boxes that are larger.
    fn large(op: &Rank, place: Place) -> Box<dyn Stage<Self>>;
}

impl Ordered for u8 {
    type Key = u8;

    #[inline(always)]
    fn key(self) -> u8 {
        self
    }

    #[inline(always)]
    fn sample(key: u8) -> u8 {
        key
    }

    /// A network takes 9 ms for 49 samples, 30 for 121, 40 for 165 and 43 for 169; histograms take 39 to 41 for all.
    fn largest_network(_: u8) -> usize {
        165
    }

    fn large(op: &Rank, place: Place) -> Box<dyn Stage<u8>> {
        Box::new(histogram::Histogram::new(op, place))
    }
}

impl Ordered for u16 {
    type Key = u16;

    #[inline(always)]
    fn key(self) -> u16 {
        self
    }

    #[inline(always)]
    fn key_within(self, most: u16) -> u16 {
        self.min(most)
    }

    #[inline(always)]
    fn sample(key: u16) -> u16 {
        key
    }

    /// A network takes 14 ms for 49 samples, 49 for 121, 83 for 169 and 119 for 225. Counting takes longer the more values
    /// there are: for 121, 169 and 225 samples 49, 55 and 62 ms at 10 bits, 56, 62 and 68 at 12; for the latter two 80 and
    /// 86 at 14, 118 and 120 at 16.
    fn largest_network(depth: u8) -> usize {
        match depth {
            ..=12 => 121,
            13..=15 => 165,
            _ => 225,
        }
    }

    fn large(op: &Rank, place: Place) -> Box<dyn Stage<u16>> {
        place.walk(op, count::Count::new(op, place), Cost::Cheap)
    }
}

impl Ordered for f32 {
    type Key = i32;

    /// Ascending with the number; every NaN is the same one, above all numbers.
    #[inline(always)]
    fn key(self) -> i32 {
        let bits = if self.is_nan() { 0x7fc0_0000 } else { self.to_bits() as i32 };
        bits ^ ((bits >> 31) as u32 >> 1) as i32
    }

    #[inline(always)]
    fn sample(key: i32) -> f32 {
        f32::from_bits((key ^ ((key >> 31) as u32 >> 1) as i32) as u32)
    }

    /// A network takes 28 ms for 49 samples, 228 for 225 and 452 for 361, the largest measured; selecting takes 164, 423
    /// and 635.
    fn largest_network(_: u8) -> usize {
        361
    }

    fn large(op: &Rank, place: Place) -> Box<dyn Stage<f32>> {
        place.walk(op, select::Select::new(op, place), Cost::Cheap)
    }
}

/// Where an op is to run.
#[derive(Clone, Copy)]
pub struct Place {
    /// Of the format.
    pub pixel: Pixel,
    /// Samples in a row of the plane.
    pub width: usize,
    /// Rows of the plane.
    pub height: usize,
    /// How many threads share it.
    pub threads: usize,
    /// The instructions.
    pub level: Level,
    /// Frames of the window on either side of the centre.
    pub reach: usize,
}

impl Place {
    /// The columns that boxes reach.
    fn columns(self, op: &Rank) -> Columns {
        let (left, size) = (op.anchor[2], op.size[2]);
        Columns::new(op.border, self.width, left, size - 1 - left)
    }

    /// The place in the window of the first frame that boxes reach.
    fn first_frame(self, op: &Rank) -> usize {
        self.reach - op.anchor[0]
    }

    fn walk<T: Sample>(
        self,
        op: &Rank,
        stencil: impl super::walk::Stencil<T> + 'static,
        cost: Cost,
    ) -> Box<dyn Stage<T>> {
        let (top, bottom) = (op.anchor[1], op.size[1] - 1 - op.anchor[1]);
        let extent = Extent { border: op.border, height: self.height, top, bottom, threads: self.threads };
        Box::new(Walk::new(stencil, self.level, extent, cost))
    }
}

impl<T: Ordered> Staged<T> for Rank {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn Stage<T>>> {
        let (width, height) = setting.size();
        let Setting { threads, level, reach, .. } = *setting;
        Ok(stage(self, Place { pixel: setting.pixel(), width, height, threads, level, reach }))
    }
}

/// The stage for a plane.
fn stage<T: Ordered>(op: &Rank, place: Place) -> Box<dyn Stage<T>> {
    match op.samples() {
        _ if op.is_extreme() => place.walk(op, extreme::Extreme::<T>::new(op, place), Cost::Dear),
        _ if Median::<T, Three>::fits(op) => place.walk(op, Median::<T, Three>::new(op, place), Cost::Cheap),
        _ if Median::<T, Five>::fits(op) => place.walk(op, Median::<T, Five>::new(op, place), Cost::Cheap),
        _ if Median::<T, Seven>::fits(op) => place.walk(op, Median::<T, Seven>::new(op, place), Cost::Cheap),
        samples if samples <= T::largest_network(place.pixel.depth) => {
            place.walk(op, network::Network::<T>::new(op, place), Cost::Cheap)
        }
        _ => T::large(op, place),
    }
}

/// The samples of a row, none above `most`, with those that stand for what lies outside it; the constant everywhere if
/// there is no row.
#[inline(always)]
fn convert<T: Ordered>(row: Option<&[T]>, columns: &Columns, constant: T::Key, most: u16, line: &mut [T::Key]) {
    let Some(samples) = row else { return line.fill(constant) };
    line[columns.left..].iter_mut().zip(samples).for_each(|(key, &sample)| *key = sample.key_within(most));
    columns.pad(line, constant);
}

/// The last step of samples that stand as they are.
#[derive(Clone, Copy)]
struct Last {
    finish: Finish,
    /// Whether it changes no integer up to `most`.
    plain: bool,
    /// What samples above the peak count as: the peak if nothing else would make it of them in the end.
    most: u16,
}

/// Samples that go through the last step at once: a multiple of what any set of instructions takes.
const BLOCK: usize = 128;

impl Last {
    fn new(op: &Rank, pixel: Pixel) -> Self {
        let plain = op.finish == pass::Finish::PLAIN && pixel.sample != crate::frame::Sample::F32;
        let most = if plain { pixel.peak() as u16 } else { u16::MAX };
        Self { finish: Finish::new(op.finish, pixel), plain, most }
    }

    /// Writes a block of a row from column `x` on, or as much of it as the row holds.
    #[inline(always)]
    fn put<S: Simd, T: Ordered>(&self, simd: S, keys: &[T::Key; BLOCK], centre: &[T], x: usize, row: &mut [T]) {
        if self.plain && x + BLOCK <= row.len() {
            let samples = row[x..x + BLOCK].iter_mut();
            return samples.zip(keys).for_each(|(sample, &key)| *sample = T::sample(key));
        }
        let mut samples = [T::zeroed(); BLOCK];
        samples.iter_mut().zip(keys).for_each(|(sample, &key)| *sample = T::sample(key));
        let count = BLOCK.min(row.len() - x);
        if self.plain {
            row[x..x + count].copy_from_slice(&samples[..count]);
            return;
        }
        let columns = VECTORS * S::LANES;
        for at in (0..count).step_by(columns) {
            let mut values = [simd.splat(0.0); VECTORS];
            for (n, value) in values.iter_mut().enumerate() {
                *value = T::read(simd, &samples[at + n * S::LANES..]);
            }
            self.finish.put(simd, values, centre, x + at, row);
        }
    }
}
