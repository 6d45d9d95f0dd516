//! Integers, of which a side's sum of distances ends before it leaves 16 bits.

use super::super::finish::VECTORS;
use super::super::simd::{Dot, Simd};
use super::block::{At, Goal, Meet, Side, Way, mean, taken};
use crate::pass::Atadenoise;

/// [`Way`] for integers.
pub struct Words;

/// Samples as 16-bit numbers.
pub trait Worded: Dot {
    /// [`VECTORS`] vectors of lanes of samples, two numbers in a lane.
    fn words<S: Simd>(simd: S, from: &[Self]) -> [S::I32; 2];
    /// Of the first and the second numbers in the lanes of both what [`Dot::weave`] takes.
    fn ordered<S: Simd>(values: [[S::F32; 2]; 2]) -> [S::F32; VECTORS];
}

impl Worded for u8 {
    #[inline(always)]
    fn words<S: Simd>(simd: S, from: &[u8]) -> [S::I32; 2] {
        let bytes = simd.load_integers(from);
        [simd.and_i32(bytes, simd.splat_i32(0x00ff_00ff)), simd.high_u8(bytes)]
    }

    #[inline(always)]
    fn ordered<S: Simd>([[a, c], [b, d]]: [[S::F32; 2]; 2]) -> [S::F32; VECTORS] {
        [a, b, c, d]
    }
}

impl Worded for u16 {
    #[inline(always)]
    fn words<S: Simd>(simd: S, from: &[u16]) -> [S::I32; 2] {
        [simd.load_integers(from), simd.load_integers(&from[2 * S::LANES..])]
    }

    #[inline(always)]
    fn ordered<S: Simd>([[a, b], [c, d]]: [[S::F32; 2]; 2]) -> [S::F32; VECTORS] {
        [a, b, c, d]
    }
}

/// A vector of numbers; kept as bytes are.
struct WordVector<S: Simd> {
    centre: S::I32,
    far: [S::I32; 2],
    alive: S::I32,
    /// The sums of both numbers of a lane, the second's 16 bits further up, modulo 2³².
    sum: S::I32,
    /// That of the second.
    odd: S::I32,
    taken: S::I32,
}

/// A block: two vectors, and what both are held against.
struct WordBlock<S: Simd> {
    held: [WordVector<S>; 2],
    most: [S::I32; 2],
}

impl<S: Simd> WordVector<S> {
    #[inline(always)]
    fn begin(simd: S, centre: S::I32) -> Self {
        let (zero, odd) = (simd.splat_i32(0), simd.down_i32(centre, simd.splat_i32(16)));
        Self { centre, far: [zero; 2], alive: simd.splat_i32(-1), sum: centre, odd, taken: zero }
    }

    #[inline(always)]
    fn meet(&mut self, simd: S, side: Side, samples: S::I32, [single, total]: [S::I32; 2]) {
        let larger = simd.max_u16(samples, self.centre);
        let distance = simd.sub_i32(larger, simd.min_u16(samples, self.centre));
        let far = &mut self.far[side as usize];
        *far = simd.add_u16(*far, distance);
        let over = simd.or_i32(simd.above_u16(distance, single), simd.above_u16(*far, total));
        self.alive = simd.and_i32(self.alive, simd.zeros_u16(over));
        let samples = simd.and_i32(samples, self.alive);
        self.sum = simd.add_i32(self.sum, samples);
        self.odd = simd.add_i32(self.odd, simd.down_i32(samples, simd.splat_i32(16)));
        self.taken = simd.add_i32(self.taken, self.alive);
    }

    /// The means of the first and of the second numbers.
    #[inline(always)]
    fn means(self, simd: S) -> [S::F32; 2] {
        let even = simd.sub_i32(self.sum, simd.up_by_16(self.odd));
        // Each number was taken as 65535, and 65535 · −0x00010001 is 1 modulo 2³².
        let counts = simd.mul_i32(self.taken, simd.splat_i32(-0x0001_0001));
        let first = mean(simd, even, simd.and_i32(counts, simd.splat_i32(0xffff)));
        [first, mean(simd, self.odd, simd.down_i32(counts, simd.splat_i32(16)))]
    }
}

impl<S: Simd, T: Worded> Meet<S, T> for WordBlock<S> {
    #[inline(always)]
    fn begin(simd: S, op: &Atadenoise, centre: &[T]) -> Self {
        let [a, b] = T::words(simd, centre);
        let most = [simd.splat_u16((op.single - 1.0) as u16), simd.splat_u16((op.total - 1.0) as u16)];
        Self { held: [WordVector::begin(simd, a), WordVector::begin(simd, b)], most }
    }

    #[inline(always)]
    fn meet(&mut self, simd: S, side: Side, samples: &[T], _: f32) {
        let [a, b] = T::words(simd, samples);
        self.held[0].meet(simd, side, a, self.most);
        self.held[1].meet(simd, side, b, self.most);
    }

    #[inline(always)]
    fn turn(&mut self, simd: S) {
        self.held[0].alive = simd.splat_i32(-1);
        self.held[1].alive = simd.splat_i32(-1);
    }

    #[inline(always)]
    fn is_done(&self, simd: S) -> bool {
        simd.is_zero(simd.or_i32(self.held[0].alive, self.held[1].alive))
    }
}

impl<T: Worded> Way<T> for Words {
    #[inline(always)]
    fn put<S: Simd>(simd: S, Goal { op, finish }: &Goal, at: At<T>, to: &mut [T]) {
        let WordBlock { held: [a, b], .. } = taken::<S, T, WordBlock<S>>(simd, op, at.rows, at.from);
        let means = T::ordered::<S>([a.means(simd), b.means(simd)]);
        finish.weave(simd, means, at.centre, at.x, to);
    }
}
