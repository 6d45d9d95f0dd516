//! The transform of eight numbers, of which each is a vector, and of blocks.
//!
//! Vectors are met in loops and not in closures, which would be compiled without the instructions.

use super::super::simd::Simd;
use crate::pass::Bm3d;

/// A block, row by row.
pub type Block = [f32; 64];
/// Samples along the sides of a block.
const SIDE: usize = Bm3d::SIDE;
/// The lanes of the widest vector.
const WIDEST: usize = 16;

/// Rows of as many blocks side by side as a vector holds.
#[repr(align(64))]
struct BlockTile([f32; SIDE * WIDEST]);

/// `c(0) … c(7)` as vectors, and behind them `−c(0) … −c(7)`.
#[derive(Clone, Copy)]
pub struct Cosines<S: Simd>([S::F32; 16]);

impl<S: Simd> Cosines<S> {
    /// All lanes alike.
    #[inline(always)]
    pub fn new(simd: S, cosines: &[f32; 8]) -> Self {
        let mut all = [simd.splat(0.0); 16];
        for (k, &cosine) in cosines.iter().enumerate() {
            (all[k], all[k + 8]) = (simd.splat(cosine), simd.splat(-cosine));
        }
        Self(all)
    }

    /// `a · c(±k) + b · c(±l) + …`, the first a product and each other fused.
    #[expect(clippy::needless_range_loop, reason = "two arrays are walked side by side")]
    #[inline(always)]
    fn odd(&self, simd: S, x: [S::F32; 4], line: usize) -> S::F32 {
        let mut sum = simd.mul(x[0], self.0[Bm3d::ODD[line][0] as usize]);
        for i in 1..4 {
            let weight = Bm3d::ODD[line][i];
            sum = simd.mul_add(x[i], self.0[weight.unsigned_abs() + if weight < 0 { 8 } else { 0 }], sum);
        }
        sum
    }

    /// There.
    #[inline(always)]
    fn forward(&self, simd: S, x: [S::F32; 8]) -> [S::F32; 8] {
        let c = &self.0;
        let (mut s, mut d) = ([c[0]; 4], [c[0]; 4]);
        for i in 0..4 {
            (s[i], d[i]) = (simd.add(x[i], x[7 - i]), simd.sub(x[i], x[7 - i]));
        }
        let e = [simd.add(s[0], s[3]), simd.add(s[1], s[2])];
        let f = [simd.sub(s[0], s[3]), simd.sub(s[1], s[2])];
        [
            simd.mul(simd.add(e[0], e[1]), c[4]),
            self.odd(simd, d, 0),
            simd.mul_add(f[1], c[6], simd.mul(f[0], c[2])),
            self.odd(simd, d, 1),
            simd.mul(simd.sub(e[0], e[1]), c[4]),
            self.odd(simd, d, 2),
            simd.mul_add(f[1], c[8 + 2], simd.mul(f[0], c[6])),
            self.odd(simd, d, 3),
        ]
    }

    /// And back.
    #[inline(always)]
    fn backward(&self, simd: S, x: [S::F32; 8]) -> [S::F32; 8] {
        let c = &self.0;
        let (a, b) = (simd.mul(x[0], c[4]), simd.mul(x[4], c[4]));
        let e = [simd.add(a, b), simd.sub(a, b)];
        let f = [simd.mul_add(x[6], c[6], simd.mul(x[2], c[2])), simd.mul_add(x[6], c[8 + 2], simd.mul(x[2], c[6]))];
        let s = [simd.add(e[0], f[0]), simd.add(e[1], f[1]), simd.sub(e[1], f[1]), simd.sub(e[0], f[0])];
        let (odd, mut back) = ([x[1], x[3], x[5], x[7]], x);
        for i in 0..4 {
            let d = self.odd(simd, odd, i);
            (back[i], back[7 - i]) = (simd.add(s[i], d), simd.sub(s[i], d));
        }
        back
    }
}

