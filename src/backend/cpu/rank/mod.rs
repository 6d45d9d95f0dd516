//! The sample of a given rank around each sample: along one axis after another for the extremes, by networks of
//! comparators for small boxes, and by counting for large ones.

mod count;
mod extreme;
mod histogram;
mod network;
mod select;

use bytemuck::Pod;

use super::border::Columns;
use super::finish::{Finish, VECTORS};
use super::simd::{Level, Sample, Simd};
use super::walk::{Cost, Extent, Stage, Walk};
use crate::frame::Pixel;
use crate::pass::{self, Rank};

/// A number that orders as its sample does.
pub trait Key: Pod + Ord + Send + Sync + std::ops::Not<Output = Self> {}

impl Key for u8 {}
impl Key for u16 {}
impl Key for i32 {}

/// Samples with an order.
pub trait Ordered: Sample {
    /// What is compared.
    type Key: Key;
    /// The largest boxes that networks are the fastest way for, in samples: measured on a Zen 4 with AVX-512.
    const NETWORK: usize;

    /// The key of a sample.
    fn key(self) -> Self::Key;
    /// The sample of a key; floats that are equal may come back as one another.
    fn sample(key: Self::Key) -> Self;
    /// The way for boxes that are larger.
    fn large(op: &Rank, place: Place) -> Box<dyn Stage<Self>>;
}

impl Ordered for u8 {
    type Key = u8;
    const NETWORK: usize = 121;

    #[inline(always)]
    fn key(self) -> u8 {
        self
    }

    #[inline(always)]
    fn sample(key: u8) -> u8 {
        key
    }

    fn large(op: &Rank, place: Place) -> Box<dyn Stage<u8>> {
        Box::new(histogram::Histogram::new(op, place))
    }
}

impl Ordered for u16 {
    type Key = u16;
    const NETWORK: usize = 100;

    #[inline(always)]
    fn key(self) -> u16 {
        self
    }

    #[inline(always)]
    fn sample(key: u16) -> u16 {
        key
    }

    fn large(op: &Rank, place: Place) -> Box<dyn Stage<u16>> {
        place.walk(op, count::Count::new(op, place), Cost::Cheap)
    }
}

impl Ordered for f32 {
    type Key = i32;
    const NETWORK: usize = 169;

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

/// The stage for a plane.
pub fn stage<T: Ordered>(op: &Rank, place: Place) -> Box<dyn Stage<T>> {
    match op.samples() {
        _ if op.is_extreme() => place.walk(op, extreme::Extreme::<T>::new(op, place), Cost::Dear),
        samples if samples <= T::NETWORK => place.walk(op, network::Network::<T>::new(op, place), Cost::Cheap),
        _ => T::large(op, place),
    }
}

/// The samples of a row with those that stand for what lies outside it.
#[inline(always)]
fn convert<T: Ordered>(samples: &[T], columns: &Columns, constant: T::Key, line: &mut [T::Key]) {
    line[columns.left..].iter_mut().zip(samples).for_each(|(key, &sample)| *key = sample.key());
    columns.pad(line, constant);
}

/// The last step of samples that stand as they are.
#[derive(Clone, Copy)]
struct Last {
    finish: Finish,
    /// Whether it changes no integer.
    plain: bool,
}

/// Samples that go through the last step at once: a multiple of what any set of instructions takes.
const BLOCK: usize = 128;

impl Last {
    fn new(op: &Rank, pixel: Pixel) -> Self {
        let plain = op.finish == pass::Finish::PLAIN && pixel.sample != crate::frame::Sample::F32;
        Self { finish: Finish::new(op.finish, pixel), plain }
    }

    /// Writes a block of a row from column `x` on, or as much of it as the row holds.
    #[inline(always)]
    fn put<S: Simd, T: Ordered>(&self, simd: S, keys: &[T::Key; BLOCK], centre: &[T], x: usize, row: &mut [T]) {
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
