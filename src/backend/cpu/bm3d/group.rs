//! A group of blocks: its noise, and what it counts.

use super::super::simd::Simd;
use super::search::{Found, NONE, offset};
use super::transform::{self, Block, Cosines};
use crate::pass::{Bm3d, Shrink};

const SIDE: usize = Bm3d::SIDE;
const MOST: usize = Bm3d::MAX_GROUP;
/// Added and taken away, it rounds what is below 2²².
const WHOLE: f32 = 12_582_912.0;

/// What all groups of a plane share.
pub struct Tables {
    shrink: Shrink,
    cosines: [f32; 8],
    window: Block,
    most: f32,
    /// By the binary logarithm of the number of blocks.
    scale: [f32; 6],
    unscale: [f32; 6],
}

impl Tables {
    /// Of an operation.
    pub fn new(op: &Bm3d) -> Self {
        Self {
            shrink: op.shrink,
            cosines: Bm3d::cosines(),
            window: Bm3d::window(),
            most: op.most(),
            scale: std::array::from_fn(|i| op.scale(1 << i)),
            unscale: std::array::from_fn(|i| Bm3d::unscale(1 << i)),
        }
    }
}

/// Rows of values, those of the plane from some row on.
pub struct PlaneValues<'a> {
    /// Of the frame in the middle, in which blocks are looked for.
    pub estimate: &'a [f32],
    /// Of what went into the first step; empty in it.
    pub noisy: &'a [f32],
    /// From one row to the next.
    pub pitch: usize,
}

/// Rows of sums, those of the plane from some row on.
pub struct NoiseSums<'a> {
    /// Weighed noise.
    pub noise: &'a mut [i32],
    /// Weights.
    pub weights: &'a mut [i32],
    /// From one row to the next.
    pub pitch: usize,
}

/// How values are read: rows that are `pitch` apart, of which row `top` of the plane is the first.
struct Read {
    pitch: usize,
    top: usize,
    base: f32,
    scale: f32,
}

/// Blocks that look alike.
pub struct BlockGroup {
    /// Where they begin, down and across; a power of two.
    places: [[usize; 2]; MOST],
    count: usize,
}

#[repr(align(64))]
struct Blocks([Block; MOST]);

/// Memory for the blocks of a group, and of the estimate of the same.
pub struct Stacks {
    own: Blocks,
    estimate: Blocks,
}

impl Default for Stacks {
    fn default() -> Self {
        Self { own: Blocks([[0.0; 64]; MOST]), estimate: Blocks([[0.0; 64]; MOST]) }
    }
}

impl BlockGroup {
    /// What was found for the reference block at `place`.
    #[inline(always)]
    pub fn of(found: &Found, lane: usize, [y, x]: [usize; 2], op: &Bm3d) -> Self {
        let known = found[..op.group].iter().take_while(|ranks| ranks[lane] != NONE).count();
        let count = 1 << known.max(1).ilog2();
        let mut places = [[y, x]; MOST];
        for (place, ranks) in places.iter_mut().zip(found).take(count) {
            let [down, across] = offset(ranks[lane], op.range);
            *place = [y.wrapping_add_signed(down), x.wrapping_add_signed(across)];
        }
        Self { places, count }
    }

    /// Reads the blocks, less the base and times the scale, and transforms them.
    #[inline(always)]
    fn transformed<S: Simd>(&self, simd: S, cosines: Cosines<S>, values: &[f32], read: &Read, blocks: &mut [Block]) {
        let Read { pitch, top, base, scale } = *read;
        for (block, [y, x]) in blocks.iter_mut().zip(self.places) {
            for (r, row) in block.as_chunks_mut::<SIDE>().0.iter_mut().enumerate() {
                let from = &values[(y - top + r) * pitch + x..][..SIDE];
                row.iter_mut().zip(from).for_each(|(to, value)| *to = (value - base) * scale);
            }
        }
        transform::forward(simd, cosines, blocks);
        transform::along(simd, blocks);
    }

