//! Bytes, of which a side's sum of distances ends before it leaves a byte.

use super::super::finish::VECTORS;
use super::super::simd::Simd;
use super::block::{At, Goal, Meet, Side, Way, mean, taken};
use crate::pass::Atadenoise;

/// [`Way`] for bytes.
pub struct ByteWay;

/// A vector of bytes: as many columns as [`VECTORS`] vectors of lanes have.
struct ByteBlock<S: Simd> {
    centre: S::I32,
    /// The largest distance and the largest sum of them that go on.
    most: [S::I32; 2],
    /// What each side is away, or 255.
    far: [S::I32; 2],
    /// No bit of bytes that ended.
    alive: S::I32,
    /// The sums of all four bytes of a lane, one byte further up each, modulo 2³².
    sum: S::I32,
    /// Those of the second and the fourth, in 16 bits each.
    odd: S::I32,
    /// The sum of all [`ByteBlock::alive`], modulo 2³².
    taken: S::I32,
}

/// The same byte everywhere.
#[inline(always)]
fn splat<S: Simd>(simd: S, byte: f32) -> S::I32 {
    simd.splat_i32(i32::from_ne_bytes([byte as u8; 4]))
}

impl<S: Simd> Meet<S, u8> for ByteBlock<S> {
    #[inline(always)]
    fn begin(simd: S, op: &Atadenoise, centre: &[u8]) -> Self {
        let (centre, zero) = (simd.load_integers(centre), simd.splat_i32(0));
        Self {
            centre,
            most: [splat(simd, op.single - 1.0), splat(simd, op.total - 1.0)],
            far: [zero; 2],
            alive: simd.splat_i32(-1),
            sum: centre,
            odd: simd.high_u8(centre),
            taken: zero,
        }
    }

    #[inline(always)]
    fn meet(&mut self, simd: S, side: Side, samples: &[u8], _: f32) {
        let samples = simd.load_integers(samples);
        let larger = simd.max_u8(samples, self.centre);
        let distance = simd.sub_i32(larger, simd.min_u8(samples, self.centre));
        let far = &mut self.far[side as usize];
        *far = simd.add_u8(*far, distance);
        let [single, total] = self.most;
        let over = simd.or_i32(simd.above_u8(distance, single), simd.above_u8(*far, total));
        self.alive = simd.and_i32(self.alive, simd.zeros_u8(over));
        let samples = simd.and_i32(samples, self.alive);
        self.sum = simd.add_i32(self.sum, samples);
        self.odd = simd.add_i32(self.odd, simd.high_u8(samples));
        self.taken = simd.add_i32(self.taken, self.alive);
    }

    #[inline(always)]
    fn turn(&mut self, simd: S) {
        self.alive = simd.splat_i32(-1);
    }

    #[inline(always)]
    fn is_done(&self, simd: S) -> bool {
        simd.is_zero(self.alive)
    }
}

impl Way<u8> for ByteWay {
    #[inline(always)]
    fn put<S: Simd>(simd: S, Goal { op, finish }: &Goal, at: At<u8>, to: &mut [u8]) {
        let held: ByteBlock<S> = taken(simd, op, at.rows, at.from);
        let even = simd.sub_i32(held.sum, simd.up_by_8(held.odd));
        // Each byte was taken as 255, and 255 · −0x01010101 is 1 modulo 2³².
        let counts = simd.mul_i32(held.taken, simd.splat_i32(-0x0101_0101));
        let (word, byte) = (simd.splat_i32(0xffff), simd.splat_i32(0xff));
        let count = |bits: i32| simd.and_i32(simd.down_i32(counts, simd.splat_i32(bits)), byte);
        let high = |sums: S::I32| simd.down_i32(sums, simd.splat_i32(16));
        let sums: [_; VECTORS] = [simd.and_i32(even, word), simd.and_i32(held.odd, word), high(even), high(held.odd)];
        let counts = [count(0), count(8), count(16), count(24)];
        let mut means = [simd.splat(0.0); VECTORS];
        for ((to, sum), count) in means.iter_mut().zip(sums).zip(counts) {
            *to = mean(simd, sum, count);
        }
        finish.weave(simd, means, at.centre, at.x, to);
    }
}
