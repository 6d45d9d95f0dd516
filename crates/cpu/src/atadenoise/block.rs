//! What a block of columns keeps while it meets other frames ([`Meet`]), and how it is taken through them.

use super::super::finish::Finish;
use super::super::simd::Simd;
use crate::pass::Atadenoise;

/// One of the two sides of a frame.
#[derive(Clone, Copy)]
pub enum Side {
    /// Frames before it.
    Before = 0,
    /// Frames after it.
    After = 1,
}

/// What is kept of [`VECTORS`](super::super::finish::VECTORS) vectors of columns, or of a part of them, while they meet
/// other frames.
pub trait Meet<S: Simd, T> {
    /// The samples themselves, each alone in its mean.
    fn begin(simd: S, op: &Atadenoise, centre: &[T]) -> Self;
    /// Takes those of another frame that can be taken.
    fn meet(&mut self, simd: S, side: Side, samples: &[T], weight: f32);
    /// The other side begins anew, whatever became of the one before.
    fn turn(&mut self, simd: S);
    /// Whether nothing that is met would be taken any more.
    fn is_done(&self, simd: S) -> bool;
}

/// Takes a block through the frames; `x` is its first column.
#[inline(always)]
pub fn taken<S: Simd, T, M: Meet<S, T>>(simd: S, op: &Atadenoise, rows: &[&[T]], x: usize) -> M {
    let weight = |k: usize| op.weights.get(k).copied().unwrap_or(1.0);
    let (before, after) = (&rows[..op.radius], &rows[op.radius + 1..]);
    let mut block = M::begin(simd, op, &rows[op.radius][x..]);
    if op.together {
        for (k, (before, after)) in before.iter().rev().zip(after).enumerate() {
            block.meet(simd, Side::Before, &before[x..], weight(k));
            block.meet(simd, Side::After, &after[x..], weight(k));
            if block.is_done(simd) {
                break;
            }
        }
        return block;
    }
    for (k, before) in before.iter().rev().enumerate() {
        block.meet(simd, Side::Before, &before[x..], weight(k));
        if block.is_done(simd) {
            break;
        }
    }
    block.turn(simd);
    for (k, after) in after.iter().enumerate() {
        block.meet(simd, Side::After, &after[x..], weight(k));
        if block.is_done(simd) {
            break;
        }
    }
    block
}

/// What is made of samples.
pub struct Goal {
    /// The means.
    pub op: Atadenoise,
    /// What becomes of them.
    pub finish: Finish,
}

/// Where [`VECTORS`](super::super::finish::VECTORS) vectors of columns lie.
pub struct At<'a, T> {
    /// The rows of all frames, which hold all of the columns.
    pub rows: &'a [&'a [T]],
    /// Where in them the columns begin.
    pub from: usize,
    /// The row of the frame itself, which may end before they do.
    pub centre: &'a [T],
    /// Where in it they begin.
    pub x: usize,
}

/// A way to make the means of a block.
pub trait Way<T>: Send + Sync {
    /// Writes them into a row, or as many of them as it holds.
    fn put<S: Simd>(simd: S, goal: &Goal, at: At<T>, to: &mut [T]);
}

/// The mean of a sample and those that were taken, from the sum of all of them and the count of the others.
#[inline(always)]
pub fn mean<S: Simd>(simd: S, sum: S::I32, count: S::I32) -> S::F32 {
    simd.div(simd.float(sum), simd.float(simd.add_i32(count, simd.splat_i32(1))))
}