    /// Adds what the group says of the noise.
    #[inline(always)]
    pub fn filter<S: Simd>(
        &self,
        simd: S,
        tables: &Tables,
        values: &PlaneValues,
        top: usize,
        stacks: &mut Stacks,
        sums: &mut NoiseSums,
    ) {
        let cosines = Cosines::new(simd, &tables.cosines);
        let size = self.count.ilog2() as usize;
        let [y, x] = self.places[0];
        let base = values.estimate[(y - top) * values.pitch + x];
        let read = Read { pitch: values.pitch, top, base, scale: tables.scale[size] };
        let blocks = &mut stacks.own.0[..self.count];
        let weight = match tables.shrink {
            Shrink::Threshold(threshold) => {
                self.transformed(simd, cosines, values.estimate, &read, blocks);
                tables.most / below(simd, threshold, blocks)
            }
            Shrink::Wiener { power, .. } => {
                let others = &mut stacks.estimate.0[..self.count];
                self.transformed(simd, cosines, values.noisy, &read, blocks);
                self.transformed(simd, cosines, values.estimate, &read, others);
                tables.most * 256.0 / attenuated(simd, power, blocks, others)
            }
        };
        transform::along(simd, blocks);
        transform::backward(simd, cosines, blocks);

        let weights: Block = tables.window.map(|window| ((weight * window + WHOLE) - WHOLE).max(1.0));
        let counted = weights.map(|weight| weight as i32);
        let (unscale, whole) = (simd.splat(tables.unscale[size]), simd.splat(WHOLE));
        let (least, most) = (simd.splat(-Bm3d::MOST_NOISE), simd.splat(Bm3d::MOST_NOISE));
        for (block, [y, x]) in blocks.iter().zip(self.places) {
            let mut noise = [0i32; 64];
            for (i, noise) in noise.chunks_exact_mut(S::LANES).enumerate() {
                let at = i * S::LANES;
                let value = simd.mul(simd.load(&block[at..]), unscale);
                let value = simd.smaller(simd.larger(value, least), most);
                let value = simd.sub(simd.add(value, whole), whole);
                let value = simd.whole(simd.mul(value, simd.load(&weights[at..])));
                simd.store_integers(value, noise);
            }
            for r in 0..SIDE {
                let at = (y - top + r) * sums.pitch + x;
                for (to, from) in [(&mut *sums.noise, &noise), (&mut *sums.weights, &counted)] {
                    let (to, from) = (&mut to[at..at + SIDE], &from[r * SIDE..][..SIDE]);
                    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
                }
            }
        }
    }
}

/// Leaves what is below the threshold, and counts the rest. The first coefficient is never left.
#[inline(always)]
fn below<S: Simd>(simd: S, threshold: f32, blocks: &mut [Block]) -> f32 {
    let (limit, zero, one) = (simd.splat(threshold), simd.splat(0.0), simd.splat(1.0));
    blocks[0][0] = f32::INFINITY;
    let mut count = zero;
    for values in blocks.as_flattened_mut().chunks_exact_mut(S::LANES) {
        let value = simd.load(values);
        let size = simd.abs(value);
        simd.store(simd.where_below(size, limit, value, zero), values);
        count = simd.add(count, simd.where_below(size, limit, zero, one));
    }
    total(simd, count)
}

/// Leaves what Wiener's rule takes, and sums the squares of what it keeps.
#[inline(always)]
fn attenuated<S: Simd>(simd: S, power: f32, blocks: &mut [Block], estimate: &mut [Block]) -> f32 {
    let (power, one, whole) = (simd.splat(power), simd.splat(1.0), simd.splat(WHOLE));
    let fine = simd.splat(256.0);
    // Of its own it would give 1 only if it were infinite, of which the quotient would be no number.
    (blocks[0][0], estimate[0][0]) = (0.0, 0.0);
    let mut sum = simd.splat(0.0);
    for (values, known) in
        blocks.as_flattened_mut().chunks_exact_mut(S::LANES).zip(estimate.as_flattened().chunks_exact(S::LANES))
    {
        let known = simd.load(known);
        let square = simd.mul(known, known);
        let kept = simd.div(square, simd.add(square, power));
        simd.store(simd.mul(simd.load(values), simd.sub(one, kept)), values);
        let squares = simd.mul(simd.mul(kept, kept), fine);
        sum = simd.add(sum, simd.sub(simd.add(squares, whole), whole));
    }
    // The first was counted as 0.
    total(simd, sum) + 256.0
}

/// The sum of all lanes, which are whole numbers.
#[inline(always)]
fn total<S: Simd>(simd: S, lanes: S::F32) -> f32 {
    let mut all = [0.0; 16];
    simd.store(lanes, &mut all);
    all.iter().sum()
}