#[inline(always)]
fn rows<S: Simd>(simd: S, tile: &BlockTile) -> [S::F32; 8] {
    let mut rows = [simd.splat(0.0); 8];
    for (r, row) in rows.iter_mut().enumerate() {
        *row = simd.load(&tile.0[r * S::LANES..]);
    }
    rows
}

#[inline(always)]
fn put<S: Simd>(simd: S, rows: [S::F32; 8], tile: &mut BlockTile) {
    for (r, row) in rows.into_iter().enumerate() {
        simd.store(row, &mut tile.0[r * S::LANES..]);
    }
}

/// Each block of a tile on its side.
#[inline(always)]
fn turned<S: Simd>(simd: S, from: &BlockTile, to: &mut BlockTile) {
    for block in (0..S::LANES).step_by(SIDE) {
        let from: &[i32] = bytemuck::cast_slice(&from.0[block..]);
        simd.transpose(from, S::LANES, bytemuck::cast_slice_mut(&mut to.0[block..]), S::LANES);
    }
}

/// Blocks as a tile; of fewer than it holds, the last again.
#[inline(always)]
fn joined<S: Simd>(blocks: &[Block], tile: &mut BlockTile) {
    for r in 0..SIDE {
        for place in 0..S::LANES / SIDE {
            let block = &blocks[place.min(blocks.len() - 1)];
            tile.0[r * S::LANES + place * SIDE..][..SIDE].copy_from_slice(&block[r * SIDE..][..SIDE]);
        }
    }
}

#[inline(always)]
fn apart<S: Simd>(tile: &BlockTile, blocks: &mut [Block]) {
    for (place, block) in blocks.iter_mut().enumerate() {
        for r in 0..SIDE {
            block[r * SIDE..][..SIDE].copy_from_slice(&tile.0[r * S::LANES + place * SIDE..][..SIDE]);
        }
    }
}

/// Transforms each block, its columns and then its rows. A block of coefficients lies on its side.
#[inline(always)]
pub fn forward<S: Simd>(simd: S, cosines: Cosines<S>, blocks: &mut [Block]) {
    let (mut tile, mut other) = (BlockTile([0.0; SIDE * WIDEST]), BlockTile([0.0; SIDE * WIDEST]));
    for blocks in blocks.chunks_mut(S::LANES / SIDE) {
        joined::<S>(blocks, &mut tile);
        put(simd, cosines.forward(simd, rows(simd, &tile)), &mut tile);
        turned(simd, &tile, &mut other);
        put(simd, cosines.forward(simd, rows(simd, &other)), &mut tile);
        apart::<S>(&tile, blocks);
    }
}

/// The same back, rows before columns.
#[inline(always)]
pub fn backward<S: Simd>(simd: S, cosines: Cosines<S>, blocks: &mut [Block]) {
    let (mut tile, mut other) = (BlockTile([0.0; SIDE * WIDEST]), BlockTile([0.0; SIDE * WIDEST]));
    for blocks in blocks.chunks_mut(S::LANES / SIDE) {
        joined::<S>(blocks, &mut tile);
        put(simd, cosines.backward(simd, rows(simd, &tile)), &mut tile);
        turned(simd, &tile, &mut other);
        put(simd, cosines.backward(simd, rows(simd, &other)), &mut tile);
        apart::<S>(&tile, blocks);
    }
}

/// Sums and differences along the group, of `2^i` blocks.
#[inline(always)]
pub fn along<S: Simd>(simd: S, blocks: &mut [Block]) {
    let mut half = 1;
    while half < blocks.len() {
        for pairs in blocks.chunks_exact_mut(2 * half) {
            let (first, second) = pairs.split_at_mut(half);
            for (first, second) in first.iter_mut().zip(second) {
                for (a, b) in first.chunks_exact_mut(S::LANES).zip(second.chunks_exact_mut(S::LANES)) {
                    let (x, y) = (simd.load(a), simd.load(b));
                    simd.store(simd.add(x, y), a);
                    simd.store(simd.sub(x, y), b);
                }
            }
        }
        half *= 2;
    }
}
