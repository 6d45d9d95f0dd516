//! A group of blocks: its noise, and what it counts.

use super::super::simd::Simd;
use super::follow::BlockWay;
use super::search::{NONE, Ranks};
use super::strip::{FrameRows, StripRows};
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

/// Rows of sums, those of the plane from some row on.
pub struct NoiseSums<'a> {
    /// Weighed noise.
    pub noise: &'a mut [i32],
    /// Weights.
    pub weights: &'a mut [i32],
    /// From one row to the next.
    pub pitch: usize,
}

/// How values are read: less the base, times the scale; in the second step of one of two images.
struct Read {
    noisy: bool,
    base: f32,
    scale: f32,
}

/// Where a block begins, down and across.
#[derive(Clone, Copy)]
struct BlockPlace {
    /// Which frame, as in [`StripRows`].
    frame: usize,
    y: usize,
    x: usize,
}

/// Blocks that look alike.
pub struct BlockGroup {
    places: [BlockPlace; MOST],
    /// A power of two.
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
    /// What was found for the reference block of a way.
    #[inline(always)]
    pub fn of(op: &Bm3d, ranks: &Ranks, way: &BlockWay) -> Self {
        let known = ranks[..op.group].iter().take_while(|rank| **rank != NONE).count();
        let count = 1 << known.max(1).ilog2();
        let mut places = [BlockPlace { frame: 0, y: 0, x: 0 }; MOST];
        for (to, &rank) in places.iter_mut().zip(ranks).take(count) {
            let (frame, [y, x]) = way.found(op, rank);
            *to = BlockPlace { frame, y, x };
        }
        Self { places, count }
    }

    /// Reads the blocks, less the base and times the scale, and transforms them.
    #[inline(always)]
    fn transformed<S: Simd>(&self, simd: S, cosines: Cosines<S>, rows: &StripRows, read: &Read, blocks: &mut [Block]) {
        let Read { noisy, base, scale } = *read;
        for (block, BlockPlace { frame, y, x }) in blocks.iter_mut().zip(self.places) {
            let FrameRows { top, estimate, noisy: other, .. } = rows.frames[frame].unwrap_or_default();
            let values = if noisy { other } else { estimate };
            for (r, row) in block.as_chunks_mut::<SIDE>().0.iter_mut().enumerate() {
                let from = &values[(y - top + r) * rows.pitch + x..][..SIDE];
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
        rows: &StripRows,
        stacks: &mut Stacks,
        sums: &mut NoiseSums,
    ) {
        let cosines = Cosines::new(simd, &tables.cosines);
        let size = self.count.ilog2() as usize;
        let (centre, BlockPlace { y, x, .. }) = (rows.frames[0].unwrap_or_default(), self.places[0]);
        let base = centre.estimate[(y - centre.top) * rows.pitch + x];
        let read = Read { noisy: false, base, scale: tables.scale[size] };
        let blocks = &mut stacks.own.0[..self.count];
        let weight = match tables.shrink {
            Shrink::Threshold(threshold) => {
                self.transformed(simd, cosines, rows, &read, blocks);
                tables.most / below(simd, threshold, blocks)
            }
            Shrink::Wiener { power, .. } => {
                let others = &mut stacks.estimate.0[..self.count];
                self.transformed(simd, cosines, rows, &Read { noisy: true, ..read }, blocks);
                self.transformed(simd, cosines, rows, &read, others);
                tables.most * 256.0 / attenuated(simd, power, blocks, others)
            }
        };
        transform::along(simd, blocks);
        transform::backward(simd, cosines, blocks);

        let weights: Block = tables.window.map(|window| ((weight * window + WHOLE) - WHOLE).max(1.0));
        let counted = weights.map(|weight| weight as i32);
        let (unscale, whole) = (simd.splat(tables.unscale[size]), simd.splat(WHOLE));
        let (least, most) = (simd.splat(-Bm3d::MOST_NOISE), simd.splat(Bm3d::MOST_NOISE));
        let own = |place: &BlockPlace| place.frame == 0;
        for (block, BlockPlace { y, x, .. }) in blocks.iter().zip(self.places).filter(|(_, place)| own(place)) {
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
                let at = (y - centre.top + r) * sums.pitch + x;
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
